"""Locks that keep two processes from overwriting each other's changes to a file."""

from pathlib import Path
from typing import Final

from filelock import FileLock

LOCK_MAX_S: Final = 10.0  # how long to wait for another process that changes the file


def locked(file: Path) -> FileLock:
    """Return a lock for a file.

    Raises:
        OSError: On acquiring it, if its folder is missing or another process holds it for longer than 10 s.
    """
    return FileLock(file.with_suffix(".lock"), timeout=LOCK_MAX_S)
