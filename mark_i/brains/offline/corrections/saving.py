"""Correct a text that is saved already, or whose dialog for that is open: it is saved again afterwards."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from mark_i.brains.offline.corrections.from_start import NOTHING, from_start
from mark_i.brains.offline.corrections.meant import takes_back
from mark_i.brains.offline.corrections.text_lines import is_enter, is_text, saved_in_passing, saves
from mark_i.brains.offline.instructions import (
    Close,
    DialogClosed,
    Instruction,
    NotUnderstood,
    Pause,
    Press,
    Read,
    parse_instructions,
)

SAVE: Final = Press("save it", "ctrl+s")


def beside_dialog(every: Sequence[Instruction], done: int) -> tuple[list[Instruction], int]:
    """Return the plan that leaves the dialog that is open now, and opens it again, and how much of it is done by then.

    Once the dialog is accepted, there is only its end to wait for. Without a dialog, the plan is as it was.
    """
    text = every[done - 1].text if 0 < done < len(every) and every[done].text == every[done - 1].text else None
    if text is None or text not in saved_in_passing(every):
        return [*every], done
    if isinstance(every[done], DialogClosed):
        return [*every], done + 1
    first = done
    while first and every[first - 1].text == text:
        first -= 1
    leaving = Press(text, "esc")
    return [*every[:done], leaving, *every[first:]], done + 1


def read_after_dialog(every: Sequence[Instruction], done: int) -> list[Instruction]:
    """Return the plan that reads the text once the dialog is closed that is open now; else as it is."""
    opened = every[done - 1].text if done else ""
    if opened not in saved_in_passing(every):
        return [*every]
    reads = [*takewhile(lambda one: isinstance(one, Read), every[done:])]
    rest = every[done + len(reads) :]
    saving = [*takewhile(lambda one: one.text == opened, rest)]
    return [*every[:done], *saving, *reads, *rest[len(saving) :]]


def saved_elsewhere(every: Sequence[Instruction], done: int, name: str, looks: int) -> list[Instruction]:
    """Return the plan that leaves a question about a file, and its dialog, and saves under another name.

    Args:
        every: the plan.
        done: how much of it is done; the next is the end of the dialog.
        name: the new name; the folder stays.
        looks: the steps that looked in vain whether the dialog was closed.
    """
    asked = every[done]
    before = asked.file.rpartition("/") if isinstance(asked, DialogClosed) and asked.file else ("", "", "")
    path = name if "/" in name else f"{before[0]}{before[1]}{name}"
    given = [one for one in parse_instructions(f'save it as "{path}"') if not isinstance(one, NotUnderstood)]
    leaving = Press(given[0].text, "esc")  # each is a step, since the dialog gets its keys once the question is gone
    begun = [replace(NOTHING) if one.text == asked.text else one for one in every[:done]]
    return [*begun, *[NOTHING] * looks, leaving, leaving, *given, *every[done + 1 :]]


def saved_under(every: Sequence[Instruction], done: int, name: str) -> list[Instruction]:
    """Return the plan that enters a name into the dialog that the last instruction opened, or leaves it."""
    if not name:
        return [*every[: done - 1], NOTHING, Press("", "esc"), *every[done:]]
    given = [one for one in parse_instructions(f'save it as "{name}"') if not isinstance(one, NotUnderstood)]
    last = every[done - 1]
    opened = replace(last, text=given[0].text) if saves(last) else last
    return [*every[: done - 1], opened, *given[1:], *every[done:]]


def saved_before_closing(every: Sequence[Instruction], *, answered: bool) -> list[Instruction]:
    """Return a plan in which a window that saved its text as it closed does so before it closes.

    Args:
        every: the plan.
        answered: whether the window that is closed last was told to save, and asked for no name.
    """
    found = [*every]
    closed = [at for at, one in enumerate(every) if isinstance(one, Close)]
    for at in reversed(closed):
        said = next((one.text for one in every[at + 1 :]), "")
        named = [*takewhile(lambda one: one.text == said, every[at + 1 :])]  # noqa: B023 - it is used at once
        given = [one for one in parse_instructions(said) if not isinstance(one, NotUnderstood)]
        if given and saves(given[0]) and named == given[1:]:  # the close has opened the dialog
            found[at : at + 1 + len(named)] = [*given, every[at]]
            answered = answered and at != closed[-1]
    return [*found[: closed[-1]], replace(SAVE), *found[closed[-1] :]] if closed and answered else found


def saved_once(every: Sequence[Instruction]) -> list[Instruction]:
    """Return what a plan does from its start on, without a save after which the text was changed and saved again."""
    found, passed = from_start(every), saved_in_passing(every)
    places = [at for at, one in enumerate(every) if saves(one)]
    changed = [any(map(takes_back, every[first:last])) for first, last in pairwise(places)]
    for at in [at for at, one in enumerate(found) if saves(one)][-2::-1]:
        end = at + 1
        while found[end].text == found[at].text and not saves(found[end]):
            end += 1
        between = [*takewhile(lambda one: not saves(one), found[end:])]
        later, is_changed = end + len(between), changed.pop()
        if is_changed and all(isinstance(one, Read) or _types(one, passed) for one in between):
            if found[later] == SAVE:
                found[later : later + 1] = found[at:end]
            del found[at:end]
    return found


def types_at(every: Sequence[Instruction], at: int) -> bool:
    """Return whether a plan goes on with typing, or taking back, at a place."""
    first = every[at] if at < len(every) else None
    return first is not None and (takes_back(first) or _types(first, saved_in_passing(every)))


def put_at(before: Sequence[Instruction], after: Sequence[Instruction], done: int) -> int:
    """Return how many instructions a change has put next; 0 if it changed anything else of what is left."""
    count, rest = len(after) - len(before), [*before[done:]]
    return count if count > 0 and [*after[done + count :]] == rest else 0


def saved_again(before: Sequence[Instruction], after: list[Instruction], done: int) -> list[Instruction]:
    """Return a plan that saves what a change types into a text that was saved already."""
    count, passed = put_at(before, after, done), saved_in_passing(before)
    put = after[done : done + count]
    if not any(one.text in passed for one in before[:done]) or any(saves(one) for one in after[done:]):
        return after
    if not put or not all(takes_back(one) or _types(one, passed) for one in put):
        return after
    return [*after[: done + count], replace(SAVE), *after[done + count :]]


def _types(one: Instruction, passed: frozenset[str]) -> bool:
    return one.text not in passed and (is_text(one) or is_enter(one) or isinstance(one, Pause))
