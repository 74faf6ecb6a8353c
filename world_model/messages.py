"""Messages in parts, so that each reader gets the places in them in its own coordinates.

A tool writes `message("Clicked ", place, ".")`. As a string that reads `Clicked 512, 300.`, in pixels of the desktop,
which is what people read; a prompt renders the same parts in the model's coordinates.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from world_model.geometry import Point
from world_model.roles import Role


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tool acted, in pixels of the desktop, and what it acted on.

    Attributes:
        name: the text of the element; empty where only a point was given.
        role: what kind of element it is, where that is known.
    """

    x: int
    y: int
    name: str = ""
    role: Role | None = None

    @property
    def point(self) -> Point:
        """Its pixel."""
        return Point(self.x, self.y)

    def to_dict(self) -> dict[str, Any]:
        """Its form in events and in the journal."""
        return {"x": self.x, "y": self.y, "name": self.name, "role": self.role}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`."""
        return cls(data["x"], data["y"], data["name"], data["role"])


Part: TypeAlias = str | Point | Place


class PlacedText(str):
    """A text with places in it: a string in pixels of the desktop that also knows its parts.

    String methods return plain strings, without the parts: build such a text with `message` and `joined`.
    """

    __slots__ = ("parts",)
    parts: tuple[Part, ...]

    def __new__(cls, *parts: Part) -> Self:
        """Join the parts; a part that is such a text itself gives its own parts."""
        flat = tuple(inner for part in parts for inner in parts_of(part))
        text = super().__new__(cls, "".join(map(_in_pixels, flat)))
        text.parts = flat
        return text


def message(*parts: Part) -> str:
    """Say something that names places.

    Args:
        parts: texts and places in order. A `Place` is where the tool acted, and becomes one of the observation's
            `places`; a `Point` is only named, like a candidate that was not chosen.
    """
    text = PlacedText(*parts)
    return text if any(not isinstance(part, str) for part in text.parts) else str(text)


def joined(separator: str, messages: Iterable[str]) -> str:
    """Join messages as `str.join` does, keeping their places."""
    parts = [part for one in messages for part in (separator, one)]
    return message(*parts[1:])


def rendered(text: str, coordinates: Callable[[Point], str]) -> str:
    """The text with each place in it as `coordinates` writes it."""
    parts = parts_of(text)
    return "".join(part if isinstance(part, str) else coordinates(Point(part.x, part.y)) for part in parts)


def places_in(text: str) -> tuple[Place, ...]:
    """The places in a message at which its tool acted."""
    return tuple(part for part in parts_of(text) if isinstance(part, Place))


def parts_of(part: Part) -> tuple[Part, ...]:
    """The parts of a message; a plain string is its own only part."""
    return part.parts if isinstance(part, PlacedText) else (part,)


def parts_to_json(text: str) -> list[Any] | None:
    """The parts of a message as JSON values; None where it names no place and the text itself says it all."""
    return [_part_to_json(part) for part in text.parts] if isinstance(text, PlacedText) else None


def text_from_json(text: str, parts: Sequence[Any] | None) -> str:
    """The inverse of `parts_to_json`. Parts that do not add up to `text`, which was changed by hand, are left out."""
    whole = message(*map(_part_from_json, parts)) if parts is not None else text
    return whole if whole == text else text


def _part_to_json(part: Part) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    match part:
        case Place():
            return part.to_dict()
        case Point():
            return [part.x, part.y]
    return part


def _part_from_json(part: Any) -> Part:  # noqa: ANN401 - as above
    match part:
        case Mapping():
            return Place.from_dict(part)
        case [int(x), int(y)]:
            return Point(x, y)
    return str(part)


def _in_pixels(part: Part) -> str:
    return str(part) if isinstance(part, str) else f"{part.x}, {part.y}"
