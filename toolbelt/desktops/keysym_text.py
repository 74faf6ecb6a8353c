"""What a keysym types: the character of a keysym, and what dead keys make of the next one."""

import unicodedata
from collections.abc import Mapping
from typing import Final

# Keysyms of before Unicode: their higher byte names a character set, in which the lower one is the character.
_SETS: Final[Mapping[int, str]] = {
    0x00: "latin-1",
    0x01: "iso8859-2",
    0x02: "iso8859-3",
    0x03: "iso8859-4",
    0x05: "iso8859-6",
    0x0C: "iso8859-8",
    0x0D: "iso8859-11",
    0x13: "iso8859-15",
}
_UNICODE: Final = range(0x01000100, 0x01110000)
_CURRENCIES: Final = range(0x20A0, 0x20C0)  # keysyms that are their code points
_LATIN_1: Final = 0x100
_CYRILLIC: Final = range(0x6C0, 0x700)  # in the order of KOI8-R
_SINGLE: Final[Mapping[int, tuple[int, ...]]] = {  # code points from a keysym on; 0 for none
    0x6A1: (0x452, 0x453, 0x451, *range(0x454, 0x45D), 0x491, 0x45E, 0x45F),
    0x6B1: (0x402, 0x403, 0x401, *range(0x404, 0x40D), 0x490, 0x40E, 0x40F),
    0x7A1: (0x386, 0x388, 0x389, 0x38A, 0x3AA, 0, 0x38C, 0x38E, 0x3AB, 0, 0x38F),
    0x7B1: (0x3AC, 0x3AD, 0x3AE, 0x3AF, 0x3CA, 0x390, 0x3CC, 0x3CD, 0x3CB, 0x3B0, 0x3CE),
    0x7C1: (*range(0x391, 0x3A2), 0x3A3, 0, *range(0x3A4, 0x3AA)),
    0x7E1: (*range(0x3B1, 0x3C2), 0x3C3, 0x3C2, *range(0x3C4, 0x3CA)),
    0xAA9: (0x2014, 0x2013),
    0xAAE: (0x2026,),
    0xAD0: (0x2018, 0x2019, 0x201C, 0x201D),
    0xAFD: (0x201A, 0x201E),
    0xFFAA: (*b"*+,-./0123456789",),  # of the keypad
    0xFF80: (0x20,),
    0xFFBD: (0x3D,),
}
_OTHERS: Final = {first + at: chr(code) for first, codes in _SINGLE.items() for at, code in enumerate(codes) if code}
_DEAD: Final[Mapping[int, str]] = {  # combining characters
    0xFE50: "\u0300",
    0xFE51: "\u0301",
    0xFE52: "\u0302",
    0xFE53: "\u0303",
    0xFE54: "\u0304",
    0xFE55: "\u0306",
    0xFE56: "\u0307",
    0xFE57: "\u0308",
    0xFE58: "\u030a",
    0xFE59: "\u030b",
    0xFE5A: "\u030c",
    0xFE5B: "\u0327",
    0xFE5C: "\u0328",
    0xFE60: "\u0323",
    0xFE61: "\u0309",
    0xFE62: "\u031b",
}
_SPACING: Final[Mapping[str, str]] = {"\u0300": "`", "\u0302": "^", "\u0303": "~", "\u0301": "'"}


def character_of(keysym: int) -> str:
    """Return the character that a keysym types; empty if it types none, or one that is not known."""
    if keysym in _OTHERS:
        return _OTHERS[keysym]
    if keysym in _UNICODE:
        return chr(keysym - 0x01000000)
    if keysym in _CURRENCIES:
        return chr(keysym)
    letters = "koi8-r" if keysym in _CYRILLIC else _SETS.get(keysym >> 8)
    typed = bytes([keysym & 0xFF]).decode(letters, "ignore") if letters else ""
    is_again = keysym >= _LATIN_1 and typed.isascii()  # each character set begins with ASCII
    return "" if is_again or unicodedata.category(typed or "\0") == "Cc" else typed


def accent_of(keysym: int) -> str:
    """Return the combining character of a dead key; empty for another key."""
    return _DEAD.get(keysym, "")


def accented(character: str, accent: str) -> str:
    """Return what a character after a dead key types; empty if there is no such character."""
    if character == " ":
        return _SPACING.get(accent, "")
    whole = unicodedata.normalize("NFC", character + accent)
    return whole if len(whole) == 1 else ""
