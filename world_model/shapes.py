"""The form of what is read back from a file: a line that was changed by hand is found before it does harm."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from world_model.steps import Timing

VERSION: Final = 2  # of the files of a run; what reads them goes up with what writes them
FIRST: Final = 1  # its steps have no places
NUMBER: Final = int | float

# A mapping gives the values that must be there, or may be if the name ends with ?; [shape] is a list of such, and
# (shape,) may also be null.
DECISION: Final = {"index": int, "tool": str, "args": dict}
APPROVAL: Final = {**DECISION, "tier": str, "why": str, "place": ([int],), "window": (str,)}
PROMPT: Final = {"index": int, "brain?": str, "system": str, "text": str, "image?": (str,)}
REPLY: Final = {"index": int, "text": str}
NODE: Final = {"node": int, "type": str, "title": str, "state": str, "count": int, "steps?": int}
STEP_1: Final[dict[str, Any]] = {
    "index": int,
    "thought": str,
    "action": {"tool": str, "args": dict},
    "observation": {
        "ok": bool,
        "text": str,
        "data": object,
        "error": ({"code": str, "message": str, "hints": [str], "instead?": [str], "refused_by?": (str,)},),
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
    "usage": {"input_tokens": int, "output_tokens": int, "cost_usd": (NUMBER,), "cached_tokens?": int},
}
PLACE: Final = {"x": int, "y": int, "name": str, "role": (str,)}
STEP: Final = {**STEP_1, "observation": {**STEP_1["observation"], "places": [PLACE], "parts?": ([object],)}}


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
            faults = (_named(value, key, shape[key]) for key in shape)
        case _:
            return None if isinstance(value, shape) else f"{name} is {str(value)[:40]!r}"
    return next(filter(None, faults), None)


def newer(version: object, known: int) -> str | None:
    """Why a file of that version is not read by a program that knows those up to `known`; None where it is."""
    if isinstance(version, int) and version <= known:
        return None
    return (
        f"It has version {str(version)[:40]}, and this MARK-I knows up to {known}. Use the newer MARK-I that wrote it."
    )


def _named(value: Mapping[str, Any], key: str, shape: Any) -> str | None:  # noqa: ANN401 - as above
    name = key.removesuffix("?")
    if name in value:
        return fault(value[name], shape, name)
    return None if key.endswith("?") else f"{name} is missing"
