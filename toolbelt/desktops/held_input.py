"""Mouse and keyboard as most desktops have them: one input at a time, and nothing stays down."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Protocol

from toolbelt.control import Control
from toolbelt.desktops.base import Button
from toolbelt.desktops.buttons import HoldingMouse


class HoldingKeyboard(Protocol):
    """A keyboard that knows which keys it holds."""

    def down(self, key: str) -> None:
        """Press one key and hold it until `up` or `release`."""

    def up(self, key: str) -> None:
        """Release a key that `down` pressed."""

    def release(self) -> None:
        """Release every key that is held."""


class HeldInput:
    """The part of a desktop that holds and releases keys and buttons."""

    control: Control
    _lock: threading.RLock  # one input at a time, and none after a stop has released everything
    _mouse: HoldingMouse
    _keyboard: HoldingKeyboard

    def mouse_down(self, button: Button) -> None:
        """Press a button and hold it."""
        with self._input():
            self._mouse.down(button)

    def mouse_up(self, button: Button) -> None:
        """Release a button, even after a stop."""
        with self._lock:
            self._mouse.up(button)

    def key_down(self, key: str) -> None:
        """Press a key and hold it."""
        with self._input():
            self._keyboard.down(key)

    def key_up(self, key: str) -> None:
        """Release a key, even after a stop."""
        with self._lock:
            self._keyboard.up(key)

    def release(self) -> None:
        """Release every key and button that is held."""
        with self._lock:
            try:
                self._keyboard.release()
            finally:
                self._mouse.release()

    @contextlib.contextmanager
    def _input(self) -> Iterator[None]:
        """Take the lock for input by the agent; refused while a person has taken over."""
        with self._lock:
            self.control.check_takeover()
            yield
