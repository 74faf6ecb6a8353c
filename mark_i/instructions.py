"""Plain instructions in English, read without any model: `click Save, then type "Hello" into Name and press enter`.

A goal is split where one instruction ends and the next begins; a verb says which rule of `instructions.lark` reads the
rest. Quoted text is taken exactly as it stands; it is the way to be exact wherever a name contains a separator or a
word that the grammar knows. What is not understood is returned as such, in its place, and never guessed.

Not covered: any other language, conditions and repetition ("if", "until" on anything but waiting), dragging, and
references to what was said before ("it", except in "close it").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from world_model import Point


@dataclass(frozen=True, slots=True)
class Open:
    """Start an application."""

    text: str
    name: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Click:
    """Click a text on the screen, or a point."""

    text: str
    target: str | Point
    button: Literal["left", "right"] = "left"
    double: bool = False


@dataclass(frozen=True, slots=True)
class Type:
    """Type `content`, into the field named `into` if there is one, and press enter after it if `enter`."""

    text: str
    content: str
    into: str | None = None
    enter: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """Press a key or a combination once, such as `enter` or `ctrl+shift+s`."""

    text: str
    keys: str


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scroll by `amount` notches of the wheel."""

    text: str
    direction: Literal["up", "down", "left", "right"]
    amount: int = 3


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until `expected` is on the screen, or until it is gone; `timeout` in seconds, if the user named one."""

    text: str
    expected: str
    gone: bool = False
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Look whether `expected` is on the screen, or absent from it."""

    text: str
    expected: str
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """Close the window whose title has this name; without a name, the one that is active."""

    text: str
    window: str | None = None


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """What could not be read, and why, for the user to see."""

    text: str
    reason: str


Instruction: TypeAlias = Open | Click | Type | Press | Scroll | Wait | Check | Close


def parse_instructions(goal: str) -> list[Instruction | NotUnderstood]:
    """Read a goal as instructions, in the user's order; `text` of each is the user's own words for it.

    One phrase can mean several actions ("click File > Save As", "press tab twice"): each is an instruction of its own,
    with the same `text`. A goal that is blank has none; any other gives at least one element.
    """
    masked = _mask(goal)
    found: list[Instruction | NotUnderstood] = []
    before = 0, 0
    for start, end in _pieces(masked):
        read = _read(goal, masked, start, end)
        joined = masked[before[1] : start].strip().lower() == "and"
        match found[-1:], read:
            case [Type() as typed], [Press(keys="enter")] if joined:
                found[-1] = replace(typed, text=goal[before[0] : end], enter=True)
            case _:
                found.extend(read)
        before = start, end
    return found


# Quoted text is masked by characters that nobody types, as many as it has: what is left can be searched for separators
# and keywords, and a place in it is the same place in the goal.
_QUOTE, _QUOTED, _UNCLOSED = "\x02", "\x03", "\x04"
_BLANK: Final = str.maketrans(dict.fromkeys("\x02\x03\x04", " "))
_QUOTATION: Final = re.compile(
    r"""(?<![\d+])"[^"]*"   # not after a digit: 15" is a size
    | “[^”]*” | „[^“]*“ | «[^»]*»
    | (?<![\w+])`[^`]*`
    | (?<![\w+])'(?:[^']|'(?=\w))*'  # not inside a word: don't, O'Brien
    | (?<!\w)\u2018(?:[^\u2019]|\u2019(?=\w))*\u2019
    | (?P<unclosed>(?:(?<![\d+])"|[“„«]|(?<![\w+])[`'\u2018]).*)""",
    re.VERBOSE | re.DOTALL,
)


def _mask(goal: str) -> str:
    def cover(match: re.Match[str]) -> str:
        length = len(match[0])
        return _UNCLOSED * length if match["unclosed"] else _QUOTE + _QUOTED * (length - 1)

    masked = _QUOTATION.sub(cover, goal.translate(_BLANK)).replace("\u2019", "'")
    return _ITEM_WITHIN_LINE.sub(r"\1)", masked) if re.match(r"\s*1\.\s", masked) else masked


