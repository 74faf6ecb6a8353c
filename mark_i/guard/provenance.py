"""Provenance: finds the addresses, paths, amounts, numbers and commands in arguments that the person never gave.

Anybody may have written what is on the screen. Whatever an action uses that the person did not name needs approval,
wherever the model got it: a picture can contain text that OCR misses.
"""

import mimetypes
import re
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

from mark_i.guard.homoglyphs import as_browsers_read
from mark_i.guard.secrets import PLACE
from mark_i.guard.words import (
    asks_for_amount,
    asks_for_password,
    asks_for_recipient,
    known_words,
    recurs,
    tells_password,
)

# What a text is typed into: what browsers take an address from, any other field, or a text of several lines
FieldKind = Literal["address", "field", "text"]

# File extensions that are also top-level domains.
_BOTH: Final = frozenset({"ai", "au", "bat", "me", "mov", "ms", "nc", "pl", "ps", "py", "sh", "so", "src", "tr", "zip"})
_MORE: Final = (
    "7z bak bz2 cfg conf cpp db deb desktop docx env epub gz hpp ini ipynb iso java kt lock log md odp ods odt pptx "
    "rar rpm sqlite tmp toml ts tsx xlsx xz yaml yml"
)
_FILES: Final = {one.removeprefix(".") for one in mimetypes.MimeTypes().types_map[True]} - _BOTH | {*_MORE.split()}
# Repetitions are bounded, otherwise matching a long text takes quadratic time. A mail address has at most 64 characters
# before its @ (RFC 5321), and no amount has that many digits.
_MAIL: Final = re.compile(r"[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+")
_URL: Final = re.compile(r"\b(?:[a-z][a-z0-9+.-]{1,15}://|https?:[/\\])[^\s<>\"']+", re.IGNORECASE)
_INNER: Final = re.compile(
    r"(?<=.)https?:/+[^\s<>\"'&]+", re.IGNORECASE
)  # an address within another, to which it may lead
_WEB: Final = re.compile(r"https?:/+", re.IGNORECASE)  # browsers accept one slash or three, too
# What may stand before the host, up to its @: browsers take quotes and angles there too.
_USER: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,15}:/+[^\s/?#\\@]{0,200}[\"'<>][^\s/?#\\]{0,200}@[^\s\"'<>]+", re.IGNORECASE
)
# Letters of any script: lookalikes name a different host.
_HOST: Final = re.compile(r"(?<![\w@/.-])(?:[\w-]+\.)+([^\W\d_]{2,24}|xn--[\w-]+)(?![\w-])(?:[:/][^\s<>\"']*)?")
# One part of an IPv4 address: decimal, octal or hexadecimal
_PART: Final = r"(?:0x[\da-f]{1,8}|0[0-7]{0,11}|\d{1,3})"
_IP: Final = re.compile(rf"(?<![\w.]){_PART}(?:\.{_PART}){{3}}(?![\w.])|\blocalhost(?![\w.-])(?::\d+)?", re.IGNORECASE)
_IP_FORMS: Final = re.compile(r"(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+)){0,3}")
# In brackets, as in URLs; [12:30:05] is a time, and a[::2] is a slice.
_IPV6: Final = re.compile(
    r"(?<![\w)\]])\[(?=[\da-f.:]*::|(?:[\da-f.]*:){6})[\da-f.:]{2,45}\](?:[:/][^\s<>\"']*)?", re.IGNORECASE
)
# What a browser accepts as an address and runs at once.
_DONE: Final = re.compile(r"\b(?:javascript|vbscript|mailto|tel):\S+|\bdata:\w+/\S+", re.IGNORECASE)
# What a browser opens or runs at once, as a whole text
_OPENED: Final = re.compile(
    r"(?:(?:java|vb)script:\s*|(?:data|file|blob|view-source|ftp):)\S.*", re.IGNORECASE | re.DOTALL
)
_IN_BAR: Final = re.compile(r"[^\s.:/\\]*[.:/\\]\S+|\S+[.:/\\]")  # one word that a browser opens instead of a search
_PATH: Final = re.compile(r"(?<![\w/:<.])(?:~|\.{1,2})?/[\w.~-][\w./~@+-]*|\b[a-z]:\\[^\s\"'<>|]+", re.IGNORECASE)
_CURRENCY: Final = (
    r"(?:[$€£¥₹₽₺₴₩]|zł|Kč|\b(?:USD|EUR|GBP|CHF|JPY|INR|PLN|CZK|SEK|NOK|DKK|TRY|BRL|BTC|ETH|kr|dollars?|euros?|pounds?"
    r"|francs?))"
)
_NUMBER: Final = r"\d[\d.,' ]{0,40}+"
_AMOUNT: Final = re.compile(rf"{_CURRENCY}\s?({_NUMBER})|({_NUMBER})\s?{_CURRENCY}", re.IGNORECASE)
# Account, card and telephone numbers: many digits, grouped or not, or an IBAN.
_ACCOUNT: Final = re.compile(r"(?<![\w.])(?:[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}|\+?\d(?:[ ()/-]?\d){6,})(?![\w])")
# Keys for services, as their vendors write them, and what is as long and as mixed as one
_TOKEN: Final = re.compile(
    r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\b(?:gh[pousr]|github_pat|glpat|sk|pk|rk|xox[abprs])[-_][\w-]{16,}|\bAIza[\w-]{30,}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}|-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"|\b[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b|(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])"  # social insurance
    r"|(?<![\w/+.-])(?=[\w/+]*[a-z])(?=[\w/+]*[A-Z])(?=[\w/+]*\d)[\w/+]{32,}={0,2}(?![\w/+.-])"
)
_JOINED: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
UNRELATED_MIN_WORDS: Final = 3
STEM_CHARS: Final = 5  # by which two forms of a word are known to be one
_TIME: Final = re.compile(r"(?<!\w)\d{1,4}(?P<by>[-/.])\d{1,2}(?P=by)\d{1,4}(?!\w)|(?<!\w)\d{1,2}(?::\d{2}){1,2}(?!\w)")
_TRAILING: Final = ".,;:!?)]}'\""


