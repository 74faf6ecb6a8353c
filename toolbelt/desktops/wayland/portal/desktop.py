"""The person's own desktop under Wayland where the system asks the person first (the desktop portal): GNOME and Plasma.

Nobody tells where the pointer is, or what the person does with their own mouse and keyboard; nor which windows there
are, except on Plasma.
"""

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

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
from toolbelt.desktops.keysyms import keysyms_of_text
from toolbelt.desktops.wayland import clipboard
from toolbelt.desktops.wayland.desktop import PASTE_MAX_S, PASTED_S
from toolbelt.desktops.wayland.portal.bus import Bus
from toolbelt.desktops.wayland.portal.clipboard import Clipboard, Offer
from toolbelt.desktops.wayland.portal.keyboard import PortalKeyboard
from toolbelt.desktops.wayland.portal.keymap import Keymap
from toolbelt.desktops.wayland.portal.kwin import KWin, KWinWindows
from toolbelt.desktops.wayland.portal.mouse import PortalMouse
from toolbelt.desktops.wayland.portal.open_clipboard import OpenClipboard
from toolbelt.desktops.wayland.portal.screen import Screen, refuse_scaled
from toolbelt.desktops.wayland.portal.session import Session, Token
from toolbelt.desktops.wayland.portal.traits import places_in_picture, traits_of
from toolbelt.desktops.wayland.windowed import WindowedDesktop
from toolbelt.desktops.wayland.windows import NoWindows, Windows
from world_model import DesktopError, Frame, Point, Region, ToolFailure


