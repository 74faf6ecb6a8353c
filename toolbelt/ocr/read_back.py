"""Compare a text that was typed with what the screen shows of it."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import LOOK_ALIKE

PIECES_MAX: Final = 10  # the last ones of a text, since a field scrolls
PIECE_CHARS_MIN: Final = 4  # a shorter one is found, or misread, by chance
SIMILAR_MIN: Final = 0.65  # of 1.0; what is less alike is another text, such as the dots of a password
CUT_CHARS_MAX: Final = 3  # letters that are cut or misread at the edge of a field that scrolls
ADDED_CHARS_MIN: Final = 2  # by which a program completes a word; one more may be the caret
# Letters whose capitals look the same to the recognizer, or are read for a digit
SAME_CAPITALS: Final = frozenset("BCIJKLMOPSUVWXYZ")


def shown_instead(typed: str, lines: Sequence[Line], before: Sequence[Line] = ()) -> str:
    """Return what the lines show in place of a text that was typed; empty if it is there, or nothing like it is.

    Signs, spaces, and letters that the recognizer confuses do not count: only what a program changed, left out or
    completed.

    Args:
        typed: the text; each line of it, and what is between two tabs, is looked for by itself.
        lines: the lines where the screen changed, top to bottom.
        before: the lines that were there before.
    """
    shown = [(_folded(line.text), line.text) for line in lines]
    there = [_folded(line.text) for line in before]
    for piece in re.split(r"[\r\n\t]+", typed.strip())[-PIECES_MAX:]:
        meant = _folded(piece)
        if len(meant) < PIECE_CHARS_MIN:
            continue
        is_there = _is_there([text for text, _ in shown], meant)
        if other := _completed(piece, lines, there) if is_there else _most_alike(meant, shown):
            return other
    return ""


def _folded(text: str) -> str:
    """Reduce a text to what the recognizer reads reliably: letters and digits, in their case where that is certain."""
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text) if letter.isalnum())
    bare = "".join(letter.lower() if letter in SAME_CAPITALS else letter for letter in bare)
    for read, meant in LOOK_ALIKE:
        bare = bare.replace(read, meant)
    return bare


def _is_there(shown: Sequence[str], meant: str) -> bool:
    """Whether a text is within one line, wrapped over several, or the visible end of it is."""
    return any(meant in line or _is_end(line, meant) for line in shown) or _is_wrapped(shown, meant)


def _is_wrapped(shown: Sequence[str], meant: str) -> bool:
    """Whether a text starts at the end of one line, and continues in others from their start."""
    for first in shown:
        for size in range(min(len(first), len(meant)), 0, -1):
            if first.endswith(meant[:size]) and _continues(shown, meant[size:]):
                return True
    return False


def _continues(shown: Sequence[str], rest: str) -> bool:
    while rest and not any(line.startswith(rest) for line in shown):
        part = max((line for line in shown if line and rest.startswith(line)), key=len, default="")
        if not part:
            return False
        rest = rest[len(part) :]
    return True


def _is_end(line: str, meant: str) -> bool:
    """Whether a line is the end of a text that is longer than its field."""
    end = line[CUT_CHARS_MAX:]
    return len(end) >= PIECE_CHARS_MIN and len(line) < len(meant) and meant.endswith(end)


def _most_alike(meant: str, shown: Sequence[tuple[str, str]]) -> str:
    """Return the line, or the wrapped lines, that are most like a text; empty if none is similar."""
    joined = "".join(text for text, _ in shown)
    same = SequenceMatcher(None, meant, joined, autojunk=False).find_longest_match()
    start = max(0, same.b - same.a)
    if _ratio(meant, joined[start : same.b - same.a + len(meant)]) < SIMILAR_MIN:
        return ""
    parts, at = [], 0
    for text, read in shown:
        if at < same.b - same.a + len(meant) and at + len(text) > start:
            parts.append(read)
        at += len(text)
    return " ".join(parts)


def _ratio(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def _completed(piece: str, lines: Sequence[Line], before: Sequence[str]) -> str:
    """Return the word that a program made of the last word of a text by adding letters to it.

    Where the word itself stands too, as in a box above the entries that it finds, nothing was made of it.
    """
    typed = _folded(piece.rpartition(" ")[2])
    words = [(_folded(word.text), word.text) for line in lines for word in line.words]
    if len(typed) < PIECE_CHARS_MIN or any(word == typed for word, _ in words):
        return ""
    for word, read in words:
        added = word.removeprefix(typed)
        if ADDED_CHARS_MIN <= len(added) < len(word) and not any(added in text for text in before):
            return read
    return ""
