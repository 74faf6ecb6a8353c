"""What was said in a conversation, and what was done before each of it, so that it can be taken back."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final, TypeAlias

from mark_i.brains.offline.corrections import (
    beginnings,
    can_be_undone,
    is_enter,
    is_look,
    is_text,
    lead_end,
    saved_in_passing,
    takes_back,
    takes_back_last,
    typed_at_end,
)
from mark_i.brains.offline.instructions import Instruction, Pause, Press

Spoken: TypeAlias = tuple[str, tuple[Instruction, ...]]  # a word to a run, and what there was to do before it

TO_END: Final = Press("go to the end of the text", "ctrl+end")
UNDO_CHANGE: Final = '; to take back the change before that, say "undo the last change"'
NOTHING_TYPED: Final = "what was done last cannot be taken back"
NOTHING_LEFT: Final = "nothing is left to take back"
NOTHING_UNDONE: Final = "nothing was taken back last"
WHOLE_TEXT: Final = 'that would take back all of the text; if you want that, say "undo the whole run"'
BRING_BACK: Final = '; to bring back what was taken back last, say "redo that"'
LAST_CHANGE: Final = "undo the last change"
NOT_CHANGED: Final = 'the last change is not that one; to take back the last one, say "undo that"'
_KINDS: Final = {
    "swap": r"swap|switch|exchange",
    "move": r"move|put",
    "removal": r"remove|delete|drop|erase|take|leave|cut",
    "deletion": r"remove|delete|drop|erase|take|leave|cut",
    "addition": r"add|append|insert|include|put|write",
    "replacement": r"change|replace",
}
_KIND: Final = re.compile(
    rf"(?:undo|revert|reverse|take back) (?:the|that|my|your) (?:last )?(?P<kind>{'|'.join(_KINDS)})(?: please)?\W*",
    re.IGNORECASE,
)
_BROUGHT: Final = re.compile(
    r"(?:bring|put|get) back (?:the |my )?(?P<name>.+?)(?: please)?\W*"
    r"|(?:bring|put|get) (?:the |my )?"
    r"(?P<other>(?!it\b|that\b|this\b|everything\b|all\b|the text\b).+?) back(?: in)?(?: please)?\W*",
    re.IGNORECASE,
)
_OF_CHANGE: Final = re.compile(r"\b(?:change|edit|correction|amendment)\b", re.IGNORECASE)
_WHOLE: Final = re.compile(
    r"(?:undo|revert|take back|roll back) (?:everything|all|all of (?:it|that|this)|it all|that all"
    r"|(?:the|that|this) (?:whole|entire|complete) (?:run|thing|text|list|task|goal))(?: again)?(?: please)?\W*",
    re.IGNORECASE,
)
_ALL: Final = re.compile(r"(?:undo|revert|take back|roll back) (?:everything|all|it all|that all)\b", re.IGNORECASE)
_REDO: Final = re.compile(
    r"(?:redo(?: (?:it|that|this|the (?:last )?(?:change|edit)))?"
    r"|(?:undo|revert|take back) (?:the|that|this|your|my) (?:last )?undo"
    r"|bring (?:it|that|everything|all of it|the text) back)(?: again)?(?: please)?\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """A message that was followed.

    Attributes:
        text: the message; empty if it is unknown.
        before: what was done before, or for a word during a run, what would have been done without it.
        can_be_undone: whether it changed anything that can be taken back.
        is_word: whether it was said during a run.
        is_look: whether it changed nothing at all.
    """

    text: str
    before: list[Instruction]
    can_be_undone: bool
    is_word: bool = False
    is_look: bool = False

    def text_before(self, every: Sequence[Instruction]) -> list[Instruction] | None:
        """Return what leads to the text as it was before, after all that was done; None if that is unknown."""
        if self.is_word:
            return self.before
        since, passed = every[len(self.before) :], saved_in_passing(every)
        last = max((at for at, one in enumerate(since) if not _is_in_text(one, passed)), default=-1)
        if last >= 0 and since[last] != TO_END:
            return [] if typed_at_end(since) else None
        return self.before


@dataclass(slots=True)
class History:
    """What was said, oldest first, and what was done.

    Attributes:
        said: what is not taken back.
        every: all that was done.
        undone: what led to the text before the last message was taken back, if nothing was done since.
        is_newest: whether nothing was said after the last of `said`.
    """

    said: list[Said] = field(default_factory=list)
    every: list[Instruction] = field(default_factory=list)
    undone: list[Instruction] = field(default_factory=list)
    is_newest: bool = True

    def place_of(self, text: str) -> int | None:
        """Return the place of the message that a text takes back; what only looked stands in no way."""
        places = [at for at, one in enumerate(self.said) if not one.is_look]
        changed = [at for at in places if self.said[at].can_be_undone]
        runs = [at for at in changed if not self.said[at].is_word]
        if _ALL.search(text):
            return next(iter(runs), None)
        found = runs if takes_back_whole(text) else changed if _OF_CHANGE.search(text) and changed else places
        return found[-1] if found else None

    def meant(self, text: str) -> str:
        """Return a text that takes back the last change in the words for that, if it names that change and no other."""
        fitting = self._named(text)
        changed = [at for at, one in enumerate(self.said) if one.can_be_undone]
        return LAST_CHANGE if fitting and fitting == changed[-1:] else text

    def _named(self, text: str) -> list[int] | None:
        """Return the places of the changes that a text names; None if it names none."""
        bare = text[lead_end(text) :]
        if kind := _KIND.fullmatch(bare):
            verb = re.compile(rf"(?:{_KINDS[kind['kind'].lower()]})\b", re.IGNORECASE)
            return [at for at, one in enumerate(self.said) if verb.match(one.text[lead_end(one.text) :])]
        if not (brought := _BROUGHT.fullmatch(bare)) or brings_back(text):
            return None
        name = brought["name"] or brought["other"]
        steps = [typed_at_end(one.before) for one in self.said] + [typed_at_end(self.every)]
        return [at for at, (was, now) in enumerate(pairwise(steps)) if _takes_out(was, now, name)]

    def goal_of(self, text: str) -> list[Instruction] | None:
        """Return what leads to the text that is wanted by a text that takes something back; None if it is unknown."""
        if brings_back(text):
            return self.undone or None
        place = self.place_of(text)
        return None if place is None else self.said[place].text_before(self.every)

    def refusal(self, text: str) -> str:
        """Return why what a text takes back cannot be taken back; empty if it can, or if it takes nothing back."""
        if self._named(text) is not None and self.said:
            return NOT_CHANGED
        if brings_back(text) and not self.undone:
            return NOTHING_UNDONE
        return self._why_kept(text) if takes_back_first(text) else ""

    def _why_kept(self, text: str) -> str:
        place, hint = self.place_of(text), BRING_BACK if self.undone else ""
        if place is None:
            return NOTHING_LEFT + hint
        if not self.said[place].can_be_undone:
            return NOTHING_TYPED + (UNDO_CHANGE if any(one.can_be_undone for one in self.said) else "")
        was, now = self.goal_of(text), typed_at_end(self.every)
        if was is None or typed_at_end(was) == now:
            return NOTHING_TYPED if any(map(is_text, self.every)) else ""
        is_last = self.is_newest and place == len(self.said) - 1
        return "" if typed_at_end(was).strip() or is_last or takes_back_whole(text) else WHOLE_TEXT + hint


def changes_something(every: Sequence[Instruction]) -> bool:
    """Return whether some instructions do something that can be taken back."""
    return any(can_be_undone(one) for one in every if one != TO_END)


def said_in(every: Sequence[Instruction], done: int, words: Sequence[Spoken], before: list[Instruction]) -> list[Said]:
    """Return the goal of a run, and the words to it that changed what it did.

    Args:
        every: what the run was to do after all words.
        done: how many of these are carried out.
        words: each word, with what the run was to do before it.
        before: what was done before the run.
    """
    left, begun = [*every[done:]], [*every[:done]]
    is_back = bool(before) and typed_at_end(before) == typed_at_end([*before, *begun]) and any(map(takes_back, begun))
    found = [Said("", before, changes_something(begun) and not is_back, is_look=is_back)]
    plans = [*(plan for _, plan in words), every]
    for (text, plan), then in zip(words, plans[1:], strict=True):
        ends_same = [*plan[len(plan) - len(left) :]] == left
        without = [*before, *plan[: len(plan) - len(left)]] if ends_same else before
        changed = typed_at_end([*before, *plan]) != typed_at_end([*before, *then])
        found.append(Said(text, without, ends_same and changed, is_word=True, is_look=[*plan] == [*then]))
    return found


def _takes_out(before: str, after: str, name: str) -> bool:
    """Return whether a change has only taken out, or changed, one line that has a name."""
    was, now = before.split("\n"), after.split("\n")
    codes = [one for one in SequenceMatcher(None, was, now, autojunk=False).get_opcodes() if one[0] != "equal"]
    if len(codes) != 1 or codes[0][2] - codes[0][1] != 1 or codes[0][4] - codes[0][3] > 1:
        return False
    said = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return bool(said.search(was[codes[0][1]])) and not said.search(after)


def takes_back_whole(text: str) -> bool:
    """Return whether a message takes back all that a run has done, and says nothing else."""
    return _WHOLE.fullmatch(text[lead_end(text) :]) is not None


def brings_back(text: str) -> bool:
    """Return whether a message brings back what was taken back last, and says nothing else."""
    return _REDO.fullmatch(text[lead_end(text) :]) is not None


def takes_back_said(text: str) -> bool:
    """Return whether a message only takes back what was said before."""
    return takes_back_last(text) or takes_back_whole(text)


def takes_back_first(text: str) -> bool:
    """Return whether a message takes back what was said before, whatever it says then."""
    return any(map(takes_back_said, (text, *(first for first, _ in beginnings(text)))))


def _is_in_text(one: Instruction, passed: frozenset[str]) -> bool:
    return (
        one.text in passed or is_text(one) or is_enter(one) or takes_back(one) or is_look(one) or isinstance(one, Pause)
    )
