"""Read a goal that gives the words of a text after a colon: "write a note with these lines: a, b and save it"."""

import re
from typing import Final

from mark_i.brains.offline.instructions.advice import quoted
from mark_i.brains.offline.instructions.splitting import mask

_ASKED: Final = re.compile(
    r"\s*(?:(?:please|can you|could you|would you|i want(?: you)? to|i'd like(?: you)? to|help me(?: to)?)\s+)*"
    r"(?:(?:write|make|create|draft|prepare|take|leave|start|i need|i want|i'd like|we need)(?:\s+(?:me|us|down))?"
    r"\s+(?:an?|the|my|our|some)\s+(?:new\s+)?|new\s+)"
    r"(?P<what>(?:[^\W\d_][\w-]*\s+){0,2}?(?:note|list|letter|memo|message|text|reminder|file|document|agenda|plan))\b(?P<more>[^:\n,.;]*):\s*(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TOLD: Final = (  # what is written, between "write" and the colon
    r"(?:\s+(?:down|in|an?|the|my|our|this|that|these|following|new|short|shopping|text|words|lines?|letter|note|list|message"
    r"|memo|e-?mail|reminder|agenda|timetable|schedule|plan|report|invitation|recipe|poem|paragraph|sentences?))*"
)
_WRITE: Final = re.compile(
    rf"(?P<before>.*?\b(?:write|type)\b){_TOLD}"
    r"\s*:\s*(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
_NOTED: Final = re.compile(
    r"\s*(?:please\s+)?(?:note|jot|write)\s+down(?:\s+for\s+me)?\s*:\s*(?P<text>.+)", re.IGNORECASE | re.DOTALL
)
_BELOW: Final = re.compile(  # "write the following in the editor:", and the words from the next line on
    r"\s*(?:please\s+)?(?P<before>.*?)(?:[\s,;.]*\b(?:and|then))*\s*\b(?:write|type)\b"
    rf"{_TOLD}"
    r"(?:\s+(?:in|into|on)\s+(?:the|an?|my)\s+(?:text\s+)?(?:editor|notepad|document|file))?"
    r"\s*:[ \t]*\n\s*(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
LINES: Final = re.compile(r"\b(?:lines?|items?|points?|entries|things|list|agenda)\b", re.IGNORECASE)
_THEN: Final = re.compile(
    r"[\s,;.]+(?:(?:and|then)\s+)*(?=(?:please\s+)?(?:save|store)\s+"
    r"(?:(?:it|this|that|everything|the\s+(?:file|note|list|letter|text|document))\b|(?:as|under)\s+[\w./~-]+\.\w+\s*\Z))",
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
    asked = _ASKED.fullmatch(goal)
    if not (found := asked or _NOTED.fullmatch(goal) or _BELOW.fullmatch(goal)) or mask(found["text"])[:1] == "\x02":
        return None
    words, rest = _words_and_rest(found["text"])
    is_list = asked is not None and LINES.search(asked["what"] + asked["more"]) is not None
    lines = lines_of(words.strip()) if is_list else [one.strip() for one in words.strip().split("\n")]
    typed = ", press enter, ".join(f"type {quoted(one)}" for one in lines if one)
    opened = (found.groupdict().get("before") or "open the text editor").rstrip(" .")
    return f"{opened}, {typed}" + (f", {rest}" if rest else "")


def with_quotes(goal: str) -> str | None:
    """Return a goal with quotes around the text after "write:", up to its saving; None if there is none."""
    if not (asked := _WRITE.fullmatch(goal)) or mask(asked["text"])[:1] == "\x02":
        return None
    words, rest = _words_and_rest(asked["text"])
    return f"{asked['before']} {quoted(words.strip())}" + (f", then {rest}" if rest else "")


def _words_and_rest(said: str) -> tuple[str, str]:
    """Split the words of a text from what is to be done with it; a full stop at the end of a line is one of them."""
    then = next(reversed([*_THEN.finditer(mask(said))]), None)
    if not then or not then.start():
        return said, ""
    line, is_line, _ = then[0].partition("\n")
    return said[: then.start()] + line * bool(is_line), said[then.end() :]


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


def lines_of(words: str) -> list[str]:
    """Split the words of a list: at its lines, else at semicolons, else at commas and "and"."""
    between = next((one for one in _BETWEEN if len(re.split(one, words)) > 1), _BETWEEN[0])
    return [one.strip().rstrip(",;") for one in re.split(between, words.rstrip("."))]
