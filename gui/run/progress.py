"""The progress of a run: what it is doing, for how long, what it has used, and whether it is paused. Pure values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from gui.kit.texts import clock
from gui.run.messages import ControlRequest
from world_model import Usage

PAUSED: Final = "Paused (F6 resumes, F7 does one step)"
PAUSING: Final = "Pausing after this step"


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one run.

    Attributes:
        activity: what it is doing, in words.
        clock: seconds since Run was pressed.
        since: the clock when the activity began.
        held: seconds spent paused; they count towards no limit.
        requested: what the person asked of the run last.
        paused: whether it is paused.
        unanswered: whether it paused, and the window has asked nothing of it since: what lets it go on is a word then.
        mode: how the answer is told; empty until that is known, as is the rest.
        usage: tokens and cost of the models.
        limits: the limits by name, None where there is none.
        left: how many more steps the limits are likely to allow.
    """

    activity: str = ""
    clock: float = 0.0
    since: float = 0.0
    held: float = 0.0
    requested: ControlRequest = "resume"
    paused: bool = False
    unanswered: bool = False
    mode: str = ""
    usage: Usage = Usage()
    limits: Mapping[str, float | None] = field(default_factory=dict)
    left: int | None = None

    @property
    def seconds(self) -> float:
        """How long the run has taken, without pauses."""
        return self.clock - self.held

    @property
    def activity_s(self) -> int:
        """Whole seconds of the current activity; 0 while paused."""
        return 0 if self.paused else int(self.clock - self.since)

    @property
    def status(self) -> str:
        """The status line."""
        return PAUSED if self.paused else PAUSING if self.requested == "pause" else self.activity

    def summary(self, steps: int, limit: int, *, ended: bool) -> str:
        """The line of figures, without those that are unknown; a cost that is unknown is named as such."""
        left = None if ended else self._forecast(steps)
        parts = (self.mode, _steps(steps, limit), self._time(), self._tokens(), self._cost(), left)
        return " · ".join(filter(None, parts))

    def _time(self) -> str:
        limit = self.limits.get("seconds")
        return clock(self.seconds) + (f" of {clock(limit)}" if limit else "")

    def _tokens(self) -> str:
        limit = self.limits.get("tokens")
        allowed = f" of {limit:,.0f}" if limit else ""
        return f"{self.usage.tokens:,}{allowed} tokens" if self.usage.tokens else ""

    def _cost(self) -> str:
        limit, cost = self.limits.get("usd"), self.usage.cost_usd
        if not self.usage.tokens:
            return ""
        if cost is None:
            return "cost unknown"
        return f"{cost:.4f}" + (f" of {limit:g}" if limit else "") + " USD"

    def _forecast(self, steps: int) -> str:
        """The forecast, where another limit than that of the steps exists, and at least one step was done."""
        bounded = any(limit for name, limit in self.limits.items() if name != "steps")
        if not bounded or not steps or self.left is None:
            return ""
        return f"the limits allow about {self.left} more {'step' if self.left == 1 else 'steps'}"


def _steps(done: int, limit: int) -> str:
    """`3 of 50 steps`; a limit of 0 is an unknown one."""
    allowed = f" of {limit:,}" if limit else ""
    return f"{done:,}{allowed} {'step' if (limit or done) == 1 else 'steps'}"


def with_clock(progress: Progress, clock: float) -> Progress:
    """Advance the clock."""
    held = progress.held + (clock - progress.clock if progress.paused else 0.0)
    return replace(progress, clock=clock, held=held)


def with_activity(progress: Progress, activity: str) -> Progress:
    """Start another activity."""
    return replace(progress, activity=activity, since=progress.clock)


def with_request(progress: Progress, requested: ControlRequest) -> Progress:
    """Record what the person asked for."""
    return replace(progress, requested=requested, unanswered=False)


def with_pause(progress: Progress) -> Progress:
    """Pause, which fulfils a requested step, and a run that paused by itself waits for the person too."""
    return replace(progress, paused=True, unanswered=True, requested="pause")


def with_resume(progress: Progress) -> Progress:
    """Resume; a run that goes on by itself, or because of a word, needs no request."""
    requested: ControlRequest = "resume" if progress.unanswered else progress.requested
    return replace(progress, paused=False, unanswered=False, requested=requested)


def with_budget(progress: Progress, budget: Mapping[str, Any]) -> Progress:
    """Take over the budget that the run reports before each thought."""
    used = budget["used"]
    usage = Usage(input_tokens=used["tokens"], cost_usd=used["usd"])
    return replace(progress, usage=usage, limits=budget["limits"], left=budget["steps_left"])


def with_total_usage(progress: Progress, usage: Mapping[str, Any]) -> Progress:
    """Take over what the whole run has used."""
    return replace(progress, usage=Usage(**usage))


def with_step_usage(progress: Progress, usage: Mapping[str, Any]) -> Progress:
    """Add what the newest step has used."""
    left = None if progress.left is None else max(0, progress.left - 1)
    return replace(progress, usage=progress.usage + Usage(**usage), left=left)
