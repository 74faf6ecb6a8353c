"""Windows that appear or rise: they own what they cover, even before they have drawn it."""

import time
from typing import Final

from xcffib import xproto

from toolbelt.desktops.x11.connection import Connection

KEPT_S: Final = 60.0  # how long a window is remembered; a click that it stopped is given up by then
SHOWN_S: Final = 0.03  # from the creation of a window until the window manager has shown it


class Arrivals:
    """Tracks the windows of a display, on a connection whose events nobody else reads."""

    def __init__(self, display: Connection) -> None:
        self._display = display
        self._shown_at: dict[int, float] = {}
        self._created_at = 0.0  # when a window was created that the window manager has to show
        display.select_events(display.root, xproto.EventMask.SubstructureNotify)

    def note(self) -> None:
        """Read what has happened since the last call."""
        now = time.monotonic()
        while (event := self._display.next_event()) is not None:
            match event:
                case xproto.MapNotifyEvent() | xproto.ConfigureNotifyEvent():
                    self._shown_at[event.window] = now
                case xproto.CreateNotifyEvent(override_redirect=0):
                    self._created_at = now
        self._shown_at = {window: shown for window, shown in self._shown_at.items() if now - shown < KEPT_S}

    def since(self, when: float, window: int) -> bool:
        """Tell whether a child of the root appeared after `when` (in `time.monotonic` seconds), or one is about to.

        `window` is 0 for none.
        """
        self.note()
        return self._shown_at.get(window, 0.0) > when or time.monotonic() - self._created_at < SHOWN_S
