"""A real desktop under X11: mss captures the screen, and input goes to the X server through xcffib."""

import contextlib
import os
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import cv2
import numpy as np
from mss import ScreenShotError
from mss.screenshot import ScreenShot

from toolbelt.control import Control
from toolbelt.desktops.accessibility.client import AccessibilityClient
from toolbelt.desktops.accessibility.nodes import WindowTree
from toolbelt.desktops.base import (
    Button,
    Direction,
    InputWatcher,
    SeenPlace,
    Window,
    around,
    x11_environment,
)
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.linux_desktop import LinuxDesktop
from toolbelt.desktops.releaser import Releaser
from toolbelt.desktops.x11 import clipboard, key_releaser, windows
from toolbelt.desktops.x11.connection import Connection, grabber
from toolbelt.desktops.x11.input_sync import wait_until_read
from toolbelt.desktops.x11.keyboard import X11Keyboard
from toolbelt.desktops.x11.listener import KEYS, POINTER, InputMarker, Listener
from toolbelt.desktops.x11.mouse import X11Mouse
from toolbelt.desktops.x11.stacking import Arrivals
from toolbelt.desktops.x11.x_clients import local_clients
from world_model import DesktopError, Frame, Point, Region

FOCUS_BACK_MAX_S: Final = 0.12  # for the focus to come back from a window that has just closed


