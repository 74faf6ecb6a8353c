"""What the window shows, as values; `reducing` makes them of what happens."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from gui.kit.tones import Tone
from gui.run.messages import (
    ControlRequest,
)
from gui.run.progress import Progress
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
    """One step, as far as it has come; `ok` is None until the action is done, `changed` is whether the screen did."""

    index: int
    thought: str = ""
    call: str = ""
    asked: str = ""
    decided: str = ""
    ok: bool | None = None
    observation: str = ""
    code: str = ""
    hints: str = ""
    change: str = ""
    seconds: float = 0.0
    usage: Usage = Usage()
    changed: bool = False
    pictured: bool = False
    before: Shot | None = None
    after: Shot | None = None


@dataclass(frozen=True, slots=True)
class NoticeCard:
    """Something that the person should know, and that is not part of a step."""

    text: str


@dataclass(frozen=True, slots=True)
class EndCard:
    """How the run ended."""

    tone: Tone
    title: str
    text: str
    evidence: tuple[str, ...] = ()


Card: TypeAlias = StepCard | NoticeCard | EndCard


@dataclass(frozen=True, slots=True)
class NodeRun:
    """How far a node of the workflow has come, and how often it ran; `broken` is one in which the run ended."""

    status: NodeStatus = "waiting"
    count: int = 0


@dataclass(frozen=True, slots=True)
class RunState:
    """All that the window shows.

    Attributes:
        running: from Run until everything is given back.
        stopping: a stop was asked for and not yet felt.
        tone: of the status line.
        status: what goes on, in words.
        steps: steps done.
        limit: steps allowed; 0 as long as that is not known.
        progress: how far it has come otherwise.
        cards: the log, oldest first.
        workflow: the one that is chosen; None for the loop.
        nodes: those of its nodes that were told of in this run, by id.
        goals: of earlier runs, newest first, each once.
        asked: what the run waits for a person to say.
        scene: where the run works, and how it is followed there.
        findings: what there is to run with, as long as nothing was ever run.
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
    asked: PendingRequest | None = None
    view: ViewState = ViewState()  # noqa: RUF009 - frozen
    findings: tuple[Finding, ...] = ()

    @property
    def ended(self) -> bool:
        """Whether the outcome is known."""
        return bool(self.cards) and isinstance(self.cards[-1], EndCard)

    @property
    def allowed_requests(self) -> tuple[ControlRequest, ...]:
        """What a person can wish of the run now."""
        if not self.running or self.stopping or self.ended:
            return ()
        if self.progress.requested == "resume":
            return ("pause",)
        return ("resume", "step") if self.progress.paused and self.progress.requested == "pause" else ("resume",)

    @property
    def taken_over(self) -> bool:
        """Whether mouse and keyboard of the virtual desktop are the person's: only while the run waits for them."""
        return (
            self.view.taking_over
            and self.progress.paused
            and self.progress.requested == "pause"
            and bool(self.allowed_requests)
        )

    @property
    def hides_window(self) -> bool:
        """Whether the window must make room for what the agent does on the person's own desktop."""
        return self.needs_screen and not self.view.expanded

    @property
    def needs_screen(self) -> bool:
        """Whether the run may wait for the window to be where it should be."""
        return self.running and not self.ended and self.view.desktop == "own" and self.asked is None

    @property
    def figures(self) -> str:
        """Steps, time and cost of the run, in words."""
        return self.progress.summary(self.steps, self.limit, ended=self.ended) if self.running or self.cards else ""
