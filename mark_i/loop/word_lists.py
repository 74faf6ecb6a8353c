"""The lists of words by which a goal is understood; each has a line for each of the most used languages."""

import re
from functools import cache
from importlib.resources import files


@cache
def words_in(name: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(files("mark_i.loop").joinpath(name).read_text(encoding="utf-8").split())


@cache
def numbers() -> dict[str, int]:
    """Return the words for the numbers from two, which each line of their list has in order."""
    text = files("mark_i.loop").joinpath("number_words.txt").read_text(encoding="utf-8")
    return {word: number for line in text.splitlines() for number, word in enumerate(line.split(), 2)}


def has_word(name: str, text: str) -> bool:
    """Whether a text has a word of a list; one of a script without spaces may be anywhere in it."""
    known = words_in(name)
    said = re.findall(r"\w+", text.casefold())
    return not known.isdisjoint(said) or any(not one.isascii() and one in word for one in known for word in said)
