"""What can be typed on the keyboard of a Wayland session as its person has it.

The portal presses the key that has a character, and drops in silence what no key has. The compositor says what the keys
are: to whoever asks, as it does to every program. Which of several layouts is in use it says only to the program in
front, so what one of them lacks counts as missing; and what another key has, where the portal does not know either.
"""

import contextlib
import ctypes
import ctypes.util
import mmap
import os
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from toolbelt.desktops.wayland.wire import Interface, Remote, Wire
from world_model import DesktopError

_SEAT, _KEYBOARD = "wl_seat", "wl_keyboard"
_INTERFACES: Final = {
    _SEAT: Interface(
        _SEAT,
        1,
        {"get_pointer": "n:wl_pointer", "get_keyboard": "n:wl_keyboard"},
        {"capabilities": "u"},
    ),
    _KEYBOARD: Interface(
        _KEYBOARD,
        1,
        {},
        {"keymap": "u h u", "enter": "u o a", "leave": "u o", "key": "u u u u", "modifiers": "u u u u u"},
    ),
}
_HAS_KEYBOARD: Final = 2  # of the capabilities of a seat
_TEXT: Final = 1  # the format of a keymap
# The keys that are held to reach each level, as keymaps number them: none, left Shift, right Alt. Portals know no more.
_HELD: Final = (None, 50, 108)
_DOWN: Final = 1
_LATIN_1: Final = 0x100
_UNICODE: Final = 0x01000000  # added to a character, where it has no name of its own


class Keymap:
    """Knows which keysyms the keyboard has.

    Args:
        socket_path: where the compositor listens.
        awake: makes a session have a keyboard that has none yet; None where nothing is to be typed.
        everywhere: whether a character must be on the same key in every layout.
    """

    def __init__(self, socket_path: Path, awake: Callable[[], object] | None, *, everywhere: bool = False) -> None:
        self._everywhere = everywhere
        self._wire = Wire(socket_path, _INTERFACES)
        self._lock = threading.Lock()
        self._capabilities = 0
        self._text = b""
        with contextlib.ExitStack() as failed:
            failed.callback(self._wire.close)
            seat = self._wire.bind(_SEAT)
            seat.heard = self._hear
            self._wire.roundtrip()
            if awake:
                self._read(seat, awake)
            failed.pop_all()

    def _read(self, seat: Remote, awake: Callable[[], object]) -> None:
        if not self._capabilities & _HAS_KEYBOARD:
            awake()
            self._wire.until(lambda: self._capabilities & _HAS_KEYBOARD)
        seat.send("get_keyboard").heard = self._hear
        self._wire.until(lambda: self._text)

    def find(self, keysym: int) -> int | None:
        """Return the keysym as the keyboard has it; None if it has none."""
        self.look()
        there = _keysyms(self._text, everywhere=self._everywhere)
        return next((one for one in (keysym, _named(keysym)) if one in there), None)

    def look(self) -> None:
        """Hear what has changed, and make sure that the compositor is there: the portal takes input after its end.

        Raises:
            DesktopError: It is gone.
        """
        with self._lock:
            self._wire.roundtrip()

    def close(self) -> None:
        """Close the connection."""
        self._wire.close()

    def _hear(self, name: str, *values: Any) -> None:  # noqa: ANN401 - as the message has them
        if name == "capabilities":
            [self._capabilities] = values
        elif name == "keymap":
            kind, file, size = values
            try:
                if kind == _TEXT:
                    with mmap.mmap(file, size, mmap.MAP_PRIVATE, mmap.PROT_READ) as content:
                        self._text = content[:].rstrip(b"\0")
            finally:
                os.close(file)


@cache
def _library() -> Any:  # noqa: ANN401 - a library of C has no types
    """Return libxkbcommon, which every compositor has."""
    try:
        library = ctypes.CDLL("libxkbcommon.so.0")
    except OSError as error:
        raise DesktopError(
            "libxkbcommon is missing, with which keyboards are read. Install it: libxkbcommon0"
        ) from error
    for made in (library.xkb_context_new, library.xkb_keymap_new_from_string, library.xkb_state_new):
        made.restype = ctypes.c_void_p
    for keysym in (library.xkb_utf32_to_keysym, library.xkb_state_key_get_one_sym):
        keysym.restype = ctypes.c_uint32
    return library


def _named(keysym: int) -> int:
    """Return the name that older keymaps have for a character."""
    return int(_library().xkb_utf32_to_keysym(keysym - _UNICODE)) if keysym >= _UNICODE + _LATIN_1 else keysym


@cache
def _keysyms(text: bytes, *, everywhere: bool) -> frozenset[int]:
    """Return what the keys of every layout of a keymap have; if `everywhere`, on the same key of each."""
    library = _library()
    context = ctypes.c_void_p(library.xkb_context_new(0))
    keymap = ctypes.c_void_p(library.xkb_keymap_new_from_string(context, text, _TEXT, 0))
    if not keymap:
        raise DesktopError("The keymap of this Wayland session cannot be read. Choose another keyboard layout.")
    try:
        numbers = range(library.xkb_keymap_num_layouts(keymap))
        layouts = [_of_layout(library, keymap, number) for number in numbers]
    finally:
        library.xkb_keymap_unref(keymap)
        library.xkb_context_unref(context)
    if everywhere:
        return frozenset(keysym for keysym, _ in frozenset.intersection(*(frozenset(one.items()) for one in layouts)))
    return frozenset.intersection(*map(frozenset, layouts))


def _of_layout(library: Any, keymap: ctypes.c_void_p, layout: int) -> dict[int, tuple[int, int]]:  # noqa: ANN401 - as above
    """Return the keysyms that a portal reaches, with the key and level of each; it takes the first key that has one."""
    found = dict[int, tuple[int, int]]()
    symbols = ctypes.POINTER(ctypes.c_uint32)()
    for key in range(library.xkb_keymap_min_keycode(keymap), library.xkb_keymap_max_keycode(keymap) + 1):
        for level in range(library.xkb_keymap_num_levels_for_key(keymap, key, layout)):
            count = library.xkb_keymap_key_get_syms_by_level(keymap, key, layout, level, ctypes.byref(symbols))
            for place in range(count):
                found.setdefault(symbols[place], (key, level))
    given = [_given(library, keymap, layout, held) for held in _HELD]
    return {
        keysym: (key, level)
        for keysym, (key, level) in found.items()
        if level < len(given) and given[level][key] == keysym
    }


def _given(library: Any, keymap: ctypes.c_void_p, layout: int, held: int | None) -> dict[int, int]:  # noqa: ANN401 - as above
    """Return what each key gives while another one is held: not every layout has its levels on Shift and AltGr."""
    state = ctypes.c_void_p(library.xkb_state_new(keymap))
    try:
        library.xkb_state_update_mask(state, 0, 0, 0, 0, 0, layout)
        if held:
            library.xkb_state_update_key(state, held, _DOWN)
        keys = range(library.xkb_keymap_min_keycode(keymap), library.xkb_keymap_max_keycode(keymap) + 1)
        return {key: library.xkb_state_key_get_one_sym(state, key) for key in keys}
    finally:
        library.xkb_state_unref(state)
