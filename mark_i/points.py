"""The points in a brain's reply, mapped to physical pixels of the desktop."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from mark_i.brain import Space
from world_model import Action, Region

WHOLE: Final = 1000  # how many parts a side has in `thousandths`


def to_pixels(action: Action, space: Space, desktop: Region) -> Action:
    """The action with every `{"x": ..., "y": ...}` in its arguments in physical pixels."""
    if space == "pixels":
        return action
    return replace(action, args={name: _mapped(value, desktop) for name, value in action.args.items()})


def _mapped(value: Any, desktop: Region) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    if not isinstance(value, Mapping):
        return value
    x, y = _number(value.get("x")), _number(value.get("y"))
    if x is None or y is None:
        return value
    return {**value, "x": desktop.x + _scaled(x, desktop.width), "y": desktop.y + _scaled(y, desktop.height)}


def _number(value: object) -> float | None:
    """The number that a value is, also where a model wrote it as a text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _scaled(part: float, whole: int) -> int:
    """The pixel that holds the place; 1000 is still the last one, and what lies outside stays outside."""
    pixel = int(part * whole // WHOLE)
    return whole - 1 if part == WHOLE else pixel
