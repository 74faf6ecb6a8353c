"""A goal that follows up on others: what it changes is the text that they typed."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from mark_i.brains.offline.corrections import LOOKED_FOR, Remaining, can_be_undone, says_where, takes_back_last
from mark_i.brains.offline.instructions import Check, Instruction, NotUnderstood, Talk, Type, parse_instructions

SHOWN_WORDS: Final = 4  # of a line that is looked for; a longer one may be wrapped
NOTHING_TYPED: Final = "what was done last cannot be taken back"
UNKNOWN_VERB: Final = "cannot start with"

Read = Sequence[Instruction | NotUnderstood]


def read_goal(goal: str, before: Sequence[str]) -> Read:
    """Return the instructions of a goal, after the goals that the conversation has carried out.

    What a change types is preceded by a look whether the text is still on the screen.
    """
    return _given(goal, tuple(before))


@lru_cache(maxsize=64)  # a brain that keeps no state reads the goal at each step, after all goals before it
def _given(goal: str, before: tuple[str, ...]) -> Read:
    return tuple(_read(goal, *_history(before))[1])


def _history(before: Sequence[str]) -> tuple[list[Instruction], list[list[Instruction]]]:
    """Return what some goals did, and what was done before each of them to which "undo that" goes back."""
    history, earlier = list[Instruction](), list[list[Instruction]]()
    for one in before:
        every, given = _read(one, history, earlier)
        _note(one, history, earlier)
        history = [*every, *(it for it in given if not isinstance(it, NotUnderstood | Talk | Check))]
    return history, earlier


def done_before(before: Sequence[str]) -> list[Instruction]:
    """Return what the goals of a conversation did, as far as it is still wanted."""
    return _history(before)[0]


def examples_after(goal: str, before: Sequence[str]) -> str:
    """Return what a person could say instead of a goal that is not understood; empty if it follows on nothing."""
    history = _history(before)[0]
    return Remaining(history, len(history)).examples(goal) if history else ""


def is_change(goal: str, instructions: Read) -> bool:
    """Return whether a goal means something else by itself: it changes what was done before."""
    return [*instructions] != parse_instructions(goal)


def _note(goal: str, history: list[Instruction], earlier: list[list[Instruction]]) -> None:
    """Note what was done before a goal, to which the next one may go back; a goal that went back leads further back."""
    if takes_back_last(goal) and earlier:
        earlier.pop()
    else:
        earlier.append(history)


def _read(goal: str, history: list[Instruction], earlier: list[list[Instruction]]) -> tuple[list[Instruction], Read]:
    """Return what was done before, as far as it is still wanted, and the instructions of a goal after that."""
    plain = parse_instructions(goal)
    if not history:
        return history, plain
    before = Remaining([*history], len(history), saves_again=False)
    if takes_back_last(goal) and earlier and not any(map(can_be_undone, history[len(earlier[-1]) :])):
        return history, [NotUnderstood(goal, NOTHING_TYPED)]
    changed = (before.back_to(earlier[-1], goal) if earlier else None) or before.after(goal)
    put = changed.every[len(history) :]
    is_plain = bool(plain) and not any(isinstance(one, NotUnderstood) or says_where(one) for one in plain)
    if not changed.unclear and put and (not is_plain or changed.takes_back_next):
        unsaved = [Talk(goal, "unsaved")] if changed.leaves_unsaved else []
        return changed.every[: len(history)], [*_look(before, history), *put, *changed.talk, *unsaved]
    if changed.unclear and (changed.is_change(goal) or not is_plain):
        told = [one for one in changed.unclear if UNKNOWN_VERB not in one[1]]
        return history, [NotUnderstood(text, reason) for text, reason in told] or plain
    would_be = Remaining([*history, *(one for one in plain if not isinstance(one, NotUnderstood | Talk))], len(history))
    return history, [*plain, Talk(goal, "unsaved")] if is_plain and would_be.leaves_unsaved else plain


def _look(before: Remaining, history: Sequence[Instruction]) -> list[Instruction]:
    """Return the look whether the text that is to be changed is still on the screen."""
    lines = [line for line in before.lines() if line.strip()]
    shown = " ".join(lines[-1].split()[:SHOWN_WORDS]) if lines else ""
    has_typed = any(isinstance(one, Type) for one in history)
    return [Check(LOOKED_FOR.format(shown), shown)] if shown and has_typed else []
