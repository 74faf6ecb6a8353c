"""Regression check: does today's code make the same decisions from the replies and screens of a past run?

It touches no desktop, file or network: the screens are the images of the journal, and only the tools that act at a
place on them are called. The results of all others are taken from the journal. In the run of a workflow, what a model
said beside its decisions is skipped like a reply that cannot be parsed.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from PIL import Image

from mark_i.agent import AgentCore
from mark_i.brains.replay import ReplayBrain
from mark_i.budget import Budget
from mark_i.events import Event, Outcome
from mark_i.guard.policy import OPEN
from mark_i.guard.risk import Guard
from mark_i.guard.secrets import Secrets
from mark_i.loop.parts import Limits, Oversight, Turn
from mark_i.runs.store import by_version
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import FakeDesktop, Input
from toolbelt.parameters import Aimed
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import Tool
from world_model import Frame, MarkIError, ModelError, Point, Run, Step, call, parts_of, problem, read_frame, read_run

NOT_FOUND: Final = frozenset({"TARGET_NOT_FOUND", "TARGET_AMBIGUOUS"})


@dataclass(frozen=True, slots=True)
class Change:
    """A step that comes out differently today: the `decision` itself, or the `place` that it uses."""

    step: int
    what: Literal["decision", "place"]
    then: str
    today: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check.

    Attributes:
        steps: how many steps were checked.
        unseen: the steps that were not, because their image is missing.
    """

    steps: int
    unseen: tuple[int, ...]
    changes: tuple[Change, ...]


def recheck(folder: Path, secrets: Secrets) -> Checked:
    """Check the run in that folder step by step; a change in one step does not affect the next.

    Raises:
        JournalError: the run cannot be read.
        UsageError: it has no reply of a model.
    """
    with by_version(folder):
        run = read_run(folder, images=False)
    return _Check(run, ReplayBrain(folder), secrets).checked()


class _Check:
    """Runs the replies of a past run through an agent of today."""

    def __init__(self, run: Run, brain: ReplayBrain, secrets: Secrets) -> None:
        self._run, self._brain = run, brain
        self._before = self._after = Image.new("RGB", (1, 1))
        control = Control()
        self._desktop = FakeDesktop(self._screen, control) if run.about.get("desktop") else None
        eyes = Eyes(self._desktop, control) if self._desktop else None
        self._agent = AgentCore(
            brain,
            standard_toolbelt(eyes) if eyes else Toolbelt(),
            self._desktop,
            limits=Limits(Budget(steps=len(run.steps) + 1)),
            oversight=Oversight(detect_loops=False, secrets=secrets, guard=Guard(OPEN, literal=True, yes=True)),
            eyes=eyes,
            workflow=self._replay,
        )
        self._changes: list[Change] = []
        self._unseen: list[int] = []

    def checked(self) -> Checked:
        outcome = self._agent.execute_command(str(self._run.about.get("goal", "")))
        if outcome.name != "done":
            raise MarkIError(f"The run {self._run.folder.name} could not be checked to its end: {outcome.summary}")
        return Checked(len(self._run.steps) - len(self._unseen), tuple(self._unseen), tuple(self._changes))

    def _replay(self, agent: AgentCore) -> Generator[Event, None, Outcome]:
        for step in self._run.steps:
            turn = (yield from self._decided(step)) if self._shown(step) else None
            if turn and self._is_checked(step):
                today, _ = yield from agent.act(turn)
                self._compare(step.index, "place", _place(step), _place(today))
            else:
                agent.world_model.remember(step)
        return Outcome("done", "")

    def _is_checked(self, step: Step) -> bool:
        """Whether its tool is called again: it lists marks, which later targets use, or it acted at a given target."""
        tool = self._agent.toolbelt.known(step.action.tool)
        return tool is not None and (tool.shows_marks or (tool.looks_once and _has_place(tool, step)))

    def _decided(self, step: Step) -> Generator[Event, None, Turn | None]:
        """Make the decision again; None if it differs."""
        self._brain.only(step.index)
        try:
            turn = yield from self._agent.think()
        except ModelError as error:
            self._compare(step.index, "decision", call(step.action), f"none: {error}")
            return None
        self._compare(step.index, "decision", call(step.action), call(turn.decision.action))
        return turn if turn.decision.action == step.action else None

    def _compare(self, index: int, what: Literal["decision", "place"], then: str, today: str) -> None:
        if then != today:
            self._changes.append(Change(index, what, then, today))

    def _shown(self, step: Step) -> bool:
        """Show the screen of a step on the desktop, if the run had one; False if its image is missing."""
        if self._desktop is None:
            return True
        before = self._frame(step.before)
        if before is None:
            self._unseen.append(step.index)
            return False
        after = self._frame(step.after)
        self._before = Image.fromarray(before.pixels)
        self._after = Image.fromarray(after.pixels) if after and after.region == before.region else self._before
        self._desktop.layout = (before.region,)
        self._desktop.inputs.clear()
        return True

    def _frame(self, named: Frame | None) -> Frame | None:
        return read_frame(self._run.folder, named.digest) if named else None

    def _screen(self, inputs: Sequence[Input]) -> Image.Image:
        """Return the screen before the step, or after it once anything but a move of the pointer was done."""
        return self._after if any(name != "move" for name, *_ in inputs) else self._before


def _has_place(tool: Tool, step: Step) -> bool:
    """Whether a step acted at a target that it was given, or did not find it."""
    if all(role is not Aimed for role, _ in tool.parts(step.action.args)):
        return False
    error = step.observation.error
    return bool(step.observation.places) if error is None else error.code in NOT_FOUND


def _place(step: Step) -> str:
    error, places = step.observation.error, step.observation.places
    if error:
        return error.code if error.code in NOT_FOUND else problem(error)
    points = [part for part in parts_of(step.observation.text) if isinstance(part, Point)]  # those of marks
    return " to ".join(f"{one.x}, {one.y}" for one in places or points) or step.observation.text


def change_text(change: Change) -> str:
    """Format a change."""
    what = "the decision changed" if change.what == "decision" else "the place moved"
    return f"Step {change.step}: {what}: it was {change.then}; today it is {change.today}"
