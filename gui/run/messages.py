"""What the window is told, message by message: by a person, by a run, by the clock. Values, and no Tk here."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gui.run.view import ViewMessage
from gui.run.workflow_graph import WorkflowDrawing
from mark_i import Event
from mark_i.doctor import Finding
from mark_i.guard import Choice
from mark_i.runs import Shot
from world_model import Point

ControlRequest = Literal["pause", "resume", "step"]


@dataclass(frozen=True, slots=True)
class GoalMissing:
    """Run was pressed with nothing to do."""


@dataclass(frozen=True, slots=True)
class WorkflowChosen:
    """The workflow of the next runs; None for the loop."""

    drawing: WorkflowDrawing | None


@dataclass(frozen=True, slots=True)
class WorkflowUnreadable:
    """There is no such workflow, and the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class GoalsLoaded:
    """The goals of earlier runs, newest first."""

    goals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetupChecked:
    """Nothing was ever run here, and this is what there is to run it with."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """Run was pressed."""

    goal: str = ""


@dataclass(frozen=True, slots=True)
class ImagesReady:
    """The pictures of a step are there; they are made beside the run and may be late."""

    index: int
    before: Shot | None
    after: Shot | None


@dataclass(frozen=True, slots=True)
class Answered:
    """What a person says to a question: words, a place of the desktop at which they pointed, or both."""

    words: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """Whether an action may be done; to a no belongs what is to be done instead, in words or by pointing."""

    choice: Choice
    instead: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class StopRequested:
    """Stop was pressed."""


@dataclass(frozen=True, slots=True)
class ControlRequested:
    """The run is to wait before its next step, or to go on, or to do one step and wait again."""

    requested: ControlRequest


@dataclass(frozen=True, slots=True)
class ClockTicked:
    """So many seconds have gone by since Run was pressed."""

    seconds: float


@dataclass(frozen=True, slots=True)
class RunRefused:
    """The run cannot start or go on, and the message says why. `bug` where that was not foreseen."""

    message: str
    bug: bool = False


@dataclass(frozen=True, slots=True)
class RunHalted:
    """The run was stopped before it began."""


@dataclass(frozen=True, slots=True)
class RunReleased:
    """Everything that the run had taken is given back; the next one may begin."""


Message: TypeAlias = (
    GoalMissing
    | WorkflowChosen
    | WorkflowUnreadable
    | GoalsLoaded
    | SetupChecked
    | RunStarted
    | Event
    | ImagesReady
    | Answered
    | Decided
    | StopRequested
    | ControlRequested
    | ClockTicked
    | RunRefused
    | RunHalted
    | RunReleased
    | ViewMessage
)
