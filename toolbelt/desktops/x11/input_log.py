"""Logs what a person does with mouse and keyboard on an X display, whatever window gets it.

The RECORD extension reports each event as the server makes it: with the position of the pointer, the modifiers and the
layout at that instant, also while a program has grabbed the input, as menus do.
"""

import select
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from xcffib import xproto

from toolbelt.desktops.x11.connection import BUTTON_PRESS, BUTTON_RELEASE, KEY_PRESS, KEY_RELEASE, Connection, Extension
from world_model import Point, Region

_CREATE, _ENABLE, _DISABLE = 1, 5, 6  # the requests of RECORD
_ALL_CLIENTS: Final = 3
_FROM_SERVER: Final = 0
_EVENT_BYTES: Final = 32
_CLOCK: Final = "_MARK_I_CLOCK"  # a property, whose change tells the server's time
_WRAP: Final = 1 << 32  # milliseconds at which that time begins anew


@dataclass(frozen=True, slots=True)
class InputEvent:
    """One press or release.

    Attributes:
        kind: `KEY_PRESS` and its kin.
        code: of the key, or the number of the button; 4 to 7 are the wheel.
        at: where the pointer was.
        state: the modifiers and buttons right before it, and the active layout in bits 13 and 14.
        when_s: when it happened, in the time of `time.monotonic`.
    """

    kind: int
    code: int
    at: Point
    state: int
    when_s: float


class InputLog:
    """Collects the input on a display.

    Args:
        display: its name, such as `:0`.

    Raises:
        DesktopError: the display does not exist, or its server has no RECORD extension.
    """

    def __init__(self, display: str) -> None:
        self._display, self._data = Connection(display), Connection(display)
        self._record = Extension(self._display, "RECORD")
        self._ahead_ms = self._server_ms() - time.monotonic() * 1000
        self._context = int(self._display.generate_id())
        ranges = struct.pack("=18x2B4x", KEY_PRESS, BUTTON_RELEASE)  # of device events
        self._record.tell(
            _CREATE, struct.pack("=IB3xII", self._context, 0, 1, 1) + struct.pack("=I", _ALL_CLIENTS) + ranges
        )
        self._display.sync()
        self._replies = Extension(self._data, "RECORD").begin(_ENABLE, struct.pack("=I", self._context))
        while self._data.next_reply(self._replies) is None:  # the first says that it has begun
            select.select([self._data], [], [])

    def take(self) -> Iterator[InputEvent]:
        """Yield what has come since the last call.

        Raises:
            DesktopError: the display went away.
        """
        while self._data.next_event():  # such as of a new keyboard map, which others read
            pass
        while (reply := self._data.next_reply(self._replies)) is not None:
            if reply[1] != _FROM_SERVER:
                continue
            for at in range(_EVENT_BYTES, len(reply) - _EVENT_BYTES + 1, _EVENT_BYTES):
                kind, code, when_ms, x, y, state = struct.unpack_from("=BB2xI12x2h4xH", reply, at)
                if kind in {KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE}:
                    yield InputEvent(kind, code, Point(x, y), state, self._seconds(when_ms))

    def close(self) -> None:
        """Stop logging."""
        self._record.tell(_DISABLE, struct.pack("=I", self._context))
        self._display.close()
        self._data.close()

    def _seconds(self, server_ms: int) -> float:
        """Return a time of the server as one of ours."""
        now_ms = time.monotonic() * 1000
        ago_ms = (now_ms + self._ahead_ms - server_ms) % _WRAP
        return (now_ms - (ago_ms if ago_ms < _WRAP / 2 else ago_ms - _WRAP)) / 1000

    def _server_ms(self) -> int:
        window = self._display.create_window(Region(-1, -1, 1, 1), {}, input_only=True)
        self._display.select_events(window, xproto.EventMask.PropertyChange)
        self._display.set_property(window, _CLOCK, xproto.Atom.CARDINAL, [1])
        self._display.sync()
        while not isinstance(event := self._display.next_event(), xproto.PropertyNotifyEvent):
            pass
        self._display.core.DestroyWindow(window)
        return int(event.time)
