"""Read the user's names of keys as chords such as `enter` or `ctrl+shift+s`."""

import re
from typing import Final

from mark_i.brains.offline.instructions.kinds import UnclearError

MODIFIERS: Final = frozenset({"ctrl", "shift", "alt", "altgr", "win", "cmd"})
_NAMED_KEYS: Final = (  # noqa: SIM905 - as a list literal it would fill a page
    "ctrl shift alt altgr win cmd enter esc tab space backspace delete insert home end pageup pagedown up down left "
    "right plus capslock numlock scrolllock printscreen f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12"
).split()
KEYS: Final = {name: name for name in _NAMED_KEYS} | {
    "control": "ctrl",
    "option": "alt",
    "windows": "win",
    "super": "win",
    "meta": "win",
    "command": "cmd",
    "return": "enter",
    "escape": "esc",
    "spacebar": "space",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "prtsc": "printscreen",
    "minus": "-",
}
_ARROW_KEY: Final = re.compile(r"\b(?:arrow\s+)?(up|down|left|right)(?:\s+arrow)?\b")
_TWO_WORDS: Final = re.compile(r"\b(page|pg|caps|num|scroll|print|space|back)\s+(up|down|lock|screen|bar|space)\b")
_BETWEEN_KEYS: Final = re.compile(r"\s*\+\s*|\s+and\s+|\s+|(?<=\w)-(?=\w)")


def chords(said: str) -> list[str]:
    """Read "Ctrl and S", "down arrow key" or "ctrl++" as chords; return none if the words name no key."""
    keys = _TWO_WORDS.sub(r"\1\2", _ARROW_KEY.sub(r"\1", said.lower().strip()))
    keys = re.sub(r"\A(?:key|letter)\s+|\s+keys?\Z", "", keys)
    keys = re.sub(r"(?:\A|(?<=\+))\s*\+\Z", "plus", keys)  # the final + of ctrl++
    parts = [keys] if _chord(keys) else keys.split(" and ")
    found = [chord for part in parts if (chord := _chord(part))]
    if len(found) == len(parts):
        return found
    first, *others = _BETWEEN_KEYS.split(keys)
    purpose = first in KEYS and others[:1] == ["to"]  # press Enter to confirm
    if purpose or KEYS.get(first) in MODIFIERS or re.search(r"\skeys?\Z", said.lower()):
        raise UnclearError(f'"{said}" is not a key that I know')
    return []


def _chord(said: str) -> str | None:
    *held, last = (KEYS.get(name, name) for name in _BETWEEN_KEYS.split(said))
    known = last in KEYS.values() or (len(last) == 1 and last.isprintable())
    return "+".join([*held, last]) if known and MODIFIERS.issuperset(held) else None
