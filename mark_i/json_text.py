"""Reading JSON from elsewhere, by the standard and with a limit on its depth."""

import json
from collections.abc import Iterable
from typing import Any, Final

from world_model import UsageError

DEEPEST: Final = 100  # levels of lists and objects inside each other


def read_json(text: str) -> Any:  # noqa: ANN401 - any JSON
    """Read a JSON text.

    Raises:
        UsageError: it is no such text.
    """
    deep = UsageError(f"it is nested too deeply (more than {DEEPEST} levels).")
    try:
        value = json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise deep from error
    except ValueError as error:
        raise UsageError(f"it is not JSON: {error}.") from error
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for one in level for inner in _values(one)]
    if level:
        raise deep
    return value


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which Python reads and JSON does not have."""
    raise ValueError(f"{constant} is no number there")


def _values(value: Any) -> Iterable[Any]:  # noqa: ANN401 - any JSON
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
