"""Read the words for things: the role of a thing, which of several it is, and its side of another."""

import re
from collections.abc import Mapping
from typing import Final

from mark_i.brains.offline.instructions.kinds import Side
from world_model import Role

POINTING: Final = frozenset({"it", "that", "this", "them", "these", "those", "one"})  # what no text is without quotes
_ROLES: Final[tuple[tuple[str, Role], ...]] = (
    (r"check\s?box|box", "checkbox"),
    (r"radio(?:\s+button)?|option\s+button", "radio"),
    (r"switch|toggle", "switch"),
    (r"button", "button"),
    (r"link", "link"),
    (r"(?:text|input)\s?(?:field|box|area|text\s?box|input)|field|input", "textbox"),
    (r"drop-?down.*|combo\s?box", "combobox"),
    (r"icon|image|picture", "image"),
    (r"list\s?box|(?:scroll\s+)?list", "listbox"),
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

# The words of a comparison, the longer before those that they hold.
_COMPARISONS: Final = (
    (r"at least|>=", ">="),
    (r"at most|no more than|<=", "<="),
    (r"below|under|less|lower|smaller|cheaper|<", "<"),
    (r"above|over|more|higher|greater|>", ">"),
    (r"equal|exactly|=", "="),
)


def role_of(said: str) -> Role | None:
    """Return the role that "text field" or "button labelled" names, or None for a vague word such as "item"."""
    for pattern, role in _ROLES:
        if re.match(rf"(?:{pattern})\b", said, re.IGNORECASE):
            return role
    return None


def ordinal(said: str) -> int:
    """Return which of several is meant: 2 for "second" or "2nd", -1 for "last"."""
    word = said.lower()
    if word == "last":
        return -1
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(re.sub(r"\D", "", word))


def side_of(said: str) -> Side | None:
    """Return the side that is meant, or None for "beside", which is any side."""
    return next((side for word, side in _SIDES if word in said), None)


def comparison_in(said: str) -> str:
    """Return what "is less than $60" compares with, as `< 60`."""
    words = " ".join(said.lower().split())
    sign = next(sign for pattern, sign in _COMPARISONS if re.search(pattern, words))
    return f"{sign} {re.findall(r'-?[0-9]+(?:[.][0-9]+)?', words)[0]}"


def folder_of(parts: Mapping[str, str]) -> str:
    """Return the path of a folder from the parts that name it; empty if there are none."""
    own = parts.get("own")
    if own or parts.get("home"):
        return f"~/{own.capitalize()}" if own else "~"
    return parts.get("folder") or parts.get("below") or parts.get("under") or ""
