"""The ways in which a model server can be told to fail."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Kind = Literal[
    "limit",  # 429, with Retry-After
    "error",  # 500
    "unavailable",  # 503
    "late",  # a good answer, `wait` seconds later
    "hang",  # no answer, until the server is closed
    "drip",  # an answer that never ends, a byte at a time
    "cut",  # half a body, then the connection is closed
    "refused",  # the connection is closed before anything is said
    "garbage",  # 200, and no JSON
    "types",  # 200, and JSON of other types than were promised
    "empty",  # 200, and no words in it
    "blocked",  # 200, and a refusal for safety
    "huge",  # 100 MB
]
KINDS: Final = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Fault:
    """One failure.

    Attributes:
        kind: one of `KINDS`.
        wait: seconds that `limit` asks to wait, and that `late` takes.
    """

    kind: Kind
    wait: float = 0.0
