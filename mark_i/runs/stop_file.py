"""Stopping a run from outside of its process: a file in its folder, which the run looks for.

No socket listens and no process is signalled, so nothing else can be hit, and it works for a run in the window too.
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

ASKED: Final = "stop"  # the file
LOOK: Final = 0.02  # seconds between two looks for it


@contextmanager
def stoppable(folder: Path, control: Control) -> Iterator[None]:
    """Stop the run in `folder` when that is asked for; who has the folder's lock calls this."""
    asked, over = folder / ASKED, threading.Event()
    asked.unlink(missing_ok=True)  # meant for an earlier one, that this one goes on with

    def look() -> None:
        while not over.wait(LOOK):
            if asked.exists():
                control.stop()
                return

    watching = threading.Thread(target=look, name="stop file", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()
        asked.unlink(missing_ok=True)


def stop_run(folder: Path, seconds: float) -> bool:
    """Ask a run to stop, and wait until it has given back what it took; False where it has not in so many seconds.

    Raises:
        JournalError: its folder cannot be written.
    """
    asked, end = folder / ASKED, time.monotonic() + seconds
    try:
        asked.touch()
    except OSError as error:
        raise JournalError(f"The run's folder {folder} cannot be written: {error.strerror or error}.") from error
    while is_running(folder):
        if time.monotonic() > end:
            return False
    asked.unlink(missing_ok=True)  # it ended before it saw it
    return True
