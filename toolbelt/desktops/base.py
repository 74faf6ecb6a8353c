"""What a desktop is to the agent: a screen to look at, a mouse, a keyboard, windows and applications."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np

from toolbelt.desktops.hotkey import Hotkey
from world_model import Frame, Point, Region, Size

Button = Literal["left", "middle", "right"]
Direction = Literal["up", "down", "left", "right"]
AROUND: Final = 12  # pixels around a place that must look as they did when it was chosen
SECRET: Final = re.compile(r"MARK_I_SECRET_.*|.*_API_KEY")  # variables of the environment
DEFAULT_SIZE: Final = Size(1920, 1080)  # of a virtual desktop


@dataclass(frozen=True, slots=True)
class Window:
    """An application's window; `region` is the part of the desktop that it covers, its frame included.

    Attributes:
        minimized: whether it is not on the screen, also where it is on another workspace.
        ours: whether it belongs to this process.
        pid: the process that it belongs to, where that is one of this machine.
    """

    id: int
    title: str
    application: str
    region: Region
    active: bool = False
    minimized: bool = False
    ours: bool = False
    pid: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of a place before a click: the last look at it, and when it was chosen."""

    frame: Frame
    chosen: float  # seconds, as `time.monotonic` has it

    def still(self, at: Point, now: Frame) -> bool:
        """Whether a frame, which may be of a part of the desktop, shows the same around a place."""
        part = around(at).intersection(now.region)
        return np.array_equal(now.crop(part), self.frame.crop(part))


def around(place: Point) -> Region:
    """What must look as it did when the place in the middle was chosen."""
    return Region(place.x, place.y, 1, 1).grown(AROUND)


class Application(Protocol):
    """A program that was started."""

    def failure(self) -> str | None:
        """Why it ended, or None while it runs or when it ended well."""

    def running(self) -> bool:
        """Whether it has not ended yet."""


class Watcher(Protocol):
    """Is told what others than the agent do with mouse and keyboard; on another thread."""

    def stop(self) -> None:
        """The hotkey was pressed."""

    def pressed(self) -> None:
        """A key or a button was pressed."""

    def looked(self, at: Point, *, moved: bool, ours: bool) -> None:
        """Where the pointer is; whether somebody else moved it since the last look, and whether the agent had it."""


class Listening(Protocol):
    """Goes on until it is closed."""

    @property
    def has_hotkey(self) -> bool:
        """Whether the hotkey is ours; it may be another program's."""

    def close(self) -> None:
        """Listen no more."""


class Desktop(Protocol):
    """A screen with hands. Points are physical pixels of the whole desktop.

    Every method may raise `DesktopError` when the display is gone, and those that act raise `Halt` once the run was
    stopped, before they do anything.
    """

    name: str

    @property
    def region(self) -> Region:
        """All of the desktop; its origin is negative where a monitor lies left of or above the first."""

    @property
    def monitors(self) -> tuple[Region, ...]:
        """What each monitor shows; there may be parts of the desktop that none does."""

    def grab(self) -> Frame:
        """Look at all of it."""

    def pointer(self) -> Point:
        """Where the mouse pointer is."""

    def move(self, to: Point) -> None:
        """Move the pointer."""

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: Seen | None = None) -> bool:
        """Click, or click several times in a row as a double click is; False where it is not as it was seen there."""

    def mouse_down(self, button: Button) -> None:
        """Press a button where the pointer is and keep it down, until `mouse_up` or `release`."""

    def mouse_up(self, button: Button) -> None:
        """Let go of a button; done also after a stop."""

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel by `amount` notches where the pointer is."""

    def type(self, text: str) -> None:
        """Type any text exactly; a newline is the enter key, a tab the tab key."""

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press a key or a combination, `enter` or `ctrl+shift+s`, and hold it so long."""

    def key_down(self, key: str) -> None:
        """Press a key and keep it down, until `key_up` or `release`."""

    def key_up(self, key: str) -> None:
        """Let go of a key; done also after a stop."""

    def attend(self, seconds: float) -> None:
        """Wait, at most so long, until the program in front has read what was sent to it; not if it cannot tell."""

    def windows(self) -> list[Window]:
        """The applications' windows, the topmost last."""

    def close_window(self, window: Window) -> None:
        """Ask a window to close, as its close button does."""

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be brought to the front and given the focus."""

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window to cover a region, its frame included."""

    def read_clipboard(self) -> str | None:
        """The text on the clipboard, None where nobody offers anything."""

    def write_clipboard(self, text: str) -> None:
        """Put a text on the clipboard."""

    def launch(self, command: Sequence[str]) -> Application:
        """Start a program with its windows on this desktop."""

    def release(self) -> None:
        """Let go of every key and button that is held."""

    def listen(self, watcher: Watcher, hotkey: Hotkey | None = None) -> Listening:
        """Tell what others than the agent do here, and when the hotkey is pressed."""

    def close(self) -> None:
        """Give back what was taken; the desktop is of no use afterwards."""


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for a program that the agent starts: what it shows, a model may see."""
    return {name: value for name, value in environment.items() if not SECRET.fullmatch(name)}


def session(environment: Mapping[str, str], display: str) -> dict[str, str]:
    """The environment for a program on an X display: X11 and not Wayland, and a locale that knows Unicode."""
    changed = {name: value for name, value in without_secrets(environment).items() if name != "WAYLAND_DISPLAY"}
    locale = changed.get("LC_ALL") or changed.get("LC_CTYPE") or changed.get("LANG") or ""
    if "utf" not in locale.lower():  # without one, X programs cannot take in what is typed
        changed |= {"LC_ALL": "C.UTF-8"}
    return changed | {"DISPLAY": display, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "XDG_SESSION_TYPE": "x11"}


def native_system() -> str | None:
    """Windows or macOS, which have a desktop of their own; None elsewhere, where it is an X display."""
    return {"win32": "Windows", "darwin": "macOS"}.get(sys.platform)


def live_display() -> str | None:
    """The X display that this process was started on, if there is one that can be looked at."""
    return None if on_wayland() else os.environ.get("DISPLAY") or None


def on_wayland() -> bool:
    """Whether the session is a Wayland one: XWayland's display neither shows the screen nor takes input for it."""
    return os.environ.get("XDG_SESSION_TYPE") == "wayland" or bool(os.environ.get("WAYLAND_DISPLAY"))
