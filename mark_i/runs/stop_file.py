"""Reaches a run from outside its process, with files in its folder that the run watches for: to stop it, or to tell it.

There is no open socket and no signal, so no other process can be affected, and it works for a run in the window too.
A run that has only just been started has no folder yet; the same file in the folder of all runs stops it.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mark_i.config.paths import make_private
from mark_i.runs.inbox import take_words
from mark_i.runs.store import is_running
from toolbelt.control import Control
from world_model import JournalError, file_fault

STOP_FILE: Final = "stop"  # its name
POLL_S: Final = 0.02  # how often the run checks for it


@contextmanager
def reachable(folder: Path, control: Control, started: float, say: Callable[[str], bool]) -> Iterator[None]:
    """Stop the run in `folder` when the stop file appears, and tell it words; the caller holds the lock of the folder.

    Args:
        folder: the run's own.
        control: stops the run.
        started: when the run was asked for, in seconds of `time.time()`.
        say: tells the run what was left in its inbox; returns whether it can hear it.
    """
    asked, over = folder / STOP_FILE, threading.Event()
    asked.unlink(missing_ok=True)  # left from before a resume
    early = folder.parent / STOP_FILE
    if early.exists() and started <= early.stat().st_mtime <= time.time():  # a clock may have been set back
        control.stop()

    def watch() -> None:
        while not over.wait(POLL_S):
            if asked.exists():
                control.stop()
                return
            take_words(folder, say)

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
    _ask(asked)
    while is_running(folder):
        if time.monotonic() > end:
            return False
    asked.unlink(missing_ok=True)  # it ended before it noticed
    return True


def stop_starting(runs: Path) -> None:
    """Stop every run that has been started before now and has no folder yet; it ends as soon as it has one.

    Raises:
        JournalError: the folder of the runs cannot be written.
    """
    make_private(runs.parent)
    make_private(runs)
    _ask(runs / STOP_FILE)


def _ask(file: Path) -> None:
    try:
        file.touch()
    except FileNotFoundError:
        return  # the run ended meanwhile, before it had a journal
    except OSError as error:
        raise JournalError(f"The folder {file.parent} cannot be written: {file_fault(error)}.") from error
