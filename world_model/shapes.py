"""The form of what is read back from a file: a line that was changed by hand is found before it does harm."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from world_model.steps import Timing, Usage

NUMBER: Final = int | float

# A mapping gives the values that must be there, [shape] is a list of such, (shape,) may also be null.
DECISION: Final = {"index": int, "tool": str, "args": dict}
REPLY: Final = {"index": int, "text": str}
STEP: Final = {
    "index": int,
    "thought": str,
    "action": {"tool": str, "args": dict},
    "observation": {
        "ok": bool,
        "text": str,
        "data": object,
        "error": ({"code": str, "message": str, "hints": [str]},),
        "screen": (
            {
                "changed": bool,
                "settled_ms": NUMBER,
                "settled": bool,
                "appeared": [str],
                "vanished": [str],
                "regions": [[int]],
            },
        ),
    },
    "before": (str,),
    "after": (str,),
    "timing": {field.name: NUMBER for field in fields(Timing)},
    "usage": {field.name: NUMBER for field in fields(Usage)},
}


def fault(value: object, shape: Any, name: str = "it") -> str | None:  # noqa: ANN401 - a table as above
    """What is wrong with `value`, or None where it has that shape."""
    match shape:
        case (inner,) if isinstance(shape, tuple):
            return None if value is None else fault(value, inner, name)
        case [inner]:
            if not isinstance(value, list):
                return f"{name} is no list"
            faults = (fault(one, inner, f"one of {name}") for one in value)
        case Mapping():
            if not isinstance(value, Mapping):
                return f"{name} is no JSON object"
            faults = (fault(value[key], shape[key], key) if key in value else f"{key} is missing" for key in shape)
        case _:
            return None if isinstance(value, shape) else f"{name} is {str(value)[:40]!r}"
    return next(filter(None, faults), None)
