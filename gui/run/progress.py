"""How far a run has come: what goes on, for how long, what it has spent, and whether a person holds it. Pure values."""

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
    """One run, from Run to its end.

    Attributes:
        doing: what goes on, in words.
        clock: seconds since Run was pressed.
        since: the clock when it began to be done.
        held: seconds in which a person held the run; they count for no limit.
        wish: what the person wants of it.
        paused: whether it waits for them.
        unasked: whether it waits though they did not wish it here: they used the mouse or the keyboard themselves.
        mode: how the answer is told; nothing as long as that is not known, as for the rest.
        usage: what the models were asked for and cost.
        limits: the limits by name, None where there is none.
        left: how many steps the limits are likely to allow.
    """

    activity: str = ""
    clock: float = 0.0
    since: float = 0.0
    held: float = 0.0
    requested: ControlRequest = "resume"
    paused: bool = False
    by_person: bool = False
    mode: str = ""
    usage: Usage = Usage()
    limits: Mapping[str, float | None] = field(default_factory=dict)
    left: int | None = None

    @property
    def seconds(self) -> float:
        """How long the run has taken."""
        return self.clock - self.held

    @property
    def activity_s(self) -> int:
        """For how many seconds the same goes on; a pause is nobody's waiting."""
        return 0 if self.paused else int(self.clock - self.since)

    @property
    def status(self) -> str:
        """What goes on, or that nothing does."""
        return PAUSED if self.paused else PAUSING if self.requested == "pause" else self.activity

    def summary(self, steps: int, limit: int, *, ended: bool) -> str:
        """The line of figures; what is not known is left out, and a price that is not known is said not to be."""
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
            return "cost not known"
        return f"{cost:.4f}" + (f" of {limit:g}" if limit else "") + " USD"

    def _forecast(self, steps: int) -> str:
        """Only where something else than the number of steps may end the run, and there is a step to judge by."""
        bounded = any(limit for name, limit in self.limits.items() if name != "steps")
        if not bounded or not steps or self.left is None:
            return ""
        return f"the limits allow about {self.left} more {'step' if self.left == 1 else 'steps'}"


def _steps(done: int, limit: int) -> str:
    """`3 of 50 steps`; 0 is no limit that is known."""
    allowed = f" of {limit:,}" if limit else ""
    return f"{done:,}{allowed} {'step' if (limit or done) == 1 else 'steps'}"


def with_clock(progress: Progress, clock: float) -> Progress:
    """The clock has gone on."""
    held = progress.held + (clock - progress.clock if progress.paused else 0.0)
    return replace(progress, clock=clock, held=held)


def with_activity(progress: Progress, activity: str) -> Progress:
    """Something else goes on."""
    return replace(progress, activity=activity, since=progress.clock)


def with_request(progress: Progress, requested: ControlRequest) -> Progress:
    """The person wants something else of it."""
    return replace(progress, requested=requested, by_person=False)


def with_pause(progress: Progress) -> Progress:
    """It waits; where one step was wanted, that is done, and where it was to go on, it is to wait all the same."""
    return replace(progress, paused=True, by_person=progress.requested == "resume", requested="pause")


def with_resume(progress: Progress) -> Progress:
    """It goes on; by itself, where nobody had wished that it waits."""
    return replace(
        progress, paused=False, by_person=False, requested="resume" if progress.by_person else progress.requested
    )


def with_budget(progress: Progress, budget: Mapping[str, Any]) -> Progress:
    """What the run itself says of its budget, before each thought."""
    used = budget["used"]
    usage = Usage(input_tokens=used["tokens"], cost_usd=used["usd"])
    return replace(progress, usage=usage, limits=budget["limits"], left=budget["steps_left"])


def with_total_usage(progress: Progress, usage: Mapping[str, Any]) -> Progress:
    """All that the run has cost, at its end."""
    return replace(progress, usage=Usage(**usage))


def with_step_usage(progress: Progress, usage: Mapping[str, Any]) -> Progress:
    """What its newest step has cost, on top."""
    left = None if progress.left is None else max(0, progress.left - 1)
    return replace(progress, usage=progress.usage + Usage(**usage), left=left)
