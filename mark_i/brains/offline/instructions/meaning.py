# ruff: noqa: D102 - a method gives the meaning of the grammar rule of its name
"""Give the parts of an instruction their meaning: the names, numbers and things in the grammar's tree."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple, TypeAlias

from lark import Token, Transformer, v_args

from mark_i.brains.offline.instructions.keys import chords
from mark_i.brains.offline.instructions.kinds import (
    Check,
    Click,
    Close,
    Drag,
    Instruction,
    Open,
    Pause,
    Press,
    Scroll,
    Select,
    Tell,
    Thing,
    Type,
    UnclearError,
    ValueOf,
    Wait,
)
from mark_i.brains.offline.instructions.nouns import POINTING, comparison_in, ordinal, role_of, side_of
from world_model import Point, Role

Name: TypeAlias = str | Thing


class Claim(NamedTuple):
    """What is said to be on the screen, or gone from it, or to have a number beside it that compares so."""

    expected: str
    gone: bool = False
    number: str | None = None


# Words that do not identify a single thing. With a capital they are names: a button can be called "All".
_VAGUE: Final = re.compile(
    r"it|this|that|them|there|all|both|everything|something|anything|everywhere|anywhere|somewhere|the|an?|on|at|in|to|and|for|with|button|menu|item|tab|link"
    r"|icon|field|box|checkbox|dialog|popup|app|application|program|file"
)
_NO_NAME: Final = re.compile(r"(?:option|entry|item|word|line|row|one|thing)s?\Z|of\s")
_PLURAL: Final = re.compile(r"(?P<name>.*?)\s*\b(?P<kind>button|(?:check\s?)?box|radio\s+button|link|field)(?:e?s)")
_NO_APP: Final = re.compile(
    r"(?:with|at)\s|(?:\w+\s){0,3}(?:hour|minute|day|week)s?\s(?:earlier|later|sooner)", re.IGNORECASE
)
_FILE: Final = re.compile(r"[/\\]|\w\.\w+\Z")
_DIRECTIONS: Final[tuple[Literal["up", "down", "left", "right"], ...]] = ("up", "down", "left", "right")


@v_args(inline=True)
class Meaning(Transformer[Token, list[Instruction]]):
    """Turn the grammar's tree of one piece of a goal into instructions, with one method per rule.

    Args:
        goal: the whole goal, with its quoted texts.
        offset: where in the goal the parsed text begins.
        text: the user's words for the instruction.
    """

    def __init__(self, goal: str, offset: int, text: str) -> None:
        super().__init__()
        self._goal, self._offset, self._text = goal, offset, text

    def quoted(self, token: Token) -> str:
        start, end = token.start_pos or 0, token.end_pos or 0
        return self._goal[self._offset + start + 1 : self._offset + end - 1]

    def exact_name(self, *parts: str) -> str:
        (quoted,) = (part for part in parts if not isinstance(part, Token))
        if not quoted.strip():
            raise UnclearError("there is nothing between the quotes")
        return quoted

    def name(self, *parts: Token) -> str:
        """Return the name of something, without the word for its kind."""
        words = named = [part for part in parts if part.type != "BEFORE"]
        while len(named) > 1 and named[-1].type == "KIND":
            named = named[:-1]
        name = self.words(*named)
        cut_short = named != words and _VAGUE.fullmatch(named[-1])  # OK in the (dialog)
        if cut_short or _VAGUE.fullmatch(name.rstrip("!?")) or named[0] in {"all", "both", "each", "every", "and"}:
            raise UnclearError(f'"{name}" does not say which one')
        return name

    def exact_thing(self, nth: Token | None, *rest: str | None) -> Name:
        *parts, side, other = rest
        said = [part for part in parts if part is not None]
        return _thing(self.exact_name(*said), _role_in(said), nth, side, other)

    def thing(self, nth: Token | None, *rest: Token | None) -> Name:
        *parts, side, other = rest
        said = [part for part in parts if part is not None]
        name = self.name(*said)
        if nth and _NO_NAME.match(name):  # the second option
            raise UnclearError(f'"{nth} {name}" does not say what it is called')
        return _thing(name, _role_in(said), nth, side, other)

    def kind_of_thing(self, nth: Token | None, kind: Token, side: Token | None, other: str | None) -> Name:
        return _thing(None, role_of(kind), nth, side, other)

    def all_things(self, *parts: str) -> Thing:
        quoted = [part for part in parts if not isinstance(part, Token)]
        said = self.words(*(part for part in parts if isinstance(part, Token)))
        plural = _PLURAL.fullmatch(said)
        if not plural:
            raise UnclearError(f'"all {said}" does not say all of which')
        name = quoted[0] if quoted else plural["name"]
        return Thing(name or None, role_of(plural["kind"]), every=True)

    def words(self, *words: Token) -> str:
        start, end = words[0].start_pos or 0, words[-1].end_pos or 0
        return " ".join(self._goal[self._offset + start : self._offset + end].split())

    def argument(self, word: str) -> str:
        return self.words(word) if isinstance(word, Token) else word

    def open(self, name: str, *args: str | None) -> list[Instruction]:
        if _NO_APP.match(name):  # "start with Hello" is about a text
            raise UnclearError(f'"{name}" is no name of an application')
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

    def click(self, *parts: Name | None) -> list[Instruction]:
        *names, times = parts
        count = _count(times) if isinstance(times, Token) else 1
        return [Click(self._text, name) for _ in range(count) for name in names if name is not None]

    def from_menu(self, name: Name, menu: str) -> list[Instruction]:
        return [Click(self._text, menu), Click(self._text, name)]

    def point(self, token: Token) -> list[Instruction]:
        return [Click(self._text, _point(token))]

    def option(self, token: Token) -> str:
        return self.words(token)

    def source(self, name: str | None, *_: Token) -> str:
        return name or ""

    def select(self, *options_and_source: str | None) -> list[Instruction]:
        """Select in a list, or click several names; return nothing for a single name, which the click rule reads."""
        *options, source = options_and_source
        names = tuple(str(option) for option in options)
        if source is not None:
            return [Select(self._text, names, source or None)]
        return [Click(self._text, name) for name in names] if names[1:] else []

    def type(self, content: str, case: Token | None = None, into: Name | None = None) -> list[Instruction]:
        return [Type(self._text, _in_case(content, case), _field(into))]

    def type_words(self, content: str, into: Name | None) -> list[Instruction]:
        if content.casefold() in POINTING:
            raise UnclearError("it does not say what is to be typed")
        if into and _DESCRIBED.match(content):
            raise UnclearError(f'"{content}" may be what to type, or tell what it is; with quotes it is clear')
        return [Type(self._text, content, _field(into))]

    def type_value(self, name: str, into: Name | None) -> list[Instruction]:
        return [Type(self._text, ValueOf(name), _field(into))]

    def labelled_text(self, label: Token, content: str) -> Type:
        return Type(self._text, content, self.words(label))

    def labelled(self, *texts: Type) -> list[Instruction]:
        return list(texts)

    def type_there(self, typed: Type, into: Name) -> list[Instruction]:
        return [replace(typed, into=_field(into))]

    def type_twice(self, typed: Type | str, *_: Token) -> list[Instruction]:
        content = typed if isinstance(typed, str) else typed.content
        return [Type(self._text, content, Thing(role="textbox", nth=nth)) for nth in (1, 2)]

    def type_in(self, into: Name, content: str) -> list[Instruction]:
        return [Type(self._text, content, _field(into))]

    def fill(self, into: Name, content: str) -> list[Instruction]:
        """Replace the text in a field. These keys select its line in every toolkit; in Tk, ctrl+a does not."""
        field = replace(into, role="textbox") if isinstance(into, Thing) else Thing(into, "textbox")
        if field.every:
            raise UnclearError("that does not say which field")
        line = Press(self._text, "end"), Press(self._text, "shift+home")
        return [Click(self._text, field), *line, Type(self._text, content) if content else Press(self._text, "delete")]

    def text_or_field(self, content: str, rest: str) -> list[Instruction]:
        raise UnclearError(f'is "in {rest}" a part of the text after "{content}", or a field?')

    def enter_key(self) -> list[Instruction]:
        return [Press(self._text, "enter")]

    def press(self, keys: str, times: Token | None) -> list[Instruction]:
        return [Press(self._text, chord) for _ in range(_count(times)) for chord in chords(keys)]

    def scroll(self, direction: Token, amount: Token | None) -> list[Instruction]:
        """Scroll by a number of notches: three by default, one for "a bit", ten for more."""
        to = next(to for to in _DIRECTIONS if direction.lower().startswith(to))
        match amount:
            case None:
                return [Scroll(self._text, to)]
            case Token(type="NUMBER" | "TIMES"):
                return [Scroll(self._text, to, _count(amount))]
            case _:
                return [Scroll(self._text, to, 1 if amount.type == "BIT" else 10)]

    def scroll_until(self, *direction_and_claim: str | Claim) -> list[Instruction]:
        *direction, claim = direction_and_claim
        until, gone, number = _claim(claim)
        to = str(direction[0]).lower() if direction else "down"
        if gone or number or not to.startswith(("up", "down")):
            raise UnclearError("I can scroll up or down until something is seen")
        return [Scroll(self._text, "up" if to.startswith("up") else "down", until=until)]

    def tell(self, what: str, of: str | None = None) -> list[Instruction]:
        return [Tell(self._text, what, of)]

    def scroll_to_end(self, *direction_and_edge: Token) -> list[Instruction]:
        edge = direction_and_edge[-1].lower()
        return [Scroll(self._text, "up" if edge in {"top", "beginning", "start"} else "down", to_end=True)]

    def scroll_pages(self, direction: Token, pages: Token) -> list[Instruction]:
        if not direction.lower().startswith(("up", "down")):
            raise UnclearError("I can turn pages up or down")
        key = "pageup" if direction.lower().startswith("up") else "pagedown"
        return [Press(self._text, key)] * _count(re.sub(r"\Aby\s+", "", pages))

    def drag(self, start: Name, end: Name | Token) -> list[Instruction]:
        if any(isinstance(one, Thing) and one.every for one in (start, end)):
            raise UnclearError("I can drag one thing at a time")
        if isinstance(end, str) and end.lower() in {"left", "right", "top", "bottom", "up", "down"}:
            raise UnclearError(f'"{end}" does not say how far; a point does')
        where = _point(end) if isinstance(end, Token) else end
        return [Drag(self._text, start, where)]

    def seen(self, name: str) -> Claim:
        return Claim(name)

    def gone(self, name: str) -> Claim:
        return Claim(name, gone=True)

    def compared(self, name: str, comparison: Token) -> Claim:
        return Claim(name, number=comparison_in(comparison))

    def when(self, claim: Claim) -> list[Instruction]:
        return [Wait(self._text, claim.expected, claim.gone, number=claim.number)]

    def wait(self, limit: Token | None, claim: str | Claim, within: Token | None) -> list[Instruction]:
        expected, gone, number = _claim(claim)
        return [Wait(self._text, expected, gone, _seconds(limit or within), number)]

    def pause(self, limit: Token) -> list[Instruction]:
        if re.search(r"up\s+to|most|more", limit, re.IGNORECASE):
            raise UnclearError("that says how long at most, and not what for")
        return [Pause(self._text, _seconds(limit) or 0.0)]

    def check(self, claim: str | Claim) -> list[Instruction]:
        return [Check(self._text, *_claim(claim))]

    def close(self) -> list[Instruction]:
        return [Close(self._text)]

    def close_named(self, window: str) -> list[Instruction]:
        return [Close(self._text, re.sub(r",?\s+(?:now|please|then|for me)\Z", "", window, flags=re.IGNORECASE))]


def _claim(said: str | Claim) -> Claim:
    return Claim(said) if isinstance(said, str) else said


def _point(token: Token) -> Point:
    x, y = (int(number) for number in re.findall(r"-?\d+", token))
    return Point(x, y)


def _role_in(said: Sequence[object]) -> Role | None:
    """Return the role that one of the words names, or None."""
    roles = (role_of(word) for word in said if isinstance(word, Token) and word.type in {"BEFORE", "KIND"})
    return next((role for role in roles if role), None)


def _thing(name: str | None, role: Role | None, nth: str | None, side: str | None, other: str | None) -> Name:
    """Return a plain name if nothing else was said, or else a thing; an icon is found by the name at it."""
    role = None if name and role == "image" else role
    if name and not (role or nth or side):
        return name
    return Thing(name, role, ordinal(nth) if nth else None, other, side_of(side) if side else None)


def _field(into: Name | None) -> Name | None:
    """Return where to type; the target of typing is a field, whatever role was named."""
    if not isinstance(into, Thing):
        return into
    return into.name if into == Thing(into.name, into.role) and into.name else replace(into, role="textbox")


def _in_case(content: str, case: Token | None) -> str:
    if not case:
        return content
    return content.lower() if "lower" in case.lower() else content.upper()


_DESCRIBED: Final = re.compile(r"(?:the|your|my|our|their|his|her|its|each|every|any|some)\s", re.IGNORECASE)
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
