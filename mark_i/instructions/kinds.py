"""The kinds of instructions; `text` of each is the user's own words for it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

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


class UnclearError(Exception):
    """The grammar reads it, but what it means is open; the message is for the user."""
