"""The keyboard of an X display: its map, its locks, and who holds which key.

The requests are packed here, following the protocols of XKB, XInput and XTEST: xcffib cannot read a keyboard map.
"""

import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from toolbelt.desktops.keysyms import Key
from toolbelt.desktops.x11.connection import KEY_PRESS, KEY_RELEASE, Connection, Extension

_CORE_KEYBOARD: Final = 0x100  # XkbUseCoreKbd
_KEYSYMS: Final = 1 << 1  # XkbKeySymsMask
_ALL_MODIFIERS: Final = 0xFF
_SLAVE_KEYBOARD: Final = 4  # XInput 2: a keyboard that feeds the core one
_KEY_CLASS: Final = 0  # XInput: the part of a device's state that describes its keys


@dataclass(frozen=True, slots=True)
class KeyboardState:
    """The active and the locked layout of the core keyboard, 0 to 3, and the modifiers that no key holds.

    Those are locked (Caps Lock, Num Lock) or latched: for the next key, by a person who uses sticky keys.
    """

    group: int
    locked_group: int
    locks: int
    latches: int


class KeyboardMap:
    """The map and the state of the core keyboard of a display.

    XKB changes any keys in one request. The core protocol needs one for each run of adjacent keys, and at each change
    every program reloads the map: with scattered spare keys openbox needed 13 s for a text that now costs it 0.9 s.
    """

    def __init__(self, display: Connection) -> None:
        self._xkb = Extension(display, "XKEYBOARD")
        self._xkb.ask(0, struct.pack("=HH", 1, 0))  # UseExtension 1.0, which must come first

    def read(self) -> list[Key]:
        """Return all keys, from keycode 8 on."""
        answer = self._xkb.ask(8, struct.pack("=HHH2x2B14x", _CORE_KEYBOARD, 0, _KEYSYMS, 8, 248))  # GetMap
        return Key.unpack_all(answer[32:])

    def write(self, changed: dict[int, Key]) -> None:
        """Change keys by keycode, in one request; the keys between them are written unchanged."""
        first, last = min(changed), max(changed)
        now = self.read()
        keys = [changed.get(code, now[code - 8]) for code in range(first, last + 1)]
        total = sum(len(key.keysyms) for key in keys)
        head = struct.pack("=HHH2B2x2BH18x", _CORE_KEYBOARD, _KEYSYMS, 0, 8, 255, first, len(keys), total)
        self._xkb.tell(9, head + b"".join(key.pack() for key in keys))  # SetMap

    def state(self) -> KeyboardState:
        """Return the current layout, locks and latches."""
        answer = self._xkb.ask(4, struct.pack("=H2x", _CORE_KEYBOARD))  # GetState
        return KeyboardState(answer[4], answer[5], locks=answer[3], latches=answer[2])

    def lock(self, locks: int, latches: int = 0) -> None:
        """Lock and latch exactly these modifiers, without pressing a key."""
        body = struct.pack("=H6B2xH", _CORE_KEYBOARD, _ALL_MODIFIERS, locks, 0, 0, _ALL_MODIFIERS, latches, 0)
        self._xkb.tell(5, body)  # LatchLockState

    def lock_group(self, group: int) -> None:
        """Activate a layout."""
        self._xkb.tell(5, struct.pack("=H6B2xH", _CORE_KEYBOARD, 0, 0, 1, group, 0, 0, 0))


def devices(xinput: Extension) -> Iterator[tuple[int, int, str]]:
    """Yield the input devices of a display: number, use and name."""
    answer = xinput.ask(48, struct.pack("=H2x", 0))  # XIQueryDevice, of all
    (count,) = struct.unpack_from("=H", answer)
    at = 24
    for _ in range(count):
        device, use, _attached, classes, length, _enabled = struct.unpack_from("=5HBx", answer, at)
        name = answer[at + 12 : at + 12 + length].decode("utf-8", "replace")
        at += 12 + length + -length % 4
        for _ in range(classes):
            at += 4 * struct.unpack_from("=2xH", answer, at)[0]
        yield device, use, name


class Keyboards:
    """The keyboards that feed the core one: those that people type on, and that of XTEST, which programs use."""

    def __init__(self, display: Connection) -> None:
        self._display = display
        self._xinput = Extension(display, "XInputExtension")
        self._xtest = Extension(display, "XTEST")

    def down(self) -> set[int]:
        """Return the keys that are down on any keyboard."""
        return _bits(self._display.keys_down())

    def of_programs(self) -> set[int]:
        """Return the keys that programs hold down, not a person."""
        return {code for device, name in self._devices() if _is_xtest(name) for code in self._down_on(device)}

    def holders(self, keycodes: Collection[int]) -> dict[int, list[int]]:
        """Return, for each key, the keyboards on which it is down."""
        held = {device: self._down_on(device) for device, _ in self._devices()} if keycodes else {}
        return {code: [device for device, keys in held.items() if code in keys] for code in keycodes}

    def put_down_again(self, keycode: int, holders: Collection[int]) -> None:
        """Undo an XTEST release of a key, unless the person who held it has released it meanwhile.

        The press comes from the person's own keyboard, so that their release ends it.
        """
        programs = {device for device, name in self._devices() if _is_xtest(name)}
        for device in holders:
            if device in programs or keycode in self._down_on(device):
                # The keyboard never saw the release, and would take a press alone for a repetition.
                self._fake(device, KEY_RELEASE, keycode)
                self._fake(device, KEY_PRESS, keycode)

    def _devices(self) -> Iterator[tuple[int, str]]:
        return ((device, name) for device, use, name in devices(self._xinput) if use == _SLAVE_KEYBOARD)

    def _down_on(self, device: int) -> set[int]:
        answer = self._xinput.ask(30, struct.pack("=B3x", device))  # QueryDeviceState
        at = 24
        for _ in range(answer[0]):
            kind, length = answer[at : at + 2]
            if kind == _KEY_CLASS:
                return _bits(answer[at + 4 : at + 36])
            at += length
        return set()

    def _fake(self, device: int, kind: int, keycode: int) -> None:
        """Send FakeInput with an event of the device itself, numbered from the first event of the extension."""
        event = self._xinput.first_event + 1 + kind - KEY_PRESS
        self._xtest.tell(2, struct.pack("=BB29xB", event, keycode, device))


def _is_xtest(name: str) -> bool:
    return name.endswith("XTEST keyboard")


def _bits(data: bytes) -> set[int]:
    """Return the numbers of the bits that are set."""
    return {8 * index + bit for index, byte in enumerate(data) for bit in range(8) if byte >> bit & 1}
