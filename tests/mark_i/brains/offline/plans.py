"""Plans of a run without a model, and what they write."""

from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.instructions import NotUnderstood, Press, Type, parse_instructions


def begun(done: int, goal: str) -> Remaining:
    """What is left of a goal once so many of its instructions are done."""
    return Remaining([one for one in parse_instructions(goal) if not isinstance(one, NotUnderstood)], done)


def written(after: Remaining) -> str:
    """What stands in the editor at the end."""
    text = ""
    for one in after.every:
        match one:
            case Press(keys="backspace", times=times):
                text = text[: len(text) - times]
            case Press(keys="enter"):
                text += "\n"
            case Type(text=said, content=str(content)) if not said.startswith("save"):
                text += content
    return text