class LiveDesktop(LinuxDesktop):
    """The X display `display`, such as `:0`.

    Raises:
        DesktopError: The display does not exist or refuses access.
    """

    stays = True  # when it is closed
    has_wayland = False
    knows_windows = True

    def __init__(self, display: str, control: Control) -> None:
        super().__init__()
        self.name = f"display {display}"
        self.display = display
        self.control = control
        self._lock = threading.RLock()  # one input at a time, and none after a stop has released everything
        self._capturing = threading.Lock()  # one capture at a time, and one reader of the events of `_display`
        self._display = Connection(display)
        self._mss = grabber(display)
        self._seen = self.region.size
        self._shot, self._frame = bytearray(), Frame(np.zeros((0, 0, 3), np.uint8))
        self._arrivals = Arrivals(self._display)
        self._environment = x11_environment(os.environ, display)
        self._own = Connection(display)  # for input: the keyboard empties the event queue of its connection
        self._marker = InputMarker(self._own)
        self._keyboard = X11Keyboard(self._own)
        self._mouse = X11Mouse(self._own)
        self._copies = clipboard.Copies(display)
        self._releaser: Releaser | None = None
        self._accessibility = AccessibilityClient(self._reader_environment)

    @property
    def region(self) -> Region:
        """The bounding box of all monitors, as they are connected now."""
        with self._capturing:
            whole = self._display.core.GetGeometry(self._display.root).reply()
        return Region(0, 0, whole.width, whole.height)

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The region of each monitor."""
        whole = self.region
        with self._capturing:
            return tuple(self._display.monitors()) or (whole,)

    def grab(self) -> Frame:
        """Capture all monitors: 2 ms at 1920x1080. Returns the previous frame again if nothing has changed."""
        whole = self.region
        with self._capturing:
            if whole.size != self._seen:  # its buffer has the size that the desktop had when it was opened
                self._mss.close()
                self._mss, self._seen = grabber(self.display), whole.size
            self._arrivals.note()
            shot = self._captured(whole)
            if shot.raw != self._shot or whole != self._frame.region:
                pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
                rgb = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB), np.uint8)
                self._shot, self._frame = shot.raw, Frame(rgb, Point(whole.x, whole.y), time.time())
            return self._frame

    def pointer(self) -> Point:
        """Return the position of the mouse pointer."""
        with self._capturing:
            at = self._display.pointer()
        return Point(at.root_x, at.root_y)

    def move(self, to: Point) -> None:
        """Move the pointer."""
        with self._input(POINTER):
            self._mouse.move(to)

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: SeenPlace | None = None) -> bool:
        """Click `count` times in a row; with `seen`, nothing can change between the check and the click.

        One exception: a click that raises a window goes through the window manager first, for about a millisecond.
        """
        with self._input(POINTER):
            if seen is None:
                return self._mouse.click(at, button, count)
            monitor = next((one for one in self.monitors if at in one), self.region)
            part = around(at).intersection(monitor)
            with (
                self._capturing
            ):  # before the server is grabbed: another thread would wait for the server while it holds the lock
                return self._mouse.click(at, button, count, lambda: self._is_still(at, seen, part))

    def mouse_down(self, button: Button) -> None:
        """Press a button and hold it."""
        with self._input(POINTER):
            self._mouse.down(button)

    def mouse_up(self, button: Button) -> None:
        """Release a button, even after a stop."""
        with self._lock, self._marker.marking(POINTER):
            self._mouse.up(button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel at the position of the pointer."""
        with self._input(POINTER):
            self._mouse.scroll(direction, amount)

    def type(self, text: str, front: int | None = None) -> int:
        """Type any text exactly, as long as `front` has the focus if it is given."""
        with self._input(KEYS):
            stays = partial(self._keeps_focus, front) if front else None
            return self._keyboard.type(text, self.control.check_takeover, stays)

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press a key or a combination."""
        with self._input(KEYS):
            self._keyboard.press(keys, self.control.check_takeover, seconds)

    def key_down(self, key: str) -> None:
        """Press a key and hold it."""
        with self._input(KEYS):
            self._keyboard.down(key, self.control.check_takeover)

    def key_up(self, key: str) -> None:
        """Release a key, even after a stop."""
        with self._lock, self._marker.marking(KEYS):
            self._keyboard.up(key, self.control.check)

    def attend(self, seconds: float) -> bool:
        """Wait until the program in front has read its input, as far as that can be known."""
        with self._lock:
            return wait_until_read(self._own, self.control.check, seconds)

    def front(self) -> int | None:
        """Return the id of the window that has the focus."""
        with self._capturing:
            return windows.focused(self._display)

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top."""
        with self._capturing:
            return windows.list_windows(self._display)

    def close_window(self, window: Window) -> None:
        """Ask a window to close."""
        with self._input(), self._capturing:
            windows.close(self._display, window)

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""
        with self._input(), self._capturing:
            windows.focus(self._display, window)

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window to be moved and resized to a region."""
        with self._input(), self._capturing:
            windows.place(self._display, window, region)

    def read_clipboard(self) -> str | None:
        """Return the text on the clipboard, or None if it is empty."""
        with self._input():
            return clipboard.read(self._own, self.control.check)

    def copies(self) -> int:
        """Return how often programs have put something on the clipboard since this desktop was opened."""
        with self._lock:
            return self._copies.count()

    def trees(self, pids: Sequence[int], seconds: float) -> tuple[WindowTree, ...] | None:
        """Return what programs say of their windows on this display; None if they do not answer in time."""
        return self._accessibility.read(pids, self.region, seconds)

    @property
    def unheard(self) -> str:
        """Why programs are not heard."""
        return self._accessibility.problem

    def release(self) -> None:
        """Release every key and button that is held."""
        with self._lock, self._marker.marking(KEYS, POINTER):
            try:
                self._keyboard.release()
            finally:
                self._mouse.release()

    def listen(self, watcher: InputWatcher, hotkey: Hotkey | None = None) -> Listener:
        """Report input on this display that is not the agent's."""
        return Listener(self.display, watcher.stop, hotkey, watcher, self._marker.window)

    def close(self) -> None:
        """Release everything and close the connections."""
        with contextlib.suppress(DesktopError):
            self.release()
        with self._lock:
            self._leave(clipboard.__name__, self.display, stays=self.stays)
            for helper in (self._releaser, self._copies, self._accessibility):
                if helper:
                    helper.close()
            with contextlib.suppress(ScreenShotError, AssertionError):  # its display is gone
                self._mss.close()
            self._own.close()
            self._display.close()

    def _reader_environment(self) -> dict[str, str]:
        """Return the environment of the process that asks programs what they show."""
        return self._environment

    def _offered(self, text: str) -> clipboard.Offer:
        return clipboard.Offer(self.display, text)

    def _with_windows(self) -> frozenset[int]:
        with self._capturing:
            return frozenset(local_clients(self._display).values())

    def _keeps_focus(self, window: int) -> bool:
        """Whether a window has the focus, or gets it back in a moment."""
        return bool(self.control.until(lambda: windows.has_focus(self._own, window), FOCUS_BACK_MAX_S))

    def _is_still(self, at: Point, seen: SeenPlace, part: Region) -> bool:
        """Tell whether the pointer is there, on the same window as before, and that part looks unchanged."""
        data = self._own.image(self._own.root, part)
        pixels = np.frombuffer(data, np.uint8).reshape(part.height, part.width, 4)[:, :, 2::-1]
        pointer = self._own.pointer()
        come = self._arrivals.since(seen.chosen, pointer.child)
        there = (pointer.root_x, pointer.root_y) == (at.x, at.y)
        return there and not come and seen.still(at, Frame(pixels, Point(part.x, part.y)))

    @contextlib.contextmanager
    def _input(self, *devices: str) -> Iterator[None]:
        """Take the lock for input by the agent; refused while a person has taken over."""
        with self._lock:
            self.control.check_takeover()
            self._start_releaser()
            with self._marker.marking(*devices):
                yield

    def _start_releaser(self) -> None:
        """Start the key releaser, before the first input."""
        self._releaser = self._releaser or Releaser(key_releaser.__name__, self.display)

    def _captured(self, whole: Region) -> ScreenShot:
        try:
            return self._mss.grab((whole.x, whole.y, whole.right, whole.bottom))
        except (ScreenShotError, AssertionError) as error:  # mss asserts that it is connected
            raise DesktopError(f"The {self.name} went away. {error}".strip()) from error
