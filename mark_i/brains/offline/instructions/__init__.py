"""Plain instructions in English, read without any model: `click Save, then type "Hello" into Name and press enter`.

A goal is split into instructions; the verb of each selects the rule of `grammar.lark` that reads the rest. Quoted text
is taken literally, so a user can quote a name that contains a separator or a keyword of the grammar. Before that, set
phrases are looked for (`phrases.toml`). A part that is not understood is returned as `NotUnderstood`, in its place, and
never guessed; `suggestions.toml` gives it an example that is understood. `examples.py` shows what users can say.

Not supported: other languages, conditions and repetition ("if", or "until" except for waiting and scrolling), composing
texts, and references to earlier words ("it", except for the window and for what is selected).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from mark_i.brains.offline.instructions.advice import ANY, suggestions
from mark_i.brains.offline.instructions.dictation import dictated, with_lines_typed, with_quotes
from mark_i.brains.offline.instructions.kinds import (
    Check,
    Click,
    Close,
    Count,
    DialogClosed,
    Drag,
    Held,
    Hidden,
    Instruction,
    Look,
    NotUnderstood,
    Open,
    Pause,
    Press,
    Read,
    Scroll,
    Select,
    Settle,
    Solution,
    Sought,
    Talk,
    Tell,
    Thing,
    Tick,
    Type,
    ValueOf,
    Wait,
    WordAt,
)
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
from mark_i.brains.offline.instructions.reading import read
from mark_i.brains.offline.instructions.splitting import mask, pieces
from mark_i.brains.offline.instructions.text_goals import text_example

__all__ = [
    "POLITE",
    "Check",
    "Click",
    "ClickResult",
    "ClickValue",
    "Close",
    "Complete",
    "Count",
    "DialogClosed",
    "Drag",
    "DragBy",
    "EnterTime",
    "FillAll",
    "Held",
    "Hidden",
    "Highlight",
    "InOrder",
    "Instruction",
    "Look",
    "NotUnderstood",
    "Open",
    "Path",
    "Pause",
    "PickDate",
    "Press",
    "Read",
    "Rearrange",
    "Repeat",
    "Resize",
    "Scroll",
    "Select",
    "Settle",
    "Slide",
    "Solution",
    "SortByDragging",
    "Sought",
    "Spin",
    "Talk",
    "Tell",
    "Thing",
    "Tick",
    "TurnTo",
    "Type",
    "ValueOf",
    "Wait",
    "WordAt",
    "example_for",
    "parse_instructions",
]


NO_USE: Final = "it does not say what that is for; I can type it, or click something there"
POLITE: Final = frozenset({"hello", "mood", "thanks", "bye"})  # topics that ask for nothing beside instructions


def parse_instructions(goal: str) -> list[Instruction | NotUnderstood]:
    """Read a goal as instructions, in the user's order; `text` of each is the user's own words for it.

    One phrase can mean several actions ("click File > Save As", "press tab twice"): each is a separate instruction with
    the same `text`. A goal that is blank, or that asks for nothing, has no instructions. A greeting beside instructions
    is left out.
    """
    return [*_with_examples(goal)]


@lru_cache(maxsize=512)  # a brain that keeps no state reads the goal, and what was said, at each step
def _with_examples(goal: str) -> tuple[Instruction | NotUnderstood, ...]:
    found = _parsed(goal)
    if text := _text_asked(goal, found):
        return tuple(replace(one, example=text) if isinstance(one, NotUnderstood) else one for one in found)
    opened = any(isinstance(one, Open) for one in found)
    return tuple(
        replace(one, example=_example(one, opened=opened)) if isinstance(one, NotUnderstood) else one for one in found
    )


def example_for(goal: str, instructions: Sequence[Instruction | NotUnderstood]) -> str:
    """Return a goal, of these instructions, in words that are understood: an example stands for what is not."""
    if (plain := with_quotes(goal)) and _is_understood(plain):
        return plain
    if asked := _text_asked(goal, instructions):
        return asked
    texts = [one.example if isinstance(one, NotUnderstood) else one.text for one in instructions]
    example = ", then ".join(dict.fromkeys(texts))
    return example if _is_understood(example) else next((text for text in texts if _is_understood(text)), ANY)


def _text_asked(goal: str, found: Sequence[Instruction | NotUnderstood]) -> str | None:
    """Return an example for a goal that asks for a text, all of which is about that; None if it is none."""
    parts = (NotUnderstood, Open, Type, Press, DialogClosed)
    text = text_example(goal) if all(isinstance(one, parts) for one in found) else None
    return text if text and _is_understood(text) else None


def _parsed(goal: str) -> list[Instruction | NotUnderstood]:
    if (plain := dictated(goal)) and _is_understood(plain):
        return _parsed(plain)
    goal = with_lines_typed(goal)
    masked = mask(goal)
    found: list[Instruction | NotUnderstood] = []
    last_start, last_end = 0, 0
    for start, end in pieces(masked):
        piece = read(goal, masked, start, end, found)
        joined = masked[last_end:start].strip().lower() == "and"
        match found[-1:], piece:
            case [Type(enter=False) as typed], [Press(keys="enter")] if joined:
                found[-1] = replace(typed, text=goal[last_start:end], enter=True)
            case [Look() as look], [Click() | Type() as first, *rest]:
                found[-1:] = [_with(look, replace(first, text=goal[last_start:end])), *rest]
            case _:
                found.extend(piece)
        last_start, last_end = start, end
    found = [NotUnderstood(one.text, NO_USE) if isinstance(one, Look) else one for one in found]
    return [one for one in found if not (isinstance(one, Talk) and one.topic in POLITE)] or found


def _with(look: Look, instruction: Click | Type) -> Instruction | NotUnderstood:
    """Return the instruction with what the one before it says: where its target may be, or what "it" is."""
    match instruction, look.sought:
        case Click(), "tab" | "section" as hidden:
            return replace(instruction, behind=hidden)
        case Type(content=WordAt() | Solution()), _:
            return instruction
    return NotUnderstood(instruction.text, NO_USE)


def _example(unclear: NotUnderstood, *, opened: bool) -> str:
    """Return an example in its words; if an application is opened anyway, the example opens none."""
    text = text_example(unclear.text)
    said = [text, *suggestions(unclear.text)] if text else suggestions(unclear.text)
    said = (re.sub(r"\Aopen the [\w ]+, ", "", one) if opened else one for one in said)
    return next(filter(_is_understood, said), ANY)


def _is_understood(goal: str) -> bool:
    found = _parsed(goal)
    return bool(found) and not any(isinstance(one, NotUnderstood | Talk) for one in found)
