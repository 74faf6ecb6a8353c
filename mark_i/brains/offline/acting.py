"""Turn an instruction into the tool that carries it out, and its arguments."""

from typing import Any, Final, TypeAlias

from mark_i.brains.offline.instructions import (
    Check,
    Click,
    Close,
    Instruction,
    Open,
    Pause,
    Press,
    Scroll,
    Select,
    Tell,
    Thing,
    Tick,
    Type,
    ValueOf,
    Wait,
)
from mark_i.brains.offline.looking import value_of
from toolbelt.ocr import Line
from world_model import Point

DEFAULT_WAIT_S: Final = 30.0  # of "wait until", unless the goal names a time
CHECK_S: Final = 3.0  # how long a text to check may take to appear

Call: TypeAlias = tuple[str, dict[str, Any]]


def call_for(instruction: Instruction, lines: tuple[Line, ...]) -> Call | None:  # noqa: C901, PLR0911 - one a kind
    """Return the tool and its arguments; None if a wanted value is not on the screen."""
    match instruction:
        case Open(_, name, args):
            return "open_app", {"name": name, "args": list(args)}
        case Click(_, target, button, double):
            tool = "right_click" if button == "right" else "double_click" if double else "click"
            return tool, {"target": target_of(target)}
        case Tick(_, target, off):
            return "tick", {"target": target_of(target), "off": off}
        case Select(_, options, source):
            return "select", {"options": list(options), "target": source}
        case Type():
            return _typing(instruction, lines)
        case Press(_, keys):
            return "press", {"keys": keys}
        case Scroll(_, direction, amount, None):
            return "scroll", {"direction": direction, "amount": amount}
        case Pause(_, seconds):
            return "wait", {"seconds": seconds}
        case Tell():
            return "read_screen", {}
        case Close(_, window):
            return "close_window", {"title": window}
        case Wait() | Check() | Scroll():
            return "wait_for", _waiting(instruction)


def target_of(thing: str | Thing | Point) -> str | dict[str, Any]:
    """Return a target as the tools take it."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Point):
        return {"x": thing.x, "y": thing.y}
    parts = {"text": thing.name, "role": thing.role, "beside": thing.beside, "side": thing.side, "nth": thing.nth}
    return {name: value for name, value in parts.items() if value is not None}


def _typing(instruction: Type, lines: tuple[Line, ...]) -> Call | None:
    content, into = instruction.content, instruction.into
    text = value_of(content.name, lines) if isinstance(content, ValueOf) else content
    where = None if into is None else target_of(into)
    return None if text is None else ("type_text", {"text": text, "into": where, "enter": instruction.enter})


def _waiting(instruction: Wait | Check | Scroll) -> dict[str, Any]:
    match instruction:
        case Wait(_, expected, gone, timeout):
            return {"text": expected, "timeout": DEFAULT_WAIT_S if timeout is None else timeout, "gone": gone}
        case Check(_, expected, absent):
            return {"text": expected, "timeout": CHECK_S, "gone": absent}
        case Scroll(until=text):
            return {"text": text, "timeout": CHECK_S}
