"""The names of keys, and their places in a keyboard map.

Keysym numbers are those of the X protocol (keysymdef.h); a character outside Latin-1 is 0x01000000 + its code point.
"""

import difflib
import re
import struct
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from world_model import ToolFailure

# In the order in which a person presses them.
MODIFIERS: Final = {"ctrl": 0xFFE3, "alt": 0xFFE9, "altgr": 0xFE03, "shift": 0xFFE1, "super": 0xFFEB}
_NAMED: Final = {
    "enter": 0xFF0D,
    "tab": 0xFF09,
    "space": 0x20,
    "backspace": 0xFF08,
    "delete": 0xFFFF,
    "escape": 0xFF1B,
    "insert": 0xFF63,
    "home": 0xFF50,
    "end": 0xFF57,
    "pageup": 0xFF55,
    "pagedown": 0xFF56,
    "left": 0xFF51,
    "up": 0xFF52,
    "right": 0xFF53,
    "down": 0xFF54,
    "capslock": 0xFFE5,
    "numlock": 0xFF7F,
    "scrolllock": 0xFF14,
    "printscreen": 0xFF61,
    "pause": 0xFF13,
    "menu": 0xFF67,
    "volumeup": 0x1008FF13,
    "volumedown": 0x1008FF11,
    "volumemute": 0x1008FF12,
    **{f"f{number}": 0xFFBD + number for number in range(1, 25)},
}
_BY_NAME: Final = MODIFIERS | _NAMED
_ALIASES: Final = {
    "return": "enter",
    "esc": "escape",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "control": "ctrl",
    "option": "alt",
    "win": "super",
    "windows": "super",
    "meta": "super",
    "cmd": "super",
    "command": "super",
    "prtsc": "printscreen",
    "plus": "+",
    "minus": "-",
}
PASTING: Final = frozenset(map(frozenset, (["ctrl", "v"], ["ctrl", "shift", "v"], ["super", "v"], ["shift", "insert"])))
_KNOWN: Final = (*_BY_NAME, *_ALIASES)
_KEYPAD: Final = range(0xFF80, 0xFFBE)
_LATIN_1: Final = 0x100
_ABOVE_CURSOR_KEYS: Final = 120


def parse_keys(keys: str) -> list[str]:
    """Parse "Ctrl+Shift+S" into canonical names, ["ctrl", "shift", "s"], in the order in which they are pressed.

    A name is that of a key ("enter", "f4") or one character ("é"). With a modifier, a letter means its key, so it is
    lower case; on its own it means itself.

    Raises:
        ToolFailure: INVALID_ARGS for no name, an unknown name (the hints list similar ones), a character that no key
            can be, or a key named twice.
    """
    if not keys.strip():
        raise ToolFailure("INVALID_ARGS", "No key is named.", ["Name one, such as `enter`, or several: `ctrl+s`."])
    names = [_canonical(part, keys) for part in _parts(keys)]
    if MODIFIERS.keys() & names:
        names = [_key_of(name) for name in names]
    if len(set(names)) < len(names):
        raise ToolFailure("INVALID_ARGS", f'"{keys}" names a key twice.', ["Name each key once."])
    return names


def pastes(keys: str, held: Collection[str] = ()) -> bool:
    """Tell whether keys, with those that are held down, paste in any application."""
    try:
        pressed = frozenset(map(_key_of, parse_keys(keys)))
    except ToolFailure:  # the tool that presses them reports it
        return False
    return any(one <= pressed.union(held) and not one.isdisjoint(pressed) for one in PASTING)


def parse_key(key: str) -> str:
    """Parse the name of one key; a letter means its key, so it is lower case.

    Raises:
        ToolFailure: INVALID_ARGS for several keys, and as in `parse_keys`.
    """
    names = parse_keys(key)
    if len(names) > 1:
        raise ToolFailure(
            "INVALID_ARGS", f'"{key}" is more than one key.', ["Name one key at a time, or use hold."], ["hold"]
        )
    return _key_of(names[0])


def _parts(keys: str) -> list[str]:
    """Split at "+", unless the plus is itself the key: "+", "ctrl++"."""
    text = keys.strip()
    if text == "+":
        return ["+"]
    if re.search(r"\+\s*\+$", text):
        return [*text[:-1].rstrip()[:-1].split("+"), "+"]
    return text.split("+")


