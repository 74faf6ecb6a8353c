"""The failures that a model server can simulate."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Kind = Literal[
    "limit",  # 429, with Retry-After
    "error",  # 500
    "unavailable",  # 503
    "late",  # a valid answer, `wait` seconds later
    "hang",  # no answer until the server is closed
    "drip",  # an endless answer, one byte at a time
    "cut",  # half a body, then a closed connection
    "refused",  # a closed connection without an answer
    "garbage",  # 200, with a body that is not JSON
    "types",  # 200, with JSON of the wrong types
    "empty",  # 200, without text
    "blocked",  # 200, with a refusal for safety
    "huge",  # 100 MB
]
KINDS: Final = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure.

    Attributes:
        kind: One of `KINDS`.
        wait: The seconds that `limit` asks the client to wait, or that `late` takes.
    """

    kind: Kind
    wait: float = 0.0
