"""What the agent asks a person, and its wording. Values, no Tk."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from gui.kit.texts import call_text, shorten, tk_safe
from mark_i.guard import Choice
from world_model import Point, Region

SENTENCE_CHARS: Final = 140  # of an action in words; its details can be shown
VALUE_CHARS: Final = 44  # of one value in it
PREVIEW: Final = "Ask before each action"

TIERS: Final[Mapping[str, str]] = {
    "look": "Only looks",
    "act": "Uses the mouse or keyboard",
    "write": "Writes or changes something",
    "danger": "May do something that cannot be undone",
}
DECISIONS: Final[Mapping[Choice, str]] = {
    "once": "Allowed once",
    "run": "Allowed for this run",
    "no": "Denied",
}
SENTENCES: Final[Mapping[str, str]] = {
    "click": "Click on {target}",
    "double_click": "Double-click on {target}",
    "triple_click": "Click three times on {target}",
    "right_click": "Right-click on {target}",
    "middle_click": "Click with the middle button on {target}",
    "move": "Move the pointer to {target}",
    "drag": "Drag from {start} to {end}",
    "type_text": "Type {text}",
    "press": "Press {keys}",
    "hold": "Hold down {keys}",
    "tick": "Check or uncheck {target}",
    "select": "Select {options}",
    "open_app": "Open {name}",
    "clipboard_write": "Put {text} on the clipboard",
    "write_file": "Write the file {path}",
    "remember": "Remember {fact}",
    "python_repl": "Run Python code",
    "run_command": "Run the command {program}",
}
MORE: Final[Mapping[str, str]] = {  # arguments that may be left out
    "into": " into {into}",
    "replace": " over what is there",
    "enter": " and press Enter",
    "via": " via {via}",
    "times": " {times} times",
    "holding": " with {holding} held",
}
BARE: Final = frozenset({"keys", "holding", "name", "path", "program"})  # arguments that read best without quotes


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question, answered in words or by pointing."""

    text: str


@dataclass(frozen=True, slots=True)
class PendingApproval:
    """An action that waits for approval.

    Attributes:
        index: its step.
        sentence: the action in words.
        call: the action as code.
        tier: how much harm it may do.
        why: why approval is needed.
        place: where on the desktop it acts.
    """

    index: int
    sentence: str
    call: str
    tier: str
    why: str
    place: Region | None = None


PendingRequest: TypeAlias = PendingQuestion | PendingApproval


def pending_approval(data: Mapping[str, Any]) -> PendingApproval:
    """Read an approval event."""
    place = data.get("place")
    return PendingApproval(
        data["index"],
        action_sentence(data["tool"], data["args"], data.get("window")),
        call_text(data),
        str(data["tier"]),
        shorten(str(data["why"])),
        Region.from_list(place) if place else None,
    )


def action_sentence(tool: str, args: Mapping[str, Any], window: str | None) -> str:
    """Say an action as a person would: `Click on "Pay now" in Checkout`."""
    values = {name: _value(name, value) for name, value in args.items()}
    try:
        sentence = SENTENCES[tool].format_map(values)
    except KeyError:  # a plugin's tool, or a missing argument
        sentence = " ".join((f"Use {tool}:", *(f"{name} {value}" for name, value in values.items()))).rstrip(":")
    more = "".join(words.format_map(values) for name, words in MORE.items() if args.get(name))
    where = f" in {_cut(window)}" if window else ""
    return shorten(f"{sentence}{more}{where}", SENTENCE_CHARS)


def decision_text(choice: Choice, instead: str, at: Point | None) -> str:
    """Say what a person decided, for the card of the step."""
    pointed = f"pointed at {at.x}, {at.y}" if at else ""
    words = ", ".join(filter(None, (instead.strip(), pointed)))
    return shorten(f"{DECISIONS[choice]}: {words}" if words else DECISIONS[choice])


def _value(name: str, value: Any) -> str:  # noqa: ANN401 - an argument as the model gave it
    match value:
        case {}:
            return _place(value)
        case str() if name in BARE:
            return _cut(value)
        case str():
            return f'"{_cut(value)}"'
        case [*parts]:
            return ", ".join(_value(name, part) for part in parts)
    return _cut(str(value))


def _place(target: Mapping[str, Any]) -> str:
    """`the point 512, 300`, `the button "Delete" number 2 beside "Milk"`."""
    match target:
        case {"x": x, "y": y}:
            return f"the point {x}, {y}"
        case {"mark": number}:
            return f"mark {number}"
        case {"image": str(file)}:
            return f"the image {PurePath(file).name}"
        case {"text": _} | {"role": _} | {"kind": _}:
            return _described(target)
    return _cut(str(target))


def _described(target: Mapping[str, Any]) -> str:
    role, text, beside = target.get("role", target.get("kind")), target.get("text"), target.get("beside")
    said = [f"the {role}" if role else "", f'"{_cut(str(text))}"' if text else ""]
    said.append(f"number {target['nth']}" if target.get("nth") else "")
    said.append(f'beside "{_cut(str(beside))}"' if beside else "")
    return " ".join(filter(None, said))


def _cut(text: str) -> str:
    """Put a text into one short line."""
    line = " ".join(tk_safe(text).split())
    return line if len(line) <= VALUE_CHARS else f"{line[:VALUE_CHARS].rstrip()}…"
