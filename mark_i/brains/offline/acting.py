"""Turn an instruction into the tool that carries it out, and its arguments."""

from typing import Any, Final, TypeAlias

from mark_i.brains.offline.instructions import (
    Check,
    Click,
    Close,
    Count,
    DialogClosed,
    Drag,
    Held,
    Instruction,
    Open,
    Pause,
    Press,
    Read,
    Scroll,
    Select,
    Settle,
    Talk,
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
NUMBER_WAIT_S: Final = 600.0  # for a number, which changes when it does
CHECK_S: Final = 3.0  # how long a text to check may take to appear

Call: TypeAlias = tuple[str, dict[str, Any]]


def call_for(instruction: Instruction, lines: tuple[Line, ...]) -> Call | None:  # noqa: C901, PLR0911, PLR0912 - one a kind
    """Return the tool and its arguments; None if a wanted value is not on the screen, or if it takes several steps."""
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
        case Press(_, keys, times=times):
            return "press", {"keys": keys} | ({"times": times} if times > 1 else {})
        case Drag(_, start, end):
            return "drag", {"start": target_of(start), "end": target_of(end)}
        case Scroll(_, direction, amount, None, to_end):
            return "scroll", {"direction": direction, **({"until": True} if to_end else {"amount": amount})}
        case Pause(_, seconds):
            return "wait", {"seconds": seconds}
        case Held() | Read(document=True):
            return "marks", {}
        case Tell() | Read() | Talk():
            return "read_screen", {}
        case Settle():
            return "wait_until_still", {"timeout": DEFAULT_WAIT_S}
        case DialogClosed():
            return "list_windows", {}
        case Count(_, target):
            return ("list_windows" if target is None else "marks" if target.role else "read_screen"), {}
        case Close(_, window):
            return "close_window", {"title": window}
        case Wait() | Check() | Scroll():
            return "wait_for", _waiting(instruction)
    return None


def wanted_by(instruction: Instruction) -> Thing | None:
    """Return what must be found by its text, if anything."""
    match instruction:
        case Click(target=str(name)) | Type(into=str(name)) | Scroll(until=str(name)):
            return Thing(name)
        case Click(target=Thing(name=str()) as thing) | Tick(target=Thing(name=str()) as thing):
            return thing
        case Type(into=Thing(name=str()) as thing):
            return thing
        case Drag(start=str(name)):
            return Thing(name)
    return None


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
        case Wait(_, expected, gone, timeout, number):
            usual = NUMBER_WAIT_S if number else DEFAULT_WAIT_S
            seconds = usual if timeout is None else timeout
            return {"text": expected, "timeout": seconds, "gone": gone, "number": number}
        case Check(_, expected, absent, number):
            return {"text": expected, "timeout": CHECK_S, "gone": absent, "number": number}
        case Scroll(until=text):
            return {"text": text, "timeout": CHECK_S}
