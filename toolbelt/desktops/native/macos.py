"""Input and windows on macOS: Quartz events type, press keys and click, and the window server lists windows.

Text is sent as events that carry its UTF-16 units, independent of the keyboard layout. Every event states its
modifiers, so those that a person holds do not apply.

Not covered: combinations with a character whose key differs from the US layout; keys that Apple keyboards lack; closing
and moving windows, which needs another interface of macOS; and choosing which window of an application is raised.
"""

import ctypes
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from toolbelt.desktops.base import Direction, Window
from toolbelt.desktops.native.base import quick_pyautogui
from world_model import DesktopError, Point, Region, ToolFailure

LIBRARY: Final = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"
EVENT_MAX_UNITS: Final = 20  # UTF-16 units of one event; macOS drops the rest
RETURN: Final = 0x24
TAB: Final = 0x30
SHIFT: Final = 0x38
FLAGS: Final = {SHIFT: 1 << 17, 0x3B: 1 << 18, 0x3A: 1 << 19, 0x3D: 1 << 19, 0x37: 1 << 20}  # and ctrl, option, command
OWN_NAMES: Final = {"super": "command", "altgr": "optionright"}
SHIFTED: Final = '~!@#$%^&*()_+{}|:"<>?'
WHEEL: Final = {"up": (1, 0), "down": (-1, 0), "left": (0, 1), "right": (0, -1)}
LINES_PER_NOTCH: Final = 3  # that one notch of the wheel scrolls on other systems
ON_SCREEN_ONLY: Final = 1 | 1 << 4  # excludes desktop elements
ACTIVATE_IGNORING_OTHERS: Final = 1 << 1


@dataclass(frozen=True, slots=True)
class Event:
    """A key press or release, with its modifiers, and the text that it carries, if any."""

    code: int
    down: bool
    flags: int = 0
    text: str = ""


def chunks(text: str, most: int = EVENT_MAX_UNITS) -> Iterator[str]:
    """Split text into pieces of at most `most` UTF-16 units, without splitting characters."""
    piece, units = "", 0
    for character in text:
        length = len(character.encode("utf-16-le")) // 2
        if units + length > most:
            yield piece
            piece, units = "", 0
        piece, units = piece + character, units + length
    if piece:
        yield piece


def text_events(text: str) -> list[Event]:
    """Convert text with newlines as line ends to events: Return, Tab, and pieces of text between them."""
    events = []
    for line in _lines(text):
        code = {"\n": RETURN, "\t": TAB}.get(line)
        for piece in chunks(line) if code is None else [""]:
            events += [Event(code or 0, down, text=piece) for down in (True, False)]
    return events


def _lines(text: str) -> Iterator[str]:
    """Split text at newlines and tabs, and yield these, too."""
    start = 0
    for at, character in enumerate(text):
        if character in "\n\t":
            yield text[start:at]
            yield character
            start = at + 1
    yield text[start:]


def flags_of(codes: Sequence[int]) -> int:
    """Return the modifier flags of keys that are down."""
    flags = 0
    for code in codes:
        flags |= FLAGS.get(code, 0)
    return flags


def chord(names: Sequence[str], keys: Mapping[str, int | None]) -> list[int] | None:
    """Return the codes of keys that are pressed together, or None if one has none.

    A single character has none, because its key depends on the layout: it is typed as text.

    Args:
        names: Key names from `parse_keys`.
        keys: pyautogui's key codes, by name.
    """
    if len(names) == 1 and len(names[0]) == 1:
        return None
    codes: list[int] = []
    for name in names:
        code = keys.get(OWN_NAMES.get(name, name))
        if code is None:
            return None
        codes += [SHIFT, code] if name in SHIFTED else [code]
    return list(dict.fromkeys(codes))


