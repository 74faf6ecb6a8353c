"""Pauses or stops a run when a person uses the mouse or the keyboard."""

import math
import threading
import time
from collections.abc import Callable
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops.base import Desktop
from world_model import Point

REACTION_S: Final = 1.0  # in which a program may move the pointer in reaction to the agent
SHARED_POLLS: Final = 3  # in a row at which both moved the pointer; a bump is over by then
NUDGE_PX: Final = 8  # a smaller motion may come from a bump against the table


class Takeover:
    """Stops or pauses a run in response to a person's input on its desktop.

    Throwing the pointer into the top left corner stops it. Any other input pauses it until it is resumed, or until
    there has been none for a while.

    Args:
        desktop: The desktop that the agent uses.
        control: The control of the run.
        taken: Called at each takeover. Tells the person, and returns the seconds without input after which the run
            resumes by itself, or None for never.
    """

    def __init__(self, desktop: Desktop, control: Control, taken: Callable[[], float | None]) -> None:
        self._desktop, self._control, self._taken = desktop, control, taken
        self._rest = desktop.pointer()  # the pointer's last position
        self._used = self._had = float("-inf")  # when another used the input devices, and the agent the pointer
        self._left: Point | None = None  # where the agent left it, while it is still there
        self._together = 0  # polls in a row at which both moved it
        self._over = threading.Event()

    def close(self) -> None:
        """End the takeover watch: the run is over."""
        self._over.set()

    def stop(self) -> None:
        """Stop the run: the person pressed the hotkey."""
        self._control.stop()

    def pressed(self) -> None:
        """Pause the run: the person pressed a key or a button."""
        self._used = time.monotonic()
        if self._control.take_over() and (idle := self._taken()) is not None:
            threading.Thread(target=self._wait, args=(idle,), name="idle", daemon=True).start()

    def looked(self, at: Point, *, moved: bool, ours: bool) -> None:
        """Pause or stop the run if the person moved the pointer."""
        now, before = time.monotonic(), self._rest
        self._had = now if ours else self._had
        self._left = at if at == self._left or (ours and not moved) else None
        self._together = self._together + 1 if ours and moved else 0
        by_another = moved or now >= self._had + REACTION_S
        if self._together >= SHARED_POLLS:
            self.pressed()
        if at == before and not moved:
            return
        if by_another and at != self._left and at == self._corner():
            self._control.stop()
        elif by_another and not ours:
            if math.dist((at.x, at.y), (before.x, before.y)) < NUDGE_PX:
                return
            self.pressed()
        self._rest = at

    def _corner(self) -> Point:
        """Return where a pointer thrown to the top left ends."""
        leftmost = min(self._desktop.monitors, key=lambda monitor: (monitor.x, monitor.y))
        return Point(leftmost.x, leftmost.y)

    def _wait(self, idle: float) -> None:
        """Resume the run once there has been no input for `idle` seconds."""
        while self._control.is_taken_over and self._control.must_wait:
            left = self._used + idle - time.monotonic()
            if left <= 0:
                self._control.resume()
            elif self._over.wait(left):
                return
