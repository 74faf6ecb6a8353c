"""Texts on lines of their own: what is typed beside them gets a line, too, and none is left empty."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from mark_i.brains.offline.instructions import Close, DialogClosed, Instruction, Open, Pause, Press, Type

ENTER: Final = Press("press enter", "enter")
SAVING: Final = frozenset({"ctrl+s", "ctrl+shift+s"})
BY_KEY: Final = re.compile(r"\b(?:press|hit|push|ctrl|control|keys?)\b", re.IGNORECASE)  # how a person names one


def is_text(instruction: Instruction) -> bool:
    """Return whether a text is typed where the caret is."""
    return isinstance(instruction, Type) and instruction.into is None and isinstance(instruction.content, str)


def is_enter(instruction: Instruction) -> bool:
    """Return whether only Enter is pressed."""
    return isinstance(instruction, Press) and instruction.keys == "enter"


def ends_line(instruction: Instruction) -> bool:
    """Return whether a line ends with an instruction."""
    return is_enter(instruction) or (is_text(instruction) and getattr(instruction, "enter", False))


def has_lines(every: Sequence[Instruction]) -> bool:
    """Return whether texts are typed on lines of their own."""
    texts = [index for index, one in enumerate(every) if is_text(one)]
    between = (every[first:last] for first, last in pairwise(texts))
    return any("\n" in str(getattr(every[at], "content", "")) for at in texts) or any(
        ends_line(one) for part in between for one in part
    )


def saves(instruction: Instruction) -> bool:
    """Return whether an instruction saves something, or opens the dialog for that."""
    return isinstance(instruction, Press) and instruction.keys in SAVING


def saves_or_closes(instruction: Instruction) -> bool:
    """Return whether an instruction saves something or closes a window."""
    return saves(instruction) or isinstance(instruction, Close)


def only_saves_or_closes(given: Sequence[Instruction]) -> bool:
    """Return whether some instructions do nothing else, in a dialog or without one."""
    phrases = {one.text for one in given if saves_or_closes(one)}
    return bool(phrases) and all(one.text in phrases for one in given)


def saved_in_passing(every: Sequence[Instruction]) -> frozenset[str]:
    """Return the words of what saves the text and leaves the caret where it was.

    A save without a name may open a dialog, unless the text was saved under a name before.
    """
    found = set[str]()
    for one in every:
        if saves(one) and (found or getattr(one, "opens", False)):
            found.add(one.text)
    return frozenset(found)


def start_of_save(every: Sequence[Instruction], done: int) -> int:
    """Return where the save begins in which a plan is, once so much of it is done; elsewhere, just that place."""
    within = 0 < done < len(every) and every[done - 1].text == every[done].text
    if not within or every[done].text not in saved_in_passing(every):
        return done
    while done and every[done - 1].text == every[done].text:
        done -= 1
    return done


def is_to_come(before: Sequence[Instruction], after: Sequence[Instruction], done: int) -> bool:
    """Return whether all that a change put there is still to do, and is of use only once: saving, closing, opening."""
    more = len(after) - len(before)
    at = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), len(before))
    given = [replace(one, text="") for one in after[at : at + more]]
    if more <= 0 or at < done or [*after[:at], *after[at + more :]] != [*before]:
        return False
    if not all(isinstance(one, Close | Open) or saves(one) for one in given):
        return False
    saving = {one.text for one in before if saves(one)}
    last = max((place for place, one in enumerate(before) if is_text(one) and one.text not in saving), default=0)
    left = [replace(one, text="") for one in before[max(done, last if at == len(before) else 0) :]]
    return all(one in left or (saves(one) and any(map(saves, left))) for one in given)


def end_of_texts(every: Sequence[Instruction], done: int) -> int:
    """Return where a text goes that is to be the last of the present document: before what saves and closes it."""
    start = done
    if end_of_document(every, done) == done:  # it is the next one
        start = next((place for place in range(done, len(every)) if is_text(every[place])), done)
    end = _next_window(every, start)
    names = {one.text for one in every[done:end] if saves(one)}
    if names:
        while end > done and (every[end - 1].text in names or isinstance(every[end - 1], Close | DialogClosed | Pause)):
            end -= 1
    return end


def end_of_document(every: Sequence[Instruction], at: int) -> int:
    """Return where another window may be opened: once all that is typed and saved in the present one is done.

    Opened at once, it would receive the rest of the text.
    """
    end = _next_window(every, at)
    return end if any(is_text(one) or saves(one) or isinstance(one, DialogClosed) for one in every[at:end]) else at


def _next_window(every: Sequence[Instruction], at: int) -> int:
    """Return the first place from one on where a window is opened, or the end."""
    return next((place for place in range(at, len(every)) if isinstance(every[place], Open)), len(every))


def past_pauses(every: Sequence[Instruction], at: int) -> int:
    """Return the first place from one on where there is no wait."""
    return next((place for place in range(at, len(every)) if not isinstance(every[place], Pause)), len(every))


def lines_of(every: Sequence[Instruction], meant: Sequence[int], done: int) -> list[int]:
    """Return the places of what is left out, with those of the Enter that would leave an empty line."""
    found = {*meant}
    for index in meant:
        if not is_text(every[index]) or ends_line(every[index]) or not has_lines(every):
            continue
        before, after = index - 1, past_pauses(every, index + 1)
        starts = before < 0 or not is_text(every[before]) or ends_line(every[before])
        if starts and after < len(every) and is_enter(every[after]):
            found.add(after)
        elif before >= done and is_enter(every[before]) and not (after < len(every) and is_text(every[after])):
            found.add(before)
    return sorted(found)
