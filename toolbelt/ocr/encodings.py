"""The forms in which a text may be written: as it is, escaped, or in a common encoding."""

import base64
import re
from collections.abc import Callable, Iterator
from functools import cache
from html.entities import codepoint2name
from typing import Final
from urllib.parse import quote

_CORE_MIN_CHARS: Final = 4  # of an encoded text, of which the first and the last character depend on what is around it
_READ_MIN_CHARS: Final = (
    8  # of a form that is read tolerantly, such as one on the screen; a shorter one is in many texts
)
_BASE85_MIN_CHARS: Final = 10  # two groups
_NAMED: Final = {**codepoint2name, ord("'"): "apos"}
# Between two bytes in hex: spaces, colons, commas, prefixes, the other half of UTF-16, and in a dump the letters at the
# end of a line and the place at the start of the next
_BETWEEN_HEX: Final = r"(?:[\s:,;-]|0x|\\+x|00| {2}\|?.{1,16}\|?\n(?:[\da-f]{4,8}:? )?)*"
# Where a line is wrapped: the sign of it, and at the start of the next one a number, a bar or a quote mark
_WRAP: Final = r"(?:[^\w\n]{1,3}\n[\W\d]{0,8}|\n[\W\d]{1,8})?"
_BETWEEN_SIGNS: Final = r"[\s,;'\"]{0,4}"
_BETWEEN_DECIMALS: Final = r"\D{1,8}"  # `, ` in a list, or `) + chr(` in code


@cache
def spelled(value: str) -> re.Pattern[str]:
    """Match a text as it is, as JSON or code escapes it, percent-encoded or in HTML entities, even nested or mixed.

    And over lines that are wrapped with a sign, numbered or quoted.
    """
    return re.compile((_WRAP if len(value) >= _READ_MIN_CHARS else "").join(map(_letter, value)))


@cache
def encoded(value: str) -> re.Pattern[str]:
    """Match a text in hex, decimals, Base64 or Base32, also within a longer text, over lines, and as UTF-16.

    And one that is written backwards.
    """
    forms = [f"(?i:{_BETWEEN_HEX.join(f'{byte:02x}' for byte in data)})" for data in _bytes(value)]
    forms.append(r"\s*".join(f"{byte:08b}" for byte in _bytes(value)[0]))
    forms.append(rf"(?i:{_BETWEEN_SIGNS.join(rf'U[+]0*{ord(letter):x}(?![0-9a-f])' for letter in value)})")
    forms.append(rf"(?<!\d){_BETWEEN_DECIMALS.join(map(str, _bytes(value)[0]))}(?!\d)")
    forms += [re.escape(value[::-1])] * (len(value) >= _READ_MIN_CHARS)
    for core in _cores(value):
        within = r"\s*".join(f"[{re.escape(one)}_-]" if one in "+/" else one for one in core)
        forms.append(rf"[A-Za-z0-9+/_-]?{within}[A-Za-z0-9+/_-]?=*")
    return re.compile("|".join(forms))


@cache
def spaced(value: str) -> re.Pattern[str]:
    """Match a text with the same signs between all its letters, visible or not, as in `s-e-c` or a list of letters."""
    if len(value) < _READ_MIN_CHARS:  # 1, 2, 3, 4 is a list
        return re.compile("(?!)")
    first, *others = map(re.escape, value)
    return re.compile("".join([first, r"(?P<between>[\W_]{1,4})", *["(?P=between)".join(others)]]))


@cache
def nested(value: str) -> tuple[str, ...]:
    """Return what an encoding of an encoded text has in common wherever the text stands; and Base85 of the text."""
    data = _bytes(value)[0]
    inner = [*_cores(value), data.hex(), data.hex().upper(), value[::-1]]
    forms = [
        form for one in inner for form in (*_cores(one), one.encode().hex(), one.encode().hex().upper(), one[::-1])
    ]
    forms += [core for encode in (base64.b85encode, base64.a85encode) for core in _base85(data, encode)]
    return tuple(form for form in dict.fromkeys(forms) if len(form) >= _READ_MIN_CHARS and form != value)


def encoded_forms(value: str) -> list[str]:
    """Return how a text looks in another encoding, or backwards, to be searched for in what was read."""
    data = _bytes(value)[0]
    forms = [*(data.hex() for data in _bytes(value)), *_cores(value), quote(data, safe=""), value[::-1]]
    forms += [between.join(map(str, data)) for between in ("", ",")]
    return [form for form in dict.fromkeys(forms) if len(form) >= _READ_MIN_CHARS]


def _bytes(value: str) -> tuple[bytes, bytes]:
    return value.encode("utf-8", "surrogatepass"), value.encode("utf-16-le", "surrogatepass")


def _cores(value: str) -> list[str]:
    return [core for data in _bytes(value) for bits in (6, 5) for core in _base(data, bits)]


def _letter(letter: str) -> str:
    code = ord(letter)
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    ways = [r"\\+" if letter == "\\" else rf"\\*{re.escape(letter)}" if letter in "\"'/" else re.escape(letter)]
    ways += [rf"(?i:\\+[xu]\{{?0*{code:x}\}}?)", re.sub("(....)", r"(?i:\\\\+u\1)", units)]
    data = letter.encode("utf-8", "surrogatepass")
    ways += [
        "".join(f"(?i:[%=](?:25)*{byte:02x})" for byte in data),
        "".join(f"(?i:\\\\+x{byte:02x})" for byte in data),
        "".join(rf"\\+{byte:03o}" for byte in data),
    ]
    ways.append(rf"&(?:amp;)*(?:#0*{code}|(?i:#x0*{code:x})|{_NAMED.get(code, '#')});?")
    ways += [r"\+"] if letter == " " else []
    return f"(?:{'|'.join(ways)})"


def _base85(data: bytes, encode: Callable[[bytes], bytes]) -> Iterator[str]:
    """Yield the groups that are whole in the data, at each place where it can begin in a group of bytes."""
    for start in range(4):
        whole = data[start : len(data) - (len(data) - start) % 4]
        if len(core := encode(whole).decode()) >= _BASE85_MIN_CHARS:
            yield core


def _base(data: bytes, bits: int) -> Iterator[str]:
    """Yield what of the data is the same in any longer text, at each place where it can begin in a group of bytes."""
    encode: Callable[[bytes], bytes] = base64.b64encode if bits == 6 else base64.b32encode  # noqa: PLR2004
    for before in range(3 if bits == 6 else 5):  # noqa: PLR2004 - bytes in a group
        text = encode(bytes(before) + data).decode()
        core = text[-(-8 * before // bits) : 8 * (before + len(data)) // bits]
        if len(core) >= _CORE_MIN_CHARS:
            yield core
