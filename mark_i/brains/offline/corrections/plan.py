"""The instructions that are left, and the single steps by which they change."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Final

from mark_i.brains.offline.corrections.from_start import quoted_text, typed_at_end, with_line
from mark_i.brains.offline.corrections.meant import (
    LAST,
    NEXT,
    NOT_LEFT,
    may_mean,
    meant,
    names,
    phrases_of,
    takes_back,
    typed_last,
)
from mark_i.brains.offline.corrections.message_parts import is_order
from mark_i.brains.offline.corrections.readings import bare, require_words, with_typing
from mark_i.brains.offline.corrections.text_lines import (
    ENTER,
    end_of_texts,
    has_lines,
    is_enter,
    is_text,
    lines_of,
    past_pauses,
    saved_in_passing,
    saves,
)
from mark_i.brains.offline.corrections.wordings import ends, without_tails
from mark_i.brains.offline.instructions import (
    POLITE,
    Click,
    Close,
    Instruction,
    NotUnderstood,
    Open,
    Press,
    Talk,
    Tick,
    Type,
    parse_instructions,
)
from mark_i.brains.offline.instructions.kinds import UnclearError
from mark_i.brains.offline.instructions.splitting import VERB, mask
from toolbelt.tools import MAX_PRESSES

NEAR_MIN: Final = 0.85  # "Sara" and "Sarah" are as alike as 0.89
_OR: Final = re.compile(r"\s*,?\s+(?:n?or|and)\s+", re.IGNORECASE)
_WHEN: Final = re.compile(r"\s(?:when|once|after|before|if|unless|because|since)\s", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"\A(?:an?|some|the)\s+(?=\S)", re.IGNORECASE)
_POINT: Final = re.compile(r"[;.!?:]\s")
_TEXT_WORDS_MAX: Final = 8  # of a text that stands without quotes
_ENTRY_WORDS_MAX: Final = 2  # of each, where several get lines of their own


def erasing(text: str, count: int) -> list[Instruction]:
    """Return the instructions that take back the last letters."""
    times = [min(MAX_PRESSES, count - start) for start in range(0, count, MAX_PRESSES)]
    return [Press(text, "backspace", times=one, takes_back=True) for one in times]


@dataclass(slots=True)
class Plan:
    """The instructions of a run, of which the first `done` are carried out.

    Attributes:
        talk: what is to be answered besides.
        taken: what a message took back, for what is to stand there instead.
        before: the plan before the last message that changed it, unless that message was taken back.
        restored: what the message that is followed now has made of the plan by taking back the one before.
        is_taken_back: whether the last message that changed the plan was taken back.
        is_ignored: whether the last message could not be followed, and changed nothing.
        is_document: whether all lines that were typed are known to stand in one field; else Enter may have sent them.
    """

    every: list[Instruction]
    done: int
    talk: list[Talk] = field(default_factory=list)
    taken: str = ""
    before: "Plan | None" = None
    restored: list[Instruction] | None = None
    is_taken_back: bool = False
    is_ignored: bool = False
    is_document: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all lines that were typed can be changed: they stand in one field, or are to be saved."""
        return self.is_document or any(map(saves, self.every))

    def words_for(self, what: str) -> str:
        """Return the words for what is left without what is said around them: "the", "you"."""
        what = without_tails(what)
        if NEXT.fullmatch(what) or LAST.fullmatch(what):
            return what
        return re.sub(r"\A(?:the|that|you(?:'ve|ve|\s+have)?|i)\s+(?=\S)", "", what, flags=re.IGNORECASE)

    def instructions_or_none(self, text: str) -> list[Instruction]:
        """Return the instructions that a text gives; none if it is no instruction."""
        try:
            return self.instructions(text)
        except UnclearError:
            return []

    def lines(self) -> list[str]:
        """Return the lines before the caret once all is typed, before what saves them."""
        typed = typed_at_end(self.every[: end_of_texts(self.every, self.done)])
        return [line for line in typed.split("\n") if line.strip()]

    def typing_lines(self, text: str) -> list[Instruction]:
        """Return the instructions that type a text that stands without quotes; none if it is none."""
        own = ends("own_line", text)
        text = text[: own.start()] if own else text
        if not any(map(is_text, self.every)) or len(text.split()) > _TEXT_WORDS_MAX or _POINT.search(mask(text)):
            return []
        if not any(_ARTICLE.match(str(one.content)) for one in self.every if isinstance(one, Type)):
            text = _ARTICLE.sub("", text)
        entries = re.split(r"\s+and\s+|,\s+", text)
        if bare(text) == text and any(
            VERB.match(one) or is_order(one) or self.instructions_or_none(one) for one in entries[1:]
        ):
            return []
        require_words(text)
        self.require_other_names(text)
        if not own and bare(text) == text:
            self.require_lines(text)
        is_list = has_lines(self.every) and all(len(line.split()) <= _ENTRY_WORDS_MAX + 1 for line in self.lines())
        if own or bare(text) != text or not is_list or any(len(one.split()) > _ENTRY_WORDS_MAX for one in entries):
            return [*([ENTER] if own and not has_lines(self.every) else []), *self.typing(text)]
        given = [[ENTER, *self.typing(_ARTICLE.sub("", one))] for one in entries]
        return [one for entry in given for one in entry][1:]

    def require_lines(self, text: str) -> None:
        """Refuse a text that could go into the only line, or below it."""
        if not has_lines(self.every) and any(map(is_text, self.every)):
            raise UnclearError(f'it does not say whether that is a new line; if it is, say: add a line "{text}"')

    def require_other_names(self, text: str) -> None:
        """Refuse a text with a name that is nearly one in the lines: it may be how that is written rightly."""
        names_there = {word for line in self.lines() for word in re.findall(r"\b[A-Z]\w+", line)}
        for word in re.findall(r"\b[A-Z]\w+", text if bare(text) == text else ""):
            if word not in names_there and (near := get_close_matches(word, names_there, 1, NEAR_MIN)):
                raise UnclearError(f'it may be how "{near[0]}" is to be written')

    def typing(self, text: str) -> list[Instruction]:
        """Return the instructions that type a text, in its quotes or without them.

        Raises:
            UnclearError: some of it stands in quotes.
        """
        if bare(text) == text and mask(text) != text and '"' in text:
            raise UnclearError("it does not say what is to become of the words outside of the quotes")
        quote = "'" if '"' in bare(text) else '"'
        return self.instructions(f"type {quote}{bare(text)}{quote}")

    def typing_all(self, text: str) -> list[Instruction]:
        """Return the instructions that type a text with its spaces and line breaks."""
        lines = text.split("\n")
        typed = [self.instructions(f"type {quoted_text(line)}") if line else [] for line in lines]
        return [*typed[0], *(one for line in typed[1:] for one in (ENTER, *line))]

    def instructions(self, text: str) -> list[Instruction]:
        """Return the instructions that a text gives; what is said to the program itself is to be answered.

        Raises:
            UnclearError: it gives none.
        """
        given = parse_instructions(with_typing(text))
        for one in given:
            if isinstance(one, NotUnderstood):
                raise UnclearError(one.reason)
            if isinstance(one, Click | Tick | Close | Open | Type) and _WHEN.search(mask(one.text)):
                raise UnclearError("it says when, and I cannot tell that from a name or a text; quotes make it clear")
        if not given:
            raise UnclearError("it asks for nothing")
        self.talk += [one for one in given if isinstance(one, Talk) and one.topic not in POLITE]
        return [one for one in given if not isinstance(one, NotUnderstood | Talk)]

    def remove(self, places: Sequence[int]) -> None:
        """Remove what is at some places."""
        self.every = [one for index, one in enumerate(self.every) if index not in places]

    def append(self, given: list[Instruction]) -> None:
        """Put something last; a text goes before what saves it."""
        at = end_of_texts(self.every, self.done) if any(map(is_text, given)) else len(self.every)
        self.every[at:at] = with_line(self.every, at, given)

    def take_back(self, text: str, typed: str) -> None:
        """Put next what takes back a typed text, each letter, or whatever was done last."""
        self.every[self.done : self.done] = erasing(text, len(typed)) or self.instructions("undo")
        self.taken = typed
        self.forget(len(typed))

    def forget(self, count: int) -> None:
        """Leave the last letters that are typed, line breaks included, out of what the person wants."""
        passed = saved_in_passing(self.every)
        for at in reversed(range(self.done)):
            one = self.every[at]
            if one.text in passed:
                continue
            if count <= 0:
                break
            if isinstance(one, Press) and one.takes_back:
                count += one.times
            elif is_enter(one):
                self.every[at] = replace(one, text="")
                count -= 1
            elif isinstance(one, Type) and isinstance(one.content, str):
                rest = one.content[: max(0, len(one.content) + one.enter - count)]
                self.every[at] = replace(one, text=f'type "{rest}"' if rest.strip() else "")
                count -= len(one.content) + one.enter

    def close_gap(self) -> None:
        """Leave no empty line where a whole line was taken back, and nothing stands in its place."""
        at = past_pauses(self.every, self.after_taken)
        if self.taken and self.taken == typed_last(self.every, self.done) and has_lines(self.every):
            self.remove([at] if any(map(is_enter, self.every[at : at + 1])) else [])
        self.taken = ""

    @property
    def after_taken(self) -> int:
        """Where what stands instead of what was taken back begins."""
        return self.done + -(-len(self.taken) // MAX_PRESSES)

    def retype(self, new: str) -> None:
        """Type a text where another was taken back."""
        at = self.after_taken
        last = self.taken.rstrip("\n")[-1:]
        new = bare(new) + last if last in {",", ":"} and not bare(new).endswith(last) else new
        self.every[at:at] = [*self.typing(new), *[ENTER] * self.taken.count("\n")]
        self.taken = ""

    def is_left(self, old: str) -> bool:
        """Return whether some words name what is left."""
        left = (one for one in self.every[self.done :] if not takes_back(one))
        return any(names(bare(old), one.text) and may_mean(old, one, self.every) for one in left)

    def of_kind(self, given: Sequence[Instruction]) -> list[int]:
        """Return the next phrase if it is of that kind, else the only one that is left."""

        def kind(phrase: Sequence[Instruction]) -> object:
            return "save" if saves(phrase[0]) else tuple(type(one) for one in phrase)

        phrases = phrases_of(self.every, self.done)
        left = [one for one in phrases if kind([self.every[index] for index in one]) == kind(given)]
        if not left or (left[0] != phrases[0] and len(left) > 1):
            raise UnclearError("it does not say instead of what" if left else NOT_LEFT)
        return left[0]

    def leave_out(self, what: str) -> tuple[int, Instruction]:
        """Leave something out; return where it was, and the first of it."""
        cuts = [0, *(place for match in _OR.finditer(mask(what)) for place in match.span()), len(what)]
        try:
            found = meant(self.every, self.done, self.words_for(what))
        except UnclearError:
            if cuts == [0, len(what)]:
                raise
            ends = zip(cuts[::2], cuts[1::2], strict=True)
            found = [
                one for start, end in ends for one in meant(self.every, self.done, self.words_for(what[start:end]))
            ]
        first = self.every[min(found)]
        if not (NEXT.fullmatch(what) or LAST.fullmatch(what)):
            found = lines_of(self.every, found, self.done)
        self.remove(found)
        return min(found), first
