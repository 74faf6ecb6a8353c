"""The messages that change the state of a run: from the person, the run, and the clock. Values, no Tk."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from gui.run.view import ViewMessage
from gui.run.workflow_graph import WorkflowDrawing
from mark_i import Event
from mark_i.doctor import Finding
from mark_i.guard import Choice
from mark_i.runs import Shot
from world_model import Point

if TYPE_CHECKING:
    from gui.run.state import Card

ControlRequest = Literal["pause", "resume", "step"]


@dataclass(frozen=True, slots=True)
class GoalMissing:
    """Run was pressed without a goal."""


@dataclass(frozen=True, slots=True)
class WorkflowChosen:
    """The workflow of the next runs; None for the plain loop."""

    drawing: WorkflowDrawing | None


@dataclass(frozen=True, slots=True)
class WorkflowUnreadable:
    """The workflow cannot be read; the message says why."""

    message: str


@dataclass(frozen=True, slots=True)
class GoalsLoaded:
    """The goals of earlier runs, newest first."""

    goals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SetupChecked:
    """Nothing was ever run here; these are the things that a run can use."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A run begins; `attached` names the files, a `follow_up` belongs to the conversation that is shown.

    It begins by itself with what was said too `late` for the run before, or else since Run was pressed.
    """

    goal: str = ""
    attached: str = ""
    follow_up: bool = False
    late: bool = False


@dataclass(frozen=True, slots=True)
class ConversationBegun:
    """The runs that are shown are over with: the next one follows on none, or on a past run, with what it showed."""

    cards: "tuple[Card, ...]" = ()


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the person said to the run; its next step knows it."""

    text: str


@dataclass(frozen=True, slots=True)
class SpokenLate:
    """What the person said when the run was ending; it is the next goal."""

    text: str


@dataclass(frozen=True, slots=True)
class WordMissing:
    """Say was pressed, and nothing new is written."""


@dataclass(frozen=True, slots=True)
class QuestionKept:
    """Esc was pressed while something is asked, which stays open."""


@dataclass(frozen=True, slots=True)
class ImagesReady:
    """The images of a step; they are made beside the run and may be late."""

    index: int
    before: Shot | None
    after: Shot | None


@dataclass(frozen=True, slots=True)
class Answered:
    """A person's answer to a question: words, a point of the desktop, or both."""

    words: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A person's decision on an action; a denial may say, in words or by a point, what to do instead."""

    choice: Choice
    instead: str = ""
    at: Point | None = None


@dataclass(frozen=True, slots=True)
class StopRequested:
    """Stop was pressed."""


@dataclass(frozen=True, slots=True)
class ControlRequested:
    """A person asks the run to pause before its next step, to resume, or to do one step and pause again."""

    requested: ControlRequest


@dataclass(frozen=True, slots=True)
class ClockTicked:
    """Seconds since Run was pressed."""

    seconds: float


@dataclass(frozen=True, slots=True)
class RunRefused:
    """The run cannot start or continue; the message says why.

    Attributes:
        bug: whether that was not foreseen.
        cause: what is wrong with the model, as in `ModelError`; None if it is something else.
    """

    message: str
    bug: bool = False
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class RunHalted:
    """The run was stopped before its first step."""


@dataclass(frozen=True, slots=True)
class SkillOffered:
    """A skill can be made of the run that has just ended."""

    run: str


@dataclass(frozen=True, slots=True)
class RunReleased:
    """The run has released everything it held; the next one may start."""


Message: TypeAlias = (
    GoalMissing
    | WorkflowChosen
    | WorkflowUnreadable
    | GoalsLoaded
    | SetupChecked
    | RunStarted
    | ConversationBegun
    | Event
    | ImagesReady
    | Answered
    | Decided
    | StopRequested
    | Spoken
    | SpokenLate
    | WordMissing
    | QuestionKept
    | ControlRequested
    | ClockTicked
    | RunRefused
    | RunHalted
    | SkillOffered
    | RunReleased
    | ViewMessage
)
