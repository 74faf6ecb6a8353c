"""Compare a text that was typed with what the screen shows of it."""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import groupby, takewhile
from typing import Final

from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import CARETS, LOOK_ALIKE

PIECES_MAX: Final = 10  # the last ones of a text, since a field scrolls
PIECE_CHARS_MIN: Final = 4  # shorter ones are alike by chance
SIMILAR_MIN: Final = 0.65  # of 1.0; what is less alike is another text, such as the dots of a password
ENTERED_SIMILAR_MIN: Final = 0.8  # after enter; a program may answer with a text that is like the one it took
CUT_CHARS_MAX: Final = 3  # letters that are cut or misread at the edge of a field that scrolls
ADDED_CHARS_MIN: Final = 2  # by which a program completes a word; one more may be the caret
CARET: Final = re.compile(r"\s+([^\w\s]|[1Il])$")  # as which one that stands apart from the text is read
# The longer of two signs that the recognizer confuses stands for both, so that no two words or lines join to another.
ALIKE: Final = tuple(sorted(pair, key=len) for pair in LOOK_ALIKE if len(pair[0]) > 1)
ALIKE_LETTERS: Final = str.maketrans({read: meant for read, meant in LOOK_ALIKE if len(read) == 1})


def shown_instead(typed: str, lines: Sequence[Line], before: Sequence[Line] = ()) -> str:
    """Return what the lines show in place of a text that was typed; empty if it is there, or nothing like it is.

    Signs, spaces, capitals and letters that the recognizer confuses do not count, nor does a single wrong letter: only
    what a program changed, left out or completed.

    Args:
        typed: the text; each line of it, and what is between two tabs, is looked for by itself.
        lines: the lines where the screen changed, top to bottom.
        before: the lines that were there before.
    """
    pieces = _pieces(typed)
    similar = ENTERED_SIMILAR_MIN if typed.endswith("\n") else SIMILAR_MIN
    whole = [piece for piece in pieces if any(_folded(piece) in _folded(line.text) for line in lines)]
    # A line that shows one piece is not another piece with a difference.
    rest = [line for line in lines if not any(_folded(piece) in _folded(line.text) for piece in whole)]
    shown = [_folded(line.text) for line in rest]
    for piece in pieces[-PIECES_MAX:]:
        if piece in whole:
            other = _completed(piece, lines, before)
        elif not (other := _squeezed(_folded(piece), rest)):
            other = "" if _is_there(_folded(piece), shown) else _most_alike(_folded(piece), rest, similar)
        if other:
            return other if CARET.search(piece) else CARET.sub("", other)
    return ""


def is_shown(typed: str, lines: Sequence[Line]) -> bool:
    """Whether the last line of a text that was typed can be read, as far as there is room for it."""
    shown = [_folded(line.text) for line in lines]
    ends = [_folded(piece) for piece in _pieces(typed)[-1:]]
    return any(end in line for end in ends for line in shown) or any(_is_there(end, shown) for end in ends)


def can_be_read_back(typed: str) -> bool:
    """Whether a text is long enough for a difference to mean something; reading takes time."""
    return bool(_pieces(typed))


def _squeezed(meant: str, lines: Sequence[Line]) -> str:
    """Return the line that shows a text without its repeated letters: a program dropped a key that came too soon."""
    bare = "".join(letter for letter, _ in groupby(meant))
    return next((line.text for line in lines if _folded(line.text) == bare != meant), "")


def _pieces(typed: str) -> list[str]:
    return [piece for piece in re.split(r"[\r\n\t]+", typed) if len(_folded(piece)) >= PIECE_CHARS_MIN]


def _folded(text: str) -> str:
    """Reduce a text to what the recognizer reads reliably: its letters and digits."""
    bare = "".join(sign for sign in unicodedata.normalize("NFD", text.casefold()) if sign.isalnum())
    for short, long in ALIKE:
        bare = bare.replace(short, long)
    return bare.translate(ALIKE_LETTERS)


def _is_there(meant: str, shown: Sequence[str]) -> bool:
    """Whether a text is wrapped over several lines, or a line shows as much of it as its field has room for."""
    if _is_wrapped(meant, shown) or any(_is_start(meant, line, shown, CUT_CHARS_MAX) for line in shown):
        return True
    ends = [line[::-1] for line in shown]
    cut = [line[1:] for line in ends]  # the caret is beside the last letter, which may be misread
    return any(
        _is_start(meant[::-1], line, ends, len(line)) or _is_start(meant[-2::-1], line[1:], cut, len(line))
        for line in ends
    )


def _is_wrapped(meant: str, shown: Sequence[str]) -> bool:
    """Whether a text starts at the end of one line, and continues in others from their start."""
    return any(
        line.endswith(meant[:size]) and _continues(meant[size:], shown)
        for line in shown
        for size in range(min(len(line), len(meant)), 0, -1)
    )


def _continues(rest: str, shown: Sequence[str]) -> bool:
    while rest and not any(line.startswith(rest) for line in shown):
        part = max((line for line in shown if line and rest.startswith(line)), key=len, default="")
        if not part:
            return False
        rest = rest[len(part) :]
    return True


def _is_start(meant: str, line: str, shown: Sequence[str], more: int) -> bool:
    """Whether a line shows the start of a text that is longer than its field, and no line goes on with the rest of it.

    `more` is how much may follow in the line: letters that are cut, or seen backwards, the label of the field.
    """
    count = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(meant, line, strict=False)))
    if count < max(PIECE_CHARS_MIN, min(len(line) - CUT_CHARS_MAX, len(meant) // 2)) or len(line) - count > more:
        return False
    rest = meant[count:]
    others = [line[count:], *(one[: len(rest)] for one in shown if one != line)]
    return not any(_part_like(rest, one)[0] >= SIMILAR_MIN for one in others)


def _part_like(meant: str, text: str) -> tuple[float, int, int]:
    """Return how like a text the most similar part of another one is, from 0 to 1, and where that starts and ends."""
    same = SequenceMatcher(None, meant, text, autojunk=False).find_longest_match()
    start, end = max(0, same.b - same.a), same.b - same.a + len(meant)
    return SequenceMatcher(None, meant, text[start:end], autojunk=False).ratio(), start, end


def _most_alike(meant: str, lines: Sequence[Line], similar: float) -> str:
    """Return the line, or the wrapped lines, that are most like a text; empty if none is similar."""
    shown = [_folded(line.text) for line in lines]
    joined = "".join(shown)
    ratio, start, end = _part_like(meant, joined)
    if ratio < similar or _one_letter_differs(meant, joined[start:end]):
        return ""
    found, at = [], 0
    for text, line in zip(shown, lines, strict=True):
        if at < end and at + len(text) > start:
            found.append(line.text)
        at += len(text)
    return " ".join(found)


def _one_letter_differs(one: str, other: str) -> bool:
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) == 1


def _completed(piece: str, lines: Sequence[Line], before: Sequence[Line]) -> str:
    """Return the word that a program made of the last word of a text by adding letters to it.

    Where the word itself stands too, as in a box above the entries that it finds, nothing was made of it.
    """
    typed = _folded(piece.rsplit(maxsplit=1)[-1])
    words = [(_folded(word.text), word.text) for line in lines for word in line.words]
    carets = {"", *map(_folded, CARETS)}
    if len(typed) < PIECE_CHARS_MIN or any(word.endswith(typed + caret) for word, _ in words for caret in carets):
        return ""
    there = [_folded(line.text) for line in before]
    for word, read in words:
        added = word.removeprefix(typed)
        if ADDED_CHARS_MIN <= len(added) < len(word) and not any(added in text for text in there):
            return read
    return ""
