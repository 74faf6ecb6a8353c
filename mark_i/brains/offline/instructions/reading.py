"""Read one instruction: the grammar finds its parts, and `Meaning` combines them."""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final

from lark import Lark, UnexpectedInput
from lark.exceptions import VisitError

from mark_i.brains.offline.instructions.kinds import Click, Instruction, NotUnderstood, Thing, Tick, UnclearError
from mark_i.brains.offline.instructions.meaning import Meaning
from mark_i.brains.offline.instructions.splitting import QUOTE, QUOTED, UNCLOSED, VERB, VERBS, kind_of_verb, near_verbs
from world_model import CHECKABLE

_FORMS: Final = {
    "open": 'open "Text Editor"',
    "click": 'click "Save", click the second "Delete" button, click File > Save As, click at 512, 300',
    "select": 'select "Milk" and "Bread", select "Large" from the list',
    "tick": 'tick "Remember me"',
    "untick": 'untick "Remember me"',
    "double click": 'double-click "report.txt"',
    "right click": 'right-click "report.txt"',
    "type": 'type "Hello" into the "Name" field',
    "enter": 'enter "Hello" as "Name"',
    "fill": 'fill in "Name" with "Hello"',
    "put": 'put "Hello" in "Name"',
    "set": 'set "Name" to "Hello"',
    "press": 'press ctrl+s, press tab 3 times, press "Save"',
    "scroll": "scroll down, scroll up 5 times",
    "wait": 'wait until "Saved" appears, wait up to 30 seconds for "Saved", wait 3 seconds',
    "check": 'check that "Saved" is shown (and to tick a box: tick "Remember me")',
    "tell": 'tell me the price of "Milk"',
    "close": 'close the window, close "Text Editor"',
}


def read(goal: str, masked: str, start: int, end: int) -> list[Instruction | NotUnderstood]:
    """Read the piece of the goal from `start` to `end`: return its instructions, or why it is not understood."""
    text = goal[start:end]
    unclosed = masked.find(UNCLOSED, start, end)
    if unclosed >= 0:
        return [NotUnderstood(text, f"the quote that opens with {goal[unclosed]} is never closed")]
    verb = VERB.match(masked, start, end)
    if not verb:
        return [NotUnderstood(text, _unknown(text))]
    kind = kind_of_verb(verb)
    began = verb.end()
    if by := _BY_CLICKING.search(masked, began, end) if kind in _MEANS else None:
        kind, began = ("press" if by["keys"] else "click"), by.end()
    rest = masked[began:end]
    if rest.lower().endswith(" please"):
        asked = rest[: -len(" please")]
        if kind not in {"type", "enter"} or asked.endswith((QUOTE, QUOTED)):  # otherwise it may be a part of the text
            rest = asked
    if kind == "select" and rest.strip().lower() == "nothing":
        return []
    if kind == "tell":
        rest = rest.rstrip("? ")
    try:
        return [_as_said(kind, instruction) for instruction in _parse(kind, rest, Meaning(goal, began, text))]
    except UnclearError as unclear:
        return [NotUnderstood(text, f"{unclear}; say it like this: {_FORMS[kind]}")]


def _unknown(text: str) -> str:
    word = text.split(maxsplit=1)[0][:40]
    near = "".join(f'; did you mean "{verb}"?' for verb in near_verbs(word, 0.7)) or ";"
    known = (
        "open, click, double-click, right-click, select, tick, type, fill in, set, press, scroll, wait, check and close"
    )
    return f'an instruction cannot start with "{word}"{near} I understand {known}'


def _as_said(kind: str, instruction: Instruction) -> Instruction:
    match kind, instruction:
        case "double click", Click():
            return replace(instruction, double=True)
        case "right click", Click():
            return replace(instruction, button="right")
        case "tick" | "untick" | "check", Click():
            return _tick(instruction, off=kind == "untick", named=kind != "check")
    return instruction


def _tick(said: Click, *, off: bool, named: bool) -> Tick:
    """Return a click as a tick; after "check", which may begin a claim, the user must have named the role."""
    thing = Thing(said.target, "checkbox") if isinstance(said.target, str) and named else said.target
    if not isinstance(thing, Thing) or thing.role not in CHECKABLE | ({None} if named else set()):
        raise UnclearError("that does not name a checkbox or a radio button")
    return Tick(said.text, replace(thing, role=thing.role or "checkbox"), off)


_BY_CLICKING: Final = re.compile(r"(?<!\w)by\s+(?:(?P<keys>pressing|hitting)|clicking|tapping)\s+", re.IGNORECASE)
_MEANS: Final = frozenset({"open", "click", "select", "close"})  # the verbs that "by clicking" can follow


# The grammar rules that read the rest after a verb, in this order; any other kind has the rule of its name.
_RULES: Final = {
    "double click": ("click",),
    "right click": ("click",),
    "press": ("press", "click"),  # a word that is not a key is a text to click
    "enter": ("enter", "type", "labelled"),
    "type": ("type", "labelled"),
    "select": ("select", "click"),
    "tick": ("select", "click"),
    "untick": ("select", "click"),
    "check": ("check", "click"),
}


def _rules(kind: str) -> tuple[str, ...]:
    return _RULES.get(kind, (kind,))


@cache
def _parser() -> Lark:
    grammar = files("mark_i.brains.offline.instructions").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=sorted({rule for kind in VERBS.values() for rule in _rules(kind)}))


def _parse(kind: str, rest: str, meaning: Meaning) -> list[Instruction]:
    for rule in _rules(kind):
        try:
            instructions = meaning.transform(_parser().parse(rest, start=rule))
        except UnexpectedInput:
            continue
        except VisitError as error:
            raise error.orig_exc from None
        if instructions:
            return instructions
    what = "I cannot read what follows" if rest.strip() else "nothing follows"
    raise UnclearError(f'{what} "{kind}"')
