"""A goal that follows up on others: what it changes is the text that they typed, or it does what they have left."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from mark_i.brains.offline.corrections import (
    DONE_BEFORE,
    LOOKED_FOR,
    NOT_LEFT,
    Remaining,
    beginnings,
    is_look,
    is_text,
    lead_end,
    quoted_or,
    quoted_text,
    reopened,
    saves,
    says_nothing,
    says_where,
    start_of_save,
    takes_back,
    takes_back_last,
    typed_at_end,
    with_held,
)
from mark_i.brains.offline.instructions import (
    Check,
    Count,
    DialogClosed,
    Held,
    Instruction,
    NotUnderstood,
    Open,
    Press,
    Read,
    Settle,
    Talk,
    Tell,
    Type,
    Wait,
    parse_instructions,
)
from mark_i.brains.offline.instructions.splitting import mask
from mark_i.brains.offline.resuming import resumed
from mark_i.brains.offline.stopped import Stopped
from mark_i.brains.offline.taking_back import (
    TO_END,
    History,
    Said,
    brings_back,
    changes_something,
    said_in,
    takes_back_said,
)

WHICH_LINE: Final = "it does not say which line; it could be {}"
NO_LINE: Final = "no line was typed or changed last"
_THAT_LINE: Final = re.compile(
    r"\b(?:that|this) (?:same )?(?:line|item|entry|row)\b(?! (?:with|about|for|on|saying|that|which)\b)", re.IGNORECASE
)
TAKE_BACK: Final = "undo that"
SHOWN_WORDS: Final = 4  # of a line that is looked for; a longer one may be wrapped
ABOVE: Final = "I can change only the last line, since I do not see all lines in one text"
DONE: Final = "a run before this one did that, and I cannot change it"
NOT_THERE: Final = "no text that I typed has that"
TWICE: Final = "it changes several places at once; say one change after the other"
ALONE: Final = 'to take back what was done last, say only "undo that"'
NOT_AT_ONCE: Final = 'that is another goal, once the file is open: say "open it again" first'
NOT_SEEN: Final = "I cannot see all of the text of that file, so I change nothing in it"
_AND: Final = re.compile(r"\A[\s,.;!]*(?:(?:and|then|please)\b[\s,]*)*", re.IGNORECASE)
UNKNOWN_VERB: Final = "cannot start with"

_Look: TypeAlias = Check | Count | Read | Settle | Tell | Wait  # what leaves all as it is

Given: TypeAlias = Sequence[Instruction | NotUnderstood]
Past: TypeAlias = str | Stopped  # a goal that was carried out, or what a run has done that was stopped


@dataclass(slots=True)
class _Done(History):
    """What a conversation has done.

    Attributes:
        left: what a run has left that was stopped, as long as only its text was changed since.
        has_failed: whether that run was not stopped by a person, but could not do what was next.
        is_document: whether all lines that were typed are known to stand in one field.
        opened: what would type the text of the file that was opened again last, if nothing was done since.
    """

    left: list[Instruction] = field(default_factory=list)
    has_failed: bool = False
    is_document: bool = False
    opened: list[Instruction] = field(default_factory=list)

    @property
    def in_field(self) -> "_Done":
        """The same once all lines are seen in one field, with those of a file that was opened again."""
        return replace(self, every=[*self.every, *self.opened], is_document=True)

    def needs_field(self, goal: str) -> bool:
        """Whether a goal may change the text of a file that was opened again: all of it must be seen first."""
        is_other = is_plain(goal) or takes_back_said(goal) or brings_back(goal) or reopened(goal, self.every) != goal
        return bool(self.opened) and not is_other

    @property
    def plan(self) -> Remaining:
        """A plan of which all is done."""
        return replace(self.whole, every=[*self.every])

    @property
    def whole(self) -> Remaining:
        """A plan with what is left."""
        is_document = self.is_document or any(map(saves, self.left))
        return Remaining([*self.every, *self.left], len(self.every), saves_again=False, is_document=is_document)

    def left_after(self, goal: str) -> list[Instruction] | None:
        """Return what is left after a goal that changes only that; None if it does not."""
        if not self.left or is_plain(goal) or takes_back_said(goal) or not self.plan.after(goal).unclear:
            return None
        changed = self.whole.after(goal)
        left = changed.every[len(self.every) :]
        return None if changed.unclear or changed.talk or any(map(takes_back, left)) else left

    def rest_after(self, goal: str) -> str | None:
        """Return what a goal says besides that all that is left is to be done; None if it does not mean that.

        A run that has failed goes on once a goal puts right what it could not do.
        """
        said, left = resumed(goal) if self.left else None, self.left_after(goal) if self.has_failed else None
        return goal if said is None and left is not None and left[:1] != self.left[:1] else said

    def back(self, goal: str) -> Remaining | None:
        """Return what takes back, or brings back, what a goal says; None if it says neither, or that is unknown."""
        wanted = self.goal_of(goal)
        is_all = takes_back_said(goal) or brings_back(goal)
        return None if wanted is None else self.plan.back_to(wanted, TAKE_BACK if is_all else goal)

    def lines_of_last_change(self) -> list[str]:
        """Return the lines that were typed, or changed, by the last goal that did either."""
        now = typed_at_end(self.every).split("\n")
        was = next((old for one in reversed(self.said) if (old := typed_at_end(one.before).split("\n")) != now), now)
        changes = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
        return [line for kind, _, _, first, last in changes if kind != "equal" for line in now[first:last] if line]

    def stop(self, run: Stopped) -> None:
        """Note what a run has done that was stopped; a file whose dialog was open is not saved."""
        if not run.every:
            self.is_newest = False
            return
        done = start_of_save(run.every, run.done)
        if any(map(takes_back, run.every)):
            self.every = self.in_field.every
        self.opened, self.undone, self.is_newest = [], [], True
        before, self.every, self.left = self.every, [*self.every, *run.every[:done]], [*run.every[done:]]
        self.said += said_in(run.every, done, run.words, before)
        self.has_failed = run.has_failed

    def do(self, goal: str) -> None:
        """Note a goal that was carried out; one that went back leads further back."""
        goal = self.meant(goal)
        known = self.in_field if self.needs_field(goal) else self
        every, given = _read(goal, known)
        if any(isinstance(one, NotUnderstood) for one in given):  # it was carried out, so its lines were there
            every, given = _read(goal, replace(known, is_document=True))
        is_all, left = self.rest_after(goal) is not None, self.left_after(goal)
        put = with_held([one for one in given if not isinstance(one, NotUnderstood | Talk | _Look)])
        before, self.every = known.every, [*every, *put]
        place = known.place_of(goal) if takes_back_said(goal) else None
        if place is None:
            noted = not is_all and left is not None
            self.said.append(Said(goal, before, changes_something(put), is_look=not put and not noted))
        else:
            del self.said[place:]
        self.undone, self.is_newest = [] if place is None else before, place is None
        self.opened = _text_opened(put, known.every)
        if not is_all and left is not None:
            self.left = left
        elif takes_back_said(goal) or is_all or not is_change(goal, given):
            self.left = []
        elif any(map(is_text, self.left[:1])) and _line_at_end(before) != _line_at_end(self.every):
            self.left = []  # it would go on with another line


def read_goal(goal: str, before: Sequence[Past], *, is_document: bool = False) -> Given:
    """Return the instructions of a goal, after those that the conversation has worked on.

    What a change types is preceded by a look whether the text is still on the screen.

    Args:
        goal: what the person says.
        before: what was done before.
        is_document: whether all lines that were typed are known to stand in one field.
    """
    return _given(goal, tuple(before), is_document)


@lru_cache(maxsize=64)  # a brain that keeps no state reads the goal at each step, after all goals before it
def _given(goal: str, before: tuple[Past, ...], is_document: bool) -> Given:  # noqa: FBT001 - a key of the cache
    done = _done(before)
    goal = done.meant(goal)
    if not done.needs_field(goal):
        return tuple(_read(goal, replace(done, is_document=is_document and not done.opened))[1])
    read = tuple(_read(goal, done.in_field)[1])
    is_unclear = any(isinstance(one, NotUnderstood) for one in read)
    return read if is_document or is_unclear else (NotUnderstood(goal, NOT_SEEN),)


def _done(before: Sequence[Past]) -> _Done:
    done = _Done()
    for one in before:
        if isinstance(one, Stopped):
            done.stop(one)
        else:
            done.do(one)
    return done


def done_before(before: Sequence[Past], *, is_document: bool = False) -> list[Instruction]:
    """Return what some goals did, and if all lines stand in one field, what types those of a file opened again."""
    done = _done(before)
    return done.in_field.every if is_document else done.every


def examples_after(goal: str, before: Sequence[Past], *, is_document: bool = False) -> str:
    """Return what a person could say instead of a goal that is not understood; empty if it follows on nothing."""
    done = _done(before)
    done = done.in_field if is_document else done
    return done.plan.examples(goal) if done.every else ""


def is_change(goal: str, instructions: Given) -> bool:
    """Return whether a goal means something else by itself: it changes what was done before."""
    return [one for one in instructions if not isinstance(one, Talk)] != [
        one for one in _parsed(goal) if not isinstance(one, Talk)
    ]


def is_plain(goal: str) -> bool:
    """Return whether a goal is understood by itself, and means the same whatever was done before."""
    plain = _parsed(goal)
    return bool(plain) and not any(isinstance(one, NotUnderstood) or says_where(one) for one in plain)


def _parsed(goal: str) -> list[Instruction | NotUnderstood]:
    """Return the instructions of a goal by itself, without what only says that all is well: "great, now save it"."""
    plain = parse_instructions(goal)
    return [
        one for one in plain if not (isinstance(one, NotUnderstood) and says_nothing(one.text, at_end=True))
    ] or plain


def _line_at_end(every: Sequence[Instruction]) -> str:
    return typed_at_end(every).rpartition("\n")[2]


def _read(goal: str, done: _Done) -> tuple[list[Instruction], Given]:
    """Return what was done before, as far as it is still wanted, and the instructions of a goal after that."""
    history, again = done.every, reopened(goal, done.every)
    if again != goal:
        return history, _opened_again(again, done, looks=not is_plain(goal))
    if not history and not done.left:
        return history, _parsed(goal)
    if of_left := _of_left(goal, done):
        return of_left
    if reason := done.refusal(goal):
        return history, [NotUnderstood(goal, reason)]
    that, lines = _THAT_LINE.search(mask(goal)), done.lines_of_last_change()
    if that and len(lines) != 1:
        return history, [NotUnderstood(goal, WHICH_LINE.format(quoted_or(lines)) if lines else NO_LINE)]
    return _changed(f"{goal[: that.start()]}{quoted_text(lines[0])}{goal[that.end() :]}" if that else goal, done)


def _of_left(goal: str, done: _Done) -> tuple[list[Instruction], Given] | None:
    """Return what a goal means that does, or only changes, what is left; None if it means neither."""
    if (more := done.rest_after(goal)) is not None:
        return _go_on(done, more)
    return None if done.left_after(goal) is None else (done.every, [Talk(goal, "noted")])


def _changed(goal: str, done: _Done) -> tuple[list[Instruction], Given]:
    """Return what a goal changes of the text, or does besides."""
    plain, history, before = _parsed(goal), done.every, done.plan
    back = done.back(goal)
    if not back and not takes_back_last(goal) and any(takes_back_last(last) for _, last in beginnings(goal)):
        return history, [NotUnderstood(goal, ALONE)]
    changed = back or before.after(goal)
    put = changed.every[len(history) :]
    if _erases_twice(put):
        return history, [NotUnderstood(goal, TWICE)]
    if not changed.unclear and put and (back or not is_plain(goal) or changed.takes_back_next):
        more = [Talk(goal, "unsaved")] if changed.leaves_unsaved else []
        more += [Talk(goal, "left")] if done.left else []
        return changed.every[: len(history)], [*_look(before, history), *put, *changed.talk, *more]
    if changed.unclear and (changed.is_change(goal) or not is_plain(goal)):
        return history, _not_followed(changed, done) or plain
    would_be = Remaining([*history, *(one for one in plain if not isinstance(one, NotUnderstood | Talk))], len(history))
    return history, [*plain, Talk(goal, "unsaved")] if is_plain(goal) and would_be.leaves_unsaved else plain


def _erases_twice(put: Sequence[Instruction]) -> bool:
    """Return whether two changes both count from the text as it is: the second would erase what the first has typed."""
    keys = [one.keys if isinstance(one, Press) else "" for one in put if not saves(one)]
    runs = [key for key, _ in groupby(keys, lambda key: "backspace" if key == "backspace" else "")]
    return runs.count("backspace") > 1 and not any(map(saves, put))


def _not_followed(changed: Remaining, done: _Done) -> list[NotUnderstood]:
    """Return why a change cannot be followed; nothing if it only begins with an unknown verb."""
    reasons = {DONE_BEFORE: DONE if done.whole.is_whole else ABOVE, NOT_LEFT: NOT_THERE}
    told = ((text, reasons.get(reason, reason)) for text, reason in changed.unclear)
    return [NotUnderstood(text, reason) for text, reason in told if UNKNOWN_VERB not in reason]


def _go_on(done: _Done, said: str) -> tuple[list[Instruction], Given]:
    """Return what does all that is left, after what a goal says besides."""
    changed, count = done.whole.after(said) if said else done.whole, len(done.every)
    if changed.unclear:
        return done.every, [NotUnderstood(text, reason) for text, reason in changed.unclear]
    return changed.every[:count], [*_look(done.plan, done.every), *changed.every[count:], *changed.talk]


def _opened_again(goal: str, done: _Done, *, looks: bool) -> Given:
    """Return what opens a file again, goes to its end, and does what else a goal says.

    What is changed in it needs a look whether all that was saved last is in it: others may have changed the file.
    """
    plain = _parsed(goal)
    opening = plain[0] if plain else None
    if not isinstance(opening, Open) or not opening.args:
        return plain
    then, rest = _until_saved(done.every, opening.args[-1]), _AND.sub("", goal.partition(opening.text)[2], count=1)
    look = _look(Remaining(then, len(then)), then)
    if not look or not goal[lead_end(goal) :].startswith(opening.text):
        return [*plain, *(look if looks else [])]
    first: list[Instruction] = [opening, TO_END]
    if not rest.strip(" .!"):
        return [*first, *(look if looks else [])]
    if takes_back_last(rest):
        return [NotUnderstood(rest, NOT_AT_ONCE)]
    held = Held(f"look for all the text of {opening.args[-1]}", typed_at_end(then))
    _, given = _changed(rest, _Done(every=[*done.every, *with_held([*first, held])], is_document=True))
    if is_plain(rest) or any(isinstance(one, NotUnderstood) for one in given):
        return [*first, *given]
    return [*first, *look, held, *(one for one in given if isinstance(one, NotUnderstood) or not is_look(one))]


def _until_saved(history: Sequence[Instruction], file: str) -> list[Instruction]:
    """Return what was done until a file was saved last; a save without a name is of the file named last."""
    saved, current = -1, file
    for at, one in enumerate(history):
        if isinstance(one, Open | DialogClosed):
            current = (one.file if isinstance(one, DialogClosed) else "".join(one.args[-1:])) or file
        if current == file and (
            isinstance(one, DialogClosed) or (isinstance(one, Press) and saves(one) and not one.opens)
        ):
            saved = at
    return [*history[: saved + 1]]


def _text_opened(put: Sequence[Instruction], history: Sequence[Instruction]) -> list[Instruction]:
    """Return what would type the text of the file that a goal has only opened again, as it was saved last."""
    opening = put[0] if put[-1:] == [TO_END] else None
    if not isinstance(opening, Open) or not opening.args:
        return []
    return with_held([Held("", typed_at_end(_until_saved(history, opening.args[-1])))])


def _look(before: Remaining, history: Sequence[Instruction]) -> list[Instruction]:
    """Return the look whether the text that is to be changed is still on the screen."""
    lines = [line for line in before.lines() if line.strip()]
    shown = " ".join(lines[-1].split()[:SHOWN_WORDS]) if lines else ""
    has_typed = any(isinstance(one, Type) for one in history)
    return [Check(LOOKED_FOR.format(shown), shown)] if shown and has_typed else []
