"""The keymaps of our own keyboard: those of a US keyboard, with other characters in place of those that are not needed.

Codes are those of Linux (input-event-codes.h); a keymap numbers its keys 8 higher, as X does. The format is XKB's.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from toolbelt.desktops.keysyms import MODIFIERS, Stroke, keysym_of

_ROWS: Final = (  # the codes that follow on the first one, with the characters of their keys
    (2, "1234567890-=", "!@#$%^&*()_+"),
    (16, "qwertyuiop[]", "QWERTYUIOP{}"),
    (30, "asdfghjkl;'`", 'ASDFGHJKL:"~'),
    (43, "\\zxcvbnm,./", "|ZXCVBNM<>?"),
)
_NAMED: Final = {
    "escape": 1,
    "backspace": 14,
    "tab": 15,
    "enter": 28,
    "ctrl": 29,
    "shift": 42,
    "alt": 56,
    "space": 57,
    "capslock": 58,
    "numlock": 69,
    "scrolllock": 70,
    "printscreen": 99,
    "altgr": 100,
    "home": 102,
    "up": 103,
    "pageup": 104,
    "left": 105,
    "right": 106,
    "end": 107,
    "down": 108,
    "pagedown": 109,
    "insert": 110,
    "delete": 111,
    "volumemute": 113,
    "volumedown": 114,
    "volumeup": 115,
    "pause": 119,
    "super": 125,
    "menu": 127,
    **{f"f{number}": 58 + number for number in range(1, 11)},
    "f11": 87,
    "f12": 88,
    **{f"f{number}": 170 + number for number in range(13, 25)},
}
_ABOVE: Final = 8  # what a keymap adds to a code
# The modifiers of XKB, whose bits are in this order, with the keys that set them.
_MODIFIERS: Final = {
    "Shift": "shift",
    "Lock": "capslock",
    "Control": "ctrl",
    "Mod1": "alt",
    "Mod2": "numlock",
    "Mod3": None,
    "Mod4": "super",
    "Mod5": "altgr",
}
MASKS: Final = {  # of the keysyms of modifiers
    MODIFIERS[key]: 1 << bit for bit, key in enumerate(_MODIFIERS.values()) if key in MODIFIERS
}
SHIFT: Final = 1  # the mask of the second level

Strokes = Mapping[int, Stroke]  # how each keysym is typed


def _us_strokes() -> Iterator[tuple[int, Stroke]]:
    for first, *levels in _ROWS:
        for shifted, characters in enumerate(levels):
            for place, character in enumerate(characters):
                yield ord(character), Stroke(int(first) + place, shift=bool(shifted))


_TYPING: Final[Strokes] = dict(_us_strokes())
_FIXED: Final[Strokes] = {
    keysym: Stroke(code, shift=False) for name, code in _NAMED.items() if (keysym := keysym_of(name)) is not None
}
US: Final[Strokes] = {**_TYPING, **_FIXED}


def batches(keysyms: Sequence[int]) -> Iterator[tuple[Sequence[int], Strokes]]:
    """Split keysyms into runs that one keymap can type, each with the strokes of that keymap."""
    start, needed = 0, set[int]()
    for place, keysym in enumerate(keysyms):
        if keysym not in needed and keysym not in _FIXED:
            if len(needed) == len(_TYPING):
                yield keysyms[start:place], _strokes(needed)
                start, needed = place, set()
            needed.add(keysym)
    if start < len(keysyms):
        yield keysyms[start:], _strokes(needed)


def _strokes(needed: set[int]) -> Strokes:
    """Return the strokes of a keymap that has these characters, those of a US keyboard where that has them."""
    others = needed - _TYPING.keys()
    if not others:
        return US
    free = sorted((stroke for keysym, stroke in _TYPING.items() if keysym not in needed), key=lambda one: one.shift)
    taken = dict(zip(sorted(others), free, strict=False))
    places = set(taken.values())
    return {**{keysym: one for keysym, one in US.items() if one not in places}, **taken}


def keymap_text(strokes: Strokes) -> str:
    """Return a keymap with these strokes, in the format of XKB."""
    keys: dict[int, list[int]] = {}
    for keysym, stroke in strokes.items():
        keys.setdefault(stroke.keycode, [0, 0])[stroke.shift] = keysym
    codes = "".join(f"<{code}> = {code + _ABOVE};\n" for code in sorted(keys))
    symbols = "".join(
        f"key <{code}> {{ [ {', '.join(map(_symbol, levels if levels[1] else levels[:1]))} ] }};\n"
        for code, levels in sorted(keys.items())
    )
    modifiers = "".join(f"modifier_map {bit} {{ <{_NAMED[key]}> }};\n" for bit, key in _MODIFIERS.items() if key)
    return (
        "xkb_keymap {\n"
        f'xkb_keycodes "mark-i" {{\nminimum = {_ABOVE};\nmaximum = 255;\n{codes}}};\n'
        'xkb_types "mark-i" { include "complete" };\n'
        'xkb_compatibility "mark-i" { include "complete" };\n'
        f'xkb_symbols "mark-i" {{\n{symbols}{modifiers}}};\n'
        "};\n"
    )


def _symbol(keysym: int) -> str:
    return hex(keysym) if keysym else "NoSymbol"
