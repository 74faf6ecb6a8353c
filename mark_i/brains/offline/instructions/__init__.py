"""Plain instructions in English, read without any model: `click Save, then type "Hello" into Name and press enter`.

A goal is split into instructions; the verb of each selects the rule of `grammar.lark` that reads the rest. Quoted text
is taken literally, so a user can quote a name that contains a separator or a keyword of the grammar. A part that is not
understood is returned as `NotUnderstood`, in its place, and never guessed. `examples.py` shows what users can say.

Not supported: other languages, conditions and repetition ("if", or "until" except for waiting and scrolling), dragging,
copying, and references to earlier words ("it", except in "close it").
"""

from dataclasses import replace

from mark_i.brains.offline.instructions.kinds import (
    Check,
    Click,
    Close,
    Instruction,
    NotUnderstood,
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
from mark_i.brains.offline.instructions.reading import read
from mark_i.brains.offline.instructions.splitting import mask, pieces

__all__ = [
    "Check",
    "Click",
    "Close",
    "Instruction",
    "NotUnderstood",
    "Open",
    "Pause",
    "Press",
    "Scroll",
    "Select",
    "Tell",
    "Thing",
    "Tick",
    "Type",
    "ValueOf",
    "Wait",
    "parse_instructions",
]


def parse_instructions(goal: str) -> list[Instruction | NotUnderstood]:
    """Read a goal as instructions, in the user's order; `text` of each is the user's own words for it.

    One phrase can mean several actions ("click File > Save As", "press tab twice"): each is a separate instruction with
    the same `text`. A goal that is blank, or that asks for nothing, has no instructions.
    """
    masked = mask(goal)
    found: list[Instruction | NotUnderstood] = []
    last_start, last_end = 0, 0
    for start, end in pieces(masked):
        piece = read(goal, masked, start, end)
        joined = masked[last_end:start].strip().lower() == "and"
        match found[-1:], piece:
            case [Type() as typed], [Press(keys="enter")] if joined:
                found[-1] = replace(typed, text=goal[last_start:end], enter=True)
            case _:
                found.extend(piece)
        last_start, last_end = start, end
    return found
