"""Read a goal that gives the words of a text after a colon: "write a note with these lines: a, b and save it"."""

import re
from typing import Final

from mark_i.brains.offline.instructions.advice import quoted
from mark_i.brains.offline.instructions.splitting import mask

_ASKED: Final = re.compile(
    r"\s*(?:(?:please|can you|could you|would you|i want you to|i'd like you to)\s+)*"
    r"(?:write|make|create|draft)(?:\s+(?:me|us|down))?\s+(?:an?|the|my|our|some)\s+"
    r"(?P<what>(?:[^\W\d_][\w-]*\s+){0,2}?(?:note|list|letter|memo|message|text|reminder|file|document|agenda|plan))\b(?P<more>[^:\n,.;]*):\s*(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
_LINES: Final = re.compile(r"\b(?:lines?|items?|points?|entries|things|list|agenda)\b", re.IGNORECASE)
_THEN: Final = re.compile(
    r"[\s,;.]+(?:(?:and|then)\s+)*(?=(?:please\s+)?(?:save|store)\s+"
    r"(?:it|this|that|everything|the\s+(?:file|note|list|letter|text|document))\b)",
    re.IGNORECASE,
)
_BETWEEN: Final = (
    r"\s*\n\s*",
    r"\s*;\s*(?:and\s+)?",
    r"\s*,\s*(?:and\s+)?|\s+and\s+",
)  # lines, the first that is there


def dictated(goal: str) -> str | None:
    """Return the plain instructions for a goal that asks for a text and gives its words; None if it is none.

    What is asked for as lines or a list is written line by line; any other text is one line for each that was given.
    """
    if not (asked := _ASKED.fullmatch(goal)) or mask(asked["text"])[:1] == "\x02":
        return None
    said = asked["text"]
    then = next(reversed([*_THEN.finditer(mask(said))]), None)
    words, rest = (said[: then.start()], said[then.end() :]) if then and then.start() else (said, "")
    is_list = _LINES.search(asked["what"] + asked["more"]) is not None
    lines = _lines(words.strip()) if is_list else [one.strip() for one in words.strip().split("\n")]
    typed = ", press enter, ".join(f"type {quoted(one)}" for one in lines if one)
    return f"open the text editor, {typed}" + (f", {rest}" if rest else "")


def _lines(words: str) -> list[str]:
    between = next((one for one in _BETWEEN if len(re.split(one, words)) > 1), _BETWEEN[0])
    return [one.strip().rstrip(",;") for one in re.split(between, words.rstrip("."))]
