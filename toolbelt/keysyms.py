"""What keys are called, where a keyboard map has them, and how the map of a display is read and written.

Keysym numbers are those of the X protocol (keysymdef.h); a character outside Latin-1 is 0x01000000 + its code point.
"""

import difflib
import re
import struct
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from Xlib.display import Display
from Xlib.protocol import rq

from world_model.errors import DesktopError, ToolFailure

# In the order in which a person would press them.
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
_KNOWN: Final = (*_BY_NAME, *_ALIASES)
_KEYPAD: Final = range(0xFF80, 0xFFBE)
_LATIN_1: Final = 0x100
_CORE_KEYBOARD: Final = 0x100  # XkbUseCoreKbd
_KEYSYMS: Final = 1 << 1  # XkbKeySymsMask
_ABOVE_CURSOR_KEYS: Final = 120


def parse_keys(keys: str) -> list[str]:
    """Read "Ctrl+Shift+S" as canonical names, ["ctrl", "shift", "s"], in the order in which they are pressed.

    A name is a key's ("enter", "f4"), or one character ("é"). Under a modifier a letter means its key, so it is lower
    case there; on its own it means itself.

    Raises:
        ToolFailure: INVALID_ARGS for an empty name, a name that is not known (the hints have near ones), a character
            that no key can be, or a key named twice.
    """
    names = [_canonical(part, keys) for part in _parts(keys)]
    if MODIFIERS.keys() & names:
        names = [_key_of(name) for name in names]
    if len(set(names)) < len(names):
        raise ToolFailure("INVALID_ARGS", f"{keys!r} names a key twice")
    return names


def _parts(keys: str) -> list[str]:
    """Split at "+", except where the plus is itself the key: "+", "ctrl++"."""
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
    lowered = re.sub(r"[\s_-]", "", name.lower())
    lowered = _ALIASES.get(lowered, lowered)
    if lowered in _BY_NAME or lowered in _ALIASES.values():
        return lowered
    near = difflib.get_close_matches(lowered, _KNOWN, n=3)
    hints = [f"Did you mean {' or '.join(repr(match) for match in near)}?"] if near else []
    raise ToolFailure("INVALID_ARGS", f"{name!r} in {keys!r} is not a key", hints)


def _key_of(name: str) -> str:
    """Lower the case of a single letter; the few whose lower case is two characters stay as they are."""
    lowered = name.lower()
    return lowered if len(lowered) == 1 else name


def keysym_of(name: str) -> int | None:
    """The keysym of a canonical name or of one character; None if there is none (controls, lone surrogates)."""
    if len(name) != 1:
        return _BY_NAME.get(name)
    if unicodedata.category(name) in {"Cc", "Cs"}:
        return None
    code = ord(name)
    return code if code < _LATIN_1 else 0x01000000 + code


def keysyms_of_text(text: str) -> list[int]:
    r"""One keysym a keystroke: Return for "\n", "\r\n" and "\r", Tab for "\t", and every other character itself.

    Raises:
        ToolFailure: INVALID_ARGS if a character cannot be typed; nothing has been typed then.
    """
    return [_keysym_at(index, character) for index, character in enumerate(re.sub("\r\n?", "\n", text))]


def _keysym_at(index: int, character: str) -> int:
    named = {"\n": "enter", "\t": "tab"}.get(character, character)
    keysym = keysym_of(named)
    if keysym is None:
        raise ToolFailure(
            "INVALID_ARGS",
            f"U+{ord(character):04X} at position {index} is not a character that can be typed; nothing was typed",
            ["Leave it out, or press the key that is meant."],
        )
    return keysym


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a keyboard map, as the XKB protocol has it: its keysyms are `width` levels for each group."""

    kinds: bytes
    group_info: int
    width: int
    keysyms: tuple[int, ...]

    @classmethod
    def of_two(cls, plain: int, shifted: int) -> "Key":
        """A key with one group of two levels, where Caps Lock does nothing (the type TWO_LEVEL)."""
        return cls(bytes([1, 0, 0, 0]), 1, 2, (plain, shifted))

    @classmethod
    def unpack_all(cls, data: bytes) -> list["Key"]:
        """Read keys from a GetMap reply."""
        keys, at = [], 0
        while at < len(data):
            kinds, group_info, width, count = struct.unpack_from("=4sBBH", data, at)
            keys.append(cls(kinds, group_info, width, struct.unpack_from(f"={count}I", data, at + 8)))
            at += 8 + 4 * count
        return keys

    def pack(self) -> bytes:
        """The key as a SetMap request wants it."""
        head = struct.pack("=4sBBH", self.kinds, self.group_info, self.width, len(self.keysyms))
        return head + struct.pack(f"={len(self.keysyms)}I", *self.keysyms)

    def keysym(self, group: int, level: int) -> int:
        """What the key means in a group at a level; 0 for nothing. A group that it lacks is brought into range."""
        groups = self.group_info & 0xF
        if not groups or level >= self.width:
            return 0
        if group >= groups:
            group = {0x00: group % groups, 0x40: groups - 1}.get(self.group_info & 0xC0, 0)
        return self.keysyms[group * self.width + level]


UNMAPPED: Final = Key(bytes(4), 0, 0, ())


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key and whether Shift goes with it."""

    keycode: int
    shift: bool


