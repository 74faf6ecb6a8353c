"""Windows that come up or forward: what they cover may not have been drawn yet, but it is theirs."""

import time
from typing import Final

from xcffib import xproto

from toolbelt.desktops.x11.connection import Connection

KEPT_S: Final = 60.0  # for which a window is remembered; a click that it stopped was given up on by then
SHOWN_S: Final = 0.03  # after which a window that was made has come up, by way of the window manager


class Arrivals:
    """Keeps up with one display's windows, on a connection whose events nobody else needs."""

    def __init__(self, display: Connection) -> None:
        self._display = display
        self._came: dict[int, float] = {}
        self._made = 0.0  # when a window was made that the window manager has to bring up
        display.select_events(display.root, xproto.EventMask.SubstructureNotify)

    def note(self) -> None:
        """Read what happened since the last time."""
        now = time.monotonic()
        while (event := self._display.next_event()) is not None:
            match event:
                case xproto.MapNotifyEvent() | xproto.ConfigureNotifyEvent():
                    self._came[event.window] = now
                case xproto.CreateNotifyEvent(override_redirect=0):
                    self._made = now
        self._came = {window: came for window, came in self._came.items() if now - came < KEPT_S}

    def since(self, when: float, window: int) -> bool:
        """Whether a child of the root came after that time, in seconds as `time.monotonic` has it, or one is about to.

        `window` is 0 where there is none.
        """
        self.note()
        return self._came.get(window, 0.0) > when or time.monotonic() - self._made < SHOWN_S
