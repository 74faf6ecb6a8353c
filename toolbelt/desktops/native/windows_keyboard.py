"""The keyboard of Windows: `SendInput` types and presses keys.

Each UTF-16 unit of a text is sent as a key of its own that means this unit, whatever the keyboard's layout. All that
one call sends goes in together and nobody's input comes in between; so modifiers that a person holds are lifted at its
beginning and put back at its end, and a key that they let go meanwhile is let go after that.

Not covered: a window of an administrator, which gets no keys from other programs, without a word; Caps Lock, which
counts for a single letter that is pressed, as it does for a person; a program that reads its keys more slowly than
Windows keeps them.
"""

import ctypes
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from ctypes import wintypes
from dataclasses import dataclass
from typing import Any, Final, Protocol

from world_model import DesktopError, ToolFailure

# Of winuser.h.
KEYBOARD: Final = 1
EXTENDED_KEY: Final = 1
KEY_UP: Final = 2
UNICODE: Final = 4
RETURN: Final = 0x0D
TAB: Final = 0x09
LEFT_SHIFT, LEFT_CTRL, LEFT_ALT, RIGHT_ALT, LEFT_WIN, RIGHT_WIN = 0xA0, 0xA2, 0xA4, 0xA5, 0x5B, 0x5C
MODIFIERS: Final = (LEFT_SHIFT, 0xA1, LEFT_CTRL, 0xA3, LEFT_ALT, RIGHT_ALT, LEFT_WIN, RIGHT_WIN)
OPENS_MENU: Final = frozenset({LEFT_ALT, RIGHT_ALT, LEFT_WIN, RIGHT_WIN})  # when it goes up with no key in between
UNASSIGNED: Final = 0xE8  # a key that means nothing to anybody
# Those that an old keyboard had twice; without the flag they are the keypad's, which Shift turns into digits.
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
    """A key that goes down or up: a virtual key, or a UTF-16 unit."""

    key: int
    unit: int
    flags: int


def down(key: int) -> Stroke:
    """A key that goes down."""
    return Stroke(key, 0, EXTENDED_KEY if key in EXTENDED else 0)


def up(key: int) -> Stroke:
    """A key that goes up."""
    return Stroke(key, 0, down(key).flags | KEY_UP)


def text_strokes(text: str) -> list[Stroke]:
    """A text, whose line ends are newlines, as keys: enter, tab, and a unit for a unit."""
    strokes = []
    for (unit,) in struct.iter_unpack("<H", text.encode("utf-16-le")):
        if key := {ord("\n"): RETURN, ord("\t"): TAB}.get(unit):
            strokes += [down(key), up(key)]
        else:
            strokes += [Stroke(0, unit, UNICODE), Stroke(0, unit, UNICODE | KEY_UP)]
    return strokes


def alone(strokes: Sequence[Stroke], held: Sequence[int]) -> list[Stroke]:
    """The same without the modifiers that are held: they go up before and down again after.

    Alt and the Windows key open a menu where nothing is pressed between their going down and up, so something is.
    """
    nothing = [down(UNASSIGNED), up(UNASSIGNED)] if OPENS_MENU.intersection(held) else []
    return [*nothing, *map(up, held), *strokes, *map(down, held), *nothing]


def packed(strokes: Sequence[Stroke], place: Callable[[int], int]) -> ctypes.Array[Input]:
    """Strokes as `SendInput` takes them; `place` gives the scan code of a virtual key."""
    inputs = (Input * len(strokes))()
    for one, stroke in zip(inputs, strokes, strict=True):
        one.kind = KEYBOARD
        scan = stroke.unit if stroke.flags & UNICODE else place(stroke.key)
        one.either.keyboard = KeyboardInput(stroke.key, scan, stroke.flags, 0, 0)
    return inputs


