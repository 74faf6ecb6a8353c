"""A user's own brain: a class in a module of theirs."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

from mark_i.brain import Brain, Space
from world_model import UsageError


def own_brain(module: str, name: str) -> Brain:
    """Make an object of the class, without arguments. The module may be in the current folder.

    Whatever else its code raises is raised unchanged, so that its author sees where.

    Raises:
        UsageError: there is no such module or class, or its object is not a brain.
    """
    if not all(part.isidentifier() for part in module.split(".")):
        raise UsageError(f"{module!r} is not the name of a Python module. Write --brain package.module:Class.")
    found = getattr(_loaded(module), name, None)
    if not callable(found):
        raise UsageError(f"The module {module} has no class {name}.")
    try:
        brain = found()
    except TypeError as error:
        raise UsageError(f"{module}:{name} cannot be made without arguments: {error}.") from error
    return _checked(brain, f"{module}:{name}")


def has_module(name: str) -> bool:
    """Whether there is such a module, installed or in the current folder."""
    with _current_folder_too():
        try:
            return find_spec(name) is not None
        except (ImportError, ValueError):
            return False


def _loaded(module: str) -> Any:  # noqa: ANN401 - what is in a module is not known
    try:
        with _current_folder_too():
            return import_module(module)
    except (ImportError, SyntaxError) as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]
        said = "there is no such module" if missing else f"{type(error).__name__}: {error}"
        raise UsageError(f"The brain {module} cannot be loaded: {said}.") from error


@contextmanager
def _current_folder_too() -> Iterator[None]:
    """Search the current folder too, last and only for this: nothing in it may replace another module."""
    folder = str(Path.cwd())
    sys.path.append(folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _checked(brain: Any, name: str) -> Brain:  # noqa: ANN401 - that is what is found out
    faults = [
        wanted
        for wanted, right in (
            ("a name", isinstance(getattr(brain, "name", None), str)),
            ("a sight in pixels", isinstance(getattr(brain, "sight", None), int)),
            (f"a space, one of {', '.join(get_args(Space))}", getattr(brain, "space", None) in get_args(Space)),
            ("a method think(prompt)", callable(getattr(brain, "think", None))),
        )
        if not right
    ]
    if faults:
        raise UsageError(f"{name} is not a brain: it needs {'; '.join(faults)}.")
    own: Brain = brain
    return own
