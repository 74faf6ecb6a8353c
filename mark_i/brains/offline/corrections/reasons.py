"""Reasons that people give beside a change: what they are about, and whether they ask for more than the change."""

import re
from collections.abc import Sequence
from typing import Final

from mark_i.brains.offline.corrections.line_parts import without_part
from mark_i.brains.offline.corrections.meant import FILLERS, POINTING, names, phrases_of
from mark_i.brains.offline.corrections.plan import Plan
from mark_i.brains.offline.corrections.wordings import fits, lead_end, without_tails
from mark_i.brains.offline.corrections.written import is_sentence

BY_ITSELF: Final = 'it does not say what is to be done about "{}"'


def with_noun(plan: Plan, text: str, reason: str, *, needed: bool = True) -> str:
    """Return a text in which "leave that out" names what its reason names: "the cat is fed already, leave that out"."""
    said = fits("left_out", without_tails(text[lead_end(text) :]))
    if not said or not POINTING.fullmatch(said["old"]):
        return text
    words = [word for word in re.findall(r"\w{3,}", reason.casefold()) if word not in FILLERS]
    phrases = [plan.every[phrase[0]].text for phrase in phrases_of(plan.every, plan.done)]
    for texts in (phrases, plan.lines()):  # what is typed already can be taken back
        named = [one for one in texts if any(names(word, one) for word in words)]
        if len(named) == 1:
            noun = next(word for word in reversed(words) if names(word, named[0]))
            if any(line in named[0] and (is_sentence(line) or without_part(line, noun)) for line in plan.lines()):
                return f"leave out {noun}"  # of a sentence, or of several names, only a part may be meant
            return f'leave out "{named[0]}"' if '"' not in named[0] else f"leave out {named[0]}"
    return "leave out what it is about" if needed else text


def is_of_kept(before: Sequence[str], after: Sequence[str], reason: str) -> bool:
    """Return whether what looks like a reason is of a line that a change leaves as it is, and so asks for its own.

    Args:
        before: the lines before the change.
        after: those after it.
        reason: the part of the message beside the change.
    """
    words = [word for word in re.findall(r"\w{3,}", reason) if word.casefold() not in FILLERS]

    def is_named(line: str) -> bool:
        return any(names(word, line) for word in words)

    return not any(is_named(line) for line in before if line not in after) and any(map(is_named, before))
