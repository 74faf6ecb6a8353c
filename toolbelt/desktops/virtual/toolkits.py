"""Toolkits that say what they show only if an option asks them to."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ENGINE_FILE: Final = "icudtl.dat"  # lies beside every program that is built on Chromium's engine
ENGINE_OPTION: Final = "--force-renderer-accessibility"
WRAPPED: Final = ("/usr/lib", "/usr/lib64", "/usr/share", "/opt")  # where the program of a script in the path lies


def speaking(command: Sequence[str]) -> list[str]:
    """Return the command with the option that makes its program say what it shows, if it needs one."""
    program, *args = command
    is_engine = any((folder / ENGINE_FILE).exists() for folder in _folders(program))
    return [program, ENGINE_OPTION, *args] if is_engine and ENGINE_OPTION not in args else [program, *args]


def _folders(program: str) -> Iterator[Path]:
    """Yield the folders in which the files of a program may lie."""
    if found := shutil.which(program):
        real = Path(found).resolve()
        yield from real.parents[:2]
        yield from (Path(folder) / name for folder in WRAPPED for name in {Path(program).name, real.name})
