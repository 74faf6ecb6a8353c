"""Where an argument comes from: addresses, paths, amounts, numbers and commands that the person never gave.

What stands on a screen may have been written by anybody. What is used of it without having been named by the person is
asked about, wherever the model has it from: a picture can say what no reading of it finds.
"""

import mimetypes
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote, urlsplit

from mark_i.guard.homoglyphs import as_it_is_used

# Endings of files that are no countries and no other ending of a host's name.
_BOTH: Final = frozenset({"ai", "au", "bat", "me", "mov", "ms", "nc", "pl", "ps", "py", "sh", "so", "src", "tr", "zip"})
_MORE: Final = (
    "7z bak bz2 cfg conf cpp db deb desktop docx env epub gz hpp ini ipynb iso java kt lock log md odp ods odt pptx "
    "rar rpm sqlite tmp toml ts tsx xlsx xz yaml yml"
)
_FILES: Final = {one.removeprefix(".") for one in mimetypes.MimeTypes().types_map[True]} - _BOTH | {*_MORE.split()}
# What may repeat has an end, else a long text would be gone through again from each of its letters. No mail address has
# more than 64 letters before its @ (RFC 5321), no amount so many digits.
_MAIL: Final = re.compile(r"[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_URL: Final = re.compile(r"\b(?:[a-z][a-z0-9+.-]{1,15}://|https?:[/\\])[^\s<>\"']+", re.IGNORECASE)
_WEB: Final = re.compile(r"https?:/+", re.IGNORECASE)  # browsers take one slash for two, and three
# Letters of any script: some look like others, and name another host.
_HOST: Final = re.compile(r"(?<![\w@/.-])(?:[\w-]+\.)+([^\W\d_]{2,24}|xn--[\w-]+)(?![\w-])(?:[:/][^\s<>\"']*)?")
_IP: Final = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|\blocalhost(?![\w.-])(?::\d+)?", re.IGNORECASE)
# In brackets, as addresses have it; [12:30:05] is a time, and a[::2] a part of a list.
_IPV6: Final = re.compile(
    r"(?<![\w)\]])\[(?=[\da-f.:]*::|(?:[\da-f.]*:){6})[\da-f.:]{2,45}\](?:[:/][^\s<>\"']*)?", re.IGNORECASE
)
# What a browser takes for an address, and does on the spot.
_DONE: Final = re.compile(r"\b(?:javascript|vbscript|mailto|tel):\S+|\bdata:\w+/\S+", re.IGNORECASE)
_PATH: Final = re.compile(r"(?<![\w/:<.])(?:~|\.{1,2})?/[\w.~-][\w./~@+-]*|\b[a-z]:\\[^\s\"'<>|]+", re.IGNORECASE)
_CURRENCY: Final = r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|INR|BTC|ETH|dollars?|euros?|pounds?|francs?))"
_NUMBER: Final = r"\d[\d.,' ]{0,40}+"
_AMOUNT: Final = re.compile(rf"{_CURRENCY}\s?({_NUMBER})|({_NUMBER})\s?{_CURRENCY}", re.IGNORECASE)
# Of accounts, cards and telephones: many digits, in groups or not, and an IBAN's letters before them.
_ACCOUNT: Final = re.compile(r"(?<![\w.])(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}|\+?\d(?:[ ()/-]?\d){6,})(?![\w])")
_TIME: Final = re.compile(r"(?<!\w)\d{1,4}(?P<by>[-/.])\d{1,2}(?P=by)\d{1,4}(?!\w)|(?<!\w)\d{1,2}(?::\d{2}){1,2}(?!\w)")
_PAID: Final = re.compile(r"\b(amount|sum|price|total|betrag|summe|montant|importe)\b", re.IGNORECASE)
_SENT: Final = re.compile(
    r"^\W*(?:to|cc|bcc|an|para)\W*$|\b(?:recipients?|payee|beneficiary|iban|account|empf[aä]nger|destinataire)\b",
    re.IGNORECASE,
)
_TRAILING: Final = ".,;:!?)]}'\""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an argument that somebody must have given: its kind in words, and what it says."""

    kind: str
    text: str


def unknown(pieces: Iterable[Piece], given: str) -> list[Piece]:
    """Those that do not stand in what the person gave: the goal, and what they answered."""
    given = as_it_is_used(given)
    return [piece for piece in pieces if not _stands(piece, given)]


def pieces_of(text: str, *fields: str) -> list[Piece]:
    """The addresses, paths, amounts and numbers in a text, and all of one that goes into a field for such."""
    text = as_it_is_used(text)
    found = [Piece("recipient", text.strip())] if text.strip() and any(map(_SENT.search, fields)) else []
    found += [Piece("amount", text.strip())] if _figure(text) and any(map(_PAID.search, fields)) else []
    return list(dict.fromkeys([*found, *_within(text)]))


def command(text: str) -> list[Piece]:
    """What is typed at a shell, line by line."""
    return [Piece("command", line.strip()) for line in text.splitlines() if line.strip()]


def secrets(names: Iterable[str]) -> list[Piece]:
    """The secrets that are to be typed."""
    return [Piece("secret", name) for name in names]


def hosts_of(text: str) -> list[str]:
    """The sites that a text names; a backslash is a slash to browsers, and to others it is not."""
    named = [piece.text for piece in _addresses(as_it_is_used(text))]
    read = [*named, *(address.replace("\\", "/") for address in named)]
    return list(dict.fromkeys(filter(None, map(host_of, read))))


def host_of(address: str) -> str:
    """The host of a web address or a mail address; of what is neither, nothing."""
    whole = _WEB.sub("https://", address, count=1) if _URL.match(address) else f"//{address}"
    try:
        host = urlsplit(whole).hostname or ""
    except ValueError:
        return ""
    return as_it_is_used(unquote(host)).rstrip(".").casefold()


def paths_of(text: str) -> list[str]:
    """The files and folders that a text names with their place."""
    rest = _URL.sub(" ", text)
    return [found.group().rstrip(_TRAILING) for found in _PATH.finditer(rest)]


def _within(text: str) -> Iterator[Piece]:
    yield from _addresses(text)
    for path in paths_of(text):
        yield Piece("path", path)
    rest = _MAIL.sub(" ", _URL.sub(" ", text))
    for found in _AMOUNT.finditer(rest):
        yield Piece("amount", found.group().strip())
    for found in _ACCOUNT.finditer(_TIME.sub(" . ", rest)):
        yield Piece("number", found.group().strip())


def _addresses(text: str) -> Iterator[Piece]:
    rest = text
    for pattern in (_DONE, _URL, _MAIL, _HOST, _IP, _IPV6):
        for found in pattern.finditer(rest):
            named = found.group().rstrip(_TRAILING)
            named += "]" * (named.count("[") > named.count("]"))  # an IPv6 address's own
            if pattern is not _HOST or "/" in named or found[1].casefold() not in _FILES:
                yield Piece("address", named)
        rest = pattern.sub(" ", rest)


def _stands(piece: Piece, given: str) -> bool:
    match piece.kind:
        case "address" if host := _site(piece.text):
            return any(host in (known, f"www.{known}") for known in hosts_of(given))
        case "amount":
            return _figure(piece.text) in _figures(given)
        case "number":
            return _digits(piece.text) in _digits(given)
        case _:
            wanted = re.escape(" ".join(piece.text.split()))
            return re.search(rf"(?<![\w/@.]){wanted}(?![\w/@])", " ".join(given.split()), re.IGNORECASE) is not None


def _site(address: str) -> str:
    """The host of a page; nothing for a mail, a script and what else is more than a place to look at."""
    other = _URL.match(address) and not _WEB.match(address)
    return "" if other or "\\" in address or _DONE.match(address) or _MAIL.match(address) else host_of(address)


def _figures(text: str) -> set[float]:
    return {figure for found in re.finditer(_NUMBER, text) if (figure := _figure(found.group())) is not None}


def _figure(text: str) -> float | None:
    """The number in a text, however its thousands are set apart; the last mark with one or two digits is the point."""
    found = re.search(_NUMBER, text)
    if not found:
        return None
    whole, point, part = re.fullmatch(r"(.*?)(?:([.,])(\d{1,2}))?\D*", found.group().strip(), re.DOTALL).groups()  # type: ignore[union-attr]
    return float(f"{_digits(whole) or 0}.{part or 0}") if point else float(_digits(whole) or 0)


def _digits(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())
