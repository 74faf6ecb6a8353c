"""A real desktop under X11: mss looks, pyautogui moves the mouse, our own keyboard types."""

import contextlib
import importlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import cv2
import numpy as np
from mss import MSS, ScreenShotError

from toolbelt import windows
from toolbelt.attention import wait_until_answered
from toolbelt.control import Control
from toolbelt.desktop import Application, Button, Direction, Window, session
from toolbelt.keyboard import X11Keyboard
from toolbelt.xdisplay import LOST, connect, disconnect, quiet_xlib, reachable
from world_model import DesktopError, Frame, Point, Region

_POINTING: Final = threading.Lock()
TOLD: Final = 400  # characters of what a failed program said; its last words are the reason


class LiveDesktop:
    """The X display `display`, such as `:0`.

    Raises:
        DesktopError: there is no such display, or it does not let us in.
    """

    def __init__(self, display: str, control: Control) -> None:
        self.name = f"display {display}"
        self.control = control
        self._lock = threading.RLock()  # one input at a time, and none after a stop has let everything go
        self._display = connect(display)
        with reachable(display):
            try:
                self._mss = MSS(display=display)
            except ScreenShotError as error:
                raise DesktopError(f"The display {display} cannot be looked at: {error}.") from error
            self._mouse = _pyautogui()
        self._environment = session(os.environ, display)
        self._own = connect(display)  # the keyboard empties the event queue of its connection
        self._keyboard = X11Keyboard(self._own)
        self._started: list[Process] = []

    @property
    def region(self) -> Region:
        """All monitors together."""
        whole = self._mss.monitors[0]
        return Region(whole["left"], whole["top"], whole["width"], whole["height"])

    def grab(self) -> Frame:
        """Look at all monitors: 2 ms at 1920x1080."""
        with self._display_errors():
            shot = self._mss.grab(self._mss.monitors[0])
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        rgb = cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB)
        return Frame(np.asarray(rgb, np.uint8), Point(shot.left, shot.top), time.time())

    def pointer(self) -> Point:
        """Where the mouse pointer is."""
        with self._display_errors():
            at = self._display.screen().root.query_pointer()
        return Point(at.root_x, at.root_y)

    def move(self, to: Point) -> None:
        """Move the pointer."""
        with self._pointing() as mouse:
            mouse.moveTo(to.x, to.y)

    def click(self, at: Point, button: Button = "left", count: int = 1) -> None:
        """Click `count` times in a row."""
        with self._pointing() as mouse:
            mouse.click(at.x, at.y, clicks=count, button=button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel where the pointer is."""
        with self._pointing() as mouse:
            turn = mouse.vscroll if direction in ("up", "down") else mouse.hscroll
            turn(amount if direction in ("up", "right") else -amount)

    def type(self, text: str) -> None:
        """Type any text exactly."""
        with self._input():
            self._keyboard.type(text, self.control.check)

    def press(self, keys: str) -> None:
        """Press a key or a combination."""
        with self._input():
            self._keyboard.press(keys, self.control.check)

    def attend(self, seconds: float) -> None:
        """Wait until the program in front has read what was sent to it, if it can tell."""
        with self._lock, self._display_errors():
            wait_until_answered(self._own, self.control.check, seconds)

    def windows(self) -> list[Window]:
        """The applications' windows, the topmost last."""
        with self._display_errors():
            return windows.list_windows(self._display)

    def close_window(self, window: Window) -> None:
        """Ask a window to close."""
        with self._input():
            windows.close(self._display, window)

    def launch(self, command: Sequence[str]) -> Application:
        """Start a program on this display; it goes on when the run is over."""
        self.control.check()
        self._started.append(process := Process(command, self._environment))
        return process

    def release(self) -> None:
        """Let go of every key that is held."""
        with self._lock, self._display_errors():
            self._keyboard.release()

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            for process in self._started:
                process.forget()
            with contextlib.suppress(ScreenShotError, AssertionError):  # what is gone is closed
                self._mss.close()
            disconnect(self._own)
            disconnect(self._display)

    @contextlib.contextmanager
    def _input(self) -> Iterator[None]:
        with self._lock, self._display_errors():
            self.control.check()
            yield

    @contextlib.contextmanager
    def _pointing(self) -> Iterator[Any]:
        """Pyautogui, speaking to this display: it has room for one, and a process may work on several."""
        with self._input(), _POINTING:
            _pyautogui_x11()._display = self._display  # noqa: SLF001 - it has no other door
            yield self._mouse

    @contextlib.contextmanager
    def _display_errors(self) -> Iterator[None]:
        try:
            yield
        except (*LOST, ScreenShotError, AssertionError) as error:  # mss asserts that it is connected
            if isinstance(error, TypeError) and not isinstance(error.__context__, OSError):
                raise
            raise DesktopError(f"The {self.name} went away. {error}".strip()) from error


class Process:
    """A program that runs beside us; what it says as an error is kept, to be told if it fails."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `forget`
        self._process = subprocess.Popen(  # noqa: S603 - a list of arguments, never a shell
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            start_new_session=True,  # a Ctrl-C that is meant for us does not reach it
        )

    def failure(self) -> str | None:
        """Why it ended, or None while it runs or when it ended well."""
        if not self._process.poll():
            return None
        self._said.seek(0)
        words = self._said.read().decode("utf-8", "replace").strip()[-TOLD:]
        return f"it ended with exit code {self._process.returncode}" + (f" and said: {words}" if words else "")

    def forget(self) -> None:
        """Listen to it no more."""
        self._process.poll()
        self._said.close()


def _pyautogui() -> Any:  # noqa: ANN401 - pyautogui ships no types
    """Pyautogui, without its pauses, and without its fail-safe.

    The fail-safe raises an `Exception`, which a tool can swallow, and fires in a corner that the agent itself went to.
    """
    first = "pyautogui" not in sys.modules
    with quiet_xlib():
        pyautogui: Any = importlib.import_module("pyautogui")
    if first:
        _pyautogui_x11()._display.close()  # noqa: SLF001 - it opens one when it is imported; each desktop has its own
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui


def _pyautogui_x11() -> Any:  # noqa: ANN401
    return importlib.import_module("pyautogui._pyautogui_x11")
