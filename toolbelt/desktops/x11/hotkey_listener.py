"""Hears the hotkey on an X display without taking it: a run on the same display keeps its own."""

import select
import socket
import struct
import threading
from collections.abc import Callable
from typing import Final

from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.keysyms import MODIFIERS, keysym_of
from toolbelt.desktops.x11.connection import Connection, Extension, GenericEvent
from world_model import DesktopError

_RAW_PRESS: Final = 13  # XInput 2
_MASTERS: Final = 1  # XIAllMasterDevices: all that is attached to them
_QUERY_VERSION, _SELECT_EVENTS = 47, 46
_BITS: Final = 8  # of a byte of the keys that are down


class HotkeyListener:
    """Listens on a thread and a connection of its own.

    Args:
        display: its name, such as `:0`.
        stop: called when somebody presses the hotkey.
        hotkey: the key.

    Raises:
        DesktopError: the display does not exist, or it cannot be listened to.
    """

    def __init__(self, display: str, stop: Callable[[], None], hotkey: Hotkey) -> None:
        self._stop = stop
        self._display = Connection(display)
        keysym = keysym_of(hotkey.key)
        self._codes = {*self._display.keycodes(keysym)} if keysym else set()
        modifiers = [{*self._display.keycodes(MODIFIERS[name])} for name in hotkey.modifiers]
        rows = [{*row} - {0} for row in self._display.modifier_rows()]
        self._modifiers = [set().union(*(row for row in rows if row & codes)) for codes in modifiers]
        self._xinput = Extension(self._display, "XInputExtension")
        self._xinput.ask(_QUERY_VERSION, struct.pack("=HH", 2, 1))  # from 2.1 on, a grab of others hides nothing
        self._xinput.tell(_SELECT_EVENTS, struct.pack("=IHxxHHI", self._display.root, 1, _MASTERS, 1, 1 << _RAW_PRESS))
        self._display.sync()
        self._ending, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, name="hotkey", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._end.close()
        self._thread.join()
        self._ending.close()
        self._display.close()

    def _listen(self) -> None:
        sources: list[Connection | socket.socket] = [self._display, self._ending]
        try:
            while True:
                while (event := self._display.next_event()) is not None:
                    self._take(event)
                if self._ending in select.select(sources, [], [])[0]:
                    return
        except DesktopError:  # the display is gone
            return

    def _take(self, event: object) -> None:
        if not isinstance(event, GenericEvent) or event.opcode != self._xinput.opcode:
            return
        _kind, _device, _time, code = struct.unpack_from("=HHII", event.content, 8)
        if code in self._codes and all(codes & self._down() for codes in self._modifiers):
            self._stop()

    def _down(self) -> set[int]:
        """Return the keys that are down."""
        bits = self._display.keys_down()
        return {code for code in range(len(bits) * _BITS) if bits[code // _BITS] >> code % _BITS & 1}