class PortalDesktop(HeldInput, WindowedDesktop):
    """The Wayland session at `socket_path`, after the person was asked; with `token`, perhaps only once.

    If it only `looks`, no right to use mouse, keyboard or clipboard is asked for, and none is used.

    Raises:
        DesktopError: It does not exist, or the person does not allow it.
    """

    name = "Wayland desktop"
    has_wayland = True
    _mouse: PortalMouse
    _screen: Screen
    _keyboard: PortalKeyboard

    def __init__(self, socket_path: Path, control: Control, token: Token | None = None, *, looks: bool = False) -> None:
        super().__init__()
        self.control = control
        self._path = socket_path
        session = {"XDG_RUNTIME_DIR": str(socket_path.parent), "WAYLAND_DISPLAY": socket_path.name}
        self._environment = without_secrets(os.environ) | session
        self._lock = threading.RLock()
        self._capturing = threading.Lock()  # one capture at a time
        self._opened = contextlib.ExitStack()
        with contextlib.ExitStack() as failed:
            failed.callback(self._opened.close)
            traits = traits_of(socket_path)
            bus = self._opened.enter_context(contextlib.closing(Bus()))
            with control.asking():
                self._session = Session(bus, token, control.check, looks=looks, joined=traits.joins_monitors)
            if not looks:
                PortalMouse.wake(self._session)
            if traits.learns_keys_late and not looks:
                PortalKeyboard.wake(self._session)  # before the pictures come, which leaves it the time to learn
            self._screen = self._opened.enter_context(contextlib.closing(Screen(self._session, control.check)))
            if not (looks or traits.takes_logical_units):
                refuse_scaled(self._screen.layout.monitors)
            places = places_in_picture(socket_path) if traits.joins_monitors and not looks else ()
            self._mouse = PortalMouse(self._session, self._screen, traits, places)
            awake = None if looks else partial(PortalKeyboard.wake, self._session)
            self._keymap = Keymap(socket_path, awake, everywhere=traits.finds_keys_in_first_layout)
            self._opened.callback(self._keymap.close)
            self._keyboard = PortalKeyboard(self._session, self._keymap)
            self._clipboard = self._find_clipboard(is_open=traits.opens_clipboard and not looks)
            self._windows = self._find_windows(is_kwin=traits.is_kwin)
            self.knows_windows = not isinstance(self._windows, NoWindows)
            failed.pop_all()
        self._accessibility = AccessibilityClient(lambda: self._environment)
        self._opened.callback(self._accessibility.close)

    @property
    def region(self) -> Region:
        """The bounding box of the monitors that the person shared."""
        return self._screen.layout.whole

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The region of each monitor that the person shared."""
        return tuple(map(self._screen.layout.region_of, self._screen.layout.monitors))

    @property
    def remembers(self) -> bool:
        """Whether the session can remember that the person allowed it."""
        return self._session.remembers

    @property
    def has_clipboard(self) -> bool:
        """Whether the session lets programs use its clipboard."""
        return self._clipboard.exists

    def grab(self) -> Frame:
        """Return what is shown. Returns the previous frame again if nothing has changed."""
        with self._capturing:
            self._keymap.look()
            return self._screen.grab()

    def pointer(self) -> Point:
        """Return where the agent left the pointer; the middle of the first monitor before it moved it."""
        monitor = self.monitors[0]
        return self._mouse.at or Point(monitor.x + monitor.width // 2, monitor.y + monitor.height // 2)

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
            self._mouse.scroll(direction, amount)

    def type(self, text: str, front: int | None = None) -> int:
        """Type any text exactly, as long as `front` has the focus if it is given; what the keyboard lacks is pasted.

        Raises:
            ToolFailure: `INVALID_ARGS` if there is no clipboard to paste from; nothing is typed then.
        """
        with self._input():
            keysyms_of_text(text)  # or it cannot be typed at all
            parts = [(known, "".join(some)) for known, some in groupby(text, self._keyboard.has)]
            if not self._clipboard.exists and (lacks := [some for known, some in parts if not known]):
                told = f'"{lacks[0]}" is on no key of this keyboard, and nothing can be pasted; nothing was typed.'
                raise ToolFailure("INVALID_ARGS", told, ["Leave it out, or ask the person for a layout that has it."])
            stays, done = partial(self._keeps_focus, front) if front else None, 0
            for known, some in parts:
                if known:
                    typed = self._keyboard.type(some, self.control.check_takeover, stays)
                elif stays and not stays():
                    return done
                else:
                    self._paste(some)
                    typed = len(some)
                done += typed
                if typed < len(some):
                    return done
            return done

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Press a key or a combination."""
        with self._input():
            self._keyboard.press(keys, partial(self.control.wait, seconds) if seconds else self.control.check_takeover)

    def attend(self, seconds: float) -> bool:  # noqa: ARG002 - nobody tells
        """Return True at once: it cannot be known."""
        return True

    def read_clipboard(self) -> str | None:
        """Return the text on the clipboard, or None if it is empty."""
        with self._input():
            return self._clipboard.read(self.control.check)

    def copies(self) -> int:
        """Return how often programs have put something on the clipboard since this desktop was opened."""
        with self._lock:
            self._session.look()
            return self._clipboard.count

    def listen(self, watcher: InputWatcher, hotkey: Hotkey | None = None) -> Listening:  # noqa: ARG002 - nobody tells
        """Hear nothing: the session tells nobody of other input of the person."""
        return Deaf()

    def close(self) -> None:
        """Release everything and give the permission back."""
        with contextlib.suppress(DesktopError):
            self.release()
        with self._lock:
            self._leave(clipboard.__name__, str(self._path), stays=self._clipboard.stays)
            self._opened.close()

    @contextlib.contextmanager
    def _input(self) -> Iterator[None]:
        self._session.require_input()
        with super()._input():
            self._screen.look()  # what is sent after its end goes nowhere, and the portal does not say so
            yield

    def _find_clipboard(self, *, is_open: bool) -> Clipboard | OpenClipboard:
        """Return the portal's clipboard; that of every program only where no portal asks the person about one."""
        if not is_open or self._session.knows_clipboards:
            return Clipboard(self._session)
        return self._opened.enter_context(contextlib.closing(OpenClipboard(self._path)))

    def _find_windows(self, *, is_kwin: bool) -> Windows:
        """Return the windows as KWin tells of them, if it lets scripts run; else none."""
        if is_kwin:
            with contextlib.suppress(DesktopError):
                return KWinWindows(self._opened.enter_context(contextlib.closing(KWin())))
        return NoWindows()

    def _offered(self, text: str) -> Offer | clipboard.Offer:
        return self._clipboard.offered(text)

    def _paste(self, text: str) -> None:
        """Paste what the keyboard lacks. The clipboard is put back, if it held text."""
        try:
            before = self._clipboard.read(self.control.check)
        except ToolFailure as error:
            told = f'"{text}" is on no key of this keyboard, and pasting it would lose what the clipboard holds.'
            raise ToolFailure("TOOL_ERROR", told, ["Leave it out."]) from error
        with contextlib.closing(self._offered(text)) as offer:
            began_s = time.monotonic()  # a program that keeps what was copied may have it already
            self._keyboard.press("ctrl+v", self.control.check_takeover)
            taken = self.control.until(lambda: offer.taken_s > began_s, PASTE_MAX_S)
            self.control.until(lambda: time.monotonic() > offer.taken_s + PASTED_S, PASTE_MAX_S)
        if before is not None:
            self._put_on_clipboard(before)
        if not taken:
            told = f"{text} cannot be typed here: the program in front did not paste it."
            raise ToolFailure("TOOL_ERROR", told, ["Check what has arrived before typing more."])


class Deaf:
    """Hears nothing."""

    has_hotkey = False

    def close(self) -> None:
        """Do nothing."""