def _canonical(part: str, keys: str) -> str:
    name = part.strip()
    if len(name) == 1 and keysym_of(name) is not None:
        return name
    if not name:
        raise ToolFailure("INVALID_ARGS", f'In "{keys}" a + has no key beside it.', ["The plus key itself is `plus`."])
    lowered = re.sub(r"[\s_-]", "", name.lower())
    lowered = _ALIASES.get(lowered, lowered)
    if lowered in _BY_NAME or lowered in _ALIASES.values():
        return lowered
    near = difflib.get_close_matches(lowered, _KNOWN, n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"Keys are single characters and {', '.join(_BY_NAME)}."
    within = "" if name == keys.strip() else f' in "{keys}"'
    raise ToolFailure("INVALID_ARGS", f'"{name}"{within} is not a key.', [hint])


def _key_of(name: str) -> str:
    """Convert a single letter to lower case; the few whose lower case has two characters stay as they are."""
    lowered = name.lower()
    return lowered if len(lowered) == 1 else name


def keysym_of(name: str) -> int | None:
    """Return the keysym of a canonical name or a character; None for control characters and lone surrogates."""
    if len(name) != 1:
        return _BY_NAME.get(name)
    if unicodedata.category(name) in {"Cc", "Cs"}:
        return None
    code = ord(name)
    return code if code < _LATIN_1 else 0x01000000 + code


def named_key(keysym: int) -> str:
    """Return the name of a key that types no character, the inverse of `keysym_of`; empty for others."""
    return next((name for name, known in _BY_NAME.items() if known == keysym and name != "space"), "")


def keysyms_of_text(text: str) -> list[int]:
    r"""Return one keysym per keystroke: Return for "\n", "\r\n" and "\r", Tab for "\t", else the character itself.

    Raises:
        ToolFailure: INVALID_ARGS if a character cannot be typed; nothing is typed then.
    """
    plain = re.sub("\r\n?", "\n", text)
    known: dict[str, int] = {}
    for index, character in enumerate(plain):
        if character not in known:
            known[character] = _keysym_at(index, character)
    return [known[character] for character in plain]


def _keysym_at(index: int, character: str) -> int:
    named = {"\n": "enter", "\t": "tab"}.get(character, character)
    keysym = keysym_of(named)
    if keysym is None:
        raise ToolFailure(
            "INVALID_ARGS",
            f"U+{ord(character):04X} at position {index} is not a character that can be typed; nothing was typed.",
            ["Leave it out, or press the key that is meant."],
        )
    return keysym


@dataclass(frozen=True, slots=True)
class Key:
    """One key of an XKB keyboard map: its keysyms are `width` levels for each group."""

    kinds: bytes
    group_info: int
    width: int
    keysyms: tuple[int, ...]

    @classmethod
    def of_two(cls, plain: int, shifted: int) -> "Key":
        """Return a key with one group of two levels, which Caps Lock does not affect (the type TWO_LEVEL)."""
        return cls(bytes([1, 0, 0, 0]), 1, 2, (plain, shifted))

    @classmethod
    def unpack_all(cls, data: bytes) -> list["Key"]:
        """Unpack the keys of a GetMap reply."""
        keys, at = [], 0
        while at < len(data):
            kinds, group_info, width, count = struct.unpack_from("=4sBBH", data, at)
            keys.append(cls(kinds, group_info, width, struct.unpack_from(f"={count}I", data, at + 8)))
            at += 8 + 4 * count
        return keys

    def pack(self) -> bytes:
        """Pack the key for a SetMap request."""
        head = struct.pack("=4sBBH", self.kinds, self.group_info, self.width, len(self.keysyms))
        return head + struct.pack(f"={len(self.keysyms)}I", *self.keysyms)

    def keysym(self, group: int, level: int) -> int:
        """Return the keysym in a group at a level; 0 for none. A group out of range is mapped into range."""
        groups = self.group_info & 0xF
        if not groups or level >= self.width:
            return 0
        if group >= groups:
            group = {0x00: group % groups, 0x40: groups - 1}.get(self.group_info & 0xC0, 0)
        return self.keysyms[group * self.width + level]


UNMAPPED: Final = Key(bytes(4), 0, 0, ())


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key, and whether it is pressed with Shift."""

    keycode: int
    shift: bool


class Keymap:
    """The places of keysyms in the active group of a keyboard map.

    Args:
        keys: The keys from keycode 8 on.
        group: The active layout, 0 to 3.
    """

    def __init__(self, keys: Sequence[Key], group: int) -> None:
        self.group = group
        self.keys = dict(enumerate(keys, 8))
        # One request sets all keys from the first spare one to the last, including those between. Layouts do not differ
        # above the cursor keys, so a second keyboard with a layout of its own keeps it.
        self.spare = [code for code, key in self.keys.items() if code >= _ABOVE_CURSOR_KEYS and not any(key.keysyms)]
        self._strokes: dict[int, Stroke] = {}
        for level in (0, 1):
            for code, key in self.keys.items():
                # The meaning of keypad keys depends on Num Lock.
                if not any(keysym in _KEYPAD for keysym in key.keysyms) and (keysym := key.keysym(group, level)):
                    self._strokes.setdefault(keysym, Stroke(code, shift=level == 1))

    def find(self, keysym: int) -> Stroke | None:
        """Return how to type a keysym, or None if the active layout has it neither plain nor with Shift."""
        return self._strokes.get(keysym)

    def others(self) -> Iterator["Keymap"]:
        """Yield the map with each of the other layouts active."""
        keys = list(self.keys.values())
        layouts = max(key.group_info & 0xF for key in keys)
        return (Keymap(keys, group) for group in range(layouts) if group != self.group)

    def batches(self, keysyms: Sequence[int]) -> Iterator[tuple[list[int], dict[int, Stroke]]]:
        """Split keysyms into runs, each with the spare-key strokes for what the layout itself lacks."""
        places = [Stroke(code, shift) for shift in (False, True) for code in self.spare]
        run: list[int] = []
        extra: dict[int, Stroke] = {}
        for keysym in keysyms:
            if keysym not in self._strokes and keysym not in extra:
                if not places:
                    raise ToolFailure(
                        "TOOL_ERROR", "The keyboard map has no spare key for characters that the layout lacks."
                    )
                if len(extra) == len(places):
                    yield run, extra
                    run, extra = [], {}
                extra[keysym] = places[len(extra)]
            run.append(keysym)
        yield run, extra
