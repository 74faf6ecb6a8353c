"""The shapes of what is read from files, so that an edited line is detected before it is used."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from world_model.steps import Timing

VERSION: Final = 2  # of the files of a run
FIRST: Final = 1  # the steps of this version have no places
NUMBER: Final = int | float

# A mapping lists the required values; a name that ends with ? is optional. [shape] is a list of that shape, and
# (shape,) may also be null.
DECISION: Final = {"index": int, "tool": str, "args": dict}
APPROVAL: Final = {**DECISION, "tier": str, "why": str, "place": ([int],), "window": (str,)}
WORD: Final = {"index": int, "text": str}
PROMPT: Final = {"index": int, "brain?": str, "system": str, "text": str, "image?": (str,), "closeup?": str}
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
                "appeared_at?": [[int]],
                "became?": [str],
                "front_before?": [int],
                "front_after?": [int],
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
    """Say what is wrong with `value`; None if it has that shape."""
    match shape:
        case (inner,) if isinstance(shape, tuple):
            return None if value is None else fault(value, inner, name)
        case [inner]:
            if not isinstance(value, list):
                return f"{name} is not a list"
            faults = (fault(one, inner, f"one of {name}") for one in value)
        case Mapping():
            if not isinstance(value, Mapping):
                return f"{name} is not a JSON object"
            faults = (_named(value, key, shape[key]) for key in shape)
        case _:
            return None if isinstance(value, shape) else f"{name} is {str(value)[:40]!r}"
    return next(filter(None, faults), None)


def newer(version: object, known: int) -> str | None:
    """Say why a file of that version cannot be read by a program that knows versions up to `known`; None if it can."""
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
