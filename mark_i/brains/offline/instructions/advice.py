"""Suggest an instruction in the user's own words, for a part of a goal that is not understood."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Final

from mark_i.brains.offline.instructions.phrases import compiled
from mark_i.brains.offline.instructions.splitting import VERB, kind_of_verb, mask, near_verbs

ANY: Final = 'open the text editor, type "Hello"'  # where nothing in the user's words can be used
_QUOTED_TEXTS: Final = re.compile(r"\x02\x03*(?:\s*(?:,\s*(?:and\s+)?|and\s+)\x02\x03*)+")
NAME_MAX_WORDS: Final = 2  # of what may be the name of a button

_FORMS: Final = {
    "open": 'open "Text Editor"',
    "click": 'click "Save"',
    "select": 'select "Large" from the list',
    "tick": 'tick "Remember me"',
    "untick": 'untick "Remember me"',
    "double click": 'double-click "report.txt"',
    "right click": 'right-click "report.txt"',
    "type": 'type "Hello" into the "Name" field',
    "enter": 'enter "Hello" as "Name"',
    "fill": 'fill in "Name" with "Hello"',
    "put": 'put "Hello" in "Name"',
    "set": 'set "Name" to "Hello"',
    "press": "press ctrl+s",
    "drag": 'drag "report.txt" onto "Work"',
    "scroll": "scroll down 5 times",
    "wait": 'wait until "Saved" appears',
    "when": 'when "Saved" appears',
    "check": 'check that "Saved" is shown',
    "tell": 'tell me the price of "Milk"',
    "close": "close the window",
}
_CARRIED: Final = frozenset(
    {"open", "click", "double click", "right click", "tick", "untick", "select", "type", "enter", "close", "press"}
)


def suggestions(text: str) -> Iterator[str]:
    """Yield what may be meant by a part of a goal, the likeliest first; not all of it need be understood."""
    said = text.strip().rstrip("?!.,;: \n")
    word, _, rest = said.partition(" ")
    verb = VERB.match(said)
    if not verb:
        yield from (f"{near} {rest}" for near in near_verbs(word, 0.8))
    if _QUOTED_TEXTS.fullmatch(mask(said)):
        texts = (said[one.start() : one.end()] for one in re.finditer("\x02\x03*", mask(said)))
        yield ", press enter, ".join(f"type {one}" for one in texts)
    for asked, steps in _table():
        if found := asked.fullmatch(said):
            yield from (step.format(**_filled(said, found.groupdict())) for step in steps)
    if verb and kind_of_verb(verb) in _CARRIED and re.search(r"\w", said[verb.end() :]):
        yield f"{verb['verb']} {quoted(re.sub(r'^(?:on|at|in)[ ]', '', said[verb.end() :]))}"
    if verb:
        yield _FORMS[kind_of_verb(verb)]
    elif len(said.split()) <= NAME_MAX_WORDS:
        yield f"click {quoted(said)}"
    else:
        yield f"open the browser, type {quoted(said)} and press enter"


@cache
def _table() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Return what people ask for, and the steps that are meant."""
    source = files("mark_i.brains.offline.instructions").joinpath("suggestions.toml").read_text(encoding="utf-8")
    table = tomllib.loads(source)
    return tuple((compiled(row["asked"], table["parts"]), tuple(row["say"])) for row in table["steps"])


def _filled(said: str, parts: dict[str, str | None]) -> dict[str, str]:
    """Return the words for the blanks of a suggestion."""
    x, y, verb = (parts.get(name) or "" for name in ("x", "y", "verb"))
    words = {"bare": parts.get("bare") or x, "verb": verb, "first": said.split(maxsplit=1)[0].capitalize()}
    return words | {"x": quoted(x), "y": quoted(y), "sum": quoted(_sum(x)), "button": quoted(verb.capitalize())}


def _sum(said: str) -> str:
    """Return a calculation in signs: "12 times 7" is 12*7."""
    said = re.sub(r"(\d+)\s*(?:%|percent)\s*(?:of|on)\s*(\d+)", r"\1/100*\2", said)
    for word, sign in (
        ("times|multiplied by|x", "*"),
        ("plus|and", "+"),
        ("minus|less", "-"),
        ("divided by|over", "/"),
    ):
        said = re.sub(rf"\s*\b(?:{word})\b\s*", sign, said)
    said = re.sub(r"\s*([*/+-])\s*", r"\1", said)
    runs = re.findall(r"[\d.][\d.+*/()-]*", said)
    return max(runs, key=len, default=said)


def quoted(text: str) -> str:
    """Return a text in quotes that it does not hold itself."""
    bare = " ".join(text.split()).strip()
    for left, right in (('"', '"'), ("“", "”"), ("«", "»")):
        if len(bare) > 1 and bare.startswith(left) and bare.endswith(right) and not {left, right} & {*bare[1:-1]}:
            bare = bare[1:-1]
    left, right = next(
        ((a, b) for a, b in (('"', '"'), ("“", "”"), ("«", "»")) if a not in bare and b not in bare), ("", "")
    )
    return f"{left}{bare}{right}"
