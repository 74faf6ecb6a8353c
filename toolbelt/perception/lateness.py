"""Lateness: for how long a screen seems to be at rest before a program goes on, as each program has shown."""

import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from toolbelt.perception.motion import CARET_MAX_PX
from world_model import Region

UNKNOWN_S: Final = 0.6  # to wait for a program that was not seen yet
FADE: Final = 0.85  # of that, after each of its actions
ACTIONS_KEPT: Final = 20  # whose longest pause counts: one late picture in so many is too many
MARGIN: Final = 1.25  # of a wait to that pause
LATE_MAX_S: Final = 1.5  # what comes after a longer pause has another cause
SEEN_MIN_PX2: Final = 400  # what is smaller makes no picture wrong, such as a digit of a clock


@dataclass(slots=True)
class _Program:
    actions: int = 0
    pauses_s: deque[float] = field(default_factory=lambda: deque([0.0], ACTIONS_KEPT))

    @property
    def wait_s(self) -> float:
        return max(UNKNOWN_S * FADE**self.actions, MARGIN * max(self.pauses_s))


def is_seen(changes: Sequence[Region]) -> bool:
    """Whether changes are large enough to make a picture without them a wrong one.

    A caret is not, nor a scroll bar that fades and is as thin.
    """
    thin_px = CARET_MAX_PX.width
    return sum(one.area for one in changes if min(one.width, one.height) > thin_px) >= SEEN_MIN_PX2


class Lateness:
    """Learns it from the pauses between the changes that follow an action, also those while the model thinks."""

    def __init__(self) -> None:
        self._programs: dict[int | None, _Program] = {}  # by the process; None where it is not known
        self._last = _Program()  # that of the last action
        self._changed_s = 0.0  # when it last showed something

    def wait_s(self, program: int | None) -> float:
        """Return for how many seconds a screen must be at rest before a program, a process, has shown everything."""
        return self._programs.get(program, _Program()).wait_s

    def usual_s(self, program: int | None) -> float:
        """Return for how many seconds a screen must be at rest before a program has most likely shown everything."""
        known = self._programs.get(program)
        return MARGIN * statistics.median(known.pauses_s) if known else UNKNOWN_S

    def settled(self, program: int | None, pause_s: float, changed_s: float) -> None:
        """Note the longest pause after an action until the screen settled, and when it changed last (monotonic)."""
        self._last, self._changed_s = self._programs.setdefault(program, _Program()), changed_s
        self._last.actions += 1
        self._last.pauses_s.append(pause_s if pause_s <= LATE_MAX_S else 0.0)

    def late(self, at_s: float) -> None:
        """Note that the screen has changed after it had settled, and no action ran."""
        pause_s, self._changed_s = at_s - self._changed_s, at_s
        if pause_s <= LATE_MAX_S:
            self._last.pauses_s[-1] = max(self._last.pauses_s[-1], pause_s)
