"""The door for tools that others made: installed packages, and files in the profile's `tools/` folder.

A package names its tools in the entry-point group `mark_i.tools`. Each entry is a function that is a tool, an object
with such methods, a class of such objects, or a module with any of these. A file is read as such a module.
"""

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Final

from mark_i.plugins.loader import Plugin, Stamp, complaint, installed, members, plugin_in, stamps_of
from toolbelt.belt import Toolbelt
from toolbelt.tool import MARK, Tool, tools_of

GROUP: Final = "mark_i.tools"


class Plugins:
    """The plugins of a profile, watched. A broken one is complained of, and the others work.

    Args:
        folder: where the files are; it need not be there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps: dict[str, Stamp] | None = None
        self._added: dict[str, list[object]] = {}
        self._complaints: dict[str, str] = {}

    @property
    def sources(self) -> list[object]:
        """What the tools in use come from."""
        return [source for sources in self._added.values() for source in sources]

    @property
    def origins(self) -> dict[str, str]:
        """Where each tool comes from: its file, or its package."""
        found = [(tool, name) for name, sources in self._added.items() for one in sources for tool in tools_of(one)]
        return {tool.name: name for tool, name in found}

    @property
    def complaints(self) -> dict[str, str]:
        """What is wrong with plugins now, by their file or package."""
        return dict(self._complaints)

    def refresh(self, toolbelt: Toolbelt) -> list[str]:
        """Bring the toolbelt up to date; returns what is newly wrong with any plugin.

        Packages are read once; files whenever one of them is changed, and nothing is read where none is. A changed file
        that is broken leaves its tools as they were.

        Raises:
            UsageError: the folder is there and cannot be read.
        """
        stamps = stamps_of(self._folder)
        if stamps == self._stamps:
            return []
        known = {} if self._stamps is None else self._stamps
        plugins = installed(GROUP) if self._stamps is None else []
        # What was refused may be welcome now: the other tool of that name may be gone.
        changed = [one for one, stamp in stamps.items() if known.get(one) != stamp or one in self._complaints]
        plugins += map(plugin_in, changed)
        self._stamps = stamps
        for file in known.keys() - stamps.keys():
            self._complaints.pop(file, None)
            toolbelt.remove(*self._added.pop(file, ()))
        return self._load(plugins, toolbelt)

    def _load(self, plugins: Iterable[Plugin], toolbelt: Toolbelt) -> list[str]:
        """First all are read, then all old tools are taken out: one may have moved from a file to another."""
        loaded: dict[str, list[object]] = {}
        complaints: dict[str, str] = {}
        for one in plugins:
            try:
                loaded[one.name] = _sources(one.read())
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's code may raise anything
                kept = "Its tools stay as they were." if one.name in self._added else "It is left out."
                complaints[one.name] = f"{complaint(one, error)} {kept}"
        for name in loaded:
            toolbelt.remove(*self._added.pop(name, ()))
        for name, sources in loaded.items():
            try:
                toolbelt.add(*sources)
            except ValueError as error:
                complaints[name] = f"{name}: {error} It is left out."
            else:
                self._added[name] = sources
        news = [told for name, told in complaints.items() if self._complaints.get(name) != told]
        read = loaded.keys() | complaints.keys()
        self._complaints = {name: told for name, told in self._complaints.items() if name not in read} | complaints
        return news


def _sources(plugin: object) -> list[object]:
    """What of a plugin the toolbelt takes.

    Raises:
        TypeError: there is no tool in it.
    """
    found = _tools(plugin) if isinstance(plugin, ModuleType) else [plugin]
    if not found:
        raise TypeError("there is no tool in it: write @tool above a function or a method.")
    sources = [one() if isinstance(one, type) else one for one in found]
    for source in sources:
        tools_of(source)
    return sources


def _tools(module: ModuleType) -> list[object]:
    made = [value for name, value in vars(module).items() if isinstance(value, Tool) and not name.startswith("_")]
    return list({id(one): one for one in [*made, *members(module, MARK)]}.values())
