"""What the set phrases mean, as instructions."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Final, TypeAlias

from mark_i.brains.offline.instructions.kinds import (
    Check,
    Click,
    Close,
    Count,
    DialogClosed,
    Hidden,
    Instruction,
    Look,
    NotUnderstood,
    Open,
    Press,
    Read,
    Scroll,
    Settle,
    Solution,
    Talk,
    Thing,
    Tick,
    Topic,
    Type,
    UnclearError,
    Wait,
    WordAt,
)
from mark_i.brains.offline.instructions.longer_kinds import (
    ClickResult,
    ClickValue,
    Complete,
    DragBy,
    EnterTime,
    FillAll,
    Highlight,
    InOrder,
    Path,
    PickDate,
    Rearrange,
    Repeat,
    Resize,
    Slide,
    SortByDragging,
    Spin,
    TurnTo,
)
from mark_i.brains.offline.instructions.nouns import comparison_in, folder_of, ordinal, role_of

Known: TypeAlias = Sequence[Instruction | NotUnderstood]


@dataclass(frozen=True, slots=True)
class Said:
    """A phrase that was recognised.

    Attributes:
        text: the user's own words.
        parts: what the named groups of its pattern hold, without quotes.
        before: the instructions before it.
    """

    text: str
    parts: dict[str, str]
    before: Known


Meant: TypeAlias = Callable[[Said], list[Instruction]]


def is_terminal(name: str) -> bool:
    """Whether the name of an application says that it is a terminal, where commands are typed."""
    return bool(_TERMINAL.fullmatch(name.lower()))


def pressing(chords: str) -> Meant:
    """Return what a phrase for keys means."""
    return lambda said: [Press(said.text, one) for one in chords.split()]


def talking(topic: Topic) -> Meant:
    """Return what a phrase for the program itself means."""
    return lambda said: [Talk(said.text, topic)]


def _paste(said: Said) -> list[Instruction]:
    return [Click(said.text, _field(said.parts["name"])), Press(said.text, "ctrl+v")]


def _copy(said: Said) -> list[Instruction]:
    return [Click(said.text, _field(said.parts["name"])), Press(said.text, "ctrl+a"), Press(said.text, "ctrl+c")]


def _field(said: str) -> Thing:
    """Return the field that is meant: the only one, if nothing but its role is said."""
    name = re.sub(r"(?:\A|\s)(?:(?:text|input)?\s?(?:field|box|area|input)|text\s?box)\Z", "", said)
    is_tall = bool(re.search(r"text\s?area\Z", said))
    if _NTH.fullmatch(name):
        return Thing(None, "textbox", ordinal(name), tall=is_tall)
    return Thing(name or None, "textbox", tall=is_tall and not name)


def _save_as(said: Said) -> list[Instruction]:
    """Save under a name: the shortcut must open a dialog, whose field for the name has the focus."""
    dialog = Press(said.text, "ctrl+shift+s", opens=True), Press(said.text, "ctrl+a")
    parts = said.parts
    folder = folder_of(parts)
    name = f"{folder.rstrip('/')}/{parts['name']}" if folder else parts["name"]
    return [*dialog, Type(said.text, name, enter=True), DialogClosed(said.text, name, "replace" in parts)]


def _add_text(said: Said) -> list[Instruction]:
    """Type at the end of a text, on a line of its own if that is said."""
    line = [Press(said.text, "enter")] if "line" in said.parts or "own" in said.parts else []
    return [Press(said.text, "ctrl+end"), *line, Type(said.text, said.parts["name"])]


def _folder(said: Said) -> list[Instruction]:
    return [] if re.search(r"[/\\]", said.parts["name"]) else [Click(said.text, said.parts["name"], double=True)]


def _address(said: Said) -> list[Instruction]:
    """Go to an address in what was opened; without that, open it in a browser."""
    if any(isinstance(one, Open) for one in said.before):
        return [Press(said.text, "ctrl+l"), Type(said.text, said.parts["name"], enter=True)]
    return [Open(said.text, "browser", (said.parts["name"],))]


def _compute(said: Said) -> list[Instruction]:
    if not any(isinstance(one, Open) for one in said.before):
        raise UnclearError("it does not say with which application")
    return [Type(said.text, said.parts["name"], enter=True)]


def _command(said: Said) -> list[Instruction]:
    return [Type(said.text, said.parts["name"], enter=True)]


def _run(said: Said) -> list[Instruction]:
    """Run something: a command, if a terminal was opened before."""
    opened = [one.name for one in said.before if isinstance(one, Open)]
    return _command(said) if opened and is_terminal(opened[-1]) else []


def _compute_in(said: Said) -> list[Instruction]:
    return [*_open(said), Type(said.text, said.parts["name"], enter=True)]


def _run_in(said: Said) -> list[Instruction]:
    return _compute_in(said) if is_terminal(said.parts["app"]) else []


def _open(said: Said) -> list[Instruction]:
    """Open the application that a phrase names, unless it was opened before."""
    name = said.parts["app"]
    opened = [one.name for one in said.before if isinstance(one, Open)]
    return [] if opened[-1:] == [name] else [Open(said.text, name)]


def _behind(hidden: Hidden) -> Meant:
    return lambda said: [Look(said.text, hidden)]


def _word_at(said: Said) -> list[Instruction]:
    return [Look(said.text, WordAt(ordinal(said.parts["nth"]), tall="tall" in said.parts))]


def _solution(said: Said) -> list[Instruction]:
    return [Look(said.text, Solution())]


def _it_into(said: Said) -> list[Instruction]:
    """Type what was looked up just before."""
    match said.before[-1:]:
        case [Look(_, WordAt() | Solution() as sought)]:
            return [Type(said.text, sought, _field(said.parts["name"]) if "name" in said.parts else None)]
    return []


def _submit(said: Said) -> list[Instruction]:
    return [Click(said.text, Thing("Submit", "button"))]


def _scroll_in(said: Said) -> list[Instruction]:
    up = said.parts["edge"].lower() in {"top", "beginning", "start"}
    return [Scroll(said.text, "up" if up else "down", to_end=True, within=Thing(role="textbox", tall=True))]


def _fill_all(said: Said) -> list[Instruction]:
    return [FillAll(said.text)]


def _complete(said: Said) -> list[Instruction]:
    return [Complete(said.text, said.parts["name"], said.parts.get("end", ""))]


def _pick_date(said: Said) -> list[Instruction]:
    """Read a date: with slashes the month is first unless it cannot be, with dots the day."""
    numbers = [int(one) for one in re.findall(r"\d+", said.parts["name"])]
    if numbers[0] > _DAYS_MAX:
        year, month, day = numbers
    elif "/" in said.parts["name"] and numbers[0] <= _MONTHS:
        month, day, year = numbers
    else:
        day, month, year = numbers
    try:
        return [PickDate(said.text, date(year, month, day))]
    except ValueError:
        raise UnclearError(f"{said.parts['name']} is no date") from None


def _spin(said: Said) -> list[Instruction]:
    return [Spin(said.text, int(said.parts["name"]))]


def _enter_time(said: Said) -> list[Instruction]:
    hour, minute = int(said.parts["hour"]), int(said.parts.get("minute", "0"))
    half = said.parts.get("half", "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    try:
        return [EnterTime(said.text, time(hour, minute))]
    except ValueError:
        raise UnclearError("that is no time of the day") from None


def _path(said: Said) -> list[Instruction]:
    names = (
        re.sub(r"\Athe\s|\s(?:menu|entry|item)\Z", "", one.strip()) for one in re.split("[>→]", said.parts["names"])
    )
    return [Path(said.text, tuple(names))]


def _slide(said: Said) -> list[Instruction]:
    return [Slide(said.text, int(said.parts["name"]), ordinal(said.parts.get("nth", "first")))]


def _slides(said: Said) -> list[Instruction]:
    numbers = re.findall(r"[-+]?\d+", said.parts["names"])
    return [Slide(said.text, int(number), nth) for nth, number in enumerate(numbers, 1)]


def _highlight(said: Said) -> list[Instruction]:
    return [Highlight(said.text, ordinal(said.parts.get("nth", "first")))]


def _resize(said: Said) -> list[Instruction]:
    parts = said.parts
    if name := parts.get("name"):
        return [Resize(said.text, "width" if name.lower() == "width" else "height", smaller="smaller" in parts)]
    is_high = "high" in parts or "lower" in parts
    return [Resize(said.text, "height" if is_high else "width", smaller="high" not in parts and "wide" not in parts)]


def _in_order(said: Said) -> list[Instruction]:
    down = said.parts.get("down", "").lower() in {"descending", "decreasing", "greatest", "largest", "highest"}
    return [InOrder(said.text, descending=down)]


def _widget(said: Said) -> list[Instruction]:
    role = role_of(said.parts["name"])
    is_tall = "area" in said.parts["name"].lower()
    nth = None if said.text.split()[-3:-2] == ["the"] else 1  # any of them will do
    return [Click(said.text, Thing(role=role, nth=nth, tall=is_tall))] if role else []


def _deed_when(said: Said) -> list[Instruction]:
    """Wait for a number, then click; what a button is called may be said as a deed: buy it when the price is low."""
    name = said.parts.get("name") or said.parts["verb"].capitalize()
    number = comparison_in(said.parts["compared"])
    return [Wait(said.text, said.parts["what"], number=number), Click(said.text, Thing(name, "button"))]


def _settle(said: Said) -> list[Instruction]:
    return [Settle(said.text)]


def _switch(said: Said) -> list[Instruction]:
    return [Tick(said.text, Thing(said.parts["name"], "checkbox"), off="off" in said.parts)]


def _find(said: Said) -> list[Instruction]:
    return [Scroll(said.text, "down", until=said.parts["name"])]


def _check(said: Said) -> list[Instruction]:
    return [Check(said.text, said.parts["name"], asked=True)]


def _count(said: Said) -> list[Instruction]:
    name, kind = said.parts.get("name"), said.parts.get("kind")
    if kind == "windows":
        return [Count(said.text)]
    role = role_of(kind[:-2] if kind.endswith(("xes", "ches")) else kind[:-1]) if kind else None
    if not name and not role:
        raise UnclearError(
            "it does not say how to tell them; I count a text in quotes, buttons, links, boxes and windows"
        )
    return [Count(said.text, Thing(name or None, role))]


def _drag_by(said: Said) -> list[Instruction]:
    to = next(to for to in ("left", "right", "up", "down") if said.parts["to"].lower() == to)
    return [DragBy(said.text, said.parts["name"], to)]


def _rearrange(said: Said) -> list[Instruction]:
    place = str(ordinal(said.parts["nth"])) if "nth" in said.parts else " ".join(said.parts["place"].lower().split())
    return [Rearrange(said.text, said.parts["name"], place)]


def _sort(said: Said) -> list[Instruction]:
    """Sort; which number comes first may be said besides."""
    if any(isinstance(one, SortByDragging) for one in said.before):
        return [Settle(said.text)]
    return [SortByDragging(said.text, descending="down" in said.parts)]


def _repeat(said: Said) -> list[Instruction]:
    parts = said.parts
    until = parts["parity"].lower() if "parity" in parts else comparison_in(parts["compared"])
    return [Repeat(said.text, parts["verb"].capitalize(), until)]


def _turn_to(said: Said) -> list[Instruction]:
    return [TurnTo(said.text, said.parts["name"])]


def _click_value(said: Said) -> list[Instruction]:
    return [ClickValue(said.text, said.parts["name"].split()[0])]


def _click_result(said: Said) -> list[Instruction]:
    return [ClickResult(said.text, ordinal(said.parts["nth"]))]


def _use_to(said: Said) -> list[Instruction]:
    return [Type(said.text, said.parts["name"], Thing(role="textbox"))]


_NTH: Final = re.compile(r"\d+(?:st|nd|rd|th)|(?:fir|la)st|second|third|fourth|fifth")
_DAYS_MAX: Final = 31
_MONTHS: Final = 12
_TERMINAL: Final = re.compile(
    r"(?:.*\s)?(?:\w*term|\w*terminal|console|shell|command (?:line|prompt))(?: (?:emulator|window|app))?"
)
MEANINGS: Final[Mapping[str, Meant]] = {
    "paste_into": _paste,
    "copy_from": _copy,
    "save_as": _save_as,
    "add_text": _add_text,
    "folder": _folder,
    "address": _address,
    "compute_in": _compute_in,
    "compute": _compute,
    "run_in": _run_in,
    "switch": _switch,
    "tabs": _behind("tab"),
    "sections": _behind("section"),
    "it_into": _it_into,
    "submit": _submit,
    "scroll_in": _scroll_in,
    "word_at": _word_at,
    "solution": _solution,
    "fill_all": _fill_all,
    "complete": _complete,
    "pick_date": _pick_date,
    "spin": _spin,
    "enter_time": _enter_time,
    "path": _path,
    "slide": _slide,
    "slides": _slides,
    "highlight": _highlight,
    "resize": _resize,
    "in_order": _in_order,
    "drag_by": _drag_by,
    "rearrange": _rearrange,
    "sort": _sort,
    "repeat": _repeat,
    "turn_to": _turn_to,
    "click_value": _click_value,
    "click_result": _click_result,
    "use_to": _use_to,
    "widget": _widget,
    "deed_when": _deed_when,
    "settle": _settle,
    "command": _command,
    "run": _run,
    "find": _find,
    "check": _check,
    "count": _count,
    "close_unsaved": lambda said: [Close(said.text, discards=True)],
    "read": lambda said: [Read(said.text, "document" in said.parts)],
}
