"""A goal that follows up on others: what it changes is the text that they typed."""

from collections.abc import Sequence
from typing import Final

from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.instructions import Check, Instruction, NotUnderstood, Talk, Type, parse_instructions

SHOWN_WORDS: Final = 4  # of a line that is looked for; a longer one may be wrapped
LOOKED_FOR: Final = 'look for "{}", which was typed before'
UNKNOWN_VERB: Final = "cannot start with"

Read = Sequence[Instruction | NotUnderstood]


def read_goal(goal: str, before: Sequence[str]) -> Read:
    """Return the instructions of a goal, after the goals that the conversation has carried out.

    What a change types is preceded by a look whether the text is still on the screen.
    """
    history = list[Instruction]()
    for one in before:
        every, given = _read(one, history)
        history = [*every, *(it for it in given if not isinstance(it, NotUnderstood | Talk | Check))]
    _, given = _read(goal, history)
    return given


def _read(goal: str, history: list[Instruction]) -> tuple[list[Instruction], Read]:
    """Return what was done before, as far as it is still wanted, and the instructions of a goal after that."""
    plain = parse_instructions(goal)
    if not history:
        return history, plain
    before = Remaining([*history], len(history), saves_again=False)
    changed = before.after(goal)
    put = changed.every[len(history) :]
    is_plain = bool(plain) and not any(isinstance(one, NotUnderstood) for one in plain)
    if not changed.unclear and put and (not is_plain or changed.takes_back_next):
        lines = [line for line in before.lines() if line.strip()]
        shown = " ".join(lines[-1].split()[:SHOWN_WORDS]) if lines else ""
        looks = (
            [Check(LOOKED_FOR.format(shown), shown)] if shown and any(isinstance(one, Type) for one in history) else []
        )
        unsaved = [Talk(goal, "unsaved")] if changed.leaves_unsaved else []
        return changed.every[: len(history)], [*looks, *put, *changed.talk, *unsaved]
    if changed.unclear and (changed.is_change(goal) or not is_plain):
        told = [one for one in changed.unclear if UNKNOWN_VERB not in one[1]]
        return history, [NotUnderstood(text, reason) for text, reason in told] or plain
    return history, plain
