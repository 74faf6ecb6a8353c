"""A person's mouse and keyboard on the agent's desktop while the run is paused, on a thread of its own."""

import contextlib
import queue
import threading
from collections.abc import Callable
from functools import partial

from gui.live.keymap import KeyInput
from mark_i import Desktop, ToolFailure
from toolbelt.desktops import Button, Direction
from world_model import DesktopError, Halt, Point

InputAction = Callable[[Desktop], object]


class RemoteInput:
    """Sends input to the desktop in order. `tell` is called, on its thread, with what failed."""

    def __init__(self, desktop: Desktop, tell: Callable[[str], None]) -> None:
        self._desktop, self._tell = desktop, tell
        self._actions: queue.SimpleQueue[InputAction | None] = queue.SimpleQueue()
        self._then: Callable[[], None] = lambda: None
        threading.Thread(target=self._work, name="input", daemon=True).start()

    def move(self, to: Point) -> None:
        """Move the pointer."""
        self._actions.put(lambda desktop: desktop.move(to))

    def down(self, at: Point, button: Button, modifiers: tuple[str, ...]) -> None:
        """Press a button while modifiers are held."""
        self._actions.put(partial(_down, at=at, button=button, modifiers=modifiers))

    def up(self, at: Point) -> None:
        """Release everything that is held."""
        self._actions.put(partial(_up, at=at))

    def scroll(self, at: Point, direction: Direction) -> None:
        """Turn the wheel by one notch."""
        self._actions.put(partial(_scroll, at=at, direction=direction))

    def key(self, stroke: KeyInput) -> None:
        """Type a text, or press a key with its modifiers."""
        self._actions.put(lambda desktop: desktop.press(stroke.keys) if stroke.keys else desktop.type(stroke.text))

    def end(self, then: Callable[[], None]) -> None:
        """Finish what is queued, release everything, and then call `then`: the agent never acts at the same time."""
        self._then = then
        self._actions.put(None)

    def _work(self) -> None:
        with contextlib.suppress(Halt, DesktopError):  # the run is over, and reports why itself
            while action := self._actions.get():
                try:
                    action(self._desktop)
                except ToolFailure as failure:
                    self._tell(str(failure))
            self._desktop.release()
        self._then()


def _down(desktop: Desktop, at: Point, button: Button, modifiers: tuple[str, ...]) -> None:
    desktop.release()  # a second button would otherwise make a drag that nobody meant
    desktop.move(at)
    for name in modifiers:
        desktop.key_down(name)
    desktop.mouse_down(button)


def _up(desktop: Desktop, at: Point) -> None:
    desktop.move(at)
    desktop.release()


def _scroll(desktop: Desktop, at: Point, direction: Direction) -> None:
    desktop.move(at)
    desktop.scroll(direction, 1)
