"""A repair: what a model did where a skill did not fit, in the place of the steps that were not done again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mark_i.brains.offline.stopped import is_interrupted
from mark_i.skills.brain import number_of
from mark_i.skills.calls import END, RESUME, is_left, is_resumed
from mark_i.skills.compiling import described, good_run, outcome_of
from mark_i.skills.essence import essential
from mark_i.skills.parameters import require_apart, with_parameters
from mark_i.skills.skill import PLACEHOLDER, Effect, Shown, Skill, SkillStep
from world_model import Pixels, Run, Step, UsageError

NUMBERED: Final = re.compile(r"step-(\d+)-")
UNVERIFIED: Final = "The run is not verified, so what the model did may be wrong."
SPOKEN: Final = "You said something to the run, which is no part of a skill."
INTERRUPTED: Final = "The run was interrupted within a step, and nobody knows what came of that."
CORRECTED: Final = "A text that the skill had typed was corrected, so what it must type is not known."
UNUSED: Final = "What the model did does not use the value of {name}."
TWINS: Final = "{names} had the same value in this run, so which of them the model meant is not known."


@dataclass(frozen=True, slots=True)
class Change:
    """What a repair changes: what the steps meant that it replaces, from a number on, and what those mean now."""

    step: int
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """A proposal: the repaired skill, with the pictures of its new steps by file name, and what is changed."""

    skill: Skill
    pictures: Mapping[str, Pixels]
    changes: tuple[Change, ...]


@dataclass(slots=True, eq=False)
class _Gap:
    """A part of a run that a model did: from the step at which the skill was left to that with which it went on.

    Attributes:
        first: the number of the step at which it was left.
        after: the number of the step with which it went on, or one more than it has.
        indexes: of the steps of the run.
        acted: the first of them, if that is of the skill; it had not the effect that it must have.
    """

    first: int
    after: int
    indexes: list[int] = field(default_factory=list)
    acted: int | None = None


def was_left(run: Run, name: str) -> bool:
    """Whether a model had to go on where the skill of a run did not fit."""
    return any(is_left(step) and step.action.args["skill"] == name for step in run.steps)


def repaired(skill: Skill, values: Mapping[str, str], folder: Path, taken: Path) -> Repair | None:
    """Return what a run makes of the skill that it did; None if the skill is as it should be.

    Steps that were done again stay word for word, and so do names, parameters and texts in its check. The last new
    step of each part must bring about what the old one did.

    Args:
        skill: as it was done.
        values: of its parameters in the run.
        folder: of the run.
        taken: the folder of the skill, with its pictures.

    Raises:
        JournalError: the run cannot be read.
        UsageError: it did not reach its goal, that is not verified, or what is to be done another time is not known.
    """
    run = good_run(folder)
    if outcome_of(run) != "done":
        raise UsageError(UNVERIFIED)
    if run.words:
        raise UsageError(SPOKEN)
    if any(map(is_interrupted, run.steps)):
        raise UsageError(INTERRUPTED)
    again, gaps = _parts(run, skill)
    parts = _essential(run, again, gaps)
    new = [step for step, gap in parts if gap]
    made, pictures = described(run, new, _free_number(taken))
    named = dict(zip((step.index for step in new), _named(made, skill, values), strict=True))
    steps = [named[step.index] if gap else skill.steps[again[step.index] - 1] for step, gap in parts]
    where = {again[step.index]: at for at, (step, gap) in enumerate(parts, 1) if not gap}
    ends = {gap: at for at, (_, gap) in enumerate(parts, 1) if gap}
    changes = []
    for gap in gaps:  # the steps before its end that were not done again are those in whose place it is
        missing = [one for one in range(1, gap.after) if one not in where]
        now = tuple(named[step.index].does for step, of in parts if of is gap)
        if missing or now:
            was = tuple(skill.steps[one - 1].does for one in missing)
            changes.append(Change(missing[0] if missing else gap.first, was, now))
        if missing and now:
            steps[ends[gap] - 1] = _as_before(steps[ends[gap] - 1], skill.steps[missing[-1] - 1].then)
        where |= dict.fromkeys(missing, ends.get(gap, 0))
    if not changes or not steps:
        return None
    _require_values(skill, steps)
    origin = skill.made_from.model_copy(update={"run": run.folder.name, "made": datetime.now().astimezone().date()})
    told = {"steps": tuple(steps), "check": tuple(_shown(skill, where)), "made_from": origin}
    return Repair(skill.model_copy(update={**told, "state": "draft", "why": ""}), pictures, tuple(changes))


def _parts(run: Run, skill: Skill) -> tuple[dict[int, int], list[_Gap]]:
    """Return which steps of a run did which step of the skill again, and the parts that a model did."""
    again: dict[int, int] = {}
    gaps: list[_Gap] = []
    away, moved = False, True  # whether a model goes on, and whether the skill has since it went on last
    for step in run.steps:
        args = step.action.args
        if step.action.tool in {END, RESUME} and args.get("skill") != skill.name:
            continue  # of another skill that the model called
        if step.action.tool == END:
            if moved:
                gaps.append(_gap(args if is_left(step) else {}, again, len(skill.steps)))
            away, moved, gaps[-1].after = True, False, len(skill.steps) + 1  # a model that went on in vain goes on
        elif is_resumed(step):
            away, gaps[-1].after = False, int(args["step"])
        elif away:
            gaps[-1].indexes.append(step.index)
        elif (number := number_of(step)) and step.observation.ok:
            again[step.index], moved = number, True
    return again, gaps


def _gap(left: Mapping[str, Any], again: Mapping[int, int], steps: int) -> _Gap:
    """Return the part of a run that begins where a skill was left; after its last step if it was not."""
    first = left.get("step", steps + 1)
    acted = next((index for index, number in again.items() if number == first), None)
    return _Gap(first, steps + 1, [acted] if acted else [], acted)


def _essential(run: Run, again: dict[int, int], gaps: Sequence[_Gap]) -> list[tuple[Step, _Gap | None]]:
    """Return the steps that must be done again, each with the part that a model did if it is of one.

    A step of the skill is new if it had not the effect that it must have, unless nothing more was done about that.

    Raises:
        UsageError: a text that the skill had typed is another one.
    """
    steps, _ = essential(run.steps, run.folder)
    left, done = {step.index for step in steps}, {step.index: step.action for step in run.steps}
    if any(step.index in again and step.action != done[step.index] for step in steps):
        raise UsageError(CORRECTED)
    of: dict[int, _Gap] = {}
    for gap in gaps:
        indexes = [index for index in gap.indexes if index in left]
        if indexes != [gap.acted]:
            of |= dict.fromkeys(indexes, gap)
            again.pop(gap.acted or 0, None)
    return [(step, of.get(step.index)) for step in steps if step.index in of or step.index in again]


def _named(made: Sequence[SkillStep], skill: Skill, values: Mapping[str, str]) -> tuple[SkillStep, ...]:
    """Return new steps with the parameters of the skill in the place of their values.

    Raises:
        UsageError: two parameters had the same value, or a text of the steps has a parameter in braces already.
    """
    if not made:
        return ()
    plain = Skill(name=skill.name, goal=skill.name, steps=tuple(made))
    parameters = [one.model_copy(update={"example": values[one.name]}) for one in skill.parameters]
    parameters = [one for one in parameters if one.example.strip()]
    require_apart(parameters, plain)
    for one in parameters:
        twins = [other.name for other in parameters if other.example == one.example]
        if len(twins) > 1 and with_parameters(plain, [one]).steps != plain.steps:
            raise UsageError(TWINS.format(names=" and ".join(twins)))
    return with_parameters(plain, parameters).steps


def _as_before(step: SkillStep, old: Effect) -> SkillStep:
    """Return a step that must bring about what the one in whose place it is did; its control may have another name."""
    then = step.then
    state = (*then.state[:-1], *old.state[-1:]) if then.state and old.state else then.state or old.state
    texts = {name: getattr(old, name) or getattr(then, name) for name in ("opened", "closed", "seen")}
    return step.model_copy(update={"then": then.model_copy(update={**texts, "state": state})})


def _require_values(skill: Skill, steps: Sequence[SkillStep]) -> None:
    """Check that each value that the skill used is still used: a model may have put a value there in another way.

    Raises:
        UsageError: one is not.
    """
    before, now = (_used(one) for one in (skill.steps, steps))
    for name in sorted(before - now):
        raise UsageError(UNUSED.format(name=name))


def _used(steps: Sequence[SkillStep]) -> set[str]:
    return {match[1] for step in steps for match in PLACEHOLDER.finditer(str(step.args))}


def _shown(skill: Skill, where: Mapping[int, int]) -> Iterator[Shown]:
    """Yield what shows at the end that it was done, with the new numbers of the steps."""
    for piece in skill.check:
        if piece.step is None:
            yield piece
        elif at := where.get(piece.step):
            yield piece.model_copy(update={"step": at})


def _free_number(folder: Path) -> int:
    """Return the number of a step from which on no picture in a folder has a name with it."""
    numbers = [int(found[1]) for file in folder.iterdir() if (found := NUMBERED.match(file.name))]
    return max(numbers, default=0) + 1
