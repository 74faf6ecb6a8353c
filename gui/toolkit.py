"""customtkinter, which draws the window, with its fonts in place and every callback under a name of its own."""

import filecmp
import functools
import itertools
import shutil
import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from typing import Any

from world_model.journal import write_whole

__all__ = ["ctk"]


def _install(source: str, folder: str) -> None:
    """Put a font into a folder, unless it is there; what an open window may draw with is never written over."""
    target = Path(folder, Path(source).name)
    if not (target.is_file() and filecmp.cmp(source, target, shallow=False)):
        write_whole(target, Path(source).read_bytes())


# At every import, customtkinter copies its fonts onto themselves with `shutil.copy`, which empties them first: whoever
# has them mapped at that moment, as another window of MARK-I does, is ended by SIGBUS.
_shutil: Any = shutil
_copy = shutil.copy
_shutil.copy = _install
try:
    import customtkinter as ctk  # noqa: TID251 - the one place
finally:
    _shutil.copy = _copy


_numbers = itertools.count()
_Misc: Any = tk.Misc
_register = _Misc._register  # noqa: SLF001 - every binding and timer goes through it


def _register_once(
    widget: tk.Misc, func: Callable[..., object], subst: Callable[..., object] | None = None, needcleanup: int = 1
) -> str:
    named = functools.partial(func)
    named.__name__ = f"_{next(_numbers)}"  # type: ignore[attr-defined]
    return str(_register(widget, named, subst, needcleanup))


# tkinter names a callback by its address, and the timers of a destroyed widget stay in Tk: they would call whatever
# got that address since, a button for example.
_Misc._register = _register_once  # noqa: SLF001
