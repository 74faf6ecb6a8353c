"""What the runs before this one have done: whole goals, and those that ended in the middle."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from mark_i.brain import PastRun, Prompt
from mark_i.brains.offline.corrections import (
    Remaining,
    is_text,
    saved_before_closing,
    saved_in_passing,
    says_nothing,
    takes_back,
)
from mark_i.brains.offline.dialogs import told_to_save
from mark_i.brains.offline.following import Past, done_before, is_change, is_plain, read_goal
from mark_i.brains.offline.hearing import Heard, file_said, hear, with_goal_said
from mark_i.brains.offline.instructions import Instruction, NotUnderstood, Talk
from mark_i.brains.offline.progress import begun
from mark_i.brains.offline.resuming import resumed
from mark_i.brains.offline.seen import ASKED_ANEW, CAME, LOOKED
from mark_i.brains.offline.stopped import Stopped, ask_what_came, stands_in_field
from mark_i.brains.offline.turn import Turn
from world_model import Halt, Step, cut

INCOMPLETE: Final = "The text is incomplete."
CHANGE_BEGUN: Final = "A change was begun and not finished, so the text is incomplete."
HOW_TO_FINISH: Final = 'Still to do: {}. To finish it, say "go on".'
LEFT_MAX_CHARS: Final = 200  # of what is still to do
_AT_FIRST: Final = frozenset({ASKED_ANEW, CAME, LOOKED})  # the notes of steps before a follow-up does anything


def known(goals: Sequence[str | PastRun]) -> tuple[Past, ...]:
    """Return what goals have done, oldest first; what came before one of which that is unknown is unknown, too."""
    found = list[Past]()
    for at, one in enumerate(goals):
        if isinstance(one, PastRun) and _is_unchanged(one):
            if found and not _is_begun(found[-1]):
                found.append(Stopped((), 0))
            continue
        past = one if isinstance(one, str) else _goal_alone(one) or _stopped(one, found)
        is_last = all(isinstance(later, PastRun) and _is_unchanged(later) for later in goals[at + 1 :])
        if past is None or (_is_begun(past) and not is_last):
            found.clear()
        else:
            found.append(past)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Given:
    """What a goal says after what was done before.

    Attributes:
        instructions: what there is to do, and what is not understood.
        before: what was done before, as far as it is known.
        is_document: whether all lines that were typed before are known to stand in one field.
    """

    instructions: Sequence[Instruction | NotUnderstood]
    before: tuple[Past, ...]
    is_document: bool

    @property
    def is_understood(self) -> bool:
        """Whether there is something to do, and all of it is understood."""
        return is_understood(self.instructions)

    @property
    def says_nothing(self) -> bool:
        """Whether all of it only says that all is well."""
        given = self.instructions
        return bool(given) and all(
            isinstance(one, NotUnderstood) and says_nothing(one.text, at_end=True) for one in given
        )


def left_undone(run: PastRun, before: Sequence[Past]) -> str:
    """Return what a person is told of a text that a run has changed, or typed, in part; empty if there is none."""
    stopped = _stopped(run, before)
    if stopped is None:
        return ""
    saving, begun_to = saved_in_passing(stopped.every), stopped.done + stopped.is_begun
    edits = [one.text not in saving and (is_text(one) or takes_back(one)) for one in stopped.every]
    if not any(edits[:begun_to]) or not any(edits[stopped.done :]):
        return ""
    changed = any(map(takes_back, stopped.every))
    left = [one.text for one, is_edit in zip(stopped.every, edits, strict=True) if is_edit][
        sum(edits[: stopped.done]) :
    ]
    told = HOW_TO_FINISH.format(cut("; ".join(dict.fromkeys(left)), LEFT_MAX_CHARS))
    return f"{CHANGE_BEGUN if changed else INCOMPLETE} {told}"


def given_by(prompt: Prompt, before: Sequence[Past]) -> Given | Turn:
    """Return what the goal of a prompt says; or the look, or the question, that must come first."""
    settled = _settled(before, prompt)
    if isinstance(settled, Turn):
        return settled
    is_document = stands_in_field(done_before(settled, is_document=True), [*takewhile(_is_at_first, prompt.past())])
    instructions = read_goal(prompt.goal, settled, is_document=is_document)
    whole = read_goal(prompt.goal, settled, is_document=True)
    may_look = all(step.note != LOOKED for step in prompt.past())
    if may_look and whole != instructions and is_understood(whole):
        return Turn("I look whether all the lines are still there.", "marks", {}, LOOKED)
    return Given(instructions, settled, is_document)


def _settled(before: Sequence[Past], prompt: Prompt) -> tuple[Past, ...] | Turn:
    """Return what was done before, with what came of the action in which the newest run was stopped.

    If that is unknown, and the goal of the prompt needs it, it is what tells it: a look at the field, or a question.
    """
    newest = before[-1] if before else None
    if not isinstance(newest, Stopped) or not newest.is_begun:
        return tuple(before)
    earlier = done_before(before[:-1])
    since = [*takewhile(_is_at_first, prompt.past())]
    newest = newest.settled(earlier, since)
    if newest.is_begun and not is_plain(prompt.goal):
        return ask_what_came([*earlier, *newest.every[: newest.done]], newest.every[newest.done], since)
    return (*before[:-1], newest)


def is_understood(instructions: Sequence[Instruction | NotUnderstood]) -> bool:
    """Return whether there are instructions, and all are understood."""
    return bool(instructions) and not any(isinstance(one, NotUnderstood) for one in instructions)


def heard_of(prompt: Prompt, given: Given) -> tuple[Heard, Sequence[Instruction]]:
    """Return what there is to do after all that the person said, and what was ordered at first."""
    understood = [one for one in given.instructions if not isinstance(one, NotUnderstood)]
    talk = [one for one in understood if isinstance(one, Talk)]
    ordered: list[Instruction] = [one for one in understood if not isinstance(one, Talk)]
    changes = any(map(takes_back, ordered)) or resumed(prompt.goal) is None
    earlier = None
    if given.before and changes and is_change(prompt.goal, given.instructions):
        earlier = done_before(given.before, is_document=given.is_document)
    return hear(Remaining(ordered, 0, talk, earlier=earlier), prompt), ordered


def _is_at_first(step: Step) -> bool:
    return step.note in _AT_FIRST


def _goal_alone(run: PastRun) -> str:
    """Return the goal of a run if that, as the person said it last, tells all that was done; else nothing."""
    told = any(map(file_said, run.steps)) or told_to_save(run.steps)
    return "" if not run.is_done or run.said or told else with_goal_said(_prompt_of(run, run.steps)).goal


def _is_begun(past: Past) -> bool:
    return isinstance(past, Stopped) and past.is_begun


def _is_unchanged(run: PastRun) -> bool:
    """Return whether a run is known to have changed nothing."""
    return not (run.is_done or run.in_flight or run.steps or run.said)


def _prompt_of(run: PastRun, steps: tuple[Step, ...]) -> Prompt:
    return Prompt("", run.goal, "", past=lambda: steps, said=run.said)


def _stopped(run: PastRun, before: Sequence[Past]) -> Stopped | None:
    """Return what a run has done; None if that is unknown."""
    steps = run.steps
    while True:
        try:
            prompt = with_goal_said(_prompt_of(run, steps))
            given = given_by(prompt, before)
            if isinstance(given, Turn) or not given.is_understood:
                return None
            heard = heard_of(prompt, given)[0]
            remaining = heard.remaining
            break
        except Halt:  # the last answer was to stop
            steps = steps[:-1]
    done = len(remaining.every) if run.is_done else begun(remaining.every, steps)
    is_saved = told_to_save(steps) and not any(map(file_said, steps))
    carried_out = saved_before_closing(remaining.every[:done], answered=is_saved)
    every, done = (*carried_out, *remaining.every[done:]), len(carried_out)
    is_begun = run.in_flight is not None and done < len(every)
    looked = takewhile(lambda step: step.note in {CAME, LOOKED}, reversed(steps))
    has_failed = any(step.action.tool == "fail" for step in steps[-1:])
    return Stopped(every, done, is_begun, has_failed, heard.words).settled(done_before(before), [*looked, *run.since])
