"""What the agent asks a person, and its wording. Values, no Tk."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gui.kit.texts import shorten, tk_safe
from mark_i.guard import Choice
from mark_i.wording import action_call, action_sentence
from world_model import Point, Region

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


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question, answered in words or by pointing; `choices` are short answers to it, if it has any."""

    text: str
    choices: tuple[str, ...] = ()


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
        tk_safe(action_call(data["tool"], data["args"])),
        str(data["tier"]),
        tk_safe(str(data["why"])),
        Region.from_list(place) if place else None,
    )


def decision_text(choice: Choice, instead: str, at: Point | None) -> str:
    """Say what a person decided, for the card of the step."""
    pointed = f"pointed at {at.x}, {at.y}" if at else ""
    words = ", ".join(filter(None, (instead.strip(), pointed)))
    return shorten(f"{DECISIONS[choice]}: {words}" if words else DECISIONS[choice])
