"""Plugins: code in the entry-point group of an installed package, or in a file in a folder of the profile.

A plugin file is any `*.py` whose name does not start with `_` or `.`. It is imported under a private name, and nothing
is written beside it. Such code can do whatever the user can.
"""

import contextlib
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

from world_model import UsageError, file_fault

Stamp = tuple[int, int, int]  # changes with the file: time, size, inode


@dataclass(frozen=True, slots=True)
class Plugin:
    """One plugin that has not been loaded yet.

    Attributes:
        name: how error messages name it.
        home: its file, or the package with its code.
    """

    name: str
    home: str
    read: Callable[[], object]


def installed(group: str) -> list[Plugin]:
    """Return the plugins in the entry points of all packages."""
    return [
        Plugin(f"{one.dist.name if one.dist else ''} ({one.name} = {one.value})", one.module.split(".")[0], one.load)
        for one in sorted(entry_points(group=group))
    ]


def plugin_in(file: str) -> Plugin:
    """Return the plugin in a file."""
    return Plugin(file, file, partial(_imported, file))


def stamps_of(folder: Path) -> dict[str, Stamp]:
    """Return the plugin files in a folder by path; none if there is no folder.

    Raises:
        UsageError: the folder cannot be read.
    """
    found = {}
    try:
        for entry in sorted(os.scandir(folder), key=lambda one: one.name):
            if entry.name.endswith(".py") and not entry.name.startswith(("_", ".")) and entry.is_file():
                with contextlib.suppress(FileNotFoundError):  # it was there a moment ago
                    state = entry.stat()
                    found[entry.path] = (state.st_ctime_ns, state.st_size, state.st_ino)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"The files in {folder} cannot be read: {file_fault(error)}.") from error
    return found


class _Source(SourceLoader):
    """Reads the file each time: Python's own cache misses changes within the same second."""

    def __init__(self, file: str) -> None:
        self._file = file

    def get_filename(self, fullname: str) -> str:  # noqa: ARG002 - the library's
        return self._file

    def get_data(self, path: str) -> bytes:
        return Path(path).read_bytes()


def _imported(file: str) -> ModuleType:
    """Import a file as a module with a unique name."""
    name = f"_mark_i_plugin_{hashlib.sha256(file.encode()).hexdigest()[:16]}"
    loader = _Source(file)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None  # noqa: S101 - a loader was given
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module  # dataclasses look their module up there
    try:
        loader.exec_module(module)
    except BaseException:  # a plugin may even call exit; the module is not left half loaded
        del sys.modules[name]
        if before:
            sys.modules[name] = before
        raise
    return module


def members(module: ModuleType, mark: str) -> list[object]:
    """Return the marked functions of a module, its objects with marked methods, and the classes of such objects.

    A class is skipped if it is imported from elsewhere or the module has an instance of it.
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
    """Say what is wrong with a plugin, and in which line."""
    return f"{_place(plugin, error)}: {_words(error)}."


def _place(plugin: Plugin, error: BaseException) -> str:
    """Say where a plugin failed: its name, and the line if it is known."""
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
