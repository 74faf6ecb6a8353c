"""The kinds of instructions; `text` of each is the user's own words for it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

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
    """What is meant, where more is said than how it is called.

    Attributes:
        name: its text or its label; None where the role is enough.
        role: what it is.
        nth: which of several, in reading order; -1 for the last.
        beside: the text that it stands beside, and on which `side` of that.
        every: whether all of them are meant.
    """

    name: str | None = None
    role: Role | None = None
    nth: int | None = None
    beside: str | None = None
    side: Side | None = None
    every: bool = False


@dataclass(frozen=True, slots=True)
class ValueOf:
    """What stands on the screen as the value of `name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Click:
    """Click a text on the screen, a thing, or a point."""

    text: str
    target: str | Thing | Point
    button: Literal["left", "right"] = "left"
    double: bool = False


@dataclass(frozen=True, slots=True)
class Tick:
    """See to it that a box is ticked, or with `off` that it is not."""

    text: str
    target: Thing
    off: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    """Choose entries of a list or a drop-down: of the one named `source`, or of the only one there is."""

    text: str
    options: tuple[str, ...]
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Type:
    """Type `content`, into the field `into` if there is one, and press enter after it if `enter`."""

    text: str
    content: str | ValueOf
    into: str | Thing | None = None
    enter: bool = False


@dataclass(frozen=True, slots=True)
class Press:
    """Press a key or a combination once, such as `enter` or `ctrl+shift+s`."""

    text: str
    keys: str


@dataclass(frozen=True, slots=True)
class Scroll:
    """Scroll by `amount` notches of the wheel, or until a text is seen."""

    text: str
    direction: Literal["up", "down", "left", "right"]
    amount: int = 3
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait until `expected` is on the screen, or until it is gone; `timeout` in seconds, if the user named one."""

    text: str
    expected: str
    gone: bool = False
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """Do nothing for so many seconds."""

    text: str
    seconds: float


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
class Tell:
    """Say what stands on the screen as `what`; in a table, in the row of `of`."""

    text: str
    what: str
    of: str | None = None


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """What could not be read, and why, for the user to see."""

    text: str
    reason: str


Instruction: TypeAlias = Open | Click | Tick | Select | Type | Press | Scroll | Wait | Pause | Check | Tell | Close


class UnclearError(Exception):
    """The grammar reads it, but what it means is open; the message is for the user."""
