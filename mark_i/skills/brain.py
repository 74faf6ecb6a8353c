"""A brain that does a skill again, step by step, without a model: it refuses rather than guess."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from mark_i.brain import Prompt, Reply, Space
from mark_i.brains.offline.hearing import CHOICES, answer_of
from mark_i.brains.offline.stopped import DONE_CHOICES, INTERRUPTED, agrees, is_interrupted
from mark_i.control_words import control_word
from mark_i.skills.calls import is_resumed
from mark_i.skills.fitting import in_front, is_titled, missing
from mark_i.skills.order_words import in_words
from mark_i.skills.popups import closing_button
from mark_i.skills.skill import Skill, SkillStep, counted, filled
from world_model import Step, problem

NOT_FOUND: Final = frozenset({"TARGET_NOT_FOUND", "TARGET_AMBIGUOUS"})
NOT_BEGUN: Final = NOT_FOUND | {"STALE_TARGET", "OFF_SCREEN", "DENIED", "INVALID_ARGS", "UNKNOWN_TOOL"}
WAIT_S: Final = 1.0  # between two looks for what a step must bring about
WAITS_MAX: Final = 10  # of them; a slow program answers late
TRIES_MAX: Final = 3  # of a step whose target is not there yet; nothing is done twice
CLOSINGS_MAX: Final = 3  # of windows that only inform, before one step
# What a step of the run was for, in its note
DOES, PICTURED, WAITS, ASKS, CLOSES = "does", "pictured", "waits", "asks", "closes"
PREFIX: Final = "skill:"  # of the name of the brain, before that of the skill
REFUSES: Final = "refuses"
NOT_CHANGED: Final = 'You said "{text}". A skill is done as it is. Shall it go on?'


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a skill is: the number of the step that was carried out last, and the step of the run that did it."""

    number: int = 0
    newest: Step | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """Where a skill is left.

    Attributes:
        step: the number of the step that it cannot get past.
        acted: whether that was carried out, or may have been.
        left: what the steps mean that are still to be done.
    """

    step: int
    acted: bool
    left: tuple[str, ...]


