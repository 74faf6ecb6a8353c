"""A model that writes the final words of a run only when a test lets it."""

import os
import time
from pathlib import Path
from typing import Final

from mark_i import Prompt, Reply
from mark_i.brain import Space

CAP_S: Final = 120.0  # generous, since the machine may be busy
POLL_S: Final = 0.01
ASKED: Final = "asked"  # a file in the folder of all profiles
WANTED: Final = "wanted"


class AwaitedWords:
    """Writes that it was asked into a file, and waits for another one."""

    name, sight = "awaited", 0
    space: Space = "pixels"

    def think(self, prompt: Prompt) -> Reply:
        """Return the final words, once they are wanted."""
        del prompt
        home, end_s = Path(os.environ["MARK_I_HOME"]), time.monotonic() + CAP_S
        (home / ASKED).touch()
        while not (home / WANTED).exists() and time.monotonic() < end_s:
            time.sleep(POLL_S)
        return Reply("That is all.")
