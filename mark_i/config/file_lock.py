"""Locks for files that are read, changed and written, so that no change is lost."""

from pathlib import Path
from typing import Final

from filelock import FileLock

PATIENCE: Final = 10.0  # seconds to wait for another who changes the file


def locked(file: Path) -> FileLock:
    """Return a lock for a file.

    Raises:
        OSError: when it is taken, and there is no folder for it, or another holds it for longer than 10 s.
    """
    return FileLock(file.with_suffix(".lock"), timeout=PATIENCE)
