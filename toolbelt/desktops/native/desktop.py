"""The desktop of Windows or macOS: mss looks, pyautogui moves the mouse, and the system's own calls type.

On Windows all points are physical pixels. On macOS they are what it calls points: its mouse counts in them, and mss
takes its pictures so, also of a screen that has two pixels to each. The main monitor begins at 0, 0; what lies left of
it or above has negative numbers.

Not covered: monitors that are plugged in or moved while it is open; and a process that is killed with a key down
leaves it down, until a person taps it.
"""

import contextlib
import importlib
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from mss import MSS, ScreenShotError

from toolbelt.control import Control
from toolbelt.desktops.base import Application, Button, Direction, Seen, Watcher, Window, native_system, without_secrets
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.native.base import Hands, NativeKeyboard, NativeMouse, quick_pyautogui
from toolbelt.desktops.native.listener import NativeListener
from toolbelt.desktops.native.macos import MacHands
from toolbelt.desktops.native.windows import WindowsHands
from toolbelt.desktops.process import Process
from world_model import DesktopError, Frame, Point, Region, ToolFailure


class NativeDesktop:
    """The screen of the person who runs us, on Windows or macOS.

    Raises:
        DesktopError: it cannot be had; the message says what to do.
    """

    def __init__(self, control: Control) -> None:
        self.name = f"{native_system()} desktop"
        self.control = control
        self._lock = threading.RLock()  # one input at a time, and none after a stop has let everything go
        self._started: list[Process] = []
        self._hands = hands_for(sys.platform)  # before all else: it settles with the system what is seen
        with self._display_errors():
            self._mss = MSS()
        self._pyautogui = quick_pyautogui()
        self._keyboard = NativeKeyboard(self._hands.keys, control)
        self._mouse = NativeMouse(self._pyautogui, self._hands)

    @property
    def region(self) -> Region:
        """All monitors together."""
        return _region(self._mss.monitors[0])

    @property
    def monitors(self) -> tuple[Region, ...]:
        """What each monitor shows."""
        return tuple(_region(one) for one in self._mss.monitors[1:])

    def grab(self) -> Frame:
        """Look at all monitors."""
        with self._display_errors():
            shot = self._mss.grab(self._mss.monitors[0])
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        rgb = cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB)
        return Frame(np.asarray(rgb, np.uint8), Point(shot.left, shot.top), time.time())

    def pointer(self) -> Point:
        """Where the mouse pointer is."""
        x, y = self._pyautogui.position()
        return Point(int(x), int(y))

    def move(self, to: Point) -> None:
        """Move the pointer."""
        with self._input():
            self._mouse.move(to)

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: Seen | None = None) -> bool:
        """Click `count` times in a row, if it is as it was seen there."""
        with self._input():
            if seen and not seen.still(at, self.grab()):
                return False
            self._mouse.click(at, button, count)
            return True

    def mouse_down(self, button: Button) -> None:
        """Press a button and keep it down."""
        with self._input():
            self._mouse.down(button)

    def mouse_up(self, button: Button) -> None:
        """Let go of a button, also after a stop."""
        with self._lock:
            self._mouse.up(button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel where the pointer is."""
        with self._input():
            self._hands.scroll(direction, amount)

    def type(self, text: str) -> None:
        """Type any text exactly."""
        with self._input():
            self._keyboard.type(text)

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press a key or a combination."""
        with self._input():
            self._keyboard.press(keys, seconds)

    def key_down(self, key: str) -> None:
        """Press a key and keep it down."""
        with self._input():
            self._keyboard.down(key)

    def key_up(self, key: str) -> None:
        """Let go of a key, also after a stop."""
        with self._lock:
            self._keyboard.up(key)

    def attend(self, seconds: float) -> None:
        """Return at once: neither system tells whether a program has read what was sent to it."""

    def windows(self) -> list[Window]:
        """The applications' windows, the topmost last."""
        return self._hands.windows()

    def close_window(self, window: Window) -> None:
        """Ask a window to close; not to be had on macOS."""
        with self._input():
            self._hands.close_window(window)

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be brought to the front and given the focus."""
        with self._input():
            self._hands.focus_window(window)

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window to cover a region; not to be had on macOS."""
        with self._input():
            self._hands.place_window(window, region)

    def read_clipboard(self) -> str | None:
        """The text on the clipboard, None where there is none."""
        with self._input(), _clipboard() as pyperclip:
            return str(pyperclip.paste() or "") or None

    def write_clipboard(self, text: str) -> None:
        """Put a text on the clipboard, where it stays."""
        with self._input(), _clipboard() as pyperclip:
            pyperclip.copy(text)

    def launch(self, command: Sequence[str]) -> Application:
        """Start a program; it goes on when the run is over."""
        self.control.check()
        self._started.append(process := Process(command, without_secrets(os.environ)))
        return process

    def release(self) -> None:
        """Let go of every key and button that is held."""
        with self._lock:
            try:
                self._keyboard.release()
            finally:
                self._mouse.release()

    def listen(self, watcher: Watcher, hotkey: Hotkey | None = None) -> NativeListener:
        """Tell what others than the agent do."""
        return NativeListener(watcher, hotkey)

    def close(self) -> None:
        """Let everything go and close the grabber."""
        try:
            self.release()
        finally:
            with self._lock:
                for process in self._started:
                    process.forget()
                self._mss.close()

    @contextlib.contextmanager
    def _input(self) -> Iterator[None]:
        with self._lock:
            self.control.check_takeover()
            yield

    @contextlib.contextmanager
    def _display_errors(self) -> Iterator[None]:
        try:
            yield
        except ScreenShotError as error:
            raise DesktopError(f"The {self.name} cannot be looked at: {error}.") from error


def _region(monitor: Mapping[str, Any]) -> Region:
    return Region(monitor["left"], monitor["top"], monitor["width"], monitor["height"])


def hands_for(platform: str) -> Hands:
    """The hands of one of the two systems.

    Raises:
        DesktopError: it does not agree to their use, or it is another system than these two.
    """
    if platform == "win32":
        return WindowsHands()
    if platform == "darwin":
        return MacHands()
    raise DesktopError(f"{platform} is neither Windows nor macOS: its desktop is an X display.")


@contextlib.contextmanager
def _clipboard() -> Iterator[Any]:
    pyperclip: Any = importlib.import_module("pyperclip")
    try:
        yield pyperclip
    except pyperclip.PyperclipException as error:
        raise ToolFailure("TOOL_ERROR", f"The clipboard cannot be used now: {error}.", ["Try again."]) from error
