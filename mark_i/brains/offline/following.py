"""A goal that follows up on others: what it changes is the text that they typed, or it does what they have left."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from mark_i.brains.offline.corrections import (
    DONE_BEFORE,
    ENTER,
    LOOKED_FOR,
    NOT_LEFT,
    Remaining,
    beginnings,
    can_be_undone,
    is_text,
    quoted_text,
    reopened,
    saves,
    says_nothing,
    says_where,
    start_of_save,
    takes_back,
    takes_back_last,
    typed_at_end,
)
from mark_i.brains.offline.instructions import (
    Check,
    DialogClosed,
    Instruction,
    NotUnderstood,
    Open,
    Press,
    Talk,
    Type,
    parse_instructions,
)
from mark_i.brains.offline.resuming import resumed
from mark_i.brains.offline.stopped import Stopped

SHOWN_WORDS: Final = 4  # of a line that is looked for; a longer one may be wrapped
NOTHING_TYPED: Final = "what was done last cannot be taken back"
NOT_YET: Final = 'that was not typed before the run was stopped; to do all that is left, say "go on"'
ABOVE: Final = "I can change only the last line, since I do not see all lines in one text"
DONE: Final = "a run before this one did that, and I cannot change it"
NOT_THERE: Final = "no text that I typed has that"
TWICE: Final = "it changes several places at once; say one change after the other"
ALONE: Final = 'to take back what was done last, say only "undo that"'
NOT_AT_ONCE: Final = 'that is another goal, once the file is open: say "open it again" first'
NOT_SEEN: Final = "I cannot see all of the text of that file, so I change nothing in it"
TO_END: Final = Press("go to the end of the text", "ctrl+end")
UNKNOWN_VERB: Final = "cannot start with"

Read: TypeAlias = Sequence[Instruction | NotUnderstood]
Past: TypeAlias = str | Stopped  # a goal that was carried out, or what a run has done that was stopped


@dataclass(slots=True)
class _Done:
    """What a conversation has done.

    Attributes:
        every: the instructions, in order.
        earlier: what was done before each goal to which "undo that" goes back.
        left: what a run has left that was stopped, as long as only its text was changed since.
        is_document: whether all lines that were typed are known to stand in one field.
        opened: what would type the text of the file that was opened again last, if nothing was done since.
    """

    every: list[Instruction] = field(default_factory=list)
    earlier: list[list[Instruction]] = field(default_factory=list)
    left: list[Instruction] = field(default_factory=list)
    is_document: bool = False
    opened: list[Instruction] = field(default_factory=list)

    @property
    def in_field(self) -> "_Done":
        """The same once all lines are seen in one field, with those of a file that was opened again."""
        return replace(self, every=[*self.every, *self.opened], is_document=True)

    def needs_field(self, goal: str) -> bool:
        """Whether a goal may change the text of a file that was opened again: all of it must be seen first."""
        is_other = is_plain(goal) or takes_back_last(goal) or reopened(goal, self.every) != goal
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

    def stop(self, run: Stopped) -> None:
        """Note what a run has done that was stopped; a file whose dialog was open is not saved."""
        done = start_of_save(run.every, run.done)
        if any(map(takes_back, run.every)):
            self.every = self.in_field.every
        self.opened = []
        self.earlier.append(self.every)
        self.every, self.left = [*self.every, *run.every[:done]], [*run.every[done:]]

    def do(self, goal: str) -> None:
        """Note a goal that was carried out; one that went back leads further back."""
        known = self.in_field if self.needs_field(goal) else self
        every, given = _read(goal, known)
        if any(isinstance(one, NotUnderstood) for one in given):  # it was carried out, so its lines were there
            every, given = _read(goal, replace(known, is_document=True))
        if takes_back_last(goal) and self.earlier:
            self.earlier.pop()
        else:
            self.earlier.append(known.every)
        put = [one for one in given if not isinstance(one, NotUnderstood | Talk | Check)]
        before, self.every = known.every, [*every, *put]
        self.opened = _text_opened(put, known.every)
        if takes_back_last(goal) or resumed(goal) is not None or not is_change(goal, given):
            self.left = []
        elif any(map(is_text, self.left[:1])) and _line_at_end(before) != _line_at_end(self.every):
            self.left = []  # it would go on with another line


def read_goal(goal: str, before: Sequence[Past], *, is_document: bool = False) -> Read:
    """Return the instructions of a goal, after those that the conversation has worked on.

    What a change types is preceded by a look whether the text is still on the screen.

    Args:
        goal: what the person says.
        before: what was done before.
        is_document: whether all lines that were typed are known to stand in one field.
    """
    return _given(goal, tuple(before), is_document)


@lru_cache(maxsize=64)  # a brain that keeps no state reads the goal at each step, after all goals before it
def _given(goal: str, before: tuple[Past, ...], is_document: bool) -> Read:  # noqa: FBT001 - a key of the cache
    done = _done(before)
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


def is_change(goal: str, instructions: Read) -> bool:
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


def _read(goal: str, done: _Done) -> tuple[list[Instruction], Read]:
    """Return what was done before, as far as it is still wanted, and the instructions of a goal after that."""
    history, again = done.every, reopened(goal, done.every)
    if again != goal:
        return history, _opened_again(again, history, looks=not is_plain(goal))
    if not history and not done.left:
        return history, _parsed(goal)
    if done.left and (more := resumed(goal)) is not None:
        return _go_on(done, more)
    if takes_back_last(goal) and done.earlier and not _undoable(history[len(done.earlier[-1]) :]):
        return history, [NotUnderstood(goal, NOTHING_TYPED)]
    return _changed(goal, done)


def _undoable(every: Sequence[Instruction]) -> bool:
    return any(can_be_undone(one) for one in every if one != TO_END)


def _changed(goal: str, done: _Done) -> tuple[list[Instruction], Read]:
    """Return what a goal changes of the text, or does besides."""
    plain, history, before = _parsed(goal), done.every, done.plan
    changed = before.back_to(done.earlier[-1], goal) if done.earlier else None
    if not changed and not takes_back_last(goal) and any(takes_back_last(last) for _, last in beginnings(goal)):
        return history, [NotUnderstood(goal, ALONE)]
    changed = changed or before.after(goal)
    put = changed.every[len(history) :]
    if _erases_twice(put):
        return history, [NotUnderstood(goal, TWICE)]
    if not changed.unclear and put and (not is_plain(goal) or changed.takes_back_next):
        more = [Talk(goal, "unsaved")] if changed.leaves_unsaved else []
        more += [Talk(goal, "left")] if done.left else []
        return changed.every[: len(history)], [*_look(before, history), *put, *changed.talk, *more]
    if changed.unclear and (changed.is_change(goal) or not is_plain(goal)):
        return history, _not_followed(goal, changed, done) or plain
    would_be = Remaining([*history, *(one for one in plain if not isinstance(one, NotUnderstood | Talk))], len(history))
    return history, [*plain, Talk(goal, "unsaved")] if is_plain(goal) and would_be.leaves_unsaved else plain


def _erases_twice(put: Sequence[Instruction]) -> bool:
    """Return whether two changes both count from the text as it is: the second would erase what the first has typed."""
    keys = [one.keys if isinstance(one, Press) else "" for one in put if not saves(one)]
    runs = [key for key, _ in groupby(keys, lambda key: "backspace" if key == "backspace" else "")]
    return runs.count("backspace") > 1 and not any(map(saves, put))


def _not_followed(goal: str, changed: Remaining, done: _Done) -> list[NotUnderstood]:
    """Return why a change cannot be followed; nothing if it only begins with an unknown verb."""
    if done.left and not done.whole.after(goal).unclear:
        return [NotUnderstood(goal, NOT_YET)]
    reasons = {DONE_BEFORE: DONE if done.whole.is_whole else ABOVE, NOT_LEFT: NOT_THERE}
    told = ((text, reasons.get(reason, reason)) for text, reason in changed.unclear)
    return [NotUnderstood(text, reason) for text, reason in told if UNKNOWN_VERB not in reason]


def _go_on(done: _Done, said: str) -> tuple[list[Instruction], Read]:
    """Return what does all that is left, after what a goal says besides."""
    changed, count = done.whole.after(said) if said else done.whole, len(done.every)
    if changed.unclear:
        return done.every, [NotUnderstood(text, reason) for text, reason in changed.unclear]
    return changed.every[:count], [*_look(done.plan, done.every), *changed.every[count:], *changed.talk]


def _opened_again(goal: str, history: Sequence[Instruction], *, looks: bool) -> Read:
    """Return what opens a file again, with a look whether what was saved last is in it, and goes to its end.

    What is changed in it needs a look at all of it first, so that is another goal. A file that is named may have
    been changed by others.
    """
    plain = _parsed(goal)
    if not any(isinstance(one, Open) and one.args for one in plain):
        return plain
    then = _until_saved(history)
    look = _look(Remaining(then, len(then)), then)
    changes = [one for one in plain if isinstance(one, NotUnderstood)]
    if look and changes and not Remaining(then, len(then), is_document=True).after(changes[0].text).unclear:
        return [NotUnderstood(changes[0].text, NOT_AT_ONCE)]
    return [*plain, *([TO_END] if look and not plain[1:] else []), *(look if looks else [])]


def _until_saved(history: Sequence[Instruction]) -> list[Instruction]:
    """Return what was done until a text was saved last."""
    saved = max((at for at, one in enumerate(history) if isinstance(one, DialogClosed) or saves(one)), default=-1)
    return [*history[: saved + 1]]


def _text_opened(put: Sequence[Instruction], history: Sequence[Instruction]) -> list[Instruction]:
    """Return what would type the text of the file that a goal has opened again, as it was saved last."""
    if TO_END not in put:
        return []
    typed = list[Instruction]()
    for at, line in enumerate(typed_at_end(_until_saved(history)).split("\n")):
        typed += [ENTER] if at else []
        typed += [Type(f"type {quoted_text(line)}", line)] if line else []
    return typed


def _look(before: Remaining, history: Sequence[Instruction]) -> list[Instruction]:
    """Return the look whether the text that is to be changed is still on the screen."""
    lines = [line for line in before.lines() if line.strip()]
    shown = " ".join(lines[-1].split()[:SHOWN_WORDS]) if lines else ""
    has_typed = any(isinstance(one, Type) for one in history)
    return [Check(LOOKED_FOR.format(shown), shown)] if shown and has_typed else []
