"""What the window is told, message by message: by a person, by a run, by the clock. Values, and no Tk here."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gui.run.scene import SceneMessage
from gui.run.workflow_graph import Drawing
from mark_i import Event
from mark_i.doctor import Finding
from mark_i.guard import Choice
from mark_i.runs import Shot
from world_model import Point

Wish = Literal["pause", "resume", "step"]


@dataclass(frozen=True, slots=True)
class GoalMissing:
    """Run was pressed with nothing to do."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The workflow of the next runs; None for the loop."""

    drawing: Drawing | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """There is no such workflow, and the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """The goals of earlier runs, newest first."""

    goals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Surveyed:
    """Nothing was ever run here, and this is what there is to run it with."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Begun:
    """Run was pressed."""

    goal: str = ""


@dataclass(frozen=True, slots=True)
class Pictured:
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
class StopAsked:
    """Stop was pressed."""


@dataclass(frozen=True, slots=True)
class Wished:
    """The run is to wait before its next step, or to go on, or to do one step and wait again."""

    wish: Wish


@dataclass(frozen=True, slots=True)
class Ticked:
    """So many seconds have gone by since Run was pressed."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Refused:
    """The run cannot start or go on, and the message says why. `bug` where that was not foreseen."""

    message: str
    bug: bool = False


@dataclass(frozen=True, slots=True)
class Halted:
    """The run was stopped before it began."""


@dataclass(frozen=True, slots=True)
class Over:
    """Everything that the run had taken is given back; the next one may begin."""


Message: TypeAlias = (
    GoalMissing
    | Chosen
    | Unreadable
    | Recalled
    | Surveyed
    | Begun
    | Event
    | Pictured
    | Answered
    | Decided
    | StopAsked
    | Wished
    | Ticked
    | Refused
    | Halted
    | Over
    | SceneMessage
)
