"""The content of files: what they hold, and by what it is seen that they hold something else now."""

import hashlib
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mark_i.loop.goal_words import holds

READ_MAX_BYTES: Final = 5_000_000  # of a file, no more is read
LINES_KEPT: Final = 2_000  # of a text, from its start, by which it is seen what it has lost


def start_of(path: Path) -> str:
    """Return the text of a file, up to `READ_MAX_BYTES`; empty if it cannot be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(READ_MAX_BYTES)
    except OSError:
        return ""


def first_lines(path: Path) -> tuple[str, ...]:
    """Return the first lines of a file, without empty ones; none if it is not plain text."""
    text = start_of(path)
    if "\0" in text or "\ufffd" in text:
        return ()
    return tuple(line.strip() for line in text.splitlines()[:LINES_KEPT] if line.strip())


def digest(path: Path) -> str | None:
    """Return a digest of the start of a regular file, and of its size; None if it cannot be read."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode):
            return None
        with path.open("rb") as file:
            return f"{state.st_size} {hashlib.sha256(file.read(READ_MAX_BYTES)).hexdigest()}"
    except (OSError, ValueError):
        return None


def counted(texts: Sequence[str], within: str) -> dict[str, int]:
    """Return how often each text is in another one."""
    return {text: holds(within, text) for text in texts}
