"""Converts points in the replies of a brain, in any usual form, to pixels of the desktop, and back for its prompts."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import world_model
from mark_i.brain import Brain, Space
from mark_i.prompts.screenshot import size_for
from world_model import Action, Region, Size, Step, rendered

PARTS_PER_SIDE: Final = 1000  # in `thousandths`
MAX_COORDINATE: Final = 1_000_000_000  # a larger number is no coordinate
PAIR: Final = 2  # in a longer list the order of x and y is not known
DESKTOP_SPACES: Final = frozenset({"pixels", "marks"})  # whose points are pixels of the desktop
TARGETS: Final = frozenset({"target", "start", "end", "into"})  # arguments in which a pair or a box is a point
PATHS: Final = frozenset({"via"})  # lists of such

_X_FIRST: Final = frozenset({"coordinate", "coordinates", "position", "point", "point_2d", "bbox", "bbox_2d"})
_Y_FIRST: Final = frozenset({"point", "box_2d"})  # lists that Gemini was trained to return
_ALWAYS_THOUSANDTHS: Final = frozenset({"box_2d"})
_NUMBER: Final = r"\s{0,3}[-+]?\d{1,9}(?:\.\d{1,9})?\s{0,3}"
_WRITTEN: Final = re.compile(
    rf"\s{{0,3}}(?:<\|box_start\|>|<point>|<bbox>)?\s{{0,3}}[(\[]?({_NUMBER}(?:[,\s]{_NUMBER}){{1,3}})[)\]]?"
    r"\s{0,3}(?:<\|box_end\|>|</point>|</bbox>)?\s{0,3}"
)

Point = tuple[float, float]


def to_pixels(action: Action, spaces: "Spaces") -> Action:
    """Convert every point in the arguments of an action to `{"x": ..., "y": ...}` in physical pixels of the desktop.

    The spaces are `pixels` of the desktop; `thousandths` of its width and height; `image`, the pixels of the `picture`
    that the brain was sent; and `marks`, whose points are pixels of the desktop too.

    The arguments of `TARGETS` may also be a pair, or a point or a box under its usual name. A text stays a text,
    whatever it says: `10, 20` may be on the screen.
    """
    args = {
        name: [_mapped(one, spaces, place=True) for one in value]
        if name in PATHS and isinstance(value, list)
        else _mapped(value, spaces, place=name in TARGETS)
        for name, value in action.args.items()
    }
    return replace(action, args=args)


def spaces_of(brain: Brain, desktop: Region) -> "Spaces":
    """Return the coordinates of a brain on a desktop, with the size of the picture that it is sent."""
    return Spaces(brain.space, desktop, size_for(desktop.size, brain.sight) if brain.sight else desktop.size)


def in_space(action: Action, spaces: "Spaces") -> Action:
    """Convert every point in the arguments of an action to the coordinates of a brain: the inverse of `to_pixels`."""
    return replace(action, args={name: _named_in(value, spaces) for name, value in action.args.items()})


def in_coordinates_of(step: Step, spaces: "Spaces") -> Step:
    """Render a step in the coordinates of a brain.

    Args:
        step: the step, in pixels of the desktop.
        spaces: the coordinates of the brain.
    """
    if spaces.space in DESKTOP_SPACES:
        return step
    action = in_space(step.action, spaces)
    seen, error = step.observation, step.observation.error
    if error:
        hints = tuple(rendered(hint, spaces.written) for hint in error.hints)
        error = replace(error, message=rendered(error.message, spaces.written), hints=hints)
    screen = seen.screen and replace(seen.screen, appeared_at=tuple(map(spaces.point, seen.screen.appeared_at)))
    seen = replace(seen, text=rendered(seen.text, spaces.written), error=error, screen=screen)
    return replace(step, action=action, observation=seen)


def point_of(value: object) -> Point | None:
    """Return the point of a value whose x comes first: a pair, the centre of a box, or one of these as a text."""
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
    """Return the value as a number, even if a model wrote it as a text; a whole number is an `int`."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(found) or abs(found) > MAX_COORDINATE:
        return None
    return int(found) if found.is_integer() else found


@dataclass(frozen=True, slots=True)
class Spaces:
    """The coordinates of a brain, and the desktop that they are mapped to."""

    space: Space
    desktop: Region
    picture: Size

    def named(self, pixel: Point) -> dict[str, int]:
        """Convert a pixel of the desktop to the coordinates of the brain; `pixel` is the inverse.

        Thousandths are whole numbers, so a side with more pixels is rounded.
        """
        x, y = map(math.floor, pixel)
        if self.space in DESKTOP_SPACES:
            return {"x": x, "y": y}
        parts, desktop = (
            Size(PARTS_PER_SIDE, PARTS_PER_SIDE) if self.space == "thousandths" else self.picture,
            self.desktop,
        )
        return {
            "x": _part(x - desktop.x, desktop.width, parts.width),
            "y": _part(y - desktop.y, desktop.height, parts.height),
        }

    def point(self, pixel: world_model.Point) -> world_model.Point:
        """Convert a pixel of the desktop to the coordinates of the brain, as `named` does."""
        return world_model.Point(**self.named((pixel.x, pixel.y)))

    def written(self, pixel: world_model.Point) -> str:
        """Write a pixel of the desktop in the coordinates of the brain: `512, 300`."""
        return "{x}, {y}".format(**self.named((pixel.x, pixel.y)))

    def pixel(self, point: Point, space: Space) -> dict[str, int]:
        """Return the physical pixel that contains a point of `space`."""
        x, y = point
        if space in DESKTOP_SPACES:
            return {"x": math.floor(x), "y": math.floor(y)}
        parts = Size(PARTS_PER_SIDE, PARTS_PER_SIDE) if space == "thousandths" else self.picture
        desktop = self.desktop
        if space == "image":  # a whole number is a pixel, whose centre is half a pixel further
            x, y = (one + 0.5 if isinstance(one, int) else one for one in (x, y))
        return {
            "x": desktop.x + _scaled(x, desktop.width, parts.width),
            "y": desktop.y + _scaled(y, desktop.height, parts.height),
        }


def _mapped(value: Any, spaces: Spaces, *, place: bool) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    if isinstance(value, Mapping) and {"x", "y"} <= value.keys():
        point = (
            point_of(value) if place or spaces.space not in DESKTOP_SPACES else None
        )  # numbers for other tools stay as they are
        return {**value, **spaces.pixel(point, spaces.space)} if point else value
    found = _place(value, spaces.space) if place else None
    return spaces.pixel(*found) if found else value


def _named_in(value: Any, spaces: Spaces) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """The inverse of `_mapped`, which has converted every place to a point."""
    if isinstance(value, list):
        return [_named_in(one, spaces) for one in value]
    point = point_of(value) if isinstance(value, Mapping) and {"x", "y"} <= value.keys() else None
    return {**value, **spaces.named(point)} if point else value


def _place(value: object, space: Space) -> tuple[Point, Space] | None:
    """Return the point of a pair, or of the one form that a mapping names, and its space."""
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


def _scaled(part: float, whole: int, parts: int) -> int:
    """Return the pixel of a part; the far edge is the last pixel, and what lies outside stays outside."""
    pixel = int(part * whole // parts)
    return whole - 1 if part == parts else pixel


def _part(pixel: int, whole: int, parts: int) -> int:
    """Return the part that contains the centre of a pixel."""
    return int((pixel + 0.5) * parts // whole)
