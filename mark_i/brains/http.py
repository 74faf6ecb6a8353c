"""The HTTP client below the vendors' SDKs, httpx2: its options, its limits and the meaning of its errors."""

import json
import time
from collections.abc import Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from mark_i.brains.faults import BROKEN_OFF, LATE, NO_ADDRESS, ODD, UNKNOWN, UNREACHABLE, Diagnosis, Meaning

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpx2 import Client, Response, SyncByteStream

MAX_ANSWER_BYTES: Final = 16 * 1024 * 1024  # bytes of an answer; a reply of a model has a few thousand
# The SDKs read an answer before they check it: one of the wrong shape raises any of these.
SHAPE_ERRORS: Final = (TypeError, AttributeError, LookupError, RecursionError)


class TooLargeError(Exception):
    """The answer is larger than any reply of a model."""


def client_options(seconds: float) -> dict[str, Any]:
    """Return the arguments of an HTTP client that limits answers and follows no redirect."""
    return {
        "timeout": seconds,
        "follow_redirects": False,  # a key is for one address: no redirect may carry it to another
        "event_hooks": {"response": [partial(_limit, seconds)]},
        "verify": _trusted(),
    }


@cache
def _trusted() -> "SSLContext":
    """Return the trusted certificates. Loading them takes 25 ms, so all clients share them."""
    import httpx2  # noqa: PLC0415 - it is loaded with the SDK above it

    return httpx2.create_ssl_context()


def http_client(seconds: float) -> "Client":
    """Return an HTTP client that limits the size and the time of answers."""
    import httpx2  # noqa: PLC0415 - it is loaded with the SDK above it

    return httpx2.Client(**client_options(seconds))


def http_fault(error: Exception) -> Diagnosis:
    """Diagnose an exception without an HTTP status."""
    said = "an answer of another shape" if isinstance(error, SHAPE_ERRORS) else f"{type(error).__name__}: {error}"
    return Diagnosis(_meaning(error), said.rstrip(": "))


def _meaning(error: Exception) -> Meaning:
    import httpx2  # noqa: PLC0415 - it is loaded where there is an error of it
    from pydantic import ValidationError  # noqa: PLC0415

    odd = (TooLargeError, json.JSONDecodeError, UnicodeError, ValidationError, httpx2.DecodingError)
    meanings: tuple[tuple[tuple[type[Exception], ...], Meaning], ...] = (
        ((TimeoutError, httpx2.TimeoutException), LATE),
        ((httpx2.InvalidURL, httpx2.UnsupportedProtocol), NO_ADDRESS),
        ((httpx2.ConnectError, httpx2.ProxyError), UNREACHABLE),
        ((*odd, *SHAPE_ERRORS), ODD),
        ((httpx2.HTTPError, httpx2.StreamError, httpx2.CookieConflict, OSError), BROKEN_OFF),
    )
    return next((text for kinds, text in meanings if isinstance(error, kinds)), UNKNOWN)


def _limit(seconds: float, response: "Response") -> None:
    response.stream = _limited(response.stream, time.monotonic() + seconds)  # type: ignore[arg-type]  # a client that waits has such a stream


def _limited(stream: "SyncByteStream", end: float) -> "SyncByteStream":
    import httpx2  # noqa: PLC0415 - see above

    class Limited(httpx2.SyncByteStream):
        """The bytes of an answer, at most `MAX_ANSWER_BYTES`, and none after its time is over."""

        def __iter__(self) -> Iterator[bytes]:
            read = 0
            for part in stream:
                read += len(part)
                if read > MAX_ANSWER_BYTES:
                    raise TooLargeError(f"more than {MAX_ANSWER_BYTES} bytes")
                if time.monotonic() > end:
                    raise TimeoutError("the answer does not end")
                yield part

        def close(self) -> None:
            """Close the connection."""
            stream.close()

    return Limited()
