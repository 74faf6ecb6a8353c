"""What a run may cost, and what it has cost: asked before each call of a model, so that no limit is passed."""

import math
import time
from dataclasses import dataclass
from typing import Any, Final

from world_model import LimitError, Usage

DEFAULT_STEPS: Final = 50
NEAR_LIMIT_STEPS: Final = 3  # steps left from which on the brain is told


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one run; None is no limit."""

    steps: int = DEFAULT_STEPS
    seconds: float | None = None
    tokens: int | None = None
    usd: float | None = None


class Ledger:
    """What one run has spent. The next call is expected to cost what the last one did.

    Args:
        budget: its limits.
        usage: what was spent before it was gone on with.
        seconds: how long it took until then.
    """

    def __init__(self, budget: Budget, usage: Usage = Usage(), seconds: float = 0.0) -> None:
        self.budget = budget
        self.usage = usage
        self._earlier = seconds
        self._of_step = Usage()
        self._last = Usage()
        self._last_seconds = 0.0
        self.began = time.time()  # seconds since the epoch
        self._began = time.monotonic()
        self._excused = 0.0

    def begin(self) -> None:
        """The run begins now."""
        self.began = time.time()
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """How long ago the run began: the one clock of its events."""
        return self._earlier + time.monotonic() - self._began

    @property
    def seconds(self) -> float:
        """How long the run has taken, without what was excused."""
        return self.elapsed - self._excused

    @property
    def seconds_left(self) -> float | None:
        """How long it may still take; None without a limit."""
        return None if self.budget.seconds is None else max(0.0, self.budget.seconds - self.seconds)

    @property
    def usd_left(self) -> float | None:
        """What may still be spent; None without a limit."""
        return None if self.budget.usd is None else self.budget.usd - (self.usage.cost_usd or 0.0)

    def excuse(self, seconds: float) -> None:
        """Time in which a person held the run does not count."""
        self._excused += seconds

    def admit(self, expected: Usage) -> None:
        """Let a call pass that is expected to cost so much, or what the last one did if that was more.

        Raises:
            LimitError: it would pass a limit.
        """
        limits, spent, last = self.budget, self.usage, self._last
        if limits.seconds is not None and self.seconds + self._last_seconds >= limits.seconds:
            raise self.late()
        tokens = spent.tokens + max(last.tokens, expected.tokens)
        if limits.tokens is not None and tokens > limits.tokens:
            raise LimitError(
                "limit_cost", f"{spent.tokens} of {limits.tokens} tokens are used; another call needs more."
            )
        if limits.usd is not None and spent.cost_usd is None:
            raise LimitError("limit_cost", "What the calls so far cost is not known, so the limit of cost cannot hold.")
        next_usd = max(last.cost_usd or 0.0, expected.cost_usd or 0.0)
        if limits.usd is not None and (spent.cost_usd or 0.0) + next_usd > limits.usd:
            used = f"{spent.cost_usd:.4f} of {limits.usd:.4f} USD"
            raise LimitError("limit_cost", f"{used} are spent; another call would cost more than the rest.")

    def late(self) -> LimitError:
        """The error that says that the time is over."""
        seconds = f"{self.budget.seconds:g}"
        return LimitError("limit_time", f"The limit of {seconds} second{'' if seconds == '1' else 's'} is reached.")

    def book(self, usage: Usage, seconds: float) -> None:
        """Note what a call cost."""
        self.usage += usage
        self._of_step += usage
        self._last, self._last_seconds = usage, seconds

    def close_step(self) -> Usage:
        """What the calls since the last step cost."""
        spent, self._of_step = self._of_step, Usage()
        return spent

    def to_dict(self, done: int) -> dict[str, Any]:
        """After that many steps: what is used of what, and how many steps the rest is likely to last for."""
        return {"used": self._used(done), "limits": self._limits(), "steps_left": self.steps_left(done)}

    def steps_left(self, done: int) -> int:
        """How many steps the rest is likely to last for, if they cost what the others did."""
        used, limits = self._used(done), self._limits()
        left = [
            (limit - spent) / (spent / done)
            for name, limit in limits.items()
            if done and limit is not None and (spent := used[name])
        ]
        return max(0, math.floor(min([self.budget.steps - done, *left])))

    def notice(self, done: int) -> str | None:
        """What the brain must know of a limit that is near."""
        left = self.steps_left(done)
        if left > NEAR_LIMIT_STEPS:
            return None
        return f"No more than {left} steps are left." if left > 1 else "This is likely to be the last step."

    def _used(self, done: int) -> dict[str, float | None]:
        tokens, usd = self.usage.tokens, self.usage.cost_usd
        return {"steps": done, "seconds": round(self.seconds, 1), "tokens": tokens, "usd": usd}

    def _limits(self) -> dict[str, float | None]:
        limits = self.budget
        return {"steps": limits.steps, "seconds": limits.seconds, "tokens": limits.tokens, "usd": limits.usd}
