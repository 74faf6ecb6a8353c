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
from mark_i.brains.offline.instructions.phrase_meanings import Known
from mark_i.brains.offline.instructions.phrases import read_phrase
from mark_i.brains.offline.instructions.splitting import (
    QUOTE,
    QUOTED,
    SIGNS,
    UNCLOSED,
    VERB,
    VERBS,
    kind_of_verb,
    near_verbs,
)
from world_model import CHECKABLE


def read(goal: str, masked: str, start: int, end: int, before: Known) -> list[Instruction | NotUnderstood]:
    """Read the piece of the goal from `start` to `end`: return its instructions, or why it is not understood.

    Args:
        goal: the whole goal.
        masked: the same with its quoted texts masked.
        start: where the piece starts.
        end: where it ends.
        before: the instructions before it.
    """
    text = goal[start:end]
    unclosed = masked.find(UNCLOSED, start, end)
    if unclosed >= 0:
        return [NotUnderstood(text, f"the quote that opens with {goal[unclosed]} is never closed")]
    try:
        if found := read_phrase(goal, masked, start, end, before):
            return [*found]
        return [*_read_verb(goal, masked, start, end)]
    except UnclearError as unclear:
        return [NotUnderstood(text, str(unclear))]


def _read_verb(goal: str, masked: str, start: int, end: int) -> list[Instruction]:
    """Read a piece by the rule of its verb."""
    text = goal[start:end]
    verb = VERB.match(masked, start, end)
    if not verb:
        raise UnclearError(_unknown(text))
    kind = kind_of_verb(verb)
    began = verb.end()
    if by := _BY_CLICKING.search(masked, began, end) if kind in _MEANS else None:
        kind, began = ("press" if by["keys"] else "click"), by.end()
    rest = masked[began:end]
    if asks := _ASKS.search(rest):
        asked = rest[: asks.start()]
        if kind not in {"type", "enter"} or asked.endswith((QUOTE, QUOTED)):  # otherwise it may be a part of the text
            rest = asked
    if kind == "select" and rest.strip().lower() == "nothing":
        return []
    asks = _COULD_YOU.search(masked, 0, start)
    if asks or (len(rest.strip()) > 1 and kind not in {"type", "enter"}):
        rest = rest.rstrip("? ")
    if kind == "open":
        rest = re.sub(r"\s+again\Z", "", rest)
    _check(kind, verb["verb"].lower(), rest)
    if kind == "click" and SIGNS.fullmatch(rest) and not POINT.fullmatch(rest):
        kind = "select"
    return [_as_said(kind, instruction) for instruction in _parse(kind, rest, Meaning(goal, began, text))]


def _check(kind: str, verb: str, rest: str) -> None:
    """Check that words without quotes can be a name, or a text to type, and are no request for more.

    Raises:
        UnclearError: they are one.
    """
    if kind == "open" and (purpose := _PURPOSE.search(rest)):
        raise UnclearError(f'"{purpose["word"]}" may be a part of the name, or say what to do with it')
    if kind == "close" and (more := _BESIDES.search(rest)):
        raise UnclearError(f'"{more["word"]}" may be a part of the name, or say how')
    words = kind in {"type", "enter"} and QUOTE not in rest and not _AS_WHAT.search(rest)
    if words and (_DESCRIBED.match(rest) or (verb == "write" and _COMPOSITION.search(rest))):
        raise UnclearError("I cannot compose texts; put the words to type in quotes")
    if kind in {"fill", "set"} and _SEVERAL.search(rest):
        raise UnclearError("that names several fields; say it for each of them")
    if kind == "tell" and _NO_VALUE.match(rest):
        raise UnclearError("I only tell what is on the screen: a value that has a name there")


# In the rest after a verb: what tells that a text is described and not given, and that more is asked than a name.
_PURPOSE: Final = re.compile(
    r"(?<!\S)(?P<word>to|for|so|that|which|where|who|because|if|type|write|click|press|enter|go"
    r"|with\s+(?:an?|my|some|new|no|all))\s"
)
_BESIDES: Final = re.compile(r"(?<!\S)(?P<word>without|before|after)\s")
_COULD_YOU: Final = re.compile(r"\b(?:can|could|would|will)\s+you\s+(?:please\s+)?\Z", re.IGNORECASE)
_DESCRIBED: Final = re.compile(
    r"""(?!the\s+value\s+(?:of|for)\s)
    (?:(?:today|tomorrow|yesterday)'s\s|(?:up|down|out|about|back|me|us|him|her|them|some|something|anything|whatever|an?|the|my|your|our|his|their|this|that
    |these|those|each|every|any|several|many|few)\s+[a-z]{2}
    |(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)\s+(?:\w+\s+)?
    (?:times|lines?|sentences?|words?|paragraphs?|reasons?|pages?)\b)""",
    re.VERBOSE,
)
_COMPOSITION: Final = re.compile(
    r"""\b(?:letters?|e-?mails?|mails?|messages?|poems?|story|stories|essays?|articles?|reports?|summary|reply|answer|songs?
    |notes?|speech|reviews?|posts?|tweets?|invitations?|paragraphs?|sentences?|r[eé]sum[eé]|jokes?|recipes?|scripts?
    |programs?|functions?|code|haiku|my|about|to)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_SEVERAL: Final = re.compile(r"\s(?:with|to)\s.*\sand\s.*\s(?:with|to)\s")
_AS_WHAT: Final = re.compile(r"\sas\s\S")  # enter 10/20/2017 as the date
_NO_VALUE: Final = re.compile(
    r"(?:an?|about|what|how|why|who|when|where|which|if|whether|something|anything|everything|some|more|love|\d)(?!\S)|\d",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"\s+(?:please|for\s+me|when\s+(?:you\s*(?:'re|are|have)\s+)?(?:done|finished|ready)|afterwards?|after(?:\s+that)?|at\s+the\s+end)\Z",
    re.IGNORECASE,
)
POINT: Final = re.compile(r"\d+\s*,\s*\d+")


def _unknown(text: str) -> str:
    word = text.split(maxsplit=1)[0][:40]
    near = "".join(f'; did you mean "{verb}"?' for verb in near_verbs(word, 0.8)) or ";"
    known = (
        "open, click, double-click, right-click, select, tick, type, fill in, set, press, drag, scroll, wait, when, "
        "check and close"
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