class Keymap:
    """Where the active group of a keyboard map has each keysym.

    Args:
        keys: the keys from keycode 8 on.
        group: the active layout, 0 to 3.
    """

    def __init__(self, keys: Sequence[Key], group: int) -> None:
        self.keys = dict(enumerate(keys, 8))
        # One request sets all keys from the first spare one to the last, with those between as they are. Above the
        # cursor keys there is none that layouts differ in, so a second keyboard with a layout of its own keeps it.
        self.spare = [code for code, key in self.keys.items() if code >= _ABOVE_CURSOR_KEYS and not any(key.keysyms)]
        self._strokes: dict[int, Stroke] = {}
        for level in (0, 1):
            for code, key in self.keys.items():
                # Keys of the pad mean another thing under Num Lock.
                if not any(keysym in _KEYPAD for keysym in key.keysyms) and (keysym := key.keysym(group, level)):
                    self._strokes.setdefault(keysym, Stroke(code, shift=level == 1))

    def find(self, keysym: int) -> Stroke | None:
        """How the keysym is typed, or None if the active layout does not have it plainly or under Shift."""
        return self._strokes.get(keysym)

    def batches(self, keysyms: Sequence[int]) -> Iterator[tuple[list[int], dict[int, Stroke]]]:
        """Cut the keysyms into runs, each with the strokes on spare keys that the layout's own keys cannot make."""
        places = [Stroke(code, shift) for shift in (False, True) for code in self.spare]
        run: list[int] = []
        extra: dict[int, Stroke] = {}
        for keysym in keysyms:
            if keysym not in self._strokes and keysym not in extra:
                if not places:
                    raise ToolFailure("TOOL_ERROR", "the keyboard map has no spare key for what the layout lacks")
                if len(extra) == len(places):
                    yield run, extra
                    run, extra = [], {}
                extra[keysym] = places[len(extra)]
            run.append(keysym)
        yield run, extra


class KeyboardMap:
    """The map of a display's core keyboard. python3-xlib does not know XKB, so two of its requests are spelled here.

    The core protocol could change one run of neighbours at a time, and at each change every program and the window
    manager load the map anew: with scattered spare keys openbox took 13 s to get over a text that now costs it 0.9 s.
    """

    def __init__(self, display: Display) -> None:
        extension = display.query_extension("XKEYBOARD")
        if extension is None:
            raise DesktopError("the X server has no XKEYBOARD extension, which exact typing needs")
        self._display = display.display
        self._opcode = extension.major_opcode
        self._ask(0, struct.pack("=HH", 1, 0))  # UseExtension 1.0, which must come first

    def read(self) -> list[Key]:
        """All keys, from keycode 8 on."""
        answer = self._ask(8, struct.pack("=HHH2x2B14x", _CORE_KEYBOARD, 0, _KEYSYMS, 8, 248))  # GetMap
        return Key.unpack_all(answer[32:])

    def write(self, changed: dict[int, Key]) -> None:
        """Change keys by their keycodes, in one request; those between them are written as they are."""
        first, last = min(changed), max(changed)
        now = self.read()
        keys = [changed.get(code, now[code - 8]) for code in range(first, last + 1)]
        total = sum(len(key.keysyms) for key in keys)
        head = struct.pack("=HHH2B2x2BH18x", _CORE_KEYBOARD, _KEYSYMS, 0, 8, 255, first, len(keys), total)
        body = head + b"".join(key.pack() for key in keys)
        Tell(display=self._display, opcode=self._opcode, minor=9, body=list(body))  # SetMap

    def _ask(self, minor: int, body: bytes) -> bytes:
        return bytes(Ask(display=self._display, opcode=self._opcode, minor=minor, body=list(body)).body)


class Tell(rq.Request):
    """Any request of an extension that has no answer."""

    _request = rq.Struct(rq.Card8("opcode"), rq.Card8("minor"), rq.RequestLength(), rq.List("body", rq.Card8Obj))


class Ask(rq.ReplyRequest):
    """Any request of an extension that has an answer, whose `body` is what follows the first 8 bytes."""

    _request = Tell._request  # noqa: SLF001 - the same form
    _reply = rq.Struct(
        rq.ReplyCode(), rq.Pad(1), rq.Card16("sequence_number"), rq.ReplyLength(), rq.List("body", rq.Card8Obj)
    )
