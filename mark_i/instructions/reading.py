"""One instruction, from its words to what it means: the grammar finds its parts, and the reader puts them together."""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from mark_i.instructions.keys import chords
from mark_i.instructions.kinds import (
    Check,
    Click,
    Close,
    Instruction,
    NotUnderstood,
    Open,
    Press,
    Scroll,
    Type,
    UnclearError,
    Wait,
)
from mark_i.instructions.splitting import QUOTE, QUOTED, UNCLOSED, VERB, VERBS, near_verbs
from world_model import Point

_FORMS: Final = {
    "open": 'open "Text Editor"',
    "click": 'click "Save", click File > Save As, click at 512, 300',
    "double click": 'double-click "report.txt"',
    "right click": 'right-click "report.txt"',
    "type": 'type "Hello" into the "Name" field',
    "enter": 'enter "Hello" as "Name"',
    "fill": 'fill in "Name" with "Hello"',
    "put": 'put "Hello" in "Name"',
    "press": 'press ctrl+s, press tab 3 times, press "Save"',
    "scroll": "scroll down, scroll up 5 times",
    "wait": 'wait until "Saved" appears, wait up to 30 seconds for "Saved"',
    "check": 'check that "Saved" is shown (and to tick a box: click "Remember me")',
    "close": 'close the window, close "Text Editor"',
}


def read(goal: str, masked: str, start: int, end: int) -> list[Instruction | NotUnderstood]:
    """Read the piece of the goal from `start` to `end`: what it asks for, or why that is not understood."""
    text = goal[start:end]
    unclosed = masked.find(UNCLOSED, start, end)
    if unclosed >= 0:
        return [NotUnderstood(text, f"the quote that opens with {goal[unclosed]} is never closed")]
    verb = VERB.match(masked, start, end)
    if not verb:
        return [NotUnderstood(text, _unknown(text))]
    kind = VERBS[re.sub(r"[\s-]+", " ", verb["verb"].lower())]
    rest = masked[verb.end() : end]
    if rest.lower().endswith(" please"):
        asked = rest[: -len(" please")]
        if kind not in {"type", "enter"} or asked.endswith((QUOTE, QUOTED)):  # else it may be a part of the text
            rest = asked
    try:
        return [_as_said(kind, instruction) for instruction in _parse(kind, rest, _Reader(goal, verb.end(), text))]
    except UnclearError as unclear:
        return [NotUnderstood(text, f"{unclear}; say it like this: {_FORMS[kind]}")]


def _unknown(text: str) -> str:
    word = text.split(maxsplit=1)[0][:40]
    near = "".join(f'; did you mean "{verb}"?' for verb in near_verbs(word, 0.7)) or ";"
    known = "open, click, double-click, right-click, type, fill in, press, scroll, wait, check and close"
    return f'an instruction cannot start with "{word}"{near} I understand {known}'


def _as_said(kind: str, instruction: Instruction) -> Instruction:
    match kind, instruction:
        case "double click", Click():
            return replace(instruction, double=True)
        case "right click", Click():
            return replace(instruction, button="right")
    return instruction


# Words that name no one thing. A capital makes a name of them: a button can be called "All".
_VAGUE: Final = re.compile(
    r"it|this|that|them|there|all|both|everything|something|the|an?|on|at|in|to|and|for|with|button|menu|item|tab|link"
    r"|icon|field|box|checkbox|dialog|popup|app|application|program|file"
)
_FILE: Final = re.compile(r"[/\\]|\w\.\w+\Z")
_DIRECTIONS: Final[tuple[Literal["up", "down", "left", "right"], ...]] = ("up", "down", "left", "right")