@dataclass(frozen=True, slots=True)
class RequiredPart:
    """A part of an argument that the person must have given.

    Attributes:
        kind: what it is, in words.
        host: the site that it leads to, if whoever uses it tells that, instead of what the text looks like.
        begun: whether more may follow, so that it need only be the beginning of what they gave.
        given: False if it is not known what it is, so that nobody can have given it.
    """

    kind: str
    text: str
    host: str = ""
    begun: bool = False
    given: bool = True


def unknown(pieces: Iterable[RequiredPart], given: str) -> list[RequiredPart]:
    """Return the pieces that are not in what the person gave: the goal and their answers."""
    given = as_browsers_read(given)
    return [piece for piece in pieces if not (piece.given and _stands(piece, given))]


def pieces_of(text: str, *fields: str, kind: FieldKind = "field") -> list[RequiredPart]:
    """Return the addresses, paths, amounts and numbers in a text, or all of it if a field asks for one of these."""
    text = as_browsers_read(text)
    whole = text.strip()
    found = [RequiredPart("recipient", whole)] if whole and any(map(asks_for_recipient, fields)) else []
    is_new = whole and not PLACE.fullmatch(whole)  # a secret is judged by its name
    found += [RequiredPart("password", whole)] if is_new and any(map(asks_for_password, fields)) else []
    found += [RequiredPart("amount", whole)] if figure(text) and any(map(asks_for_amount, fields)) else []
    if kind != "text" and (_OPENED.fullmatch(whole) or (kind == "address" and _IN_BAR.fullmatch(whole))):
        found.append(RequiredPart("address", whole))
    return list(dict.fromkeys([*found, *_within(text, bare=kind != "text")]))


