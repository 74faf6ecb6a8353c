"""The door for tools that others made: installed packages, and files in the profile's `tools/` folder.

A package names its tools in the entry-point group `mark_i.tools`. Each entry is a function that is a tool, an object
with such methods, a class of such objects, or a module with any of these. A file is any `*.py` that does not begin with
`_` or `.`; it is read as such a module, under a private name, and nothing is written beside it. Plugins may do whatever
the user may.
"""

import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.abc import SourceLoader
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Final

from toolbelt.belt import Toolbelt
from toolbelt.tool import MARK, Tool, tools_of
from world_model import UsageError

GROUP: Final = "mark_i.tools"
Stamp = tuple[int, int, int]  # what is different once a file was changed: time, size, inode


@dataclass(frozen=True, slots=True)
class _Plugin:
    """One plugin, not yet read.

    Attributes:
        name: what a complaint calls it.
        home: its file, or the package that its code is in.
    """

    name: str
    home: str
    read: Callable[[], object]


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

    def refresh(self, toolbelt: Toolbelt) -> list[str]:
        """Bring the toolbelt up to date; returns what is newly wrong with any plugin.

        Packages are read once; files whenever one of them is changed, and nothing is read where none is. A changed file
        that is broken leaves its tools as they were.

        Raises:
            UsageError: the folder is there and cannot be read.
        """
        stamps = _stamps(self._folder)
        if stamps == self._stamps:
            return []
        known = {} if self._stamps is None else self._stamps
        plugins = _installed() if self._stamps is None else []
        # What was refused may be welcome now: the other tool of that name may be gone.
        changed = [one for one, stamp in stamps.items() if known.get(one) != stamp or one in self._complaints]
        plugins += [_Plugin(file, file, partial(_imported, file)) for file in changed]
        self._stamps = stamps
        for file in known.keys() - stamps.keys():
            self._complaints.pop(file, None)
            toolbelt.remove(*self._added.pop(file, ()))
        return self._load(plugins, toolbelt)

    def _load(self, plugins: Iterable[_Plugin], toolbelt: Toolbelt) -> list[str]:
        """First all are read, then all old tools are taken out: one may have moved from a file to another."""
        loaded: dict[str, list[object]] = {}
        complaints: dict[str, str] = {}
        for one in plugins:
            try:
                loaded[one.name] = _sources(one.read())
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's code may raise anything
                kept = "Its tools stay as they were." if one.name in self._added else "It is left out."
                complaints[one.name] = f"{_place(one, error)}: {_words(error)}. {kept}"
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


def _installed() -> list[_Plugin]:
    """What the entry points of all packages name."""
    return [
        _Plugin(f"{one.dist.name if one.dist else ''} ({one.name} = {one.value})", one.module.split(".")[0], one.load)
        for one in sorted(entry_points(group=GROUP))
    ]


def _stamps(folder: Path) -> dict[str, Stamp]:
    """The files of tools, by path."""
    found = {}
    try:
        for entry in sorted(os.scandir(folder), key=lambda one: one.name):
            if entry.name.endswith(".py") and not entry.name.startswith(("_", ".")) and entry.is_file():
                state = entry.stat()
                found[entry.path] = (state.st_ctime_ns, state.st_size, state.st_ino)
    except FileNotFoundError:  # the folder, or a file that was there a moment ago
        return found
    except OSError as error:
        raise UsageError(f"The tools in {folder} cannot be read: {error.strerror}.") from error
    return found


class _Source(SourceLoader):
    """Reads the file each time. What Python's own loader keeps in `__pycache__` may be older by less than a second."""

    def __init__(self, file: str) -> None:
        self._file = file

    def get_filename(self, fullname: str) -> str:  # noqa: ARG002 - the library's
        return self._file

    def get_data(self, path: str) -> bytes:
        return Path(path).read_bytes()


def _imported(file: str) -> ModuleType:
    """A file as a module, under a name that is nobody else's."""
    name = f"_mark_i_tools_{hashlib.sha256(file.encode()).hexdigest()[:16]}"
    loader = _Source(file)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None  # noqa: S101 - a loader was given
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses look their module up there
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        if before:
            sys.modules[name] = before
        raise
    return module


def _sources(plugin: object) -> list[object]:
    """What of a plugin the toolbelt takes.

    Raises:
        TypeError: there is no tool in it.
    """
    found = _members(plugin) if isinstance(plugin, ModuleType) else [plugin]
    if not found:
        raise TypeError("there is no tool in it: write @tool above a function or a method.")
    sources = [one() if isinstance(one, type) else one for one in found]
    for source in sources:
        tools_of(source)
    return sources


def _members(module: ModuleType) -> list[object]:
    """The tools of a module. A class is meant to be made unless it is somebody else's, or an object of it is there."""
    public = {id(value): value for name, value in vars(module).items() if not name.startswith("_")}.values()
    made = [one for one in public if not isinstance(one, type) and _has_tools(one)]
    classes = [one for one in public if isinstance(one, type) and one.__module__ == module.__name__]
    return made + [one for one in classes if _methods(one) and not any(isinstance(other, one) for other in made)]


def _has_tools(value: object) -> bool:
    if isinstance(value, Tool):
        return True
    return hasattr(value, MARK) if inspect.isroutine(value) else _methods(type(value))


def _methods(kind: type) -> bool:
    return any(hasattr(inspect.getattr_static(kind, name, None), MARK) for name in dir(kind))


def _place(plugin: _Plugin, error: BaseException) -> str:
    """Where a plugin failed: its name, and the line where that is known."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        frames = [(error.filename, error.lineno)]
    else:
        frames = [(one.filename, one.lineno or 0) for one in traceback.extract_tb(error.__traceback__)]
    for file, line in reversed(frames):
        if _is_in(plugin.home, file):
            return f"{plugin.name}, line {line}" if file == plugin.name else f"{plugin.name}, {file}, line {line}"
    return plugin.name


def _is_in(home: str, file: str) -> bool:
    return file == home or home in Path(file).with_suffix("").parts


def _words(error: BaseException) -> str:
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {' '.join(said.split())}".rstrip(".: ")
