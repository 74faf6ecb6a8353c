"""Stops a run from outside its process, with a file in its folder that the run watches for.

There is no open socket and no signal, so no other process can be affected, and it works for a run in the window too.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mark_i.runs.store import is_running
from toolbelt.control import Control
from world_model import JournalError

STOP_FILE: Final = "stop"  # its name
POLL_S: Final = 0.02  # how often the run checks for it


@contextmanager
def stoppable(folder: Path, control: Control) -> Iterator[None]:
    """Stop the run in `folder` when the stop file appears; the caller holds the lock of the folder."""
    asked, over = folder / STOP_FILE, threading.Event()
    asked.unlink(missing_ok=True)  # left from before a resume

    def watch() -> None:
        while not over.wait(POLL_S):
            if asked.exists():
                control.stop()
                return

    watching = threading.Thread(target=watch, name="stop file", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()
        asked.unlink(missing_ok=True)


def stop_run(folder: Path, seconds: float) -> bool:
    """Ask a run to stop, and wait until it has released everything; False if it takes more than `seconds`.

    Raises:
        JournalError: the folder of the run cannot be written.
    """
    asked, end = folder / STOP_FILE, time.monotonic() + seconds
    try:
        asked.touch()
    except OSError as error:
        raise JournalError(f"The run's folder {folder} cannot be written: {error.strerror or error}.") from error
    while is_running(folder):
        if time.monotonic() > end:
            return False
    asked.unlink(missing_ok=True)  # it ended before it noticed
    return True
