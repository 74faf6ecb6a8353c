"""Windows that come up or forward: what they cover may not have been drawn yet, but it is theirs."""

import time
from typing import Final

from Xlib import X
from Xlib.display import Display

KEPT: Final = 60.0  # seconds for which a window is remembered; a click that it stopped was given up on by then
SHOWN: Final = 0.03  # seconds after which a window that was made has come up, by way of the window manager


class Arrivals:
    """Keeps up with one display's windows, on a connection whose events nobody else needs."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._came: dict[int, float] = {}
        self._made = 0.0  # when a window was made that the window manager has to bring up
        display.screen().root.change_attributes(event_mask=X.SubstructureNotifyMask)

    def note(self) -> None:
        """Read what happened since the last time."""
        now = time.monotonic()
        while self._display.pending_events():
            event = self._display.next_event()
            if event.type in (X.MapNotify, X.ConfigureNotify):
                self._came[event.window.id] = now
            elif event.type == X.CreateNotify and not event.override:
                self._made = now
        self._came = {window: came for window, came in self._came.items() if now - came < KEPT}

    def since(self, when: float, window: int) -> bool:
        """Whether a child of the root came after that time, in seconds as `time.monotonic` has it, or one is about to.

        `window` is 0 where there is none.
        """
        self.note()
        return self._came.get(window, 0.0) > when or time.monotonic() - self._made < SHOWN
