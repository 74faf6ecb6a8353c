"""The lists of words by which a goal is understood; each has a line for each of the most used languages."""

import re
from functools import cache
from importlib.resources import files

from toolbelt.desktops import parse_keys


@cache
def words_in(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(files("mark_i.loop").joinpath("words", name).read_text(encoding="utf-8").split())


@cache
def numbers() -> dict[str, int]:
    """Return the words for the numbers from two, which each line of their list has in order."""
    text = files("mark_i.loop").joinpath("words", "number.txt").read_text(encoding="utf-8")
    return {word: number for line in text.splitlines() for number, word in enumerate(line.split(), 2)}


@cache
def meanings() -> dict[frozenset[str], tuple[str, ...]]:
    """Return the words for what keys do in nearly every program; an underscore in the list stands for a space."""
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for line in files("mark_i.loop").joinpath("words", "shortcuts.txt").read_text(encoding="utf-8").splitlines():
        keys, _, words = line.partition(" = ")
        found |= {
            frozenset(parse_keys(one)): tuple(word.replace("_", " ") for word in words.split()) for one in keys.split()
        }
    return found


def has_word(name: str, text: str) -> bool:
    """Whether a text has a word of a list; one of a script without spaces may be anywhere in it."""
    known = words_in(name)
    said = re.findall(r"\w+", text.casefold())
    return not known.isdisjoint(said) or any(not one.isascii() and one in word for one in known for word in said)
