"""The desktop as the agent uses it: screen, mouse, keyboard, windows and applications."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import numpy as np

from toolbelt.desktops.accessibility.nodes import WindowTree
from toolbelt.desktops.activity import Activity
from toolbelt.desktops.hotkey import Hotkey
from world_model import Frame, Point, Region, Size

Button = Literal["left", "middle", "right"]
Direction = Literal["up", "down", "left", "right"]
AROUND_PX: Final = 12  # around a place that must look as it did when the place was chosen
UNSAVED: Final = re.compile(
    r"^\s*[*\u2022\u25cf]|(?<=\S)\s?[*\u2022\u25cf](?=\s*(?:$|[-\u2013\u2014]\s))"
)  # in a title
SECRET: Final = re.compile(r"MARK_I_(SECRET|TOTP)_.*|.*_API_KEY")  # environment variables
DEFAULT_SIZE: Final = Size(1920, 1080)  # of a virtual desktop


@dataclass(frozen=True, slots=True)
class Window:
    """A window of an application; `region` is the part of the desktop that it covers, including its frame.

    Attributes:
        minimized: Whether it is off the screen, which includes other workspaces.
        ours: Whether it belongs to this process.
        pid: Its process, if that runs on this machine.
        dialog: Whether it is a dialog of another window, which waits for an answer.
        takes_focus: False for one that no key ever reaches, such as a splash screen.
    """

    id: int
    title: str
    application: str
    region: Region
    active: bool = False
    minimized: bool = False
    ours: bool = False
    pid: int | None = None
    dialog: bool = False
    takes_focus: bool = True

    @property
    def unsaved(self) -> bool:
        """Whether its title says that it holds something unsaved, as those of most editors do."""
        return UNSAVED.search(self.title) is not None


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """What was seen of a place before a click: the last frame, and when the place was chosen."""

    frame: Frame
    chosen: float  # in `time.monotonic` seconds

    def still(self, at: Point, now: Frame) -> bool:
        """Tell whether a frame, possibly of a part of the desktop, shows the same around a place."""
        part = around(at).intersection(now.region)
        return np.array_equal(now.crop(part), self.frame.crop(part))


def around(place: Point) -> Region:
    """Return the region around a place that must look as it did when the place was chosen."""
    return Region(place.x, place.y, 1, 1).grown(AROUND_PX)


class Application(Protocol):
    """A program that was started."""

    def failure(self) -> str | None:
        """Return why it failed, or None while it runs or if it succeeded."""

    def running(self) -> bool:
        """Tell whether it still runs."""


class InputWatcher(Protocol):
    """Receives, on another thread, mouse and keyboard input that is not the agent's."""

    def stop(self) -> None:
        """Handle the hotkey."""

    def pressed(self) -> None:
        """Handle the press of a key or a button."""

    def looked(self, at: Point, *, moved: bool, ours: bool) -> None:
        """Handle the polled position; `moved`: others moved it since the last poll; `ours`: the agent used it."""


class Listening(Protocol):
    """Listens until it is closed."""

    @property
    def has_hotkey(self) -> bool:
        """Whether the hotkey works; another program may have it."""

    def close(self) -> None:
        """Stop listening."""


