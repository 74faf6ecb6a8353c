"""Compile a run into a skill: what each step meant, what it must bring about, and which values may be others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from textwrap import shorten
from typing import Any, Final

from mark_i.catalog import builtin_tool
from mark_i.runs.store import by_version
from mark_i.skills.anchors import Anchored, anchored
from mark_i.skills.brain import is_of_skill
from mark_i.skills.essence import Dropped, essential, needless
from mark_i.skills.fitting import CHANGES, READ_ALIKE_MIN, is_alike
from mark_i.skills.parameters import parameters_of, require_apart, with_parameters
from mark_i.skills.skill import Effect, Origin, Parameter, Shown, Skill, SkillStep
from mark_i.wording import action_sentence
from toolbelt.ocr import plain
from toolbelt.parameters import Enters, Typed
from toolbelt.perception import CARET_MAX_PX
from world_model import Pixels, Run, ScreenChange, Step, UsageError, read_run

GOOD_ENDS: Final = frozenset({"done", "done_unverified"})
ENTRIES: Final = frozenset({"option", "radio"})  # of which another one may be chosen next time
SEEN_MAX: Final = 3  # texts that a step made appear, to be seen again
SEEN_CHARS: Final = range(3, 60)  # of each; shorter ones are often misread, and longer ones are content
DESCRIPTION_CHARS: Final = 120


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a run makes.

    Attributes:
        plain: the skill with the values of the run.
        proposed: the values that may be others next time.
        pictures: those of the steps, by their file names.
        dropped: the steps of the run that are left out.
    """

    plain: Skill
    proposed: tuple[Parameter, ...]
    pictures: Mapping[str, Pixels]
    dropped: tuple[Dropped, ...]

    @property
    def skill(self) -> Skill:
        """The skill with the parameters that are proposed."""
        return self.named(self.plain.name, self.proposed)

    def named(self, name: str, parameters: Sequence[Parameter]) -> Skill:
        """Return the skill under a name, with these parameters.

        Raises:
            UsageError: two parameters have one name, or a text of the run has it in braces.
        """
        require_apart(parameters, self.plain)
        skill = with_parameters(self.plain, parameters)
        description = shorten(skill.goal, DESCRIPTION_CHARS, placeholder=" ...")
        return skill.model_copy(update={"name": name, "description": description})


def makes_skill(run: Run) -> bool:
    """Whether a run may make a skill: it reached its goal, and did something on a desktop that no skill did."""
    acted = any(needless(step) is None and not (_ends(step) or is_of_skill(step)) for step in run.steps)
    return outcome_of(run) in GOOD_ENDS and run.about.get("desktop") is not None and acted


def _ends(step: Step) -> bool:
    tool = builtin_tool(step.action.tool)
    return tool is not None and tool.ending


def outcome_of(run: Run) -> str | None:
    """Return how a run ended; None if it was killed."""
    outcome = run.about.get("outcome")
    ended = outcome.get("outcome") if isinstance(outcome, Mapping) else None
    return ended if isinstance(ended, str) else None


def compiled(folder: Path, name: str) -> Compiled:
    """Compile the run in a folder.

    Raises:
        JournalError: the run cannot be read.
        UsageError: it did not reach its goal, has no desktop, or a step of it cannot be described.
    """
    run = good_run(folder)
    about, outcome = run.about, run.about.get("outcome")
    steps, dropped = essential(run.steps, folder)
    if not steps:
        raise UsageError(f"The run {folder.name} did nothing on the desktop, so there is nothing to do again.")
    goal = str(outcome.get("goal") or about.get("goal", "")) if isinstance(outcome, Mapping) else ""
    made, pictures = described(run, steps)
    skill = Skill(
        name=name,
        goal=goal,
        made_from=Origin(run=folder.name, made=datetime.now().astimezone().date(), screen=_screen(run)),
        steps=made,
        check=tuple(_shown(outcome, [step.index for step in steps])),
    )
    clicked = {place.name for step in steps for place in step.observation.places if place.role in ENTRIES}
    return Compiled(skill, parameters_of(skill, clicked - {""}), pictures, dropped)


def good_run(folder: Path) -> Run:
    """Return the run in a folder.

    Raises:
        JournalError: it cannot be read.
        UsageError: it did not reach its goal, or has no desktop.
    """
    with by_version(folder):
        run = read_run(folder, images=False)
    if (ended := outcome_of(run)) not in GOOD_ENDS:
        raise UsageError(f"The run {folder.name} did not reach its goal ({ended or 'killed'}), so it makes no skill.")
    if run.about.get("desktop") is None:
        raise UsageError(f"The run {folder.name} had no desktop, so there is nothing to do again.")
    return run


