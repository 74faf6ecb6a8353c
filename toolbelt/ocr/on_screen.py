"""Say what is on the screen, for an agent that looked for something else."""

import difflib
import unicodedata
from collections.abc import Sequence
from typing import Final

from toolbelt.ocr.engine import readable_signs
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import plain

LIKENESS_MIN: Final = 0.6  # of 1.0, between a text that was not found and one that is named first
TEXTS_LISTED_MAX: Final = 40  # if the wanted text is not there
LETTERS_LISTED_MAX: Final = 5  # that cannot be read


def what_is_there(lines: tuple[Line, ...], wanted: str = "") -> str:
    """List the texts on the screen; those like the wanted one come first, and what of it can never be read."""
    never = _never_read(wanted)
    if not lines:
        return f"{never}No text can be read on the screen."
    there = {plain(line.text): line.text for line in lines}
    like = [there[one] for one in difflib.get_close_matches(plain(wanted), there, cutoff=LIKENESS_MIN)]
    nearest = f"The nearest: {_quoted(like)}. " if like else ""
    more = len(lines) - TEXTS_LISTED_MAX
    listed = _quoted([line.text for line in lines[:TEXTS_LISTED_MAX]])
    return f"{never}{nearest}On the screen: {listed}{f' and {more} more lines' if more > 0 else ''}."


def unreadable(wanted: str) -> list[str]:
    """Return the letters of a text that the recognizer takes for others, or leaves out."""
    if wanted.isascii():
        return []
    known = readable_signs()
    return [one for one in dict.fromkeys(unicodedata.normalize("NFC", wanted)) if one.isalpha() and one not in known]


def not_found(wanted: str) -> str:
    """Say that a text was not read, which proves that it is not there only if it could have been read."""
    return f'"{wanted}" is not {"found by its letters" if unreadable(wanted) else "on the screen"}.'


def _never_read(wanted: str) -> str:
    """Say which letters of a text cannot be read."""
    if not (letters := unreadable(wanted)):
        return ""
    listed = _quoted(letters[:LETTERS_LISTED_MAX]) + (" and more" if len(letters) > LETTERS_LISTED_MAX else "")
    return f"The letters {listed} cannot be read from a screen: use a mark, a point or an image instead of a text. "


def _quoted(texts: Sequence[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)