def chord(
    names: Sequence[str], keys: Mapping[str, int | None], find: Callable[[str], tuple[int, int] | None]
) -> list[int] | None:
    """The virtual keys of keys that are pressed together; None where there is none for one of them.

    Args:
        names: as `parse_keys` gives them.
        keys: pyautogui's numbers of the keys that have a name.
        find: a character's key in the layout, and its shift state.
    """
    codes: list[int] = []
    for name in names:
        if len(name) > 1:
            found = (keys.get(OWN_NAMES.get(name, name)) or 0, 0)
        elif len(names) > 1 and name.isascii() and name.isalnum():
            found = (ord(name.upper()), 0)  # a shortcut is of the key, also in a layout of other letters
        else:
            found = find(name) or (0, 0)
        key, state = found
        if not key or state & ~sum(BY_SHIFT_STATE):
            return None
        codes += [modifier for bit, modifier in BY_SHIFT_STATE.items() if state & bit] + [key]
    return list(dict.fromkeys(codes))


class Calls(Protocol):
    """What Windows is asked for."""

    def send(self, strokes: Sequence[Stroke]) -> None:
        """Put these into its input, together."""

    def is_down(self, key: int) -> bool:
        """Whether a key is down, whoever holds it."""

    def find(self, character: str) -> tuple[int, int] | None:
        """The key and the shift state that give a character, in the layout of the window in front."""


class WindowsKeys:
    """The keyboard of Windows."""

    def __init__(self, calls: Calls, keys: Mapping[str, int | None]) -> None:
        self._calls = calls
        self._keys = keys
        self._held: list[int] = []

    def chord(self, names: Sequence[str]) -> list[int] | None:
        """The keys of these names, in the order in which they go down; None where one is lacking."""
        return chord(names, self._keys, self._calls.find)

    def type(self, text: str) -> None:
        """Type a text, with nobody's modifiers."""
        self._calls.send(alone(text_strokes(text), self._modifiers()))

    def tap(self, codes: Sequence[int]) -> None:
        """Press keys together and let them go; a person's modifiers do not count, those that `down` put down do."""
        lifted = [key for key in self._modifiers() if key not in self._held]
        new = [code for code in codes if code not in self._held]
        self._calls.send(alone([*map(down, new), *map(up, reversed(new))], lifted))

    def down(self, codes: Sequence[int]) -> list[int]:
        """Put keys down; gives those that were not down through us already."""
        new = [code for code in codes if code not in self._held]
        self._held += new
        self._calls.send([down(code) for code in new])
        return new

    def up(self, codes: Sequence[int]) -> None:
        """Let go of keys, the last first."""
        self._calls.send([up(code) for code in reversed(codes)])
        self._held = [code for code in self._held if code not in codes]

    def release(self) -> None:
        """Let go of every key that `down` put down."""
        self.up(self._held)

    def _modifiers(self) -> list[int]:
        return [key for key in MODIFIERS if self._calls.is_down(key)]


class User32:
    """The calls themselves."""

    def __init__(self) -> None:
        self._dll = user32()

    def send(self, strokes: Sequence[Stroke]) -> None:
        """Put these into Windows' input, together."""
        # Browsers tell keys apart by their place on the keyboard.
        inputs = packed(strokes, lambda key: int(self._dll.MapVirtualKeyW(key, 0)))
        if self._dll.SendInput(len(inputs), inputs, ctypes.sizeof(Input)) != len(inputs):
            raise ToolFailure(
                "PERMISSION_DENIED",
                "Windows did not take the keys.",
                ["The screen may be locked, or Windows asks for a person's consent: look at it."],
            )

    def is_down(self, key: int) -> bool:
        """Whether a key is down, whoever holds it."""
        return bool(self._dll.GetAsyncKeyState(key) < 0)

    def find(self, character: str) -> tuple[int, int] | None:
        """The key and the shift state that give a character, in the layout of the window in front."""
        if ord(character) > LAST_IN_PLANE:
            return None
        thread = self._dll.GetWindowThreadProcessId(self._dll.GetForegroundWindow(), None)
        found = int(self._dll.VkKeyScanExW(ord(character), self._dll.GetKeyboardLayout(thread)))
        return None if found == -1 else (found & 0xFF, found >> 8 & 0xFF)


def user32() -> Any:  # noqa: ANN401 - a library has no type
    """The library, with the types that are not plain numbers."""
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
    """One of Windows' own, for ourselves: others set other types in theirs."""
    if sys.platform != "win32":
        raise DesktopError("This is not Windows.")
    return ctypes.WinDLL(name)
