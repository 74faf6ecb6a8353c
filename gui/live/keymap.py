"""Translates keys pressed in the window for the desktop that is watched there. No Tk here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

HELD: Final = (("ctrl", 0x4), ("alt", 0x8), ("shift", 0x1), ("super", 0x40))  # bits of X's modifier state
NAMED: Final[Mapping[str, str]] = {
    "Return": "enter",
    "KP_Enter": "enter",
    "Tab": "tab",
    "ISO_Left_Tab": "tab",
    "BackSpace": "backspace",
    "Delete": "delete",
    "KP_Delete": "delete",
    "Insert": "insert",
    "Escape": "escape",
    "Home": "home",
    "KP_Home": "home",
    "End": "end",
    "KP_End": "end",
    "Prior": "pageup",
    "KP_Prior": "pageup",
    "Next": "pagedown",
    "KP_Next": "pagedown",
    "Left": "left",
    "KP_Left": "left",
    "Right": "right",
    "KP_Right": "right",
    "Up": "up",
    "KP_Up": "up",
    "Down": "down",
    "KP_Down": "down",
    "Menu": "menu",
    "Print": "printscreen",
    "Pause": "pause",
    **{f"F{number}": f"f{number}" for number in range(1, 25)},
}
SIGNS: Final = {" ": "space", "+": "plus", "-": "minus"}  # those that would be read as something else
LATIN: Final = 0x100  # below, X numbers a key's sign as Unicode does
UNICODE: Final = 0x1000000  # above, it adds this


@dataclass(frozen=True, slots=True)
class KeyInput:
    """Either a text to type, or keys to press together, such as `ctrl+s`."""

    text: str = ""
    keys: str = ""


def key_input(keysym: str, number: int, char: str, state: int) -> KeyInput | None:
    """Translate Tk's event of a key; None for a lone modifier, and for a key that has no counterpart."""
    held = modifiers_in(state)
    if name := NAMED.get(keysym):
        return KeyInput(keys="+".join([*held, name]))
    if char.isprintable() and char and not {"ctrl", "alt", "super"}.intersection(held):
        return KeyInput(text=char)  # as the person's own layout makes it, dead keys included
    sign = _sign(number)
    if not sign or not held:
        return None
    # a letter stands for its key; any other sign may need shift only on this layout
    kept = held if sign.isalpha() or sign == " " else [name for name in held if name != "shift"]
    return KeyInput(keys="+".join([*kept, SIGNS.get(sign, sign.lower())]))


def modifiers_in(state: int) -> list[str]:
    """The modifiers held, by the names under which they are pressed."""
    return [name for name, bit in HELD if state & bit]


def _sign(number: int) -> str:
    """The character of a key, from its X keysym."""
    code = number - UNICODE if number > UNICODE else number if number < LATIN else 0
    return chr(code) if code and chr(code).isprintable() else ""
