"""The places in a brain's reply, in any of the usual forms, as pixels of the desktop; and back, for its prompt."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import world_model
from mark_i.brain import Brain, Space
from mark_i.prompts.screenshot import size_for
from world_model import Action, Region, Size, Step, rendered

WHOLE: Final = 1000  # how many parts a side has in `thousandths`
LARGEST: Final = 1_000_000_000  # of a coordinate; what is larger is no place
PAIR: Final = 2  # a longer list does not say what comes first
OWN: Final = frozenset({"pixels", "marks"})  # spaces whose points are the desktop's own pixels
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


def to_pixels(action: Action, spaces: "Spaces") -> Action:
    """The action with every place in its arguments as `{"x": ..., "y": ...}` in physical pixels of the desktop.

    The spaces are `pixels`, the desktop's own; `thousandths` of its width and height; `image`, the pixels of the
    `picture` of it that the brain was sent; and `marks`, whose points are the desktop's own too.

    A place is such a point, in the arguments of `PLACES` also a pair, or a point or a box under its usual name. A text
    stays a text, whatever it says: `10, 20` may stand on the screen.
    """
    args = {name: _mapped(value, spaces, place=name in PLACES) for name, value in action.args.items()}
    return replace(action, args=args)


def spaces_of(brain: Brain, desktop: Region) -> "Spaces":
    """What a brain's numbers mean on a desktop, whose picture is as large as it is sent to that brain."""
    return Spaces(brain.space, desktop, size_for(desktop.size, brain.sight) if brain.sight else desktop.size)


def as_named(step: Step, spaces: "Spaces") -> Step:
    """Render a step for its brain: with each place in the brain's own numbers.

    Args:
        step: as it was done, in pixels of the desktop.
        spaces: what the brain's numbers mean.
    """
    if spaces.space in OWN:
        return step
    action = replace(step.action, args={name: _named_in(value, spaces) for name, value in step.action.args.items()})
    seen, error = step.observation, step.observation.error
    if error:
        hints = tuple(rendered(hint, spaces.written) for hint in error.hints)
        error = replace(error, message=rendered(error.message, spaces.written), hints=hints)
    seen = replace(seen, text=rendered(seen.text, spaces.written), error=error)
    return replace(step, action=action, observation=seen)


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


@dataclass(frozen=True, slots=True)
class Spaces:
    """What a brain's numbers mean, and the desktop that they are mapped to."""

    space: Space
    desktop: Region
    picture: Size

    def named(self, pixel: Point) -> dict[str, int]:
        """A pixel of the desktop as the brain names it: `pixel` gives it back, as exactly as the space can.

        Thousandths are whole, so of a side with more pixels the nearest that they can say.
        """
        x, y = map(math.floor, pixel)
        if self.space in OWN:
            return {"x": x, "y": y}
        parts, desktop = Size(WHOLE, WHOLE) if self.space == "thousandths" else self.picture, self.desktop
        return {
            "x": _part(x - desktop.x, desktop.width, parts.width),
            "y": _part(y - desktop.y, desktop.height, parts.height),
        }

    def written(self, pixel: world_model.Point) -> str:
        """A pixel of the desktop as a prompt writes it: `512, 300`, in the brain's numbers."""
        return "{x}, {y}".format(**self.named((pixel.x, pixel.y)))

    def pixel(self, point: Point, space: Space) -> dict[str, int]:
        """The physical pixel that holds a point of that space."""
        x, y = point
        if space in OWN:
            return {"x": math.floor(x), "y": math.floor(y)}
        parts = Size(WHOLE, WHOLE) if space == "thousandths" else self.picture
        desktop = self.desktop
        if space == "image":  # a whole number names a pixel, which has its middle half a pixel further
            x, y = (one + 0.5 if isinstance(one, int) else one for one in (x, y))
        return {
            "x": desktop.x + _scaled(x, desktop.width, parts.width),
            "y": desktop.y + _scaled(y, desktop.height, parts.height),
        }


def _mapped(value: Any, spaces: Spaces, *, place: bool) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    if isinstance(value, Mapping) and {"x", "y"} <= value.keys():
        point = point_of(value) if place or spaces.space not in OWN else None  # another tool's numbers are its own
        return {**value, **spaces.pixel(point, spaces.space)} if point else value
    found = _place(value, spaces.space) if place else None
    return spaces.pixel(*found) if found else value


def _named_in(value: Any, spaces: Spaces) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """The other way round than `_mapped`, which has made a point of every place."""
    point = point_of(value) if isinstance(value, Mapping) and {"x", "y"} <= value.keys() else None
    return {**value, **spaces.named(point)} if point else value


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


def _scaled(part: float, whole: int, parts: int) -> int:
    """The pixel that holds the place; the far edge is still the last one, and what lies outside stays outside."""
    pixel = int(part * whole // parts)
    return whole - 1 if part == parts else pixel


def _part(pixel: int, whole: int, parts: int) -> int:
    """The part in which the middle of a pixel lies."""
    return int((pixel + 0.5) * parts // whole)