@v_args(inline=True)
class _Reader(Transformer[Token, list[Instruction]]):
    """From the grammar's tree to instructions; a method a rule."""

    def __init__(self, goal: str, offset: int, text: str) -> None:
        super().__init__()
        self._goal, self._offset, self._text = goal, offset, text

    def quoted(self, token: Token) -> str:
        start, end = token.start_pos or 0, token.end_pos or 0
        return self._goal[self._offset + start + 1 : self._offset + end - 1]

    def exact_name(self, quoted: str, *_: Token) -> str:
        if not quoted.strip():
            raise UnclearError("there is nothing between the quotes")
        return quoted

    def name(self, *words: Token) -> str:
        """What something is called, without the word for its kind."""
        named = words
        while len(named) > 1 and named[-1].type == "KIND":
            named = named[:-1]
        name = self.words(*named)
        cut_short = named != words and _VAGUE.fullmatch(named[-1])  # OK in the (dialog)
        if cut_short or _VAGUE.fullmatch(name.rstrip("!?")) or words[0] in {"all", "both", "each", "every", "and"}:
            raise UnclearError(f'"{name}" does not say which one')
        return name

    def words(self, *words: Token) -> str:
        start, end = words[0].start_pos or 0, words[-1].end_pos or 0
        return " ".join(self._goal[self._offset + start : self._offset + end].split())

    def argument(self, word: str) -> str:
        return self.words(word) if isinstance(word, Token) else word

    def open(self, name: str, *args: str | None) -> list[Instruction]:
        given = tuple(arg for arg in args if arg is not None)
        if _FILE.search(name) and given and not any(_FILE.search(arg) or arg.startswith("-") for arg in given):
            return [Open(self._text, " ".join(given), (name,))]  # open report.txt with Text Editor
        return [Open(self._text, name, given)]

    def open_in(self, file: str, name: str) -> list[Instruction]:
        if not _FILE.search(file):
            raise UnclearError(f'is "in {name}" a part of the name?')
        return [Open(self._text, name, (file,))]

    def menu(self, name: str) -> list[Instruction]:
        return [Click(self._text, name)]

    def click(self, *names_and_times: str | Token | None) -> list[Instruction]:
        *names, times = names_and_times
        return [Click(self._text, str(name)) for _ in range(_count(times)) for name in names]

    def from_menu(self, name: str, menu: str) -> list[Instruction]:
        return [Click(self._text, menu), Click(self._text, name)]

    def point(self, token: Token) -> list[Instruction]:
        x, y = (int(number) for number in re.findall(r"-?\d+", token))
        return [Click(self._text, Point(x, y))]

    def type(self, content: str, into: str | None = None) -> list[Instruction]:
        return [Type(self._text, content, into)]

    def fill(self, into: str, content: str) -> list[Instruction]:
        return [Type(self._text, content, into)]

    def text_or_field(self, content: str, rest: str) -> list[Instruction]:
        raise UnclearError(f'is "in {rest}" a part of the text after "{content}", or a field?')

    def enter_key(self) -> list[Instruction]:
        return [Press(self._text, "enter")]

    def press(self, keys: str, times: Token | None) -> list[Instruction]:
        return [Press(self._text, chord) for _ in range(_count(times)) for chord in chords(keys)]

    def scroll(self, direction: Token, amount: Token | None) -> list[Instruction]:
        """By so many notches: three where nobody says, one for a bit, ten for more."""
        to = next(to for to in _DIRECTIONS if direction.lower().startswith(to))
        match amount:
            case None:
                return [Scroll(self._text, to)]
            case Token(type="NUMBER" | "TIMES"):
                return [Scroll(self._text, to, _count(amount))]
            case _:
                return [Scroll(self._text, to, 1 if amount.type == "BIT" else 10)]

    def seen(self, name: str) -> tuple[str, bool]:
        return name, False

    def gone(self, name: str) -> tuple[str, bool]:
        return name, True

    def wait(self, limit: Token | None, claim: str | tuple[str, bool], within: Token | None) -> list[Instruction]:
        expected, gone = (claim, False) if isinstance(claim, str) else claim
        return [Wait(self._text, expected, gone, _seconds(limit or within))]

    def check(self, claim: str | tuple[str, bool]) -> list[Instruction]:
        expected, absent = (claim, False) if isinstance(claim, str) else claim
        return [Check(self._text, expected, absent)]

    def close(self) -> list[Instruction]:
        return [Close(self._text)]

    def close_named(self, window: str) -> list[Instruction]:
        return [Close(self._text, window)]


_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES: Final = {word: number for number, word in enumerate(_NUMBERS, 1)} | {
    "a": 1,
    "an": 1,
    "once": 1,
    "twice": 2,
    "thrice": 3,
}
_MOST_TIMES: Final = 100


def _count(said: str | None) -> int:
    if said is None:
        return 1
    word = said.split()[0].lower()
    count = _TIMES.get(word) or int(word[:9])
    if not 1 <= count <= _MOST_TIMES:
        raise UnclearError(f"{word[:9]} is not a number of times from 1 to {_MOST_TIMES}")
    return count


def _seconds(said: str | None) -> float | None:
    if said is None:
        return None
    number, unit = re.findall(r"([\d.]+|[a-z]+?)\s*([a-z]+)\Z", said.lower())[0]
    return float(_TIMES.get(number) or number) * (60 if unit.startswith("m") else 1)


# The rules of the grammar that read what follows a verb, in this order; for any other kind, the one of its name.
_RULES: Final = {
    "double click": ("click",),
    "right click": ("click",),
    "press": ("press", "click"),  # what is no key is a text to click
    "enter": ("enter", "type"),
}


def _rules(kind: str) -> tuple[str, ...]:
    return _RULES.get(kind, (kind,))


@cache
def _parser() -> Lark:
    grammar = files("mark_i.instructions").joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=sorted({rule for kind in VERBS.values() for rule in _rules(kind)}))


def _parse(kind: str, rest: str, reader: _Reader) -> list[Instruction]:
    for rule in _rules(kind):
        try:
            instructions = reader.transform(_parser().parse(rest, start=rule))
        except UnexpectedInput:
            continue
        except VisitError as error:
            raise error.orig_exc from None
        if instructions:
            return instructions
    what = "I cannot read what follows" if rest.strip() else "nothing follows"
    raise UnclearError(f'{what} "{kind}"')
