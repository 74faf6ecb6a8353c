"""Code that others add: what installed packages name in an entry-point group, and files in a folder of the profile.

A file is any `*.py` that does not begin with `_` or `.`; it is read as a module, under a private name, and nothing is
written beside it. Such code may do whatever the user may.
"""

import hashlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.abc import SourceLoader
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from world_model import UsageError

Stamp = tuple[int, int, int]  # what is different once a file was changed: time, size, inode


@dataclass(frozen=True, slots=True)
class Plugin:
    """One plugin, not yet read.

    Attributes:
        name: what a complaint calls it.
        home: its file, or the package that its code is in.
    """

    name: str
    home: str
    read: Callable[[], object]


def installed(group: str) -> list[Plugin]:
    """What the entry points of all packages name."""
    return [
        Plugin(f"{one.dist.name if one.dist else ''} ({one.name} = {one.value})", one.module.split(".")[0], one.load)
        for one in sorted(entry_points(group=group))
    ]


def plugin_in(file: str) -> Plugin:
    """What is in a file."""
    return Plugin(file, file, partial(_imported, file))


def stamps_of(folder: Path) -> dict[str, Stamp]:
    """The files in a folder that are plugins, by path; none where there is no folder.

    Raises:
        UsageError: it is there and cannot be read.
    """
    found = {}
    try:
        for entry in sorted(os.scandir(folder), key=lambda one: one.name):
            if entry.name.endswith(".py") and not entry.name.startswith(("_", ".")) and entry.is_file():
                state = entry.stat()
                found[entry.path] = (state.st_ctime_ns, state.st_size, state.st_ino)
    except FileNotFoundError:  # the folder, or a file that was there a moment ago
        return found
    except OSError as error:
        raise UsageError(f"The files in {folder} cannot be read: {error.strerror}.") from error
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
    name = f"_mark_i_plugin_{hashlib.sha256(file.encode()).hexdigest()[:16]}"
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


def members(module: ModuleType, mark: str) -> list[object]:
    """What in a module carries a mark: functions, objects with such methods, and classes of such objects.

    A class is left out where it is somebody else's, or an object of it is there.
    """
    public = {id(value): value for name, value in vars(module).items() if not name.startswith("_")}.values()
    made = [one for one in public if not isinstance(one, type) and _carries(one, mark)]
    classes = [one for one in public if isinstance(one, type) and one.__module__ == module.__name__]
    return made + [one for one in classes if _methods(one, mark) and not any(isinstance(other, one) for other in made)]


def _carries(value: object, mark: str) -> bool:
    return hasattr(value, mark) if inspect.isroutine(value) else _methods(type(value), mark)


def _methods(kind: type, mark: str) -> bool:
    return any(hasattr(inspect.getattr_static(kind, name, None), mark) for name in dir(kind))


def complaint(plugin: Plugin, error: BaseException) -> str:
    """What is wrong with a plugin, and in which line."""
    return f"{_place(plugin, error)}: {_words(error)}."


def _place(plugin: Plugin, error: BaseException) -> str:
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