class SkillBrain:
    """Replies with the steps of a skill, each once what it needs is there and the one before it had its effect.

    Where it is follows from the notes of the steps so far, so that a run of it can be resumed, and does nothing twice.

    Attributes:
        skill: with its placeholders.
        folder: of the skill, with its pictures.
        order: what the person ordered, with all its values.

    Args:
        skill: with its placeholders.
        values: of its parameters.
        folder: of the skill, with its pictures.
    """

    sight = 0
    space: Space = "pixels"
    follows_orders = True

    def __init__(self, skill: Skill, values: Mapping[str, str], folder: Path) -> None:
        self.name = f"{PREFIX}{skill.name}"
        self.goal, self.order = str(filled(skill.goal, values)), in_words(skill.name, values)
        told = skill.model_dump()
        self._steps = [SkillStep.model_validate(filled(one, values)) for one in told["steps"]]
        self._check = filled(told["check"], values)
        self.skill, self.folder = skill, folder

    def think(self, prompt: Prompt) -> Reply:
        """Return the next step, a wait for what the last one must bring about, a question, or the end."""
        prompt, past = replace(prompt, windows=cache(prompt.windows)), prompt.past()  # all is judged on one look
        if past and _purpose(past[-1])[0] == ASKS and not _goes_on(past):
            return _refusal(_progress(past).number, "The person did not say that it should go on.")
        if words := [word.text for word in prompt.said if word.index == len(past) + 1]:
            return _question(NOT_CHANGED.format(text=" ".join(words)), CHOICES)
        done = _progress(past)
        if done.newest is None:
            return self._next(prompt, done.number)
        if is_interrupted(done.newest):
            return _question(INTERRUPTED.format(self._steps[done.number - 1].does), DONE_CHOICES)
        return self._after(prompt, done.number, done.newest)

    def left_at(self, past: Sequence[Step], refusal: str) -> Left:
        """Return where the skill is left after the steps so far.

        Args:
            past: those steps.
            refusal: the note of the reply that refuses to go on; empty if it is left for another reason.
        """
        done = _progress(past)
        error = done.newest.observation.error if done.newest else None
        number = int(refusal.partition(" ")[2]) if refusal else done.number + (error is None)
        acted = number == done.number and done.newest is not None and (error is None or error.code not in NOT_BEGUN)
        return Left(number, acted, tuple(one.does for one in self._steps[number - (not acted) :]))

    def _after(self, prompt: Prompt, number: int, newest: Step) -> Reply:
        """Return what comes after a step: another way to do it, a wait for what it must bring about, or the next."""
        if not newest.observation.ok:
            return self._without_popup(prompt, number) or self._other_way(prompt.past(), number, newest)
        then, past = self._steps[number - 1].then, prompt.past()
        if _purpose(newest)[0] == PICTURED:  # a picture has no name
            then = then.model_copy(update={"on": ""})
        if faults := " ".join(missing(then, newest, prompt.windows(), prompt.read)):
            return self._without_popup(prompt, number) or _later(past, number) or _refusal(number, faults)
        return self._next(prompt, number)

    def _next(self, prompt: Prompt, number: int) -> Reply:
        """Return the step after so many, once the window that it needs is in front."""
        if number == len(self._steps):
            return self._end(prompt.past())
        step = self._steps[number]
        if why := " ".join(_unfit(step, prompt)):
            popup = self._without_popup(prompt, number)
            return popup or _later(prompt.past(), number) or _refusal(number + 1, why)
        told = f"Step {number + 1} of {len(self._steps)}: {step.does}."
        return _reply(told, step.tool, self._args(step), DOES, number + 1)

    def _without_popup(self, prompt: Prompt, number: int) -> Reply | None:
        """Close the window in front if it only informs, and belongs neither to the steps so far nor to the next one."""
        front, around = in_front(prompt.windows()), self._steps[max(0, number - 1) : number + 1]
        expected = [title for step in around for title in (step.window, step.then.opened) if title]
        if front is None or not expected or any(is_titled(front.title, title) for title in expected):
            return None
        button = closing_button(front, prompt.elements())
        closed = [step for step in prompt.past() if _purpose(step) == (CLOSES, number)]
        if button is None or len(closed) >= CLOSINGS_MAX:
            return None
        thought = f'The window "{front.title}" only informs, so I close it with "{button.text}".'
        at = button.region.center  # the window behind it may have a button of that name, too
        return _reply(thought, "click", {"target": {"x": at.x, "y": at.y}}, CLOSES, number)

    def _args(self, step: SkillStep) -> dict[str, Any]:
        """Return the arguments of a step, with the pictures where they are."""
        shown = self._pictures(step)
        return {
            name: shown[name] if value == {"image": step.pictures.get(name)} else value
            for name, value in step.args.items()
        }

    def _pictures(self, step: SkillStep) -> dict[str, Any]:
        """Return the targets of a step by what they look like."""
        return {name: {"image": str(self.folder / file)} for name, file in step.pictures.items()}

    def _other_way(self, past: Sequence[Step], number: int, newest: Step) -> Reply:
        """Look for what was not found by name by its picture, then for either a little later; refuse at last."""
        step, error = self._steps[number - 1], newest.observation.error
        failed = [one.observation.error for one in past if _purpose(one) == (DOES, number)]
        first, pictured = failed[-1] if failed else error, self._pictures(step)
        args = {**step.args, **pictured}
        tried = _purpose(newest)[0] == PICTURED or len(failed) > 1 or args == newest.action.args
        if error is not None and error.code in NOT_FOUND and pictured and not tried:
            return _reply(f"Step {number} again, by what its target looks like.", step.tool, args, PICTURED, number)
        if first is None or first.code != "TARGET_NOT_FOUND" or len(failed) >= TRIES_MAX:
            return _refusal(number, problem(first) if first else "It failed.")
        if _purpose(past[-1])[0] != WAITS:
            return _reply("It may still come.", "wait", {"seconds": WAIT_S}, WAITS, number)
        return _reply(f"Step {number} again.", step.tool, self._args(step), DOES, number)

    def _end(self, past: Sequence[Step]) -> Reply:
        indexes = {
            number: step.index
            for step in past
            for what, number in [_purpose(step)]
            if what in {DOES, PICTURED} and step.observation.ok
        }
        evidence = [piece for one in self._check if (piece := _piece(one, indexes))]
        told = f"Did the whole skill, {counted(len(self._steps))}."
        return _reply("All steps are done.", "finish", {"summary": told, "evidence": evidence, "kind": "deed"})


