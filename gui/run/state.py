"""What the window shows of a run, as values; `update` derives them from messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from gui.kit.tones import Tone
from gui.run.mends import Mend
from gui.run.messages import (
    ControlRequest,
)
from gui.run.progress import Progress
from gui.run.proofs import Proof
from gui.run.requests import PendingRequest
from gui.run.view import ViewState
from gui.run.workflow_graph import WorkflowDrawing
from mark_i.doctor import Finding
from mark_i.events import OUTCOME_LABELS, OutcomeName
from mark_i.runs import Shot
from world_model import Usage

NodeStatus = Literal["waiting", "started", "finished", "skipped", "broken"]

OUTCOME_TONES: Final[Mapping[OutcomeName, Tone]] = {
    "done": "done",
    "done_unverified": "unverified",
    "failed": "failed",
    "stopped": "stopped",
    "limit_steps": "stopped",
    "limit_time": "stopped",
    "limit_cost": "stopped",
    "model_error": "error",
    "desktop_error": "error",
}
ENDINGS: Final[Mapping[str, tuple[Tone, str]]] = {
    name: (tone, OUTCOME_LABELS[name]) for name, tone in OUTCOME_TONES.items()
}


@dataclass(frozen=True, slots=True)
class StepCard:
    """One step so far; `ok` is None until the action is done.

    Attributes:
        sentence: the action as a person would say it; `call` is what the model wrote.
        foreseen: whether an earlier reply planned it, and no model was asked.
        changed: whether the screen changed.
    """

    index: int
    thought: str = ""
    call: str = ""
    approval: str = ""
    decided: str = ""
    ok: bool | None = None
    observation: str = ""
    code: str = ""
    hints: str = ""
    change: str = ""
    seconds: float = 0.0
    usage: Usage = Usage()
    foreseen: bool = False
    changed: bool = False
    pictured: bool = False
    before: Shot | None = None
    after: Shot | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class NoticeCard:
    """A notice that belongs to no step, or a question."""

    text: str
    asks: bool = False


@dataclass(frozen=True, slots=True)
class PersonCard:
    """What the person said: a goal, or a word during the run; the note says when a word is followed, until it is."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class EndCard:
    """How the run ended, what shows it, and what may mend it; a skill can be made of `skill_run`, if it is named."""

    tone: Tone
    title: str
    text: str
    evidence: tuple[str, ...] = ()
    mends: tuple[Mend, ...] = ()
    proofs: tuple[Proof, ...] = ()
    skill_run: str = ""


Card: TypeAlias = StepCard | NoticeCard | PersonCard | EndCard


@dataclass(frozen=True, slots=True)
class NodeRun:
    """The progress of a workflow node, and how often it ran; the run ended in one that is `broken`."""

    status: NodeStatus = "waiting"
    count: int = 0


@dataclass(frozen=True, slots=True)
class RunState:
    """All that the window shows of a run.

    Attributes:
        running: from Run until everything is released.
        stopping: a stop was requested and has not taken effect yet.
        tone: of the status line.
        status: the status line.
        steps: steps done.
        limit: steps allowed; 0 until that is known.
        progress: activity, time and usage.
        cards: the log, oldest first.
        workflow: the chosen one; None for the plain loop.
        nodes: the progress of its nodes, by id.
        goals: of earlier runs, newest first, without repetition.
        asked: what the run asks a person now.
        view: where the run works, and how it is watched.
        findings: what there is to run with; empty once anything was run.
        spoken: what the person said that the run has not heard yet.
        conversing: whether the next run follows on those that are shown.
        left: what is still to do, in words, as far as the brain says.
        choices: short answers to what the brain asks next.
        late: what was said too late for the run; it is the next goal.
        changed_goal: what the goal was at the end, if the person changed it; empty otherwise.
    """

    running: bool = False
    stopping: bool = False
    tone: Tone = "quiet"
    status: str = "Ready"
    steps: int = 0
    limit: int = 0
    progress: Progress = field(default_factory=Progress)
    cards: tuple[Card, ...] = ()
    workflow: WorkflowDrawing | None = None
    nodes: Mapping[int, NodeRun] = field(default_factory=dict)
    goals: tuple[str, ...] = ()
    pending: PendingRequest | None = None
    view: ViewState = ViewState()  # noqa: RUF009 - frozen
    findings: tuple[Finding, ...] = ()
    spoken: tuple[str, ...] = ()
    conversing: bool = False
    left: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    changed_goal: str = ""

    @property
    def ended(self) -> bool:
        """Whether the outcome is known."""
        return bool(self.cards) and isinstance(self.cards[-1], EndCard)

    @property
    def unfinished(self) -> bool:
        """Whether it has ended before its goal was reached: it gave up, was stopped, cut short, or refused."""
        return (
            self.ended and isinstance(self.cards[-1], EndCard) and self.cards[-1].tone in {"failed", "stopped", "error"}
        )

    @property
    def allowed_requests(self) -> tuple[ControlRequest, ...]:
        """What a person can ask of the run now."""
        if not self.running or self.stopping or self.ended:
            return ()
        if self.progress.requested == "resume":
            return ("pause",)
        return ("resume", "step") if self.progress.paused and self.progress.requested == "pause" else ("resume",)

    @property
    def taken_over(self) -> bool:
        """Whether the person has mouse and keyboard of the virtual desktop: only while the run is paused for that."""
        return (
            self.view.taking_over
            and self.progress.paused
            and self.progress.requested == "pause"
            and bool(self.allowed_requests)
        )

    @property
    def hides_window(self) -> bool:
        """Whether the window must make room for the agent on the person's own desktop."""
        return self.needs_screen and not self.view.expanded

    @property
    def needs_screen(self) -> bool:
        """Whether the run may be waiting for the window to get out of its way."""
        return self.running and not self.ended and self.view.desktop == "own" and self.pending is None

    @property
    def figures(self) -> str:
        """Steps, time and cost of the run, in words."""
        return self.progress.summary(self.steps, self.limit, ended=self.ended) if self.running or self.ended else ""