def windows_of(told: Sequence[Mapping[str, Any]]) -> list[Window]:
    """Convert the list of the window server, which is ordered top to bottom, to windows ordered bottom to top."""
    seen = [one for one in told if one["kCGWindowLayer"] == 0 and one.get("kCGWindowAlpha", 1) > 0]
    return [_window(one, active=one is seen[0]) for one in reversed(seen)]


def _window(told: Mapping[str, Any], *, active: bool) -> Window:
    owner = str(told.get("kCGWindowOwnerName") or "")
    x, y, width, height = (round(told["kCGWindowBounds"][name]) for name in ("X", "Y", "Width", "Height"))
    title = str(told.get("kCGWindowName") or owner)
    return Window(int(told["kCGWindowNumber"]), title, owner, Region(x, y, width, height), active)


class MacKeys:
    """The keyboard of macOS."""

    def __init__(self, post: Callable[[Sequence[Event]], None], keys: Mapping[str, int | None]) -> None:
        self._post = post
        self._keys = keys
        self._held: list[int] = []

    @property
    def flags(self) -> int:
        """The flags of modifiers that `down` pressed."""
        return flags_of(self._held)

    def chord(self, names: Sequence[str]) -> list[int] | None:
        """Return the codes of named keys, in the order in which they are pressed, or None if one is missing."""
        return chord(names, self._keys)

    def type(self, text: str) -> None:
        """Type text, without any modifiers that are held."""
        self._post(text_events(text))

    def tap(self, codes: Sequence[int]) -> None:
        """Press and release keys together; modifiers held by `down` apply, those held by a person do not."""
        self.up(self.down(codes))

    def down(self, codes: Sequence[int]) -> list[int]:
        """Press keys; return those that we did not hold already."""
        new = [code for code in codes if code not in self._held]
        for code in new:
            self._held.append(code)
            self._post([Event(code, down=True, flags=self.flags)])
        return new

    def up(self, codes: Sequence[int]) -> None:
        """Release keys, last pressed first."""
        for code in reversed(codes):
            rest = [one for one in self._held if one != code]
            self._post([Event(code, down=False, flags=flags_of(rest))])
            self._held = rest

    def release(self) -> None:
        """Release every key that `down` pressed."""
        self.up(self._held)


