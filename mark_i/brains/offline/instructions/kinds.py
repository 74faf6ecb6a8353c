"""The kinds of instructions; `text` of each is the user's own words for it."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

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
from world_model import Point, Role


@dataclass(frozen=True, slots=True)
class Open:
    """Start an application."""

    text: str
    name: str
    args: tuple[str, ...] = ()


Side: TypeAlias = Literal["left", "right", "above", "below"]


@dataclass(frozen=True, slots=True)
class Thing:
    """A target that the user described by more than its name.

    Attributes:
        name: its text or its label; None if the role is enough.
        role: its role, if it is known.
        nth: which of several, in reading order, from 1; -1 for the last.
        beside: the text of its neighbour.
        side: its side of that neighbour; None for any side.
        every: whether all of them are meant.
        tall: whether a field of several lines is meant.
    """

    name: str | None = None
    role: Role | None = None
    nth: int | None = None
    beside: str | None = None
    side: Side | None = None
    every: bool = False
    tall: bool = False


@dataclass(frozen=True, slots=True)
class ValueOf:
    """The value of `name` on the screen."""

    name: str


@dataclass(frozen=True, slots=True)
class WordAt:
    """One word of the longest text on the screen, from 1; -1 is the last. With `tall`, of what a large field holds."""

    nth: int
    tall: bool = False


@dataclass(frozen=True, slots=True)
class Solution:
    """The result of the sum, or of the equation, that is on the screen."""


Sought: TypeAlias = ValueOf | WordAt | Solution
Hidden: TypeAlias = Literal["tab", "section"]


@dataclass(frozen=True, slots=True)
class Click:
    """Click a text on the screen, a thing, or a point; if it is not there, look for it `behind` each tab or section."""

    text: str
    target: str | Thing | Point
    button: Literal["left", "right"] = "left"
    double: bool = False
    behind: Hidden | None = None


@dataclass(frozen=True, slots=True)
class Tick:
    """Tick a checkbox or a radio button, or with `off` untick it; do nothing if it is already so."""

    text: str
    target: Thing
    off: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """Choose options in a list or a dropdown: in the one named `source`, or in the only one."""

    text: str
    options: tuple[str, ...]
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Type:
    """Type `content`, into the field `into` if one is named, and press enter after it if `enter`."""

    text: str
    content: str | Sought
    into: str | Thing | None = None
    enter: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """Press a key or a combination, such as `enter` or `ctrl+shift+s`; with `opens`, a window must come of it.

    With `takes_back`, it takes back letters that were typed before.
    """

    text: str
    keys: str
    opens: bool = False
    times: int = 1
    takes_back: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Drag:
    """Drag one thing onto another, or to a point."""

    text: str
    start: str | Thing
    end: str | Thing | Point


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scroll by `amount` notches of the wheel, until a text is visible, or to the end; with `within`, over that."""

    text: str
    direction: Literal["up", "down", "left", "right"]
    amount: int = 3
    until: str | None = None
    to_end: bool = False
    within: Thing | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until `expected` is on the screen, or until it is gone; `timeout` is in seconds, if the user named one.

    With `number`, such as `< 60`, wait until the number beside `expected` compares so.
    """

    text: str
    expected: str
    gone: bool = False
    timeout: float | None = None
    number: str | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Do nothing for a number of seconds; `left_s` of them once a word has ended the wait."""

    text: str
    seconds: float
    left_s: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Check:
    """Check whether `expected` is on the screen, absent from it, or has a `number` beside it that compares so.

    If the user `asked`, it need not be so: the answer is yes or no.
    """

    text: str
    expected: str
    absent: bool = False
    number: str | None = None
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Close:
    """Close the window whose title contains a name, or the active window; with `discards`, save nothing."""

    text: str
    window: str | None = None
    discards: bool = False


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell the user the value of `what` on the screen; in a table, in the row of `of`."""

    text: str
    what: str
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Settle:
    """Wait until nothing on the screen changes any more."""

    text: str


@dataclass(frozen=True, slots=True)
class DialogClosed:
    """Wait until the dialog that the same words opened is closed; `replaces` the `file` if there is one already."""

    text: str
    file: str = ""
    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """Look whether the focused field holds all of a `content`, as the file that was opened there was saved."""

    text: str
    content: str


@dataclass(frozen=True, slots=True)
class Count:
    """Count what is visible: the things with a role, the places of a text, or, without a target, the windows."""

    text: str
    target: Thing | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """Tell the user all text on the screen; with `document`, only what the text field holds, if there is one."""

    text: str
    document: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """What the instruction after it needs: where a target may be hidden, or what `it` is."""

    text: str
    sought: Hidden | Sought


Topic: TypeAlias = Literal[
    "hello", "help", "self", "mood", "thanks", "bye", "unsaved", "left", "noted", "unchanged", "kept", "time", "date"
]


@dataclass(frozen=True, slots=True)
class Talk:
    """Answer what the user says to the program itself; nothing is done on the screen."""

    text: str
    topic: Topic


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """A part of the goal that was not understood, why, and an example in the user's words that is understood."""

    text: str
    reason: str
    example: str = ""


Instruction: TypeAlias = (
    Open
    | Click
    | Tick
    | Select
    | Type
    | Press
    | Drag
    | Scroll
    | Settle
    | Wait
    | Pause
    | Check
    | Tell
    | FillAll
    | Complete
    | PickDate
    | Slide
    | Spin
    | EnterTime
    | Path
    | Highlight
    | Resize
    | InOrder
    | DragBy
    | Rearrange
    | SortByDragging
    | Repeat
    | TurnTo
    | ClickValue
    | ClickResult
    | Look
    | Count
    | DialogClosed
    | Held
    | Read
    | Talk
    | Close
)


class UnclearError(Exception):
    """The words match the grammar but are ambiguous; the message is for the user."""