_VERBS: Final = {
    **dict.fromkeys(["open", "start", "launch", "run"], "open"),
    **dict.fromkeys(["click", "left click", "select", "choose", "tap"], "click"),
    **dict.fromkeys(["double click", "doubleclick"], "double click"),
    **dict.fromkeys(["right click", "rightclick"], "right click"),
    **dict.fromkeys(["type", "write"], "type"),
    "enter": "enter",
    **dict.fromkeys(["fill", "fill in", "fill out"], "fill"),
    "put": "put",
    **dict.fromkeys(["press", "hit"], "press"),
    "scroll": "scroll",
    "wait": "wait",
    **dict.fromkeys(["check", "verify", "make sure", "confirm", "ensure"], "check"),
    **dict.fromkeys(["close", "quit", "exit"], "close"),
}
_ANY_VERB = "|".join(verb.replace(" ", r"[\s-]+") for verb in sorted(_VERBS, key=len, reverse=True))
_VERB: Final = re.compile(rf"(?P<verb>{_ANY_VERB})(?![\w'-]):?\s*", re.IGNORECASE)

# The start of a line in a list, numbered or not: "1. ", "2) ", "Step 3: ", "- ", "* [ ] ".
_ITEM: Final = r"(?:(?:[-*•+\u2013\u2014]|\(?\d{1,3}[.)]|step\s+\d{1,3}[.:)])[ \t]+(?:\[[ xX]?\][ \t]+)?)"
# "1. open X 2. click Y" on one line; in "click item 2. Click OK" the number belongs to the name.
_ITEM_WITHIN_LINE: Final = re.compile(rf"(?<=[ \t])(\d{{1,2}})\.(?=[ \t]+(?:{_ANY_VERB})\b)", re.IGNORECASE)
_SEPARATOR: Final = re.compile(
    rf"""\A\s*{_ITEM} | (?:(?<=\s)and[ \t]*)?[\r\n]\s*{_ITEM}?
    | (?<!\.)\.(?=\s|\Z)                                      # not in report.txt, nor the dots of "Save As..."
    | ;(?=\s|\Z)
    | ,(?=\s|\Z)(?!(?<=\d,)\s*-?\d+(?![\d.)]*\)\s))(?!\s*y\s*[=:])  # not in 512, 300 nor in x=512, y=300
    | (?<![\w-])(?:(?:and\s+)?(?:then|after\s+that|afterwards)|and\s+(?:finally|lastly))(?![\w-])
    | (?<=\s)\(?\d{{1,2}}\)[ \t]+(?=(?:{_ANY_VERB})\b)         # a list within one line: 1) open X 2) click Y
    | (?P<perhaps>(?<![\w-])and(?=\s)|[,;](?=\S))""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"""(?:[\s,:]*(?:please|kindly|now|next|then|also|and|just|so|finally|afterwards|after\s+that|let'?s|try\s+to
    |(?:first|second|third|last)(?:ly)?|(?:you|we|i)\s+(?:should|must|can|have\s+to|need\s+to|want\s+(?:you\s+)?to)
    |(?:can|could|would|will)\s+you|i(?:\s+would|'d)\s+like\s+(?:you\s+)?to|go\s+ahead
    |do\s+(?:this|the\s+following)(?=\s*:)|(?:the\s+)?steps(?:\s+are)?(?=\s*:))(?![\w'-])){0,9}[\s,:!?]*""",
    re.VERBOSE | re.IGNORECASE,
)


def _pieces(masked: str) -> Iterator[tuple[int, int]]:
    """Where each instruction starts and ends, without what leads in to it ("and now please")."""
    cuts = [match.span() for match in _SEPARATOR.finditer(masked) if not match["perhaps"] or _cuts(masked, match)]
    starts, stops = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(masked)]
    leads_in, any_piece = "", False
    for start, stop in zip(starts, stops, strict=True):
        end = start + len(masked[start:stop].rstrip())
        begin = _past_lead(masked, start, end)
        if begin < end:
            yield begin, end
            any_piece = True
        leads_in = masked[start:end].strip(" ,:!?").lower() if begin >= end else ""
    # "Next, click OK" leads in to something; a last "Next" does not, and must not be lost. "Please" may be.
    if leads_in not in {"", "please"} or not any_piece:
        start = len(masked) - len(masked[starts[-1] if any_piece else 0 :].lstrip())
        if start < len(masked):
            yield start, len(masked.rstrip())


def _past_lead(masked: str, start: int, end: int) -> int:
    lead = _LEAD.match(masked, start, end)
    return lead.end() if lead else start


def _cuts(masked: str, separator: re.Match[str]) -> bool:
    """Whether an "and", or a comma without a space, ends an instruction; else it belongs to a name or a text."""
    start = _past_lead(masked, separator.end(), len(masked))
    verb = _VERB.match(masked, start)
    if not verb:
        # A verb misspelt, or one that is forbidden, must not disappear in the text before it.
        word = _LOWER_WORD.match(masked, start)
        return bool(word and (word[1] == "don't" or _near(word[1], 0.8)))
    before = _LAST_WORD.search(masked, max(0, separator.start() - 40), separator.start())
    last = before[0].strip() if before else ""
    if _KEYS.get(last.lower().rpartition("+")[2]) in _MODIFIERS and verb["verb"].lower() in _KEYS:
        return False  # press Ctrl and Enter
    if _PREDICATE.match(masked, verb.end()):
        return False  # wait until Save and Close appears
    capitals = last[:1].isupper() and verb["verb"][:1].isupper()
    return not (capitals and _NAME_ENDS.match(masked, verb.end()))  # click Save and Close


def _near(word: str, cutoff: float) -> list[str]:
    return get_close_matches(word.lower(), _VERBS, n=1, cutoff=cutoff)


_LOWER_WORD: Final = re.compile(r"([a-z'-]+)[ \t]+\S")
_LAST_WORD: Final = re.compile(r"\S+\s*\Z")
_PREDICATE: Final = re.compile(
    r"(?:is|are|isn't|appears?|disappears?|shows\s+up|vanishes|goes\s+away|to\s+(?:dis)?appear)\b"
)
_NAME_ENDS: Final = re.compile(r"\Z|[,;>\r\n]|\.(?!\S)|(?:and|then|into|button|menu|item|tab|link|icon|field|window)\b")


class _UnclearError(Exception):
    """The grammar reads it, but what it means is open; the message is for the user."""


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
_RULES: Final = {
    "double click": ("click",),
    "right click": ("click",),
    "press": ("press", "click"),  # what is no key is a text to click
    "enter": ("enter", "type"),
}


@cache
def _parser() -> Lark:
    grammar = files("mark_i").joinpath("instructions.lark").read_text(encoding="utf-8")
    starts = {rule for kind in _FORMS for rule in _RULES.get(kind, (kind,))}
    return Lark(grammar, parser="lalr", start=sorted(starts))


def _read(goal: str, masked: str, start: int, end: int) -> list[Instruction | NotUnderstood]:
    text = goal[start:end]
    unclosed = masked.find(_UNCLOSED, start, end)
    if unclosed >= 0:
        return [NotUnderstood(text, f"the quote that opens with {goal[unclosed]} is never closed")]
    verb = _VERB.match(masked, start, end)
    if not verb:
        return [NotUnderstood(text, _unknown(text))]
    kind = _VERBS[re.sub(r"[\s-]+", " ", verb["verb"].lower())]
    rest = masked[verb.end() : end]
    if rest.lower().endswith(" please") and (kind not in {"type", "enter"} or rest[:-7].endswith((_QUOTE, _QUOTED))):
        rest = rest[:-7]
    try:
        return [_as_said(kind, instruction) for instruction in _parse(kind, rest, _Reader(goal, verb.end(), text))]
    except _UnclearError as unclear:
        return [NotUnderstood(text, f"{unclear}; say it like this: {_FORMS[kind]}")]


def _unknown(text: str) -> str:
    word = text.split(maxsplit=1)[0][:40]
    near = "".join(f'; did you mean "{verb}"?' for verb in _near(word, 0.7)) or ";"
    known = "open, click, double-click, right-click, type, fill in, press, scroll, wait, check and close"
    return f'an instruction cannot start with "{word}"{near} I understand {known}'


def _parse(kind: str, rest: str, reader: "_Reader") -> list[Instruction]:
    for rule in _RULES.get(kind, (kind,)):
        try:
            read = reader.transform(_parser().parse(rest, start=rule))
        except UnexpectedInput:
            continue
        except VisitError as error:
            raise error.orig_exc from None
        if read:
            return read
    what = "I cannot read what follows" if rest.strip() else "nothing follows"
    raise _UnclearError(f'{what} "{kind}"')


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
            raise _UnclearError("there is nothing between the quotes")
        return quoted

    def name(self, *words: Token) -> str:
        named = words
        while len(named) > 1 and named[-1].type == "KIND":
            named = named[:-1]
        name = self.words(*named)
        cut_short = named != words and _VAGUE.fullmatch(named[-1])  # OK in the (dialog)
        if cut_short or _VAGUE.fullmatch(name.rstrip("!?")) or words[0] in {"all", "both", "each", "every", "and"}:
            raise _UnclearError(f'"{name}" does not say which one')
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
            raise _UnclearError(f'is "in {name}" a part of the name?')
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
        raise _UnclearError(f'is "in {rest}" a part of the text after "{content}", or a field?')

    def enter_key(self) -> list[Instruction]:
        return [Press(self._text, "enter")]

    def press(self, keys: str, times: Token | None) -> list[Instruction]:
        return [Press(self._text, chord) for _ in range(_count(times)) for chord in _chords(keys)]

    def scroll(self, direction: Token, amount: Token | None) -> list[Instruction]:
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


_DIRECTIONS: Final[tuple[Literal["up", "down", "left", "right"], ...]] = ("up", "down", "left", "right")
_FILE: Final = re.compile(r"[/\\]|\w\.\w+\Z")
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
        raise _UnclearError(f"{word[:9]} is not a number of times from 1 to {_MOST_TIMES}")
    return count


def _seconds(said: str | None) -> float | None:
    if said is None:
        return None
    number, unit = re.findall(r"([\d.]+|[a-z]+?)\s*([a-z]+)\Z", said.lower())[0]
    return float(_TIMES.get(number) or number) * (60 if unit.startswith("m") else 1)


_MODIFIERS: Final = frozenset({"ctrl", "shift", "alt", "altgr", "win", "cmd"})
_NAMED_KEYS: Final = (  # noqa: SIM905 - as a list literal it would fill a page
    "ctrl shift alt altgr win cmd enter esc tab space backspace delete insert home end pageup pagedown up down left "
    "right plus capslock numlock scrolllock printscreen f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12"
).split()
_KEYS: Final = {name: name for name in _NAMED_KEYS} | {
    "control": "ctrl",
    "option": "alt",
    "windows": "win",
    "super": "win",
    "meta": "win",
    "command": "cmd",
    "return": "enter",
    "escape": "esc",
    "spacebar": "space",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "prtsc": "printscreen",
    "minus": "-",
}
_ARROW_KEY: Final = re.compile(r"\b(?:arrow\s+)?(up|down|left|right)(?:\s+arrow)?\b")
_TWO_WORDS: Final = re.compile(r"\b(page|pg|caps|num|scroll|print|space|back)\s+(up|down|lock|screen|bar|space)\b")
_BETWEEN_KEYS: Final = re.compile(r"\s*\+\s*|\s+and\s+|\s+|(?<=\w)-(?=\w)")


def _chords(said: str) -> list[str]:
    """Read "Ctrl and S", "the down arrow key" or "ctrl++" as keys; none if it is not a key at all."""
    keys = _TWO_WORDS.sub(r"\1\2", _ARROW_KEY.sub(r"\1", said.lower().strip()))
    keys = re.sub(r"(?:\A|(?<=\+))\s*\+\Z", "plus", re.sub(r"\A(?:key|letter)\s+|\s+keys?\Z", "", keys))
    whole = _chord(keys)
    found = [whole] if whole else [_chord(part) for part in keys.split(" and ")]
    if all(found):
        return [chord for chord in found if chord]
    first, *others = _BETWEEN_KEYS.split(keys)
    purpose = first in _KEYS and others[:1] == ["to"]  # press Enter to confirm
    if purpose or _KEYS.get(first) in _MODIFIERS or re.search(r"\skeys?\Z", said.lower()):
        raise _UnclearError(f'"{said}" is not a key that I know')
    return []


def _chord(said: str) -> str | None:
    *held, last = (_KEYS.get(name, name) for name in _BETWEEN_KEYS.split(said))
    known = last in _KEYS.values() or (len(last) == 1 and last.isprintable())
    return "+".join([*held, last]) if known and _MODIFIERS.issuperset(held) else None
