"""One-time codes: typed by name, `{{totp:bank}}`, and made from the key of that name at the moment of typing."""

import hashlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlsplit

from world_model import UsageError

if TYPE_CHECKING:
    from pyotp import TOTP

LEFT_MIN_S: Final = 3.0  # of a code that is typed; the form with it has yet to be sent
KEY_MIN_BITS: Final = 80  # services still give keys that are this short; RFC 4226 wants 128 bits
DIGESTS: Final = {"SHA1": hashlib.sha1, "SHA256": hashlib.sha256, "SHA512": hashlib.sha512}


class OneTimeCode:
    """Makes the codes of one key, and remembers them so that they can be redacted.

    Args:
        name: by which it is typed.
        key: in base32, in groups or not, or as an `otpauth://totp/` address.
        now: the time in seconds since 1970.

    Raises:
        UsageError: it is no such key.
    """

    def __init__(self, name: str, key: str, now: Callable[[], float] = time.time) -> None:
        self.made: list[str] = []
        self._now = now
        try:
            self._totp = _totp(key.strip())
        except ValueError as error:  # its text may quote the key
            raise UsageError(
                f"totp.{name} is not a key for one-time codes. Set the one that the service shows, in base32 (16 or "
                "more of the letters A to Z and the digits 2 to 7), or as an otpauth://totp/ address: "
                f"mark-i config set totp.{name}"
            ) from error

    @property
    def texts(self) -> tuple[str, ...]:
        """Return what must be redacted: the key, and every code that was made."""
        return (self._totp.secret, *dict.fromkeys(self.made))

    def make(self, wait: Callable[[float], None]) -> str:
        """Return the present code; if it is about to expire, wait for the next one."""
        while (left := self._totp.interval - (now := self._now()) % self._totp.interval) < LEFT_MIN_S:
            wait(left)
        code = self._totp.at(now)
        self.made.append(code)
        return code


def _totp(key: str) -> "TOTP":
    """Read a key. `pyotp.parse_uri` refuses the short ones, which are not ours to choose.

    Raises:
        ValueError: it is no key.
    """
    from pyotp import TOTP  # noqa: PLC0415 - most profiles have no such key

    class Key(TOTP):
        min_secret_length_bits = KEY_MIN_BITS

    if "://" not in key:
        return Key(_base32(key))
    address = urlsplit(key)
    given = dict(parse_qsl(address.query))
    digest = DIGESTS.get(given.get("algorithm", "SHA1").upper())
    if (address.scheme, address.netloc) != ("otpauth", "totp") or "encoder" in given or not digest:
        raise ValueError("It is not the address of a time-based code.")
    return Key(
        _base32(given.get("secret", "")),
        digits=int(given.get("digits", "6")),
        digest=digest,
        interval=int(given.get("period", "30")),
    )


def _base32(key: str) -> str:
    """Return a key as it is decoded: services show it in groups, in small letters, or with padding."""
    return "".join(key.split()).replace("-", "").rstrip("=").upper()
