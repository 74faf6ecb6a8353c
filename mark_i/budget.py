"""What a run may cost and has cost. It is checked before each call of a model, so that no limit is exceeded."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from world_model import LimitError, Usage

T = TypeVar("T")

DEFAULT_STEPS: Final = 50
NEAR_LIMIT_STEPS: Final = 3  # with so many steps left or fewer, the brain is warned


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one run; None is no limit."""

    steps: int = DEFAULT_STEPS
    seconds: float | None = None
    tokens: int | None = None
    usd: float | None = None


class Ledger:
    """What one run has spent. The next call is expected to cost as much as the last one.

    Args:
        budget: the limits of the run.
        usage: what a resumed run had spent before.
        seconds: how long a resumed run had taken before.
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
        """Start the clock of the run."""
        self.began = time.time()
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the run began: the one clock of its events."""
        return self._earlier + time.monotonic() - self._began

    @property
    def seconds(self) -> float:
        """Seconds that count towards the time limit: without those that were excused."""
        return self.elapsed - self._excused

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time limit; None without a limit."""
        return None if self.budget.seconds is None else max(0.0, self.budget.seconds - self.seconds)

    @property
    def usd_left(self) -> float | None:
        """Money that may still be spent; None without a limit."""
        return None if self.budget.usd is None else self.budget.usd - (self.usage.cost_usd or 0.0)

    def excuse(self, seconds: float) -> None:
        """Do not count time in which a person held the run."""
        self._excused += seconds

    def admit(self, expected: Usage) -> None:
        """Admit a call that is expected to cost so much, or as much as the last one if that was more.

        Raises:
            LimitError: the call would exceed a limit.
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
        """Return the error for a time limit that was reached."""
        seconds = f"{self.budget.seconds:g}"
        return LimitError("limit_time", f"The limit of {seconds} second{'' if seconds == '1' else 's'} is reached.")

    def book(self, usage: Usage, seconds: float) -> None:
        """Record what a call cost."""
        self.usage += usage
        self._of_step += usage
        self._last, self._last_seconds = usage, seconds

    def close_step(self) -> Usage:
        """Return what the calls since the last step cost."""
        spent, self._of_step = self._of_step, Usage()
        return spent

    def to_dict(self, done: int) -> dict[str, Any]:
        """Return what is used of each limit after so many steps, and how many steps are likely to be left."""
        return {"used": self._used(done), "limits": self._limits(), "steps_left": self.steps_left(done)}

    def steps_left(self, done: int) -> int:
        """Estimate how many steps are left, if each costs what the others did on average."""
        used, limits = self._used(done), self._limits()
        left = [
            (limit - spent) / (spent / done)
            for name, limit in limits.items()
            if done and limit is not None and (spent := used[name])
        ]
        return max(0, math.floor(min([self.budget.steps - done, *left])))

    def notice(self, done: int) -> str | None:
        """Return a warning for the brain if a limit is near."""
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


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what the work returns, and how many milliseconds it took."""
    began = time.perf_counter()
    return work(), (time.perf_counter() - began) * 1000
