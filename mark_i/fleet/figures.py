"""The figures of a fleet: how many of its runs reached their goals, with intervals, and what that took."""

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mark_i.fleet.folder import Result

Z: Final = 1.959964  # of a normal distribution, for 95 %


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of some runs.

    Attributes:
        low: and `high`: the ends of the interval in which the true share of solved runs is at 95 %.
        usd: None if a price is unknown.
    """

    name: str
    solved: int
    of: int
    low: float
    high: float
    median_steps: float
    median_s: float
    tokens: int
    usd: float | None


def wilson(solved: int, of: int) -> tuple[float, float]:
    """Return the interval of a share at 95 %: the score interval of Wilson (1927)."""
    if not of:
        return 0.0, 1.0
    share, spread = solved / of, Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * math.sqrt(share * (1 - share) / of + spread / (4 * of))
    return max(0.0, middle - half), min(1.0, middle + half)


def row(name: str, results: Sequence[Result]) -> Row:
    """Return the figures of some runs, which have this name together."""
    known = [one.usd for one in results if one.usd is not None]
    solved = sum(one.solved for one in results)
    return Row(
        name,
        solved,
        len(results),
        *wilson(solved, len(results)),
        statistics.median([one.steps for one in results] or [0]),
        statistics.median([one.seconds for one in results] or [0.0]),
        sum(one.tokens for one in results),
        sum(known) if len(known) == len(results) else None,
    )


def rows(results: Iterable[Result], key: Callable[[Result], Any]) -> list[Row]:
    """Return a row for each value of a key, in the order in which they come."""
    groups: dict[str, list[Result]] = {}
    for one in results:
        groups.setdefault(str(key(one)), []).append(one)
    return [row(name, some) for name, some in groups.items()]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a second fleet does beside a first one, where both have runs of a task.

    Attributes:
        change: of the share of solved runs, from -1 to 1.
        low: and `high`: the ends of the interval in which the true change is at 95 %.
    """

    name: str
    first: Row
    second: Row
    change: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the change is more than chance may make."""
        return self.low > 0 or self.high < 0


def differences(first: Sequence[Row], second: Sequence[Row]) -> list[Difference]:
    """Return the difference for each name that both have; the interval is Newcombe's (1998, method 10)."""
    others = {one.name: one for one in second}
    found = []
    for one in first:
        if (other := others.get(one.name)) and one.of and other.of:
            before, now = one.solved / one.of, other.solved / other.of
            low = math.hypot(now - other.low, one.high - before)
            high = math.hypot(other.high - now, before - one.low)
            found.append(Difference(one.name, one, other, now - before, now - before - low, now - before + high))
    return found
