"""The places in a brain's reply, in any of the usual forms, as physical pixels of the desktop."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from mark_i.brain import Space
from world_model import Action, Region

WHOLE: Final = 1000  # how many parts a side has in `thousandths`
LARGEST: Final = 1_000_000_000  # of a coordinate; what is larger is no place
PAIR: Final = 2  # a longer list does not say what comes first
PLACES: Final = frozenset({"target", "start", "end", "into"})  # arguments in which a pair or a box is a place

_X_FIRST: Final = frozenset({"coordinate", "coordinates", "position", "point", "point_2d", "bbox", "bbox_2d"})
_Y_FIRST: Final = frozenset({"point", "box_2d"})  # the lists that Gemini learned to give
_ALWAYS_THOUSANDTHS: Final = frozenset({"box_2d"})
_NUMBER: Final = r"\s{0,3}[-+]?\d{1,9}(?:\.\d{1,9})?\s{0,3}"
_WRITTEN: Final = re.compile(
    rf"\s{{0,3}}(?:<\|box_start\|>|<point>|<bbox>)?\s{{0,3}}[(\[]?({_NUMBER}(?:[,\s]{_NUMBER}){{1,3}})[)\]]?"
    r"\s{0,3}(?:<\|box_end\|>|</point>|</bbox>)?\s{0,3}"
)

Point = tuple[float, float]


def to_pixels(action: Action, space: Space, desktop: Region) -> Action:
    """The action with every place in its arguments as `{"x": ..., "y": ...}` in physical pixels.

    A place is such a point, in the arguments of `PLACES` also a pair, or a point or a box under its usual name. A text
    stays a text, whatever it says: `10, 20` may stand on the screen.
    """
    args = {name: _mapped(value, space, desktop, place=name in PLACES) for name, value in action.args.items()}
    return replace(action, args=args)


def point_of(value: object) -> Point | None:
    """The point in a form whose x comes first: a pair, a box, which means its centre, or one of them as a text."""
    if isinstance(value, Mapping):
        value = [value.get("x"), value.get("y")]
    elif isinstance(value, str):
        written = _WRITTEN.fullmatch(value)
        value = re.split(r"[,\s]+", written[1].strip()) if written else None
    numbers = [number(one) for one in value] if isinstance(value, list) else []
    match numbers:
        case [int() | float() as x, int() | float() as y]:
            return x, y
        case [int() | float() as left, int() | float() as top, int() | float() as right, int() | float() as bottom]:
            return (left + right) / 2, (top + bottom) / 2
    return None


def number(value: object) -> float | None:
    """The number that a value is, also where a model wrote it as a text; a whole one is an `int`."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(found) or abs(found) > LARGEST:
        return None
    return int(found) if found.is_integer() else found


def _mapped(value: Any, space: Space, desktop: Region, *, place: bool) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    if isinstance(value, Mapping) and {"x", "y"} <= value.keys():
        point = point_of(value) if place or space != "pixels" else None  # another tool's numbers are its own
        return {**value, **_pixel(point, space, desktop)} if point else value
    found = _place(value, space) if place else None
    return _pixel(*found, desktop) if found else value


def _place(value: object, space: Space) -> tuple[Point, Space] | None:
    """A pair, or the one form that a mapping names, and the space that it is in."""
    if isinstance(value, list) and len(value) == PAIR:
        point = point_of(value)
        return (point, space) if point else None
    if isinstance(value, Mapping) and len(forms := value.keys() - {"label"}) == 1:
        [form] = forms
        point = _named(form, value[form])
        return (point, "thousandths" if form in _ALWAYS_THOUSANDTHS else space) if point else None
    return None


def _named(form: str, value: object) -> Point | None:
    if form in _Y_FIRST and isinstance(value, list):
        point = point_of(value)
        return point[::-1] if point else None
    return point_of(value) if form in _X_FIRST else None


def _pixel(point: Point, space: Space, desktop: Region) -> dict[str, int]:
    x, y = point
    if space == "pixels":
        return {"x": math.floor(x), "y": math.floor(y)}
    return {"x": desktop.x + _scaled(x, desktop.width), "y": desktop.y + _scaled(y, desktop.height)}


def _scaled(part: float, whole: int) -> int:
    """The pixel that holds the place; 1000 is still the last one, and what lies outside stays outside."""
    pixel = int(part * whole // WHOLE)
    return whole - 1 if part == WHOLE else pixel