class Desktop(Protocol):
    """A screen with mouse and keyboard. Points are physical pixels of the whole desktop.

    Every method may raise `DesktopError` if the display is gone; those that act raise `Halt` once the run has been
    stopped, before they do anything.
    """

    name: str
    has_wayland: bool  # whether programs that need Wayland can show their windows
    knows_windows: bool  # whether it is told which windows there are, and which one has the focus

    @property
    def region(self) -> Region:
        """The whole desktop; its origin is negative if a monitor lies left of or above the first."""

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The region of each monitor; parts of the desktop may be on none."""

    def grab(self) -> Frame:
        """Capture the whole desktop."""

    def pointer(self) -> Point:
        """Return the position of the mouse pointer."""

    def move(self, to: Point) -> None:
        """Move the pointer."""

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: SeenPlace | None = None) -> bool:
        """Click `count` times in a row; return False, without clicking, if the place no longer looks as `seen`."""

    def mouse_down(self, button: Button) -> None:
        """Press a button at the pointer and hold it until `mouse_up` or `release`."""

    def mouse_up(self, button: Button) -> None:
        """Release a button, even after a stop."""

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel by `amount` notches at the pointer."""

    def type(self, text: str, front: int | None = None) -> int:
        """Type any text exactly; a newline is Enter, a tab is Tab.

        With `front`, stop as soon as another window has the focus, where that can be known meanwhile.

        Returns:
            How many characters were typed.
        """

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press a key or a combination, `enter` or `ctrl+shift+s`, and hold it for `seconds`."""

    def key_down(self, key: str) -> None:
        """Press a key and hold it until `key_up` or `release`."""

    def key_up(self, key: str) -> None:
        """Release a key, even after a stop."""

    def attend(self, seconds: float) -> bool:
        """Wait, at most `seconds`, until the program in front has read its input.

        Returns:
            False if it has not; True, and at once, where that cannot be known.
        """

    def front(self) -> int | None:
        """Return the id of the window that has the focus; None if there is none, or it cannot be known."""

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top."""

    def close_window(self, window: Window) -> None:
        """Ask a window to close, as its close button does."""

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window, including its frame, to be moved and resized to a region."""

    def read_clipboard(self) -> str | None:
        """Return the text on the clipboard, or None if it is empty."""

    def copies(self) -> int:
        """Return how often programs have put something on the clipboard; always 0 where that cannot be known."""

    def write_clipboard(self, text: str) -> None:
        """Put text on the clipboard."""

    def launch(self, command: Sequence[str]) -> Application:
        """Start a program that opens its windows on this desktop."""

    def activity(self) -> Activity:
        """Return what the programs that were started here are doing; nothing where that cannot be known."""

    def trees(self, pids: Sequence[int], seconds: float) -> tuple[WindowTree, ...] | None:
        """Return what programs say of their windows in `seconds`; None if they do not answer in time.

        Args:
            pids: the programs, the most important first.
            seconds: how long it may take.
        """

    @property
    def unheard(self) -> str:
        """Why programs are not heard; empty if they are."""

    def release(self) -> None:
        """Release every key and button that is held."""

    def listen(self, watcher: InputWatcher, hotkey: Hotkey | None = None) -> Listening:
        """Report input that is not the agent's, and the hotkey."""

    def close(self) -> None:
        """Release all resources; the desktop cannot be used afterwards."""


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without secrets, for programs that the agent starts: a model may see what they show."""
    return {name: value for name, value in environment.items() if not SECRET.fullmatch(name)}


def x11_environment(environment: Mapping[str, str], display: str) -> dict[str, str]:
    """Return the environment for a program on an X display: X11 instead of Wayland, and a UTF-8 locale."""
    changed = {name: value for name, value in without_secrets(environment).items() if name != "WAYLAND_DISPLAY"}
    locale = changed.get("LC_ALL") or changed.get("LC_CTYPE") or changed.get("LANG") or ""
    if "utf" not in locale.lower():  # otherwise X programs cannot receive what is typed
        changed |= {"LC_ALL": "C.UTF-8"}
    return changed | {"DISPLAY": display, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "XDG_SESSION_TYPE": "x11"}


def native_system() -> str | None:
    """Return "Windows" or "macOS"; None on other systems, whose desktop is an X display."""
    return {"win32": "Windows", "darwin": "macOS"}.get(sys.platform)


def live_display() -> str | None:
    """Return the X display of this process, or None if there is none that can be captured."""
    return None if on_wayland() else os.environ.get("DISPLAY") or None


def on_wayland() -> bool:
    """Tell whether this is a Wayland session: XWayland neither shows the whole screen nor takes input for it."""
    return os.environ.get("XDG_SESSION_TYPE") == "wayland" or bool(os.environ.get("WAYLAND_DISPLAY"))
