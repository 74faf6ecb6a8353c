"""An action in which a run was stopped: what came of it is seen in the field, or else asked, and never guessed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mark_i.brain import Prompt
from mark_i.brains.offline.acting import call_for
from mark_i.brains.offline.corrections import typed_at_end
from mark_i.brains.offline.instructions import Instruction, Press, Type
from mark_i.brains.offline.seen import CAME, LOOKED, focused_value, is_dismissed
from mark_i.brains.offline.turn import Turn, fail
from world_model import Step

INTERRUPTED: Final = 'The run was stopped in the middle of this: {}. Was it done? Say "yes" or "no".'
HOW_MUCH: Final = (
    'The run was stopped while it typed "{}". How much of that is there now? Say "all", "nothing", or the letters that '
    'are there, such as "{}".'
)
UNCLEAR: Final = 'I do not understand "{}" here. '
NOT_KNOWN: Final = "I do not know how much was done before the run was stopped: {}. So nothing more was done."
DONE_CHOICES: Final = ("Yes", "No", "Stop")
MUCH_CHOICES: Final = ("All", "Nothing", "Stop")
NOTHING_LEFT_S: Final = 0.01
_SELECTS_ALL: Final = frozenset({"ctrl+a", "shift+home"})
_YES: Final = re.compile(r"\W*(?:y(?:es|eah|ep)|done|it was|all(?: of it)?|everything|completely)\W*", re.IGNORECASE)
_NO: Final = re.compile(r"\W*(?:no(?:pe|ne|thing)?|not(?: \w+)?|again)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Came:
    """What may have come of an instruction: the text before the caret, what of it is done, and what is left."""

    text: str
    done: Instruction | None
    left: Instruction | None


@dataclass(frozen=True, slots=True)
class Stopped:
    """What a run was to do that ended in the middle.

    Attributes:
        every: all of it, in order.
        done: how many of these are carried out.
        is_begun: whether the next was begun, and nobody knows what came of it.
        has_failed: whether no person stopped it, but it could not do the next.
        words: what the person said meanwhile that changed it, each with all that there was to do before.
    """

    every: tuple[Instruction, ...]
    done: int
    is_begun: bool = False
    has_failed: bool = False
    words: tuple[tuple[str, tuple[Instruction, ...]], ...] = ()

    def settled(self, before: Sequence[Instruction], steps: Sequence[Step]) -> "Stopped":
        """Return it with what came of the instruction that was begun, if the steps since tell that.

        Args:
            before: what the runs before it have done.
            steps: those since.
        """
        came = came_of([*before, *self.every[: self.done]], self.every[self.done], steps) if self.is_begun else None
        if came is None:
            return self
        put = [one for one in (came.done, came.left) if one is not None]
        every = (*self.every[: self.done], *put, *self.every[self.done + 1 :])
        return replace(self, every=every, done=self.done + (came.done is not None), is_begun=False)


def agrees(answer: str) -> bool | None:
    """Return whether an answer is a yes; None if it is neither that nor a no."""
    return True if _YES.fullmatch(answer) else False if _NO.fullmatch(answer) else None


def is_interrupted(step: Step) -> bool:
    """Return whether a run ended within a step, so that nobody knows whether it was carried out."""
    data = step.observation.data
    return not step.observation.ok and isinstance(data, Mapping) and bool(data.get("interrupted"))


def field_of(step: Step) -> str | None:
    """Return what the focused field held when a step looked, to the letter; None if that is unknown."""
    return focused_value(step.observation.data) if step.note == LOOKED else None


def stands_in_field(done: Sequence[Instruction], steps: Sequence[Step]) -> bool:
    """Return whether one of some steps saw all lines that were typed in one field."""
    typed = typed_at_end(done)
    return bool(typed.strip()) and any((field_of(step) or "").endswith(typed) for step in steps)


def came_of(done: Sequence[Instruction], one: Instruction, steps: Sequence[Step]) -> Came | None:
    """Return what came of an instruction that was begun, from the looks and the answers since; None if that is unknown.

    Args:
        done: what was done before it.
        one: the instruction.
        steps: those since.
    """
    given = [step for step in steps if step.note in {CAME, LOOKED} and step.observation.ok]
    found = (_answered(done, one, step) if step.note == CAME else _seen(done, one, step) for step in given)
    return next(filter(None, found), None)


def ask_what_came(done: Sequence[Instruction], one: Instruction, since: Sequence[Step]) -> Turn:
    """Return the look, or the question, that tells what came of an instruction that was begun."""
    asked = next((step for step in reversed(since) if step.note == CAME), None)
    if asked and (not asked.observation.ok or is_dismissed(asked)):
        return fail(NOT_KNOWN.format(one.text))
    if _cases(done, one) and not any(step.note == LOOKED for step in since):
        return Turn("I look how much of that was done.", "marks", {}, LOOKED)
    unclear = UNCLEAR.format(_answer(asked)) if asked else ""
    if isinstance(one, Type) and isinstance(one.content, str) and len(one.content) > 1:
        question, choices = HOW_MUCH.format(one.content, one.content[: -(-len(one.content) // 2)]), MUCH_CHOICES
    else:
        question, choices = INTERRUPTED.format(one.text), DONE_CHOICES
    return Turn("I do not know whether that was done.", "ask_user", {"question": unclear + question}, CAME, choices)


def after_stop(prompt: Prompt, done: Sequence[Instruction], one: Instruction) -> Turn | None:
    """Return what is done next if the run was stopped in that; None if it was not, or nothing came of it.

    Args:
        prompt: what happened so far.
        done: what was done before, also by the runs that this one follows on.
        one: the instruction.
    """
    past = prompt.past()
    first = next((at for at in reversed(range(len(past))) if past[at].note not in {CAME, LOOKED}), None)
    if first is None or not is_interrupted(past[first]):
        return None
    came = came_of(done, one, past[first + 1 :])
    if came is None:
        return ask_what_came(done, one, past[first + 1 :])
    if came.left is None:
        return Turn("That was done before the run was stopped.", "wait", {"seconds": NOTHING_LEFT_S})
    if came.left == one:
        return None
    call = call_for(came.left, ())
    return Turn(f"Some of that was done before the run was stopped: {one.text}.", *call) if call else None


def _seen(done: Sequence[Instruction], one: Instruction, step: Step) -> Came | None:
    """Return the only case that what the focused field holds allows."""
    held = field_of(step)
    if held is None:
        return None
    cases = _cases(done, one)
    same = [case for case in cases if case.text == held]
    if not same and typed_at_end(done).strip():  # behind what stood there before
        same = [case for case in cases if held.endswith(case.text)]
    return same[0] if len(same) == 1 else None


def _answered(done: Sequence[Instruction], one: Instruction, step: Step) -> Came | None:
    said, is_all = _answer(step), agrees(_answer(step))
    if is_all is not None:
        return Came("", one, None) if is_all else Came("", None, one)
    letters = re.sub(r"\A[\"'\u201c](.*)[\"'\u201d]\Z", r"\1", said)
    found = [case for case in _cases(done, one) if isinstance(case.done, Type) and case.done.content == letters]
    return found[0] if len(found) == 1 else None


def _cases(done: Sequence[Instruction], one: Instruction) -> list[Came]:
    """Return all that may have come of an instruction that types, or takes back; nothing for any other."""
    own = getattr(one, "into", None) is not None or any(
        isinstance(last, Press) and last.keys in _SELECTS_ALL for last in done[-1:]
    )
    typed = "" if own else typed_at_end(done)
    match one:
        case Type(content=str(content), enter=enter):
            return _typed(one, typed, content, enter=enter)
        case Press(keys="enter", times=1):
            return [Came(typed, None, one), Came(f"{typed}\n", one, None)]
        case Press(keys="backspace", times=times, takes_back=True):
            counts = range(min(times, len(typed)) + 1)
            return [
                Came(
                    typed[: len(typed) - count],
                    replace(one, times=count) if count else None,
                    replace(one, times=times - count) if count < times else None,
                )
                for count in counts
            ]
    return []


def _typed(one: Type, typed: str, content: str, *, enter: bool) -> list[Came]:
    found = [Came(typed, None, one)]
    for count in range(1, len(content)):
        begun = replace(one, content=content[:count], enter=False)
        found.append(Came(typed + content[:count], begun, replace(one, content=content[count:], into=None)))
    left = Press(one.text, "enter") if enter else None
    found.append(Came(typed + content, replace(one, enter=False), left))
    return [*found, Came(f"{typed}{content}\n", one, None)] if enter else found


def _answer(asked: Step) -> str:
    data = asked.observation.data
    return str(data.get("answer", "")).strip() if isinstance(data, Mapping) else ""
