"""What it means for a run that a person uses the mouse or the keyboard: it waits for them, or it ends."""

import math
import threading
import time
from collections.abc import Callable
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops.base import Desktop
from world_model import Point

AFTER: Final = 1.0  # seconds in which a program may put the pointer elsewhere in answer to what the agent did with it
AT_ONCE: Final = 3  # looks in a row at which both have moved the pointer; a bump is over by then
NUDGE: Final = 8  # pixels; a table that is bumped into is no person


class Takeover:
    """Stops or pauses a run by what a person does on its desktop.

    The pointer thrown into the top left corner stops it. Any other use of mouse or keyboard pauses it, until it is
    resumed, or until nobody has used them for a while.

    Args:
        desktop: where the agent works.
        control: the person's hand on the run.
        taken: is called each time; tells the person, and gives the seconds that their hands must be still for the run
            to go on by itself, None for never.
    """

    def __init__(self, desktop: Desktop, control: Control, taken: Callable[[], float | None]) -> None:
        self._desktop, self._control, self._taken = desktop, control, taken
        self._rest = desktop.pointer()  # where it lay when nobody used it
        self._used = self._had = float("-inf")  # when somebody else used it, and when the agent had the pointer
        self._left: Point | None = None  # where the agent has left it, as long as it is there
        self._together = 0  # looks in a row
        self._over = threading.Event()

    def close(self) -> None:
        """The run is over."""
        self._over.set()

    def stop(self) -> None:
        """The person pressed the key for it."""
        self._control.stop()

    def pressed(self) -> None:
        """A key or a button."""
        self._used = time.monotonic()
        if self._control.take_over() and (idle := self._taken()) is not None:
            threading.Thread(target=self._wait, args=(idle,), name="idle", daemon=True).start()

    def looked(self, at: Point, *, moved: bool, ours: bool) -> None:
        """The pointer, where it is now."""
        now, before = time.monotonic(), self._rest
        self._had = now if ours else self._had
        self._left = at if at == self._left or (ours and not moved) else None
        self._together = self._together + 1 if ours and moved else 0
        by_another = moved or now >= self._had + AFTER
        if self._together >= AT_ONCE:
            self.pressed()
        if at == before and not moved:
            return
        if by_another and at != self._left and at == self._corner():
            self._control.stop()
        elif by_another and not ours:
            if math.dist((at.x, at.y), (before.x, before.y)) < NUDGE:
                return
            self.pressed()
        self._rest = at

    def _corner(self) -> Point:
        """Where a pointer ends that is thrown to the top left."""
        leftmost = min(self._desktop.monitors, key=lambda monitor: (monitor.x, monitor.y))
        return Point(leftmost.x, leftmost.y)

    def _wait(self, idle: float) -> None:
        """Let the run go on when the hands have been still for so long."""
        while self._control.is_taken_over and self._control.must_wait:
            left = self._used + idle - time.monotonic()
            if left <= 0:
                self._control.resume()
            elif self._over.wait(left):
                return
