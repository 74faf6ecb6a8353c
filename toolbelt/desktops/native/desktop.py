"""The desktop of Windows or macOS: mss captures it, pyautogui moves the mouse, and system calls type.

On Windows all points are physical pixels. On macOS they are its logical points, which the mouse and mss use, even on a
screen with two pixels per point. The main monitor begins at 0, 0; what lies left of it or above has negative
coordinates.

Not covered: monitors that are connected or moved while it is open. A process that is killed while it holds a key leaves
it down until a person presses it.
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
from toolbelt.desktops.accessibility.nodes import WindowTree
from toolbelt.desktops.activity import Activity
from toolbelt.desktops.base import (
    Application,
    Button,
    Direction,
    InputWatcher,
    SeenPlace,
    Window,
    native_system,
    without_secrets,
)
from toolbelt.desktops.held_input import HeldInput
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.native.base import NativeKeyboard, NativeMouse, NativePlatform, quick_pyautogui
from toolbelt.desktops.native.listener import NativeListener
from toolbelt.desktops.native.macos import MacPlatform
from toolbelt.desktops.native.windows import WindowsPlatform
from toolbelt.desktops.process import Process
from world_model import DesktopError, Frame, Point, Region, ToolFailure


class NativeDesktop(HeldInput):
    """The screen of the person who runs us, on Windows or macOS.

    Raises:
        DesktopError: It is not available; the message says what to do.
    """

    has_wayland = False
    knows_windows = True
    _mouse: NativeMouse
    _keyboard: NativeKeyboard

    def __init__(self, control: Control) -> None:
        self.name = f"{native_system()} desktop"
        self.control = control
        self._lock = threading.RLock()
        self._started: list[Process] = []
        self._platform = platform_for(sys.platform)  # first, because it requests permissions and pixel coordinates
        with self._display_errors():
            self._mss = MSS()
        self._pyautogui = quick_pyautogui()
        self._keyboard = NativeKeyboard(self._platform.keys, control)
        self._mouse = NativeMouse(self._pyautogui, self._platform)

    @property
    def region(self) -> Region:
        """The bounding box of all monitors."""
        return _region(self._mss.monitors[0])

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The region of each monitor."""
        return tuple(_region(one) for one in self._mss.monitors[1:])

    def grab(self) -> Frame:
        """Capture all monitors."""
        with self._display_errors():
            shot = self._mss.grab(self._mss.monitors[0])
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        rgb = cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB)
        return Frame(np.asarray(rgb, np.uint8), Point(shot.left, shot.top), time.time())

    def pointer(self) -> Point:
        """Return the position of the mouse pointer."""
        x, y = self._pyautogui.position()
        return Point(int(x), int(y))

    def move(self, to: Point) -> None:
        """Move the pointer."""
        with self._input():
            self._mouse.move(to)

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: SeenPlace | None = None) -> bool:
        """Click `count` times in a row, if the place still looks as `seen`."""
        with self._input():
            if seen and not seen.still(at, self.grab()):
                return False
            self._mouse.click(at, button, count)
            return True

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel at the position of the pointer."""
        with self._input():
            self._platform.scroll(direction, amount)

    def type(self, text: str, front: int | None = None) -> int:  # noqa: ARG002 - it is typed in one piece
        """Type any text exactly."""
        with self._input():
            self._keyboard.type(text)
        return len(text)

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press a key or a combination."""
        with self._input():
            self._keyboard.press(keys, seconds)

    def attend(self, seconds: float) -> bool:  # noqa: ARG002 - nobody tells
        """Return True at once: it cannot be known."""
        return True

    def front(self) -> int | None:
        """Return the window that has the focus."""
        return next((one.id for one in self.windows() if one.active), None)

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top."""
        return self._platform.windows()

    def close_window(self, window: Window) -> None:
        """Ask a window to close; not available on macOS."""
        with self._input():
            self._platform.close_window(window)

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""
        with self._input():
            self._platform.focus_window(window)

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window to be moved and resized to a region; not available on macOS."""
        with self._input():
            self._platform.place_window(window, region)

    def read_clipboard(self) -> str | None:
        """Return the text on the clipboard, or None if it is empty."""
        with self._input(), _clipboard() as pyperclip:
            return str(pyperclip.paste() or "") or None

    def copies(self) -> int:
        """Return 0: it is not known."""
        return 0

    def write_clipboard(self, text: str) -> None:
        """Put text on the clipboard, where it stays."""
        with self._input(), _clipboard() as pyperclip:
            pyperclip.copy(text)

    def launch(self, command: Sequence[str]) -> Application:
        """Start a program; it keeps running after the run."""
        self.control.check()
        self._started.append(process := Process(command, without_secrets(os.environ)))
        return process

    def activity(self) -> Activity:
        """Return nothing: what programs do is only known on Linux."""
        return Activity()

    def trees(self, pids: Sequence[int], seconds: float) -> tuple[WindowTree, ...]:  # noqa: ARG002 - nobody is asked
        """Return nothing: programs are only heard on Linux."""
        return ()

    @property
    def unheard(self) -> str:
        """Return nothing: nobody is asked."""
        return ""

    def listen(self, watcher: InputWatcher, hotkey: Hotkey | None = None) -> NativeListener:
        """Report input that is not the agent's."""
        return NativeListener(watcher, hotkey)

    def close(self) -> None:
        """Release everything and close the grabber."""
        try:
            self.release()
        finally:
            with self._lock:
                for process in self._started:
                    process.forget()
                self._mss.close()

    @contextlib.contextmanager
    def _display_errors(self) -> Iterator[None]:
        try:
            yield
        except ScreenShotError as error:
            raise DesktopError(f"The {self.name} cannot be captured: {error}.") from error


def _region(monitor: Mapping[str, Any]) -> Region:
    return Region(monitor["left"], monitor["top"], monitor["width"], monitor["height"])


def platform_for(platform: str) -> NativePlatform:
    """Return the platform of one of the two systems.

    Raises:
        DesktopError: A permission is missing, or it is another system.
    """
    if platform == "win32":
        return WindowsPlatform()
    if platform == "darwin":
        return MacPlatform()
    raise DesktopError(f"{platform} is neither Windows nor macOS: its desktop is an X display.")


@contextlib.contextmanager
def _clipboard() -> Iterator[Any]:
    pyperclip: Any = importlib.import_module("pyperclip")
    try:
        yield pyperclip
    except pyperclip.PyperclipException as error:
        raise ToolFailure("TOOL_ERROR", f"The clipboard cannot be used now: {error}.", ["Try again."]) from error
