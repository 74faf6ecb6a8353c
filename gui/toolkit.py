"""customtkinter, which draws the window, and the fonts that it draws with."""

import filecmp
import shutil
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
