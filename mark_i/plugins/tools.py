"""Tools from plugins: installed packages, and files in the `tools/` folder of the profile.

A package names its tools in the entry-point group `mark_i.tools`. An entry is a tool function, an object with tool
methods, a class of such objects, or a module with any of these. A file is loaded as such a module.
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
    """The plugins of a profile, reloaded when they change. A broken one is reported, and the others work.

    Args:
        folder: the folder with the files; it need not exist.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stamps: dict[str, Stamp] | None = None
        self._added: dict[str, list[object]] = {}
        self._complaints: dict[str, str] = {}

    @property
    def sources(self) -> list[object]:
        """Return the functions and objects that the tools in use come from."""
        return [source for sources in self._added.values() for source in sources]

    @property
    def origins(self) -> dict[str, str]:
        """Return the file or package that each tool comes from."""
        found = [(tool, name) for name, sources in self._added.items() for one in sources for tool in tools_of(one)]
        return {tool.name: name for tool, name in found}

    @property
    def complaints(self) -> dict[str, str]:
        """Return what is wrong with plugins now, by file or package."""
        return dict(self._complaints)

    def refresh(self, toolbelt: Toolbelt) -> list[str]:
        """Update the toolbelt and return what is newly wrong with any plugin.

        Packages are loaded once, files again when one of them has changed. If a changed file is broken, its tools stay
        as they were.

        Raises:
            UsageError: the folder cannot be read.
        """
        stamps = stamps_of(self._folder)
        if stamps == self._stamps:
            return []
        known = {} if self._stamps is None else self._stamps
        plugins = installed(GROUP) if self._stamps is None else []
        # A rejected file may be accepted now: the other tool with that name may be gone.
        changed = [one for one, stamp in stamps.items() if known.get(one) != stamp or one in self._complaints]
        plugins += map(plugin_in, changed)
        self._stamps = stamps
        for file in known.keys() - stamps.keys():
            self._complaints.pop(file, None)
            toolbelt.remove(*self._added.pop(file, ()))
        return self._load(plugins, toolbelt)

    def _load(self, plugins: Iterable[Plugin], toolbelt: Toolbelt) -> list[str]:
        """Load all plugins before any old tool is removed: a tool may have moved from one file to another."""
        loaded: dict[str, list[object]] = {}
        complaints: dict[str, str] = {}
        for one in plugins:
            try:
                loaded[one.name] = _sources(one.read())
            except (Exception, SystemExit) as error:  # noqa: BLE001 - plugin code may raise anything
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
    """Return what the toolbelt accepts from a plugin.

    Raises:
        TypeError: it contains no tool.
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
