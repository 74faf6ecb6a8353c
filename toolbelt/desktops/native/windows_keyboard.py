"""The keyboard of Windows: `SendInput` types and presses keys.

Each UTF-16 unit of a text is sent as a key event that carries the unit, independent of the keyboard layout. The events
of one call are never interleaved with other input; so modifiers that a person holds are released at its beginning and
pressed again at its end, and a key that they release meanwhile is released after that.

Not covered: windows of an administrator, which silently get no keys from other programs; Caps Lock, which applies to a
single letter key, as it does for a person; programs that read keys more slowly than Windows buffers them.
"""

import ctypes
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from ctypes import wintypes
from dataclasses import dataclass
from typing import Any, Final, Protocol

from world_model import DesktopError, ToolFailure

# From winuser.h.
KEYBOARD: Final = 1
EXTENDED_KEY: Final = 1
KEY_UP: Final = 2
UNICODE: Final = 4
RETURN: Final = 0x0D
TAB: Final = 0x09
LEFT_SHIFT, LEFT_CTRL, LEFT_ALT, RIGHT_ALT, LEFT_WIN, RIGHT_WIN = 0xA0, 0xA2, 0xA4, 0xA5, 0x5B, 0x5C
MODIFIERS: Final = (LEFT_SHIFT, 0xA1, LEFT_CTRL, 0xA3, LEFT_ALT, RIGHT_ALT, LEFT_WIN, RIGHT_WIN)
OPENS_MENU: Final = frozenset({LEFT_ALT, RIGHT_ALT, LEFT_WIN, RIGHT_WIN})  # when released with no other key in between
UNASSIGNED: Final = 0xE8  # a virtual key that no program uses
# Keys that exist twice; without the flag they are those of the keypad, which Shift turns into digits.
EXTENDED: Final = frozenset(
    {*range(0x21, 0x29), 0x2C, 0x2D, 0x2E, 0x5B, 0x5C, 0x5D, 0x90, 0xA3, 0xA5, 0xAD, 0xAE, 0xAF}
)
BY_SHIFT_STATE: Final = {1: LEFT_SHIFT, 2: LEFT_CTRL, 4: LEFT_ALT}
OWN_NAMES: Final = {
    "ctrl": "ctrlleft",
    "alt": "altleft",
    "altgr": "altright",
    "shift": "shiftleft",
    "super": "winleft",
    "menu": "apps",
}
LAST_IN_PLANE: Final = 0xFFFF


