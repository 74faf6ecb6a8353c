"""The hands on macOS: Quartz events type, press keys and click, and its window server tells of windows.

A text goes in as events that carry its UTF-16 units themselves, whatever the keyboard's layout. Every event says which
modifiers go with it, so those that a person holds do not count.

Not covered: a combination with a character in a layout that has it in another place than the American one; keys that
Apple's keyboards do not have; closing and moving windows, which is another interface of macOS; and of the windows of
one application macOS itself chooses the one that comes to the front.
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
LONGEST: Final = 20  # UTF-16 units of one event; macOS drops what is beyond
RETURN: Final = 0x24
TAB: Final = 0x30
SHIFT: Final = 0x38
FLAGS: Final = {SHIFT: 1 << 17, 0x3B: 1 << 18, 0x3A: 1 << 19, 0x3D: 1 << 19, 0x37: 1 << 20}  # and ctrl, option, command
OWN_NAMES: Final = {"super": "command", "altgr": "optionright"}
SHIFTED: Final = '~!@#$%^&*()_+{}|:"<>?'
WHEEL: Final = {"up": (1, 0), "down": (-1, 0), "left": (0, 1), "right": (0, -1)}
LINES: Final = 3  # that one notch of the wheel scrolls elsewhere
ON_SCREEN: Final = 1 | 1 << 4  # and not the desktop itself
TO_THE_FRONT: Final = 1 << 1


@dataclass(frozen=True, slots=True)
class Event:
    """A key that goes down or up, with the modifiers that go with it, and the text that it means where it says so."""

    code: int
    down: bool
    flags: int = 0
    text: str = ""


def chunks(text: str, most: int = LONGEST) -> Iterator[str]:
    """A text in pieces of at most so many UTF-16 units, each of whole characters."""
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
    """A text, whose line ends are newlines, as events: enter, tab, and what is between them in pieces."""
    events = []
    for line in _lines(text):
        code = {"\n": RETURN, "\t": TAB}.get(line)
        for piece in chunks(line) if code is None else [""]:
            events += [Event(code or 0, down, text=piece) for down in (True, False)]
    return events


def _lines(text: str) -> Iterator[str]:
    """What lies between enters and tabs, and these."""
    start = 0
    for at, character in enumerate(text):
        if character in "\n\t":
            yield text[start:at]
            yield character
            start = at + 1
    yield text[start:]


def flags_of(codes: Sequence[int]) -> int:
    """The modifiers among keys that are down."""
    flags = 0
    for code in codes:
        flags |= FLAGS.get(code, 0)
    return flags


def chord(names: Sequence[str], keys: Mapping[str, int | None]) -> list[int] | None:
    """The codes of keys that are pressed together; None where there is none for one of them.

    A character on its own has none, since its key may be another one in the person's layout: it is typed.

    Args:
        names: as `parse_keys` gives them.
        keys: pyautogui's codes, by its names.
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
    """The applications' windows, the topmost last, out of what the window server tells, which begins with that one."""
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
        """The modifiers that `down` put down."""
        return flags_of(self._held)

    def chord(self, names: Sequence[str]) -> list[int] | None:
        """The keys of these names, in the order in which they go down; None where one is lacking."""
        return chord(names, self._keys)

    def type(self, text: str) -> None:
        """Type a text, with nobody's modifiers."""
        self._post(text_events(text))

    def tap(self, codes: Sequence[int]) -> None:
        """Press keys together and let them go; a person's modifiers do not count, those that `down` put down do."""
        self.up(self.down(codes))

    def down(self, codes: Sequence[int]) -> list[int]:
        """Put keys down; gives those that were not down through us already."""
        new = [code for code in codes if code not in self._held]
        for code in new:
            self._held.append(code)
            self._post([Event(code, down=True, flags=self.flags)])
        return new

    def up(self, codes: Sequence[int]) -> None:
        """Let go of keys, the last first."""
        for code in reversed(codes):
            rest = [one for one in self._held if one != code]
            self._post([Event(code, down=False, flags=flags_of(rest))])
            self._held = rest

    def release(self) -> None:
        """Let go of every key that `down` put down."""
        self.up(self._held)


class KeyboardEvents:
    """Posts events. Through ctypes: pyobjc leaves open how it counts a character of two units."""

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
        """Hand them to macOS, in this order."""
        for event in events:
            made = self._quartz.CGEventCreateKeyboardEvent(None, event.code, event.down)
            if not made:
                raise DesktopError("macOS makes no keyboard events for this program: is anybody logged in?")
            if units := event.text.encode("utf-16-le"):
                self._quartz.CGEventKeyboardSetUnicodeString(made, len(units) // 2, units)
            self._quartz.CGEventSetFlags(made, event.flags)
            self._quartz.CGEventPost(0, made)  # where the hardware's events come in
            self._quartz.CFRelease(made)


class MacHands:
    """What is done on macOS in its own way: keys, clicks, the wheel, windows.

    Raises:
        DesktopError: a person has to allow it first.
    """

    def __init__(self) -> None:
        see_and_act()
        self._quartz: Any = importlib.import_module("Quartz")
        self.keys = MacKeys(KeyboardEvents(), quick_pyautogui().platformModule.keyboardMapping)

    def click(self, at: Point, button: str, count: int) -> None:
        """Click `count` times in a row, each event with its number: pyautogui's are single clicks to programs."""
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
        """Turn the wheel; to the left pyautogui turns it to the right."""
        down, across = (LINES * one for one in WHEEL[direction])
        for _ in range(amount):
            line = self._quartz.kCGScrollEventUnitLine
            self._send(self._quartz.CGEventCreateScrollWheelEvent(None, line, 2, down, across))

    def windows(self) -> list[Window]:
        """The applications' windows, the topmost last; those that are minimized or on another space are not there."""
        return windows_of(self._told())

    def focus_window(self, window: Window) -> None:
        """Bring the application of a window to the front."""
        appkit = importlib.import_module("AppKit")
        for one in self._told():
            if one["kCGWindowNumber"] == window.id:
                pid = one["kCGWindowOwnerPID"]
                appkit.NSRunningApplication.runningApplicationWithProcessIdentifier_(pid).activateWithOptions_(
                    TO_THE_FRONT
                )

    def close_window(self, window: Window) -> NoReturn:
        """Not to be had."""
        raise ToolFailure(
            "TOOL_ERROR",
            f'Windows cannot be closed from here on macOS, so "{window.title}" is open.',
            ["Bring it to the front and press super+w, or click its close button."],
        )

    def place_window(self, window: Window, region: Region) -> NoReturn:  # noqa: ARG002 - as any desktop
        """Not to be had."""
        raise ToolFailure(
            "TOOL_ERROR",
            f'Windows cannot be moved or resized from here on macOS, so "{window.title}" is where it was.',
            ["Drag it by its title bar, or by a corner."],
        )

    def _told(self) -> Sequence[Mapping[str, Any]]:
        return self._quartz.CGWindowListCopyWindowInfo(ON_SCREEN, 0) or []

    def _send(self, event: Any) -> None:  # noqa: ANN401
        self._quartz.CGEventSetFlags(event, self.keys.flags)
        self._quartz.CGEventPost(self._quartz.kCGHIDEventTap, event)


def see_and_act() -> None:
    """Ask macOS for what it lets nobody do unasked: without it the screen shows no windows, and input is dropped.

    Raises:
        DesktopError: a person has to allow it first.
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
