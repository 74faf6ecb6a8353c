"""A text that stands in the place of another one: as evidence, by what programs say, or else by what is read."""

import functools
import operator
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mark_i.loop.facts import RunFacts
from mark_i.loop.goal_words import touches
from mark_i.loop.shown import words_of
from mark_i.loop.verdict import PROVES, Verdict, doubtful, false
from toolbelt.ocr import Line
from world_model import cut

LOOK_AT_IT: Final = "Look at the text itself."
TOLD_MAX_CHARS: Final = 40  # of a line that cannot be read


def judged_change(new: str, old: str, known: RunFacts, *, deed: bool, computed: bool) -> Verdict:
    """Judge that `new` stands in a text field now, in the place of `old` before the first deed.

    A program says the whole text, and it must be the old one with nothing but this change; white space around it does
    not count. Where none says it, the lines that came must be read as they are, and those that are gone must not.

    Args:
        new: what stands there now.
        old: what stood there; empty if nothing did.
        known: what is known at the end.
        deed: whether the goal asks for a deed.
        computed: whether a program made the change of the goal, so that it is what the goal asks for.
    """
    came, gone = _differing(new, old)
    if not deed or new.strip() == old.strip():
        return doubtful("The text is as it was.")
    if not computed and not touches(known.asked, words_of((*came, *gone))):
        return doubtful("The text that changed has nothing of what the goal asks for.")
    now = [one.holds for one in known.said() if one.role == "textbox"]
    before = known.before.fields
    if any(one.strip() in set(_changed(text, new, old)) for text in before or [""] for one in now if one not in before):
        return PROVES
    if old.strip() and len(now) == len(before) and any(old.strip() in text for text in before):
        return false(f"The program says that its text is not what was meant. {LOOK_AT_IT}")
    return _as_read(came, gone, new, known) if came or gone else _in_order(new, known)


def _changed(text: str, new: str, old: str) -> Iterator[str]:
    """Yield what a text can be once `new` stands in the place of `old`, without the white space around it."""
    for was, is_now in {(old, new), (old.strip(), new.strip())}:
        at = text.find(was)
        while at >= 0:
            yield f"{text[:at]}{is_now}{text[at + len(was) :]}".strip()
            at = text.find(was, at + 1)


def _differing(new: str, old: str) -> tuple[Counter[str], Counter[str]]:
    """Return the lines that came and those that are gone, each as often as it did."""
    is_now, was = (Counter(filter(None, map(str.strip, text.split("\n")))) for text in (new, old))
    return is_now - was, was - is_now


def _as_read(came: Counter[str], gone: Counter[str], new: str, known: RunFacts) -> Verdict:
    """Judge by the lines on the screen; where none came, one that stays must be there, or the text may be hidden."""
    is_now, was = _read(known.lines), _read(known.before.lines)
    there = was | _appeared(known)  # a document that the run opened was not on the screen before
    stays = [line for line in map(str.strip, new.split("\n")) if line]
    unseen = next((line for line, count in came.items() if is_now[line] < was[line] + count), None)
    if unseen is None and not came and not any(is_now[line] for line in stays):
        unseen = stays[-1] if stays else ""
    if unseen:
        return doubtful(f'"{cut(unseen, TOLD_MAX_CHARS)}" could not be read on the screen. {LOOK_AT_IT}')
    left = next((line for line, count in gone.items() if is_now[line] > there[line] - count), None)
    if unseen is None and left is None:
        return PROVES
    told = f'whether "{cut(left, TOLD_MAX_CHARS)}" is gone' if left else "whether the text is empty"
    return doubtful(f"It could not be seen {told}. {LOOK_AT_IT}")


def _appeared(known: RunFacts) -> Counter[str]:
    """Return the lines that came up during the run, each as often as one step brought it up."""
    screens = (step.observation.screen for step in known.worked())
    every = (Counter(map(str.strip, one.appeared)) for one in screens if one)
    return functools.reduce(operator.or_, every, Counter[str]())


def _in_order(new: str, known: RunFacts) -> Verdict:
    """Judge by the lines on the screen that all of a text are there in a new order."""
    wanted = [line for line in map(str.strip, new.split("\n")) if line]
    shown, before = (
        [line.text.strip() for line in lines if line.text.strip() in wanted]
        for lines in (known.lines, known.before.lines)
    )
    return (
        PROVES
        if shown == wanted != before
        else doubtful(f"The new order could not be read on the screen. {LOOK_AT_IT}")
    )


def _read(lines: Sequence[Line]) -> Counter[str]:
    return Counter(line.text.strip() for line in lines)