class KeyboardInput(ctypes.Structure):
    """KEYBDINPUT."""

    _fields_ = (
        ("key", ctypes.c_uint16),
        ("scan", ctypes.c_uint16),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


class MouseInput(ctypes.Structure):
    """MOUSEINPUT, the largest member: INPUT has its size."""

    _fields_ = (
        ("x", ctypes.c_int32),
        ("y", ctypes.c_int32),
        ("data", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


class _Either(ctypes.Union):
    _fields_ = (("keyboard", KeyboardInput), ("mouse", MouseInput))


class Input(ctypes.Structure):
    """INPUT."""

    _fields_ = (("kind", ctypes.c_uint32), ("either", _Either))


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key press or release: a virtual key or a UTF-16 unit."""

    key: int
    unit: int
    flags: int


def down(key: int) -> Stroke:
    """Return the press of a key."""
    return Stroke(key, 0, EXTENDED_KEY if key in EXTENDED else 0)


def up(key: int) -> Stroke:
    """Return the release of a key."""
    return Stroke(key, 0, down(key).flags | KEY_UP)


def text_strokes(text: str) -> list[Stroke]:
    """Convert text with newlines as line ends to strokes: Return, Tab, and one per UTF-16 unit."""
    strokes = []
    for (unit,) in struct.iter_unpack("<H", text.encode("utf-16-le")):
        if key := {ord("\n"): RETURN, ord("\t"): TAB}.get(unit):
            strokes += [down(key), up(key)]
        else:
            strokes += [Stroke(0, unit, UNICODE), Stroke(0, unit, UNICODE | KEY_UP)]
    return strokes


def alone(strokes: Sequence[Stroke], held: Sequence[int]) -> list[Stroke]:
    """Wrap strokes so that held modifiers are released before and pressed again afterwards.

    Alt and the Windows key open a menu if no other key is pressed while they are down, so a meaningless one is.
    """
    nothing = [down(UNASSIGNED), up(UNASSIGNED)] if OPENS_MENU.intersection(held) else []
    return [*nothing, *map(up, held), *strokes, *map(down, held), *nothing]


def packed(strokes: Sequence[Stroke], place: Callable[[int], int]) -> ctypes.Array[Input]:
    """Pack strokes for `SendInput`; `place` returns the scan code of a virtual key."""
    inputs = (Input * len(strokes))()
    for one, stroke in zip(inputs, strokes, strict=True):
        one.kind = KEYBOARD
        scan = stroke.unit if stroke.flags & UNICODE else place(stroke.key)
        one.either.keyboard = KeyboardInput(stroke.key, scan, stroke.flags, 0, 0)
    return inputs


def chord(
    names: Sequence[str], keys: Mapping[str, int | None], find: Callable[[str], tuple[int, int] | None]
) -> list[int] | None:
    """Return the virtual keys of keys that are pressed together, or None if one has none.

    Args:
        names: Key names from `parse_keys`.
        keys: pyautogui's virtual keys, by name.
        find: Returns the key of a character in the layout, and its shift state.
    """
    codes: list[int] = []
    for name in names:
        if len(name) > 1:
            found = (keys.get(OWN_NAMES.get(name, name)) or 0, 0)
        elif len(names) > 1 and name.isascii() and name.isalnum():
            found = (ord(name.upper()), 0)  # a shortcut belongs to the key, even in a layout with other letters
        else:
            found = find(name) or (0, 0)
        key, state = found
        if not key or state & ~sum(BY_SHIFT_STATE):
            return None
        codes += [modifier for bit, modifier in BY_SHIFT_STATE.items() if state & bit] + [key]
    return list(dict.fromkeys(codes))


class Calls(Protocol):
    """The calls to Windows."""

    def send(self, strokes: Sequence[Stroke]) -> None:
        """Send strokes as one block of input."""

    def is_down(self, key: int) -> bool:
        """Tell whether a key is down, whoever holds it."""

    def find(self, character: str) -> tuple[int, int] | None:
        """Return the key and shift state of a character in the layout of the foreground window."""


class WindowsKeys:
    """The keyboard of Windows."""

    def __init__(self, calls: Calls, keys: Mapping[str, int | None]) -> None:
        self._calls = calls
        self._keys = keys
        self._held: list[int] = []

    def chord(self, names: Sequence[str]) -> list[int] | None:
        """Return the codes of named keys, in the order in which they are pressed, or None if one is missing."""
        return chord(names, self._keys, self._calls.find)

    def type(self, text: str) -> None:
        """Type text, without any modifiers that are held."""
        self._calls.send(alone(text_strokes(text), self._modifiers()))

    def tap(self, codes: Sequence[int]) -> None:
        """Press and release keys together; modifiers held by `down` apply, those held by a person do not."""
        lifted = [key for key in self._modifiers() if key not in self._held]
        new = [code for code in codes if code not in self._held]
        self._calls.send(alone([*map(down, new), *map(up, reversed(new))], lifted))

    def down(self, codes: Sequence[int]) -> list[int]:
        """Press keys; return those that we did not hold already."""
        new = [code for code in codes if code not in self._held]
        self._held += new
        self._calls.send([down(code) for code in new])
        return new

    def up(self, codes: Sequence[int]) -> None:
        """Release keys, last pressed first."""
        self._calls.send([up(code) for code in reversed(codes)])
        self._held = [code for code in self._held if code not in codes]

    def release(self) -> None:
        """Release every key that `down` pressed."""
        self.up(self._held)

    def _modifiers(self) -> list[int]:
        return [key for key in MODIFIERS if self._calls.is_down(key)]


class User32:
    """The calls to the real Windows."""

    def __init__(self) -> None:
        self._dll = user32()

    def send(self, strokes: Sequence[Stroke]) -> None:
        """Send strokes as one block of input."""
        # Browsers identify keys by their scan code.
        inputs = packed(strokes, lambda key: int(self._dll.MapVirtualKeyW(key, 0)))
        if self._dll.SendInput(len(inputs), inputs, ctypes.sizeof(Input)) != len(inputs):
            raise ToolFailure(
                "PERMISSION_DENIED",
                "Windows refused the keys.",
                ["The screen may be locked, or Windows may be asking for consent: look at it."],
            )

    def is_down(self, key: int) -> bool:
        """Tell whether a key is down, whoever holds it."""
        return bool(self._dll.GetAsyncKeyState(key) < 0)

    def find(self, character: str) -> tuple[int, int] | None:
        """Return the key and shift state of a character in the layout of the foreground window."""
        if ord(character) > LAST_IN_PLANE:
            return None
        thread = self._dll.GetWindowThreadProcessId(self._dll.GetForegroundWindow(), None)
        found = int(self._dll.VkKeyScanExW(ord(character), self._dll.GetKeyboardLayout(thread)))
        return None if found == -1 else (found & 0xFF, found >> 8 & 0xFF)


def user32() -> Any:  # noqa: ANN401 - a library has no type
    """Load user32 and declare the types that are not plain integers."""
    dll = library("user32")
    dll.GetForegroundWindow.restype = wintypes.HWND
    dll.GetWindowThreadProcessId.argtypes = (wintypes.HWND, ctypes.c_void_p)
    dll.GetKeyboardLayout.restype = ctypes.c_void_p
    dll.VkKeyScanExW.argtypes = (wintypes.WORD, ctypes.c_void_p)
    dll.VkKeyScanExW.restype = dll.GetAsyncKeyState.restype = ctypes.c_int16
    dll.GetWindowLongW.argtypes = (wintypes.HWND, ctypes.c_int)
    dll.IsIconic.argtypes = (wintypes.HWND,)
    dll.mouse_event.argtypes = (wintypes.DWORD,) * 4 + (ctypes.c_size_t,)
    return dll


def library(name: str) -> Any:  # noqa: ANN401
    """Load a private copy of a system library: other code may declare other types on a shared one."""
    if sys.platform != "win32":
        raise DesktopError("This is not Windows.")
    return ctypes.WinDLL(name)
