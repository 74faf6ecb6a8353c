"""The points in a brain's reply, mapped to physical pixels of the desktop."""

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
    if isinstance(value, Mapping) and {"x", "y"} <= value.keys() and _numbers(value["x"], value["y"]):
        x = desktop.x + _scaled(value["x"], desktop.width)
        y = desktop.y + _scaled(value["y"], desktop.height)
        return {**value, "x": x, "y": y}
    return value


def _numbers(*values: object) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _scaled(part: float, whole: int) -> int:
    """The pixel that holds the place; 1000 is still the last one, and what lies outside stays outside."""
    pixel = int(part * whole // WHOLE)
    return whole - 1 if part == WHOLE else pixel
