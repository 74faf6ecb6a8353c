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
_WRITE: Final = re.compile(
    r"(?P<before>.*?\b(?:write|type)\b)(?:\s+(?:down|in|this|that|these|the following|text|words|lines?))*"
    r"\s*:\s*(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
_LINES: Final = re.compile(r"\b(?:lines?|items?|points?|entries|things|list|agenda)\b", re.IGNORECASE)
_THEN: Final = re.compile(
    r"[\s,;.]+(?:(?:and|then)\s+)*(?=(?:please\s+)?(?:save|store)\s+"
    r"(?:it|this|that|everything|the\s+(?:file|note|list|letter|text|document))\b)",
    re.IGNORECASE,
)
_NUMBERS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_QUOTED: Final = re.compile("\x02\x03*")
_ENUMERATED: Final = re.compile(
    r"\b(?:write|type|enter)\s+(?:(?:the|these)\s+)?(?:following\s+)?"
    rf"(?:(?P<count>\d+|{'|'.join(_NUMBERS)})\s+)?(?:following\s+)?lines(?:\s+of\s+text)?\s*:?\s*"
    r"(?P<lines>\x02\x03*(?:\s*(?:,\s*(?:and\s+)?|and\s+)\x02\x03*)+)"
    r"(?=\s*(?:\Z|[,.;!\n]|(?:and|then)\s))",
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
    words, rest = _words_and_rest(asked["text"])
    is_list = _LINES.search(asked["what"] + asked["more"]) is not None
    lines = _lines(words.strip()) if is_list else [one.strip() for one in words.strip().split("\n")]
    typed = ", press enter, ".join(f"type {quoted(one)}" for one in lines if one)
    return f"open the text editor, {typed}" + (f", {rest}" if rest else "")


def with_quotes(goal: str) -> str | None:
    """Return a goal with quotes around the text after "write:", up to its saving; None if there is none."""
    if not (asked := _WRITE.fullmatch(goal)) or mask(asked["text"])[:1] == "\x02":
        return None
    words, rest = _words_and_rest(asked["text"])
    return f"{asked['before']} {quoted(words.strip())}" + (f", then {rest}" if rest else "")


def _words_and_rest(said: str) -> tuple[str, str]:
    """Split the words of a text from what is to be done with it."""
    then = next(reversed([*_THEN.finditer(mask(said))]), None)
    return (said[: then.start()], said[then.end() :]) if then and then.start() else (said, "")


def with_lines_typed(goal: str) -> str:
    """Return a goal in which quoted lines that are enumerated are typed one by one: "write the lines "a" and "b"".

    A number of lines that is not how many there are stays, and is not understood.
    """
    found = goal
    for said in reversed([*_ENUMERATED.finditer(mask(goal))]):
        lines = [goal[one.start() : one.end()] for one in _QUOTED.finditer(mask(goal), *said.span("lines"))]
        if said["count"] is None or said["count"].lower() in {str(len(lines)), *_NUMBERS[len(lines) : len(lines) + 1]}:
            typed = ", press enter, ".join(f"type {line}" for line in lines)
            found = found[: said.start()] + typed + found[said.end() :]
    return found


def _lines(words: str) -> list[str]:
    between = next((one for one in _BETWEEN if len(re.split(one, words)) > 1), _BETWEEN[0])
    return [one.strip().rstrip(",;") for one in re.split(between, words.rstrip("."))]
