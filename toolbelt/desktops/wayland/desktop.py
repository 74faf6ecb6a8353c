"""The person's own desktop under Wayland, on compositors of wlroots: sway, labwc, Hyprland and others.

Nobody tells where the pointer is, and most compositors tell that the person uses mouse or keyboard, but not how: that
pauses the run, and no corner stops it. Between the last look and a click something may change.
"""

import contextlib
import os
import re
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops.accessibility.client import AccessibilityClient
from toolbelt.desktops.base import (
    Button,
    Direction,
    InputWatcher,
    Listening,
    SeenPlace,
    without_secrets,
)
from toolbelt.desktops.held_input import HeldInput
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.releaser import Releaser
from toolbelt.desktops.shells import is_terminal
from toolbelt.desktops.wayland import clipboard, mouse
from toolbelt.desktops.wayland.activity import tells_activity
from toolbelt.desktops.wayland.keyboard import WaylandKeyboard
from toolbelt.desktops.wayland.listener import Listener
from toolbelt.desktops.wayland.protocols import (
    DATA_CONTROLS,
    INTERFACES,
    KEYBOARDS,
    POINTERS,
    SCREENCOPY,
    TOPLEVELS,
    XDG_OUTPUTS,
)
from toolbelt.desktops.wayland.screen import Screen
from toolbelt.desktops.wayland.sway import SOCKET, Sway
from toolbelt.desktops.wayland.windowed import WindowedDesktop
from toolbelt.desktops.wayland.windows import SwayWindows, Toplevels, Windows
from toolbelt.desktops.wayland.wire import Wire
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.input_sync import wait_until_read
from world_model import DesktopError, Frame, Point, Region, ToolFailure

BEYOND: Final = re.compile("([\U00010000-\U0010ffff](?:[^\n\r\t]*[\U00010000-\U0010ffff])?)")  # 16 bits, within a line
PASTE_MAX_S: Final = 5.0  # for a program to paste
PASTED_S: Final = 0.2  # after which it asks for no other format of the same
_POLL_S: Final = 0.001  # between two looks whether a program has read its input
_RESTING: Final = frozenset("SI")  # the states of a process that waits for something
NEEDED: Final = {
    SCREENCOPY: "see the screen",
    POINTERS: "move the mouse",
    KEYBOARDS: "press keys",
    XDG_OUTPUTS: "know where the monitors are",
    TOPLEVELS: "list the windows",
}


def wayland_socket() -> Path:
    """Return the socket of the Wayland session that the environment names."""
    return Path(os.environ.get("XDG_RUNTIME_DIR", "/"), os.environ.get("WAYLAND_DISPLAY") or "wayland-0")


def session_lacks(socket_path: Path) -> str:
    """Say what the compositor at a socket does not let programs do that the agent needs; empty if it lets them.

    Raises:
        DesktopError: None listens there.
    """
    with contextlib.closing(Wire(socket_path, INTERFACES)) as wire:
        lacks = [what for name, what in NEEDED.items() if name not in wire.globals]
        lacks += ["use the clipboard"] if wire.globals.keys().isdisjoint(DATA_CONTROLS) else []
    return f"This Wayland session does not let programs {' or '.join(lacks)}." if lacks else ""


