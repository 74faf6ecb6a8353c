"""What things are called: the kinds that a word may mean, which of several, and on which side of another."""

import re
from typing import Final

from mark_i.brains.offline.instructions.kinds import Kind, Side

_KINDS: Final[tuple[tuple[str, Kind], ...]] = (
    (r"check\s?box|radio(?:\s+button)?|option\s+button|box", "box"),
    (r"button", "button"),
    (r"link", "link"),
    (r"(?:text|input)\s?(?:field|box|area|text\s?box|input)|field|input", "field"),
    (r"drop-?down.*|(?:combo|list)\s?box|(?:scroll\s+)?list", "list"),
)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SIDES: Final[tuple[tuple[str, Side], ...]] = (
    ("left", "left"),
    ("right", "right"),
    ("above", "above"),
    ("over", "above"),
    ("under", "below"),
    ("below", "below"),
    ("beneath", "below"),
)


def kind_of(said: str) -> Kind | None:
    """The kind that "text field" or "button labelled" names; None for a word that says little, such as "item"."""
    for pattern, kind in _KINDS:
        if re.match(rf"(?:{pattern})\b", said, re.IGNORECASE):
            return kind
    return None


def ordinal(said: str) -> int:
    """Which of several: 2 for "second" or "2nd", -1 for "last"."""
    word = said.lower()
    if word == "last":
        return -1
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(re.sub(r"\D", "", word))


def side_of(said: str) -> Side | None:
    """On which side; None for "beside", which is any."""
    return next((side for word, side in _SIDES if word in said), None)
