"""What the brain does next, and why."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mark_i.brain import Reply


@dataclass(frozen=True, slots=True)
class Turn:
    """What the brain does next, and why; `note` is for its own later turns, `choices` answer what it asks."""

    thought: str
    tool: str
    args: Mapping[str, Any]
    note: str = ""
    choices: tuple[str, ...] = ()

    def reply(self, goal: str = "", from_start: str = "") -> Reply:
        """Return it as a reply, with the goal as the person has changed it, and as it would be from the start on."""
        args = {
            name: value for name, value in self.args.items() if not (value is None or value is False or value == [])
        }
        said = {"thought": self.thought, "action": {"tool": self.tool, "args": args}}
        kept = {"note": self.note, "goal": goal, "from_start": from_start}
        return Reply(json.dumps(said | {name: text for name, text in kept.items() if text}, ensure_ascii=False))


def fail(reason: str) -> Turn:
    """Give up."""
    return Turn(reason, "fail", {"reason": reason})


def could_not(text: str, reason: str) -> Turn:
    """Give up on an instruction, in the words of the goal."""
    return fail(f"This did not work: {text.rstrip('?!.')}. {reason}")