def described(run: Run, steps: Sequence[Step], first: int = 1) -> tuple[tuple[SkillStep, ...], Mapping[str, Pixels]]:
    """Return steps of a run as those of a skill, numbered from `first` on, and their pictures by file name.

    Raises:
        UsageError: the screen of the run does not tell a target of a step from others.
    """
    fronts = _fronts(run)
    made: list[SkillStep] = []
    pictures: dict[str, Pixels] = {}
    for number, step in enumerate(steps, first):
        done = anchored(step, number, run.folder)
        pictures.update(done.pictures)
        made.append(_step(step, done, fronts[step.index]))
    return tuple(made), pictures


def _step(step: Step, done: Anchored, front: str) -> SkillStep:
    change = step.observation.screen
    return SkillStep(
        does=action_sentence(step.action.tool, done.args),
        tool=step.action.tool,
        args=done.args,
        window=front,
        pictures=done.files,
        then=_effect(step, change, on=_on(step, done)) if change else Effect(changed=False),
    )


def _is_compared(step: Step) -> bool:
    """Whether a step only typed: the loop itself compares what is shown with what was typed."""
    tool = builtin_tool(step.action.tool)
    roles = (
        [role for role, value in tool.parts(step.action.args) if role is Typed or (role is Enters and value)]
        if tool
        else []
    )
    return roles == [Typed]


def _on(step: Step, done: Anchored) -> str:
    """Return what the tool said that it acted on; empty where it had only a point or a picture."""
    places = step.observation.places
    pictured = any(isinstance(value, Mapping) and "image" in value for value in done.args.values())
    return places[0].name if len(places) == 1 and not pictured else ""


def _effect(step: Step, change: ScreenChange, *, on: str) -> Effect:
    return Effect(
        changed=is_repeatable(change),
        opened=change.opened[0] if change.opened else "",
        closed=change.closed[0] if change.closed else "",
        seen=() if _is_compared(step) or not change.settled else tuple(_steady(change)),
        state=change.became,
        on=on,
        merged=bool(change.instead),
    )


def is_repeatable(change: ScreenChange) -> bool:
    """Whether a step changed something that it must change each time."""
    by_caret = change.changed and all(one.width <= CARET_MAX_PX.width for one in change.regions)  # which blinks, too
    return change.effect and not change.unseen and not by_caret


def _steady(change: ScreenChange) -> Iterator[str]:
    """Yield the texts that appeared and may be expected again; numbers such as times and counts may be others."""
    if change.became:  # what the program says of its control is worth more than what is read around it
        return
    titles = {plain(title) for title in (*change.opened, change.front, change.retitled)}
    texts = [text for text in change.appeared if _is_steady(text) and plain(text) not in titles]
    yield from [text for text in texts if not any(_is_same(text, old) for old in change.vanished)][:SEEN_MAX]


def _is_steady(text: str) -> bool:
    return len(text) in SEEN_CHARS and any(map(str.isalpha, text)) and not any(map(str.isdigit, text))


def _is_same(text: str, old: str) -> bool:
    """Whether a text was there before, and is only read with more or less around it, or with another letter."""
    one, other = (plain(CHANGES.sub("", read)) for read in (text, old))
    return bool(other) and (one in other or other in one or is_alike(one, other, READ_ALIKE_MIN))


def _fronts(run: Run) -> dict[int, str]:
    """Return the title of the window in front before each step, as far as the steps say it."""
    fronts, title = {}, ""
    for step in run.steps:
        change = step.observation.screen
        fronts[step.index] = (change.was_in_front if change else "") or title
        if change:
            title = change.front or change.retitled or ("" if change.closed else title)
    return fronts


def _screen(run: Run) -> str:
    settings = run.about.get("settings")
    return str(settings.get("virtual") or "") if isinstance(settings, Mapping) else ""


def _shown(outcome: Any, indexes: list[int]) -> Iterator[Shown]:  # noqa: ANN401 - from a journal
    """Yield what proved the end of the run, in terms of the steps that are left."""
    for piece in outcome.get("evidence") or ():
        if not (isinstance(piece, Mapping) and piece.get("confirmed")):
            continue
        step = piece.get("observation")
        text, file = (value if isinstance(value := piece.get(key), str) else None for key in ("text", "file"))
        if step is not None and step not in indexes:
            continue
        if step is not None or text or file:
            yield Shown(step=indexes.index(step) + 1 if step is not None else None, text=text, file=file)