def _piece(shown: Mapping[str, Any], indexes: Mapping[int, int]) -> dict[str, Any]:
    """Return a piece of evidence with the number that a step has in this run; empty if only the person knows of it."""
    piece = {name: value for name in ("text", "file") if (value := shown.get(name)) is not None}
    return piece | ({"observation": indexes[shown["step"]]} if shown.get("step") in indexes else {})


def _unfit(step: SkillStep, prompt: Prompt) -> Iterator[str]:
    """Yield why a step cannot be done now: another window is in front than it needs."""
    front = in_front(prompt.windows())
    if step.window and front and not is_titled(front.title, step.window):
        yield f'The window "{front.title}" is in front, and it needs "{step.window}".'
    elif step.window and front is None and prompt.windows():
        yield f'No window is in front, and it needs "{step.window}".'


def is_of_skill(step: Step) -> bool:
    """Whether a step of a run was one of a skill."""
    return bool(_purpose(step)[0])


def number_of(step: Step) -> int:
    """Return the number of the step of a skill that a step of a run carried out; 0 if it was for something else."""
    what, number = _purpose(step)
    return number if what in {DOES, PICTURED} else 0


def _progress(past: Sequence[Step]) -> Progress:
    """Return how far a skill is after the steps so far."""
    done = Progress()
    for step in past:
        what, number = _purpose(step)
        if is_resumed(step):  # by a model, which has done what comes before
            done = Progress(int(step.action.args["step"]) - 1)
        elif what in {DOES, PICTURED}:
            done = Progress(number, step)
        elif what == CLOSES and done.newest and not done.newest.observation.ok:  # what it covered was not done
            done = Progress(done.number - 1)
        elif is_interrupted(step):  # its note was lost with it
            again = done.newest is not None and not done.newest.observation.ok
            done = Progress(done.number + (not again), step)
        elif what == ASKS and done.newest and is_interrupted(done.newest):
            was_done = agrees(answer_of(step) or "") is True
            seen = replace(done.newest.observation, ok=True, error=None, data=None)
            done = (
                Progress(done.number, replace(done.newest, observation=seen)) if was_done else Progress(done.number - 1)
            )
    return done


def _goes_on(past: Sequence[Step]) -> bool:
    """Whether the last answer lets a skill go on; a no does so only where the question was what had been done."""
    newest, answer = _progress(past[:-1]).newest, answer_of(past[-1]) or ""
    if newest is not None and is_interrupted(newest):
        return agrees(answer) is not None
    return agrees(answer) is True or control_word(answer) == "resume"


def _question(question: str, choices: tuple[str, ...]) -> Reply:
    return replace(_reply("I ask before I go on.", "ask_user", {"question": question}, ASKS), choices=choices)


def _purpose(step: Step) -> tuple[str, int]:
    """Return what a step of the run was for, and the number of the skill's step that it belongs to."""
    what, _, number = step.note.partition(" ")
    return (what, int(number)) if what in {DOES, PICTURED, WAITS, ASKS, CLOSES} and number.isdecimal() else ("", 0)


def _later(past: Sequence[Step], number: int) -> Reply | None:
    """Return a wait, unless there were enough of them since the last step."""
    waits = 0
    for step in reversed(past):
        if _purpose(step)[0] != WAITS:
            break
        waits += 1
    if waits >= WAITS_MAX:
        return None
    return _reply("It may still come.", "wait", {"seconds": WAIT_S}, WAITS, number)


def _refusal(number: int, why: str) -> Reply:
    return _reply("This does not fit.", "fail", {"reason": f"Step {number} of the skill: {why}"}, REFUSES, number)


def _reply(thought: str, tool: str, args: Mapping[str, Any], what: str = "", number: int = 0) -> Reply:
    said: dict[str, Any] = {"thought": thought, "action": {"tool": tool, "args": dict(args)}}
    return Reply(json.dumps(said | ({"note": f"{what} {number}"} if what else {}), ensure_ascii=False))
