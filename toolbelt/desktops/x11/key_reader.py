"""What a key means when it is pressed: the text that it types, or the keys by their names."""

from dataclasses import dataclass
from typing import Final

from xcffib import xproto

from toolbelt.desktops.keysym_text import accent_of, accented, character_of
from toolbelt.desktops.keysyms import MODIFIERS, Key, named_key
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.input_log import InputEvent
from toolbelt.desktops.x11.xkb import KeyboardMap

_LEFT_TAB: Final = 0xFE20  # Tab with Shift
_KEYPAD_ENTER: Final = 0xFF8D
_KEYPAD: Final = range(0xFF80, 0xFFBE)
_NUM_LOCK: Final = 0xFF7F
_SHIFT, _LOCK = xproto.ModMask.Shift, xproto.ModMask.Lock
_SAME: Final = {
    _LEFT_TAB: "tab",
    _KEYPAD_ENTER: "enter",
    0xFFE2: "shift",
    0xFFE4: "ctrl",
    0xFFEA: "alt",
    0xFFEC: "super",
}
# The cursor keys of the keypad, from Home on
_KEYPAD_NAMES: Final = ("home", "left", "up", "right", "down", "pageup", "pagedown", "end", "", "insert", "delete")
_KEYPAD_HOME: Final = 0xFF95
_SILENT: Final = range(0xFE01, 0xFE14)  # they choose a level or a layout
_LOCKS: Final = frozenset({"capslock", "numlock"})  # what they change is in what is typed afterwards


@dataclass(frozen=True, slots=True)
class KeyStroke:
    """What one press of a key means.

    Attributes:
        text: what it types.
        keys: the key, or the combination, by its names; empty where it types a text.
        modifier: whether it is a modifier alone.
        unknown: what cannot be told of it; empty if it is known.
    """

    text: str = ""
    keys: str = ""
    modifier: bool = False
    unknown: str = ""


class KeyReader:
    """Reads keys by the keyboard map of a display.

    Args:
        display: its name, such as `:0`.

    Raises:
        DesktopError: the display does not exist, or (all methods) went away.
    """

    def __init__(self, display: str) -> None:
        self._display = Connection(display)
        self._news = Connection(display)  # only a client that does not use XKB is told of every new map
        self._map = KeyboardMap(self._display)
        self._accent = ""
        self._learn()

    def close(self) -> None:
        """Close the connections."""
        self._news.close()
        self._display.close()

    def _learn(self) -> None:
        """Read the keyboard map."""
        self._keys = dict(enumerate(self._map.read(), 8))
        self._masks = {name: self._mask(keysym) for name, keysym in MODIFIERS.items()}
        self._num_lock = self._mask(_NUM_LOCK)

    def read(self, event: InputEvent) -> KeyStroke:
        """Return what the press of a key means; an empty one for what only prepares the next key."""
        while (news := self._news.next_event()) is not None:
            if isinstance(news, xproto.MappingNotifyEvent):
                self._learn()
        keysym = self._keysym(event)
        name, held = _name(keysym), self.held(event.state)
        if name in MODIFIERS:
            return KeyStroke(keys=name, modifier=True)
        if keysym in _SILENT or name in _LOCKS:
            return KeyStroke()
        accent, self._accent = self._accent, ""
        if {"ctrl", "alt", "super"} & {*held}:
            return self._combination(event, held)
        if dead := accent_of(keysym):
            self._accent = dead
            return KeyStroke()
        return _typed(character_of(keysym), accent) or _pressed(name, event.code, shift="shift" in held)

    def held(self, state: int) -> list[str]:
        """Return the names of the modifiers that are down."""
        return [name for name in MODIFIERS if state & self._masks[name]]

    def _combination(self, event: InputEvent, held: list[str]) -> KeyStroke:
        key = self._keys.get(event.code)
        plain = key.keysym(_group(event.state), 0) if key else 0
        name = _name(plain) or character_of(plain).lower()
        if not name:
            return KeyStroke(unknown=f"the key with the code {event.code} with {'+'.join(held)}")
        return KeyStroke(keys="+".join([*held, {"+": "plus"}.get(name, name)]))

    def _keysym(self, event: InputEvent) -> int:
        """Return what a key gives with the modifiers that are down."""
        key = self._keys.get(event.code)
        if key is None:
            return 0
        group, shifts = _group(event.state), bool(event.state & _SHIFT)
        plain = key.keysym(group, 0)
        above = key.keysym(group, 1)
        if any(keysym in _KEYPAD for keysym in (plain, above)):
            shifts ^= bool(event.state & self._num_lock)
        elif event.state & _LOCK and _is_letter(plain):
            shifts = not shifts
        third = 2 * bool(event.state & self._masks["altgr"])
        return _first(key, group, (shifts + third, third, int(shifts), 0))

    def _mask(self, keysym: int) -> int:
        codes = {*self._display.keycodes(keysym)}
        return next((1 << index for index, row in enumerate(self._display.modifier_rows()) if codes & {*row}), 0)


def _typed(character: str, accent: str) -> KeyStroke | None:
    """Return what a character types after a dead key; None if there is no character."""
    if not character:
        return None
    typed = accented(character, accent) if accent else character
    return KeyStroke(text=typed) if typed else KeyStroke(unknown=f"an accent on {character!r}")


def _pressed(name: str, code: int, *, shift: bool) -> KeyStroke:
    if not name:
        return KeyStroke(unknown=f"the key with the code {code}")
    return KeyStroke(keys=f"shift+{name}" if shift else name)


def _first(key: Key, group: int, levels: tuple[int, ...]) -> int:
    return next((keysym for level in levels if (keysym := key.keysym(group, level))), 0)


def _group(state: int) -> int:
    return state >> 13 & 3


def _is_letter(keysym: int) -> bool:
    character = character_of(keysym)
    return character.lower() != character.upper()


def _name(keysym: int) -> str:
    """Return the name of a key that types no character; empty for others."""
    place = keysym - _KEYPAD_HOME
    if 0 <= place < len(_KEYPAD_NAMES):
        return _KEYPAD_NAMES[place]
    return _SAME.get(keysym) or named_key(keysym)
