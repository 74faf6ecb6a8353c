"""A real desktop under X11: mss looks, pyautogui moves the mouse, our own keyboard types."""

import contextlib
import importlib
import io
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

import cv2
import numpy as np
from mss import MSS, ScreenShotError
from Xlib.display import Display
from Xlib.error import ConnectionClosedError

from toolbelt import windows
from toolbelt.control import Control
from toolbelt.desktop import Application, Button, Direction, Window, session
from toolbelt.keyboard import X11Keyboard
from toolbelt.xdisplay import connect, reachable
from world_model import DesktopError, Frame, Point, Region

TOLD = 400  # characters of what a failed program said; its last words are the reason


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
        with reachable(display), contextlib.redirect_stdout(io.StringIO()):
            try:
                self._mss = MSS(display=display)
            except ScreenShotError as error:
                raise DesktopError(f"The display {display} cannot be looked at: {error}.") from error
            self._mouse = _pyautogui(self._display)
        self._environment = session(os.environ, display)
        self._keyboard = X11Keyboard(self._display)
        self._held: list[Button] = []

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
        with self._input():
            self._mouse.moveTo(to.x, to.y)

    def click(self, at: Point, button: Button = "left", count: int = 1) -> None:
        """Click `count` times in a row."""
        with self._input():
            self._mouse.click(at.x, at.y, clicks=count, button=button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel where the pointer is."""
        turn = self._mouse.vscroll if direction in ("up", "down") else self._mouse.hscroll
        with self._input():
            turn(amount if direction in ("up", "right") else -amount)

    def type(self, text: str) -> None:
        """Type any text exactly."""
        with self._input():
            self._keyboard.type(text, self.control.check)

    def press(self, keys: str) -> None:
        """Press a key or a combination."""
        with self._input():
            self._keyboard.press(keys, self.control.check)

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
        said = tempfile.TemporaryFile()  # noqa: SIM115 - it stays open as long as the program may speak
        return Process(start(command, self._environment, said), said)

    def release(self) -> None:
        """Let go of every key that is held."""
        with self._lock, self._display_errors():
            self._keyboard.release()

    def close(self) -> None:
        """Close the connections."""
        with self._lock, contextlib.suppress(ConnectionClosedError, ScreenShotError):  # gone is closed
            self._mss.close()
            self._display.close()

    @contextlib.contextmanager
    def _input(self) -> Iterator[None]:
        with self._lock, self._display_errors():
            self.control.check()
            yield

    @contextlib.contextmanager
    def _display_errors(self) -> Iterator[None]:
        try:
            yield
        except (ConnectionClosedError, ScreenShotError) as error:
            raise DesktopError(f"The {self.name} went away: {error}.") from error


class Process:
    """A program that runs beside us; what it says as an error is kept, to be told if it fails."""

    def __init__(self, process: subprocess.Popen[bytes], said: IO[bytes]) -> None:
        self._process = process
        self._said = said

    def failure(self) -> str | None:
        """Why it ended, or None while it runs or when it ended well."""
        if not self._process.poll():
            return None
        self._said.seek(0)
        words = self._said.read().decode("utf-8", "replace").strip()[-TOLD:]
        return f"it ended with exit code {self._process.returncode}" + (f" and said: {words}" if words else "")


def start(command: Sequence[str], environment: Mapping[str, str], said: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, so that a Ctrl-C meant for us does not reach it."""
    return subprocess.Popen(  # noqa: S603 - a list of arguments, never a shell
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=said,
        start_new_session=True,
    )


def _pyautogui(display: Display) -> Any:  # noqa: ANN401 - pyautogui ships no types
    """Pyautogui, speaking to `display`.

    It opens `$DISPLAY` when it is imported and keeps it for good, but a process may go from one virtual desktop to
    the next. So its display is replaced. Its fail-safe is off: it raises an `Exception`, and fires in a corner that the
    agent itself went to.
    """
    pyautogui: Any = importlib.import_module("pyautogui")
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    x11: Any = importlib.import_module("pyautogui._pyautogui_x11")
    x11._display = display  # noqa: SLF001 - it has no other door
    return pyautogui
