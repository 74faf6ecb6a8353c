"""Locks that keep two processes from overwriting each other's changes to a file, and tell who is at work."""

import os
import time
from pathlib import Path
from typing import Final

from filelock import FileLock, lock_descriptor

LOCK_MAX_S: Final = 10.0  # how long to wait for another process that changes the file
CHECK_MAX_S: Final = 0.2  # a process that only checks whether a file is locked holds its lock for an instant
CHECK_POLL_S: Final = 0.02


def locked(file: Path) -> FileLock:
    """Return a lock for a file.

    Raises:
        OSError: On acquiring it, if its folder is missing or another process holds it for longer than 10 s.
    """
    return FileLock(file.with_suffix(".lock"), timeout=LOCK_MAX_S)


def is_locked(lock: Path) -> bool:
    """Whether somebody holds a lock, which is not made by asking: its holder may just be removing it and its folder."""
    try:
        descriptor = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        return False
    except OSError:  # it belongs to another user
        return True
    try:
        end_s = time.monotonic() + CHECK_MAX_S
        while not lock_descriptor(descriptor, blocking=False):
            if time.monotonic() > end_s:
                return True
            time.sleep(CHECK_POLL_S)
        return False
    finally:
        os.close(descriptor)