def command(text: str, *, begun: bool = False, kind: str = "command") -> list[RequiredPart]:
    """Return the lines that are typed at a shell; more of the last one may follow if it is only `begun`."""
    return [RequiredPart(kind, line.strip(), begun=begun) for line in text.splitlines() if line.strip()]


def secrets(names: Iterable[str]) -> list[RequiredPart]:
    """Return a piece for each secret to be typed."""
    return [RequiredPart("secret", name) for name in names]


def addresses_alone(texts: Iterable[str], asked: Iterable[str]) -> list[str]:
    """Return the texts that are nothing but an address, and not one that was only repeated from a question."""
    sought = "\n".join(asked).casefold()
    return [text for text in texts if _WEB.match(text) and not re.search(r"\s", text) and text.casefold() not in sought]


def without(text: str, asked: Iterable[str]) -> str:
    """Return a text without the addresses that were only repeated from a question."""
    for piece in {piece for one in asked for piece in _addresses(as_browsers_read(one))}:
        text = re.sub(re.escape(piece.text), " ", text, flags=re.IGNORECASE)
    return text


def unrelated(text: str, given: str) -> bool:
    """Whether a text of several words has none in common with what the person said, in no form of it."""
    said = _stems(text)
    several = len(text.split()) >= UNRELATED_MIN_WORDS or _JOINED.search(text)
    return bool(several) and len(said) >= UNRELATED_MIN_WORDS and said.isdisjoint(_stems(given))


def _stems(text: str) -> set[str]:
    """Return the beginnings of the words of a text; in scripts that do not separate words, each pair of letters."""
    words = re.findall(r"\w{3,}", as_browsers_read(text).casefold())
    joined = (word[at : at + 2] for word in words if _JOINED.match(word) for at in range(len(word) - 1))
    return {*(word[:STEM_CHARS] for word in words if not _JOINED.match(word)), *joined}


def hosts_of(text: str) -> list[str]:
    """Return the sites that a text names, reading a backslash both as a slash, as browsers do, and as itself."""
    named = [piece.text for piece in _addresses(as_browsers_read(text))]
    read = [*named, *(address.replace("\\", "/") for address in named)]
    return list(dict.fromkeys(filter(None, map(host_of, read))))


def host_of(address: str) -> str:
    """Return the host of a web or mail address; an empty text for anything else."""
    whole = _WEB.sub("https://", address, count=1) if _URL.match(address) else f"//{address}"
    try:
        host = urlsplit(whole).hostname or ""
    except ValueError:
        return ""
    host = as_browsers_read(unquote(host)).rstrip(".").casefold()
    try:
        return socket.inet_ntoa(socket.inet_aton(host)) if _IP_FORMS.fullmatch(host) else host
    except OSError:  # an octal number with an 8 in it
        return host


def paths_of(text: str) -> list[str]:
    """Return the paths of files and folders in a text."""
    rest = _URL.sub(" ", text)
    return [found.group().rstrip(_TRAILING) for found in _PATH.finditer(rest)]


def _within(text: str, *, bare: bool) -> Iterator[RequiredPart]:
    yield from _addresses(text, bare=bare)
    for path in paths_of(text):
        yield RequiredPart("path", path)
    rest = _MAIL.sub(" ", _URL.sub(" ", text))
    for found in _AMOUNT.finditer(rest):
        yield RequiredPart("amount", found.group().strip())
    for found in _ACCOUNT.finditer(_TIME.sub(" . ", rest)):
        yield RequiredPart("number", found.group().strip())
    for found in _TOKEN.finditer(rest):
        yield RequiredPart("key", found.group())
    if told := tells_password(text):
        yield RequiredPart("password", told)


def _addresses(text: str, *, bare: bool = True) -> Iterator[RequiredPart]:
    """Yield the addresses in a text, also in percent encoding; without `bare`, a host alone is a word (`os.path`)."""
    for read in dict.fromkeys((text, unquote(text))):
        for pattern, found in _found(read):
            named = found.group().rstrip(_TRAILING)
            named += "]" * (named.count("[") > named.count("]"))  # of an IPv6 address
            if pattern is not _HOST or "/" in named or (bare and found[1].casefold() not in _FILES):
                yield RequiredPart("address", named)
            yield from (RequiredPart("address", inner[0]) for inner in _INNER.finditer(named))


