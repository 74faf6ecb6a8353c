"""Words to a run from another process: each is a file in the run's folder, which the run reads and removes."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from mark_i.config.paths import make_private
from mark_i.runs.store import is_running
from world_model import JournalError, file_fault
from world_model.journal import write_whole

FOLDER: Final = "inbox"  # in the folder of a run
POLL_S: Final = 0.01


def take_words(folder: Path, say: Callable[[str], bool]) -> None:
    """Tell a run what others left for it in its folder, the oldest first; what it cannot hear or keep stays there."""
    inbox = folder / FOLDER
    if not inbox.is_dir():
        return
    with suppress(JournalError, OSError):
        for file in sorted(inbox.glob("*.txt")):
            if say(file.read_text(encoding="utf-8", errors="replace")):
                file.unlink()


def leave_word(folder: Path, text: str, seconds: float) -> bool:
    """Leave a word for a run, and wait until it took it; False if it ended before, or takes more than `seconds`.

    Raises:
        JournalError: the folder of the run cannot be written.
    """
    inbox = folder / FOLDER
    file = inbox / f"{time.time_ns()}-{os.getpid()}.txt"
    try:
        make_private(inbox)
        write_whole(file, text.encode("utf-8", "replace"))
    except OSError as error:
        raise JournalError(f"The folder {folder} cannot be written: {file_fault(error)}.") from error
    end_s = time.monotonic() + seconds
    while file.exists() and is_running(folder) and time.monotonic() < end_s:
        time.sleep(POLL_S)
    if not file.exists():
        return True
    file.unlink(missing_ok=True)
    return False
