"""A person's hand on the agent's desktop while the agent is held: one deed after the other, on a thread of its own."""

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
    """Does what it is told, through the desktop's own hands. `tell` is called, there, with what could not be done."""

    def __init__(self, desktop: Desktop, tell: Callable[[str], None]) -> None:
        self._desktop, self._tell = desktop, tell
        self._actions: queue.SimpleQueue[InputAction | None] = queue.SimpleQueue()
        self._then: Callable[[], None] = lambda: None
        threading.Thread(target=self._work, name="hand", daemon=True).start()

    def move(self, to: Point) -> None:
        """The mouse pointer."""
        self._actions.put(lambda desktop: desktop.move(to))

    def down(self, at: Point, button: Button, modifiers: tuple[str, ...]) -> None:
        """A button, with the keys that are held meanwhile."""
        self._actions.put(partial(_down, at=at, button=button, modifiers=modifiers))

    def up(self, at: Point) -> None:
        """Whatever is held."""
        self._actions.put(partial(_up, at=at))

    def scroll(self, at: Point, direction: Direction) -> None:
        """One notch of the wheel."""
        self._actions.put(partial(_scroll, at=at, direction=direction))

    def key(self, stroke: KeyInput) -> None:
        """A text, or a key with its modifiers."""
        self._actions.put(lambda desktop: desktop.press(stroke.keys) if stroke.keys else desktop.type(stroke.text))

    def end(self, then: Callable[[], None]) -> None:
        """Do what was asked for so far, let everything go, and only then the rest: the agent never acts beside us."""
        self._then = then
        self._actions.put(None)

    def _work(self) -> None:
        with contextlib.suppress(Halt, DesktopError):  # the run is over, and tells why itself
            while action := self._actions.get():
                try:
                    action(self._desktop)
                except ToolFailure as failure:
                    self._tell(str(failure))
            self._desktop.release()
        self._then()


def _down(desktop: Desktop, at: Point, button: Button, modifiers: tuple[str, ...]) -> None:
    desktop.release()  # a second button beside the first would be a drag of nobody's meaning
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