def _found(text: str) -> Iterator[tuple[re.Pattern[str], re.Match[str]]]:
    for pattern in (_DONE, _USER, _URL, _MAIL, _HOST, _IP, _IPV6):
        yield from ((pattern, found) for found in pattern.finditer(text))
        text = pattern.sub(" ", text)


def _stands(piece: RequiredPart, given: str) -> bool:
    match piece.kind:
        case "address" if (host := piece.host or _site(piece.text)) and not _acts(piece.text):
            words = (host_of(word.strip(_TRAILING)) for word in given.split())
            return any(host in (known, f"www.{known}") for known in (*hosts_of(given), *words) if known)
        case "amount":
            sums = "\n".join(found.group() for found in _AMOUNT.finditer(given))  # other numbers of the goal are none
            return figure(piece.text) in _figures(sums or given)
        case "number":
            return _digits(piece.text) in _digits(given)
        case "command" | "typed line":  # options and letters in another case make it another command
            return _is_said(piece, given, after=r"(?![\w/@-]| --?\w)")
        case _:
            return _is_said(piece, given, after=r"(?![\w/@])", flags=re.IGNORECASE)


def _is_said(piece: RequiredPart, given: str, after: str, flags: int = 0) -> bool:
    """Whether a piece was given word by word; what may not come `after` it would make it something else."""
    wanted = re.escape(" ".join(piece.text.split()))
    pattern = rf"(?<![\w/@.]){wanted}{'' if piece.begun else after}"
    return re.search(pattern, " ".join(given.split()), flags) is not None


def _acts(address: str) -> bool:
    """Whether an address says that opening it does something, such as `/account/delete?confirm=1`."""
    path = re.sub(r"^[a-z]+://", "", as_browsers_read(address).casefold()).partition("/")[2]
    words = re.findall(r"[a-z]+", path)
    return not known_words().acting.isdisjoint(words)


def _site(address: str) -> str:
    """Return the host of a page; an empty text for mail, scripts and other addresses that do more than show a page."""
    if _WEB.match(address) and "\\" not in address:
        return host_of(address)
    other = re.match(r"[a-z][a-z0-9+.-]*:(?!\d+(?:/|$))", address, re.IGNORECASE)
    host = "" if other or "\\" in address or _MAIL.match(address) else host_of(address)
    return host if "." in host or host == "localhost" or address.startswith("[") else ""


def _figures(text: str) -> set[float]:
    return {number for found in re.finditer(_NUMBER, text) if (number := figure(found.group())) is not None}


def is_account(text: str) -> bool:
    """Whether a text is the number of an account, as banks write it."""
    return _ACCOUNT.fullmatch(text.strip()) is not None and text.strip()[:2].isalpha()


def names_price(text: str) -> bool:
    """Whether a text contains an amount of money."""
    return _AMOUNT.search(text) is not None


def is_price(text: str) -> bool:
    """Whether a text is nothing but an amount of money, as on a button that buys, or one that is paid regularly."""
    return _AMOUNT.fullmatch(text.strip()) is not None or (names_price(text) and recurs(text))


def figure(text: str) -> float | None:
    """Return the number in a text; a separator before the last one or two digits is the decimal point."""
    found = re.search(_NUMBER, text)
    if not found:
        return None
    whole, point, part = re.fullmatch(r"(.*?)(?:([.,])(\d{1,2}))?\D*", found.group().strip(), re.DOTALL).groups()  # type: ignore[union-attr]
    return float(f"{_digits(whole) or 0}.{part or 0}") if point else float(_digits(whole) or 0)


def _digits(text: str) -> str:
    return "".join(one for one in text.casefold() if one.isalnum())