class KeyboardEvents:
    """Posts events, through ctypes: pyobjc does not specify how it counts characters of two units."""

    def __init__(self) -> None:
        quartz = ctypes.CDLL(LIBRARY)
        quartz.CGEventCreateKeyboardEvent.argtypes = (ctypes.c_void_p, ctypes.c_uint16, ctypes.c_bool)
        quartz.CGEventCreateKeyboardEvent.restype = ctypes.c_void_p
        quartz.CGEventKeyboardSetUnicodeString.argtypes = (ctypes.c_void_p, ctypes.c_ulong, ctypes.c_char_p)
        quartz.CGEventSetFlags.argtypes = (ctypes.c_void_p, ctypes.c_uint64)
        quartz.CGEventPost.argtypes = (ctypes.c_uint32, ctypes.c_void_p)
        quartz.CFRelease.argtypes = (ctypes.c_void_p,)
        for name in ("CGEventKeyboardSetUnicodeString", "CGEventSetFlags", "CGEventPost", "CFRelease"):
            getattr(quartz, name).restype = None
        self._quartz = quartz

    def __call__(self, events: Sequence[Event]) -> None:
        """Post events in this order."""
        for event in events:
            made = self._quartz.CGEventCreateKeyboardEvent(None, event.code, event.down)
            if not made:
                raise DesktopError(
                    "macOS creates no keyboard events for this program: check that a person is logged in."
                )
            if units := event.text.encode("utf-16-le"):
                self._quartz.CGEventKeyboardSetUnicodeString(made, len(units) // 2, units)
            self._quartz.CGEventSetFlags(made, event.flags)
            self._quartz.CGEventPost(0, made)  # at the point where hardware events enter
            self._quartz.CFRelease(made)


class MacPlatform:
    """Keys, clicks, the wheel and windows on macOS.

    Raises:
        DesktopError: A person has to grant a permission first.
    """

    def __init__(self) -> None:
        require_permissions()
        self._quartz: Any = importlib.import_module("Quartz")
        self.keys = MacKeys(KeyboardEvents(), quick_pyautogui().platformModule.keyboardMapping)

    def click(self, at: Point, button: str, count: int) -> None:
        """Click `count` times in a row, numbered, so that programs see a double click; pyautogui does not number."""
        quartz = self._quartz
        kinds, number = {
            "primary": ((quartz.kCGEventLeftMouseDown, quartz.kCGEventLeftMouseUp), quartz.kCGMouseButtonLeft),
            "middle": ((quartz.kCGEventOtherMouseDown, quartz.kCGEventOtherMouseUp), quartz.kCGMouseButtonCenter),
            "secondary": ((quartz.kCGEventRightMouseDown, quartz.kCGEventRightMouseUp), quartz.kCGMouseButtonRight),
        }[button]
        for click in range(1, count + 1):
            for kind in kinds:
                event = quartz.CGEventCreateMouseEvent(None, kind, (at.x, at.y), number)
                quartz.CGEventSetIntegerValueField(event, quartz.kCGMouseEventClickState, click)
                self._send(event)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel; pyautogui swaps left and right."""
        down, across = (LINES_PER_NOTCH * one for one in WHEEL[direction])
        for _ in range(amount):
            line = self._quartz.kCGScrollEventUnitLine
            self._send(self._quartz.CGEventCreateScrollWheelEvent(None, line, 2, down, across))

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top, without those minimized or on another space."""
        return windows_of(self._told())

    def focus_window(self, window: Window) -> None:
        """Activate the application of a window."""
        appkit = importlib.import_module("AppKit")
        for one in self._told():
            if one["kCGWindowNumber"] == window.id:
                pid = one["kCGWindowOwnerPID"]
                appkit.NSRunningApplication.runningApplicationWithProcessIdentifier_(pid).activateWithOptions_(
                    ACTIVATE_IGNORING_OTHERS
                )

    def close_window(self, window: Window) -> NoReturn:
        """Refuse: not available on macOS."""
        raise ToolFailure(
            "TOOL_ERROR",
            f'Windows cannot be closed from here on macOS, so "{window.title}" is still open.',
            ["Focus it and press super+w, or click its close button."],
        )

    def place_window(self, window: Window, region: Region) -> NoReturn:  # noqa: ARG002 - as any desktop
        """Refuse: not available on macOS."""
        raise ToolFailure(
            "TOOL_ERROR",
            f'Windows cannot be moved or resized from here on macOS, so "{window.title}" did not move.',
            ["Drag it by its title bar, or by a corner."],
        )

    def _told(self) -> Sequence[Mapping[str, Any]]:
        return self._quartz.CGWindowListCopyWindowInfo(ON_SCREEN_ONLY, 0) or []

    def _send(self, event: Any) -> None:  # noqa: ANN401
        self._quartz.CGEventSetFlags(event, self.keys.flags)
        self._quartz.CGEventPost(self._quartz.kCGHIDEventTap, event)


def require_permissions() -> None:
    """Request the permissions of macOS: without them captures show no windows, and input is dropped.

    Raises:
        DesktopError: A person has to grant a permission first.
    """
    quartz: Any = importlib.import_module("Quartz")
    lacking = []
    if not quartz.CGPreflightScreenCaptureAccess():
        quartz.CGRequestScreenCaptureAccess()
        lacking.append("Screen Recording")
    if not quartz.CGPreflightPostEventAccess():
        quartz.CGRequestPostEventAccess()
        lacking.append("Accessibility")
    if lacking:
        raise DesktopError(
            "macOS does not let this program see the screen and use the mouse: allow it under System Settings, "
            f"Privacy & Security, {' and '.join(lacking)}, and start it again."
        )