class WaylandDesktop(HeldInput, WindowedDesktop):
    """The Wayland session whose compositor listens at `socket_path`.

    Raises:
        DesktopError: It does not exist, or does not let programs do what the agent needs.
    """

    name = "Wayland desktop"
    has_wayland = True
    knows_windows = True
    _mouse: mouse.WaylandMouse
    _screen: Screen
    _keyboard: WaylandKeyboard

    def __init__(self, socket_path: Path, control: Control) -> None:
        super().__init__()
        self.control = control
        self._path = str(socket_path)
        session = {"XDG_RUNTIME_DIR": str(socket_path.parent), "WAYLAND_DISPLAY": socket_path.name}
        self._environment = without_secrets(os.environ) | session
        self._lock = threading.RLock()
        self._capturing = threading.Lock()  # one capture at a time
        self._opened = contextlib.ExitStack()
        self._x_display: Connection | None = None
        if lacks := session_lacks(socket_path):
            raise DesktopError(lacks)
        with contextlib.ExitStack() as failed:
            failed.callback(self._opened.close)
            self._screen = Screen(self._connected())
            self._input_wire = self._connected()
            self._mouse = mouse.WaylandMouse(self._input_wire)
            self._keyboard = WaylandKeyboard(self._input_wire, self._await_read)
            self._windows = self._find_windows()
            self._copies = clipboard.Copies(self._path)
            failed.pop_all()
        # Without the socket of sway, through which its library would take places of windows that are not theirs.
        heard = {name: value for name, value in self._environment.items() if name != SOCKET}
        self._accessibility = AccessibilityClient(lambda: heard)
        self._own_copies = 0  # on the clipboard, in order to type
        self._listener: Listener | None = None  # the last that was asked for
        self._releaser: Releaser | None = None

    @property
    def region(self) -> Region:
        """The bounding box of all monitors, as they are connected now."""
        with self._capturing:
            self._screen.refresh()
            return self._screen.layout.whole

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The region of each monitor."""
        with self._capturing:
            self._screen.refresh()
            return tuple(map(self._screen.layout.region_of, self._screen.layout.monitors))

    def grab(self) -> Frame:
        """Capture all monitors. Returns the previous frame again if nothing has changed."""
        with self._capturing:
            return self._screen.grab()

    def pointer(self) -> Point:
        """Return where the agent left the pointer; the middle of the first monitor before it moved it."""
        monitor = self.monitors[0]
        return self._mouse.at or Point(monitor.x + monitor.width // 2, monitor.y + monitor.height // 2)

    def move(self, to: Point) -> None:
        """Move the pointer."""
        with self._input():
            self._mouse.move(to, self._screen.layout)

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: SeenPlace | None = None) -> bool:
        """Click `count` times in a row, if the place still looks as `seen`."""
        with self._input():
            if seen and not seen.still(at, self.grab()):
                return False
            self._mouse.click(at, self._screen.layout, button, count)
            return True

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel at the position of the pointer."""
        with self._input():
            self._mouse.scroll(direction, amount)

    def type(self, text: str, front: int | None = None) -> int:
        """Type any text exactly, as long as `front` has the focus if it is given."""
        with self._input():
            stays, done = partial(self._keeps_focus, front) if front else None, 0
            for part in filter(None, BEYOND.split(text)):
                if BEYOND.fullmatch(part) and self._can_paste():
                    if stays and not stays():
                        return done
                    self._paste(part)
                    typed = len(part)
                else:
                    typed = self._keyboard.type(part, self.control.check_takeover, stays)
                done += typed
                if typed < len(part):
                    return done
            return done

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press a key or a combination."""
        with self._input():
            self._keyboard.press(keys, partial(self.control.wait, seconds) if seconds else self.control.check_takeover)

    def attend(self, seconds: float) -> bool:
        """Wait until the program in front has read its input, as far as that can be known."""
        with self._lock:
            return self._await_read(seconds)

    def read_clipboard(self) -> str | None:
        """Return the text on the clipboard, or None if it is empty."""
        with self._input():
            return clipboard.read(self._path, self.control.check)

    def copies(self) -> int:
        """Return how often programs have put something on the clipboard since this desktop was opened."""
        with self._lock:
            return self._copies.count() - self._own_copies

    @property
    def sees_input(self) -> bool:
        """Whether the compositor tells when the person uses mouse or keyboard."""
        return tells_activity(self._input_wire)

    def listen(self, watcher: InputWatcher, hotkey: Hotkey | None = None) -> Listening:
        """Report that the person uses mouse or keyboard, where the compositor tells, and with sway the hotkey."""
        self._listener = Listener(Path(self._path), watcher, hotkey, sees_input=self.sees_input)
        return self._listener

    def mouse_up(self, button: Button) -> None:
        """Release a button, even after a stop."""
        with self._lock, self._marked():
            super().mouse_up(button)

    def key_up(self, key: str) -> None:
        """Release a key, even after a stop."""
        with self._lock, self._marked():
            super().key_up(key)

    def release(self) -> None:
        """Release every key and button that is held."""
        with self._lock, self._marked():
            super().release()

    def close(self) -> None:
        """Release everything and close the connections."""
        with contextlib.suppress(DesktopError):
            self.release()
        with self._lock:
            self._leave(clipboard.__name__, self._path, stays=True)
            for helper in (self._releaser, self._copies, self._accessibility):
                if helper:
                    helper.close()
            self._opened.close()

    def _connected(self) -> Wire:
        return self._opened.enter_context(contextlib.closing(Wire(Path(self._path), INTERFACES)))

    def _find_windows(self) -> Windows:
        """Return the windows as sway tells of them, where it does; else as any compositor does."""
        if path := os.environ.get(SOCKET):
            return SwayWindows(self._opened.enter_context(contextlib.closing(Sway(Path(path)))))
        return Toplevels(self._connected())

    def _offered(self, text: str) -> clipboard.Offer:
        return clipboard.Offer(self._path, text)

    def _await_read(self, seconds: float) -> bool:
        """Wait until the program in front waits for its input; True, and at once, where it is not known.

        Its input is there once the compositor has answered twice: it sends what it has before it reads on. So does the
        X server of the session, which hands the input of X11's programs on.
        """
        self._input_wire.roundtrip()
        self._input_wire.roundtrip()
        with self._listing:
            front = self._windows.front()
        if front and front.may_be_x11 and (display := self._x11()):
            display.sync()
            display.sync()
            return wait_until_read(display, self.control.check, seconds)
        if not front or front.pid is None:
            return True
        end = time.monotonic() + seconds
        while not _waits(front.pid):
            self.control.check()
            if time.monotonic() > end:
                return False
            time.sleep(_POLL_S)
        return True

    def _can_paste(self) -> bool:
        """Whether ctrl+v pastes in front: not in a terminal."""
        with self._listing:
            front = self._windows.front()
        return front is not None and not is_terminal(front.pid)

    def _paste(self, text: str) -> None:
        """Paste what not every program takes as keys (Chromium keeps half of each such character).

        The clipboard is put back, if it held text or nothing; else keys have to do.
        """
        try:
            before = clipboard.read(self._path, self.control.check)
        except ToolFailure:
            self._keyboard.type(text, self.control.check_takeover)
            return
        with contextlib.closing(clipboard.Offer(self._path, text)) as offer:
            self._own_copies += 1
            began_s = time.monotonic()  # a program that keeps what was copied may have it already
            self._keyboard.press("ctrl+v", self.control.check_takeover)
            taken = self.control.until(lambda: offer.taken_s > began_s, PASTE_MAX_S)
            self.control.until(lambda: time.monotonic() > offer.taken_s + PASTED_S, PASTE_MAX_S)
        if before is not None:
            self._own_copies += 1
            self._put_on_clipboard(before)
        if not taken:
            told = f"{text} cannot be typed here: the program in front did not paste it."
            raise ToolFailure("TOOL_ERROR", told, ["Check what has arrived before typing more."])

    def _x11(self) -> Connection | None:
        """Return a connection to the X server of the session, if it has one."""
        if self._x_display is None and (name := os.environ.get("DISPLAY")):
            with contextlib.suppress(DesktopError):
                self._x_display = self._opened.enter_context(contextlib.closing(Connection(name)))
        return self._x_display

    @contextlib.contextmanager
    def _input(self) -> Iterator[None]:
        with self._lock:
            if self._listener:
                self._listener.look()
            with super()._input(), self._marked():
                self._releaser = self._releaser or Releaser(mouse.__name__, self._path)
                yield

    @contextlib.contextmanager
    def _marked(self) -> Iterator[None]:
        """Tell input of the agent from that of others, where somebody listens."""
        if self._listener is None:
            yield
            return
        with self._listener.own():
            try:
                yield
            finally:
                self._input_wire.roundtrip()


def _waits(pid: int) -> bool:
    """Whether the first thread of a process, which handles its windows, waits for something; True if it has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return text.rpartition(")")[2].split()[0] in _RESTING
