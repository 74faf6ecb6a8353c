"""What of a run must be done again: no waits, looks, failures, corrections, and ways that were gone back from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np

from mark_i.catalog import builtin_tool
from mark_i.skills.calls import is_call
from toolbelt.parameters import Enters, Times, Typed, first_of
from world_model import Action, Frame, Step, read_frame

Why = Literal["failed", "looked", "asked", "corrected", "undone", "called"]
WHY: Final[Mapping[Why, str]] = {
    "failed": "it failed",
    "looked": "it only looked or waited",
    "asked": "it asked a person",
    "corrected": "it was corrected afterwards",
    "called": "it called a skill, whose steps are here",
    "undone": "it was undone, or led nowhere",
}
UNDO_KEYS: Final = frozenset({"ctrl+z"})
BACK_KEYS: Final = frozenset({"escape", "esc", "alt+left"})
ALIKE_MAX: Final = 0.001  # of the pixels of two screens that are the same but for a caret or a clock


@dataclass(frozen=True, slots=True)
class Dropped:
    """A step of the run that the skill leaves out, and why."""

    index: int
    why: Why


def essential(steps: Sequence[Step], folder: Path) -> tuple[tuple[Step, ...], tuple[Dropped, ...]]:
    """Return the steps that must be done again, with corrected texts as they are at the end, and the others."""
    left: list[Step] = []
    dropped: list[Dropped] = []
    for step in steps:
        tool = builtin_tool(step.action.tool)
        if tool and tool.ending:
            continue
        if why := needless(step):
            dropped.append(Dropped(step.index, why))
        elif undone := _undone(step, left, folder):
            dropped += [Dropped(one.index, "undone") for one in (*undone, step)]
            left = [one for one in left if one not in undone]
        elif _takes_back(step, left):
            dropped.append(Dropped(step.index, "corrected"))
            _shorten(left, first_of(_parts(step), Times, 1), dropped)
        else:
            left.append(step)
    return tuple(left), tuple(sorted(dropped, key=lambda one: one.index))


def _parts(step: Step) -> list[tuple[type, object]]:
    tool = builtin_tool(step.action.tool)
    return list(tool.parts(step.action.args)) if tool else []


def needless(step: Step) -> Why | None:
    """Return why a step by itself need not be done again; None if it must be."""
    tool = builtin_tool(step.action.tool)
    if tool and tool.asks_person:
        return "asked"
    if is_call(step):
        return "called"
    if not step.observation.ok:
        return "failed"
    return "looked" if tool and tool.risk == "look" else None


def _keys(step: Step) -> str:
    keys = step.action.args.get("keys") if step.action.tool == "press" else None
    return str(keys).replace(" ", "").casefold() if keys else ""


def _undone(step: Step, left: Sequence[Step], folder: Path) -> list[Step]:
    """Return the steps that a step undoes: an undo the one before it, a way back those since the same screen."""
    if not left:
        return []
    keys = _keys(step)
    if keys in UNDO_KEYS and first_of(_parts(step), Times, 1) == 1:
        return [left[-1]]
    if keys in BACK_KEYS:
        for at in range(len(left) - 1, -1, -1):
            if _is_same(left[at], step, folder):
                return list(left[at:])
    return []


def _is_same(first: Step, last: Step, folder: Path) -> bool:
    """Whether the screen is after the last step as it was before the first, and was another in between."""
    before, between, after = (_frame(frame, folder) for frame in (first.before, last.before, last.after))
    if before is None or between is None or after is None:
        return False
    return _alike(before, after) and not _alike(before, between)


def _frame(frame: Frame | None, folder: Path) -> Frame | None:
    return read_frame(folder, frame.digest) if frame else None


def _alike(one: Frame, other: Frame) -> bool:
    if one.pixels.shape != other.pixels.shape:
        return False
    return bool(np.mean(np.any(one.pixels != other.pixels, axis=-1)) <= ALIKE_MAX)


def _takes_back(step: Step, left: Sequence[Step]) -> bool:
    """Whether a step takes back letters of the text that the step before it typed."""
    if _keys(step) != "backspace" or not left:
        return False
    text, times = _typed(left[-1]), first_of(_parts(step), Times, 1)
    return bool(text) and times <= len(text)


def _typed(step: Step) -> str:
    """Return the text that a step typed and did not send; empty if it did something else."""
    parts = _parts(step)
    if any(role is Enters and value for role, value in parts):
        return ""
    return first_of(parts, Typed, "")


def _shorten(left: list[Step], letters: int, dropped: list[Dropped]) -> None:
    """Take letters from the end of the newest text; without any it is no step any more, unless it clicked a field."""
    step = left.pop()
    text = _typed(step)[:-letters]
    if not text:
        dropped.append(Dropped(step.index, "corrected"))
        return
    args = {name: text if value == _typed(step) else value for name, value in step.action.args.items()}
    change = step.observation.screen
    seen = replace(step.observation, screen=replace(change, appeared=()) if change else None)
    left.append(replace(step, action=Action(step.action.tool, args), observation=seen))
