"""A simulated person, for benchmarks and tests: sends input from the real mouse and keyboard, not from XTEST."""

import struct
from collections.abc import Callable
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops import keysym_of, parse_keys
from toolbelt.desktops.x11 import KEY_PRESS, KEY_RELEASE, Connection, Extension, devices

SLAVE_POINTER, SLAVE_KEYBOARD = 3, 4  # XInput 2: the devices that feed the core pointer and keyboard
FAKE_INPUT: Final = 2  # the XTEST request, which can also send events of a device
MOTION: Final = 5  # XInput's DeviceMotionNotify, counted from its first event, DeviceValuator
THROW_MAX_S: Final = 30.0


class Person:
    """Uses the display's own mouse and keyboard, which Xvfb has, too."""

    def __init__(self, display: str) -> None:
        self._display = Connection(display)
        xinput = Extension(self._display, "XInputExtension")
        self._first, self._xtest = xinput.first_event, Extension(self._display, "XTEST")
        real = {use: device for device, use, name in devices(xinput) if " XTEST " not in name}
        self._mouse, self._keyboard = real[SLAVE_POINTER], real[SLAVE_KEYBOARD]
        self._turn = 1

    def move(self, x: int, y: int, *, by: bool = False) -> None:
        """Move the pointer to a point, or by an offset."""
        motion = struct.pack("=BB29xB", self._first + MOTION, by, self._mouse)
        values = struct.pack("=BB4xBB6i", self._first, self._mouse, 2, 0, x, y, 0, 0, 0, 0)
        self._xtest.tell(FAKE_INPUT, motion + values)
        self._display.sync()

    def throw(self, seen: Callable[[], bool] | None = None) -> None:
        """Throw the pointer to the top left, again and again until `seen` returns True."""
        control = Control()

        def enough() -> bool:
            self.move(-400, -300, by=True)
            return seen is None or seen()

        control.until(enough, THROW_MAX_S)

    def wiggle(self) -> None:
        """Move the pointer back and forth, each time far enough to be noticed."""
        self._turn = -self._turn
        self.move(300 + 30 * self._turn, 300)

    def tap(self, keys: str) -> None:
        """Press and release keys together, such as `ctrl+alt+escape`."""
        keysyms = [keysym_of(name) or 0 for name in parse_keys(keys)]
        codes = [next(iter(self._display.keycodes(keysym)), 0) for keysym in keysyms]
        for kind, order in ((KEY_PRESS, codes), (KEY_RELEASE, codes[::-1])):
            for code in order:
                event = self._first + 1 + kind - KEY_PRESS
                self._xtest.tell(FAKE_INPUT, struct.pack("=BB29xB", event, code, self._keyboard))
        self._display.sync()

    def close(self) -> None:
        """Close the connection."""
        self._display.close()
