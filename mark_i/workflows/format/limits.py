"""The limit on the iterations of a loop."""

from collections.abc import Mapping
from typing import Any, Final

from world_model import UsageError

LIMIT_KEY: Final = "maxIterations"  # the key in a context, a node's properties and a scratchpad's state
DEFAULT_LIMIT: Final = 10
MAX_DIGITS: Final = 10  # a number written as text must be shorter


def limit_of(where: str, *sources: Mapping[str, Any]) -> int | None:
    """Return the limit from the first source that has one, or None.

    Raises:
        UsageError: the limit is not valid.
    """
    given = [source[LIMIT_KEY] for source in sources if source.get(LIMIT_KEY) is not None]
    return iterations(given[0], where) if given else None


def iterations(value: Any, where: str) -> int:  # noqa: ANN401 - as a file or a person wrote it
    """Return a given limit as an integer: a whole number from 1, or such a number as text.

    Raises:
        UsageError: it is neither.
    """
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value >= 1 and value == value // 1
    written = isinstance(value, str) and len(value) < MAX_DIGITS and value.isdecimal() and int(value) >= 1
    if whole or written:
        return int(value)
    raise UsageError(f"{where}: {LIMIT_KEY} must be a whole number from 1, and is {value!r}.")
