"""Read what is said in set phrases: shortcuts that every program has, questions, and talk with the program itself."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from mark_i.brains.offline.instructions.kinds import Instruction
from mark_i.brains.offline.instructions.phrase_meanings import MEANINGS, Known, Meant, Said, pressing, talking


def read_phrase(goal: str, masked: str, start: int, end: int, before: Known) -> list[Instruction] | None:
    """Return what a piece of the goal means as a set phrase; None if it is none.

    Raises:
        UnclearError: it is one, and does not say enough.
    """
    for pattern, meaning in _phrases():
        found = pattern.fullmatch(masked, start, end)
        if not found:
            continue
        spans = {name: found.span(name) for name in found.groupdict() if found[name] is not None}
        parts = {name: _unquoted(goal[slice(*span)], masked[slice(*span)]) for name, span in spans.items()}
        if instructions := meaning(Said(goal[start:end], parts, before)):
            return instructions
    return None


def _unquoted(said: str, masked: str) -> str:
    return said[1:-1] if re.fullmatch(r"\x02\x03*", masked) else " ".join(said.split())


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], Meant], ...]:
    """Return the patterns of all phrases, in their order, each with what it means."""
    source = files("mark_i.brains.offline.instructions").joinpath("phrases.toml").read_text(encoding="utf-8")
    table = tomllib.loads(source)
    meant: list[tuple[str, Meant]] = []
    for topic, phrases in table["talk"].items():
        meant += [(phrase, talking(topic)) for phrase in phrases]
    for keys, phrases in table["keys"].items():
        meant += [(phrase, pressing(keys)) for phrase in phrases]
    for name, phrases in table["meanings"].items():
        meant += [(phrase, MEANINGS[name]) for phrase in phrases]
    return tuple((compiled(phrase, table["parts"], r"[\s?!.]*"), meaning) for phrase, meaning in meant)


def compiled(phrase: str, parts: Mapping[str, str], end: str = "") -> re.Pattern[str]:
    """Compile a phrase, in which a blank is any white space, and a name in braces is that part."""
    whole = re.sub(r"\{([a-z]\w*)\}", lambda name: parts[name[1]], phrase)
    spaced = whole.replace(" ?", r"\s*").replace(" ", r"\s+")
    return re.compile(f"(?:{spaced}){end}", re.IGNORECASE | re.DOTALL)
