"""The kinds of instructions that take several steps, each by what is on the screen then."""

from dataclasses import dataclass
from datetime import date, time
from typing import Literal


@dataclass(frozen=True, slots=True)
class FillAll:
    """Type into each labelled field the value that stands beside the same name elsewhere on the screen."""

    text: str


@dataclass(frozen=True, slots=True)
class Complete:
    """Type the beginning of an entry into the only field, and choose the suggestion that begins and ends so."""

    text: str
    beginning: str
    end: str = ""


@dataclass(frozen=True, slots=True)
class PickDate:
    """Choose a date in the calendar that the only field opens."""

    text: str
    date: date


@dataclass(frozen=True, slots=True)
class Slide:
    """Set a slider to a number, from 1 the `nth` of several."""

    text: str
    number: int
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Spin:
    """Set the only field with arrows beside it to a number."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class EnterTime:
    """Type a time of the day into a field that has parts for hours and minutes, or into the only field."""

    text: str
    time: time


@dataclass(frozen=True, slots=True)
class Path:
    """Choose an entry of a menu in a menu; what leads there opens under the pointer, or with a click."""

    text: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Highlight:
    """Select the text of the `nth` paragraph, from 1."""

    text: str
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Resize:
    """Make the only large field higher or wider, or with `smaller` lower or narrower, by its corner."""

    text: str
    dimension: Literal["height", "width"]
    smaller: bool = False


@dataclass(frozen=True, slots=True)
class DragBy:
    """Drag a thing, or the only picture if none has that name, some way to a side."""

    text: str
    name: str
    to: Literal["left", "right", "up", "down"]


@dataclass(frozen=True, slots=True)
class Rearrange:
    """Drag an entry of a list or a grid to another place in it, such as `3`, `last`, `down` or `top left`."""

    text: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class SortByDragging:
    """Drag the entries of the only list of numbers until the smallest, or with `descending` the greatest, is first."""

    text: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Repeat:
    """Click a button until the only number on the screen compares so, as in `< 5`, or is `odd` or `even`."""

    text: str
    button: str
    until: str


@dataclass(frozen=True, slots=True)
class TurnTo:
    """Turn the pages until a name is on the screen."""

    text: str
    name: str


@dataclass(frozen=True, slots=True)
class ClickValue:
    """Click what stands beside a label that begins so."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class ClickResult:
    """Click the `nth` link in a list of results, which may go on over several pages."""

    text: str
    nth: int


@dataclass(frozen=True, slots=True)
class InOrder:
    """Click the numbers on the screen from the smallest to the greatest, or `descending`."""

    text: str
    descending: bool = False
