"""Tracking: match the elements on a frame to those on the frame before."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2

from toolbelt.elements.element import Element
from toolbelt.elements.thresholds import THRESHOLDS
from world_model import Frame, Pixels, Region

HOVER_ROLES: Final = frozenset({"text", "button", "link"})  # under the pointer, one may turn into the other

Name = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SeenElements:
    """The elements on a frame."""

    frame: Frame
    elements: Sequence[Element]


def paired(before: SeenElements, after: SeenElements) -> dict[int, int]:
    """Map the index of each element after to the index of the same element before.

    An element with a unique text is recognized by it, if it moved only a little or together with others. Any other,
    such as one of many `Delete` buttons, is searched for where it must be if it moved as its neighbours did.
    """
    pairs = _known_by_name(before.elements, after.elements)
    ways = [
        (before.elements[old].region, _way(before.elements[old], after.elements[new])) for new, old in pairs.items()
    ]
    met = set(pairs.values())
    for old, element in enumerate(before.elements):
        if old in met:
            continue
        expected = element.region.shifted(*_way_of_nearest(element.region, ways))
        there = [new for new, _ in _near(expected, after.elements) if new not in pairs]
        same = (new for new in there if _same(element, before.frame, after.elements[new], after.frame))
        if (new := next(same, None)) is not None:
            pairs[new] = old
    return pairs


def _known_by_name(before: Sequence[Element], after: Sequence[Element]) -> dict[int, int]:
    """Pair the elements with a unique name that moved by a plausible distance."""
    olds, news = _once(before), _once(after)
    ways = {name: _way(before[olds[name]], after[news[name]]) for name in olds if name in news}
    return {news[name]: olds[name] for name, way in ways.items() if _believable(name, ways)}


def _once(elements: Sequence[Element]) -> dict[Name, int]:
    names = [_name(element) for element in elements]
    count = Counter(names)
    return {name: at for at, name in enumerate(names) if name[1] and count[name] == 1}


def _name(element: Element) -> Name:
    return "named" if element.role in HOVER_ROLES else element.role, "".join(element.text.casefold().split())


def _way(before: Element, after: Element) -> tuple[int, int]:
    here, there = before.region.center, after.region.center
    return there.x - here.x, there.y - here.y


def _believable(name: Name, ways: dict[Name, tuple[int, int]]) -> bool:
    """Whether an element moved a little, or as another did; the `OK` of another dialog is not the same `OK`."""
    way = ways[name]
    return math.hypot(*way) <= THRESHOLDS.moved_max_px or any(
        _equal(way, other) for key, other in ways.items() if key != name
    )


def _equal(way: tuple[int, int], other: tuple[int, int]) -> bool:
    return (
        abs(way[0] - other[0]) <= THRESHOLDS.moved_together_px
        and abs(way[1] - other[1]) <= THRESHOLDS.moved_together_px
    )


def _way_of_nearest(region: Region, ways: list[tuple[Region, tuple[int, int]]]) -> tuple[int, int]:
    """Return how the nearest known element moved; no movement if none is known."""
    return min(ways, key=lambda one: _distance(region, one[0]), default=(region, (0, 0)))[1]


def _distance(one: Region, other: Region) -> float:
    across = max(one.x - other.right, other.x - one.right, 0)
    down = max(one.y - other.bottom, other.y - one.bottom, 0)
    return math.hypot(across, down)


def _near(expected: Region, elements: Sequence[Element]) -> list[tuple[int, float]]:
    """Return the elements whose middle is near that of `expected`, the nearest first."""
    middle = expected.center
    apart = (
        (at, math.dist((element.region.center.x, element.region.center.y), (middle.x, middle.y)))
        for at, element in enumerate(elements)
    )
    return sorted((one for one in apart if one[1] <= THRESHOLDS.expected_max_gap_px), key=lambda one: one[1])


def _same(old: Element, before: Frame, new: Element, after: Frame) -> bool:
    """Whether two elements at one place are the same: by text, as one textbox, or by their looks."""
    if _name(old) == _name(new) and (old.text or old.role == "textbox"):
        return True
    if old.role == new.role == "textbox" and not (old.text and new.text):
        return _sides_agree(old.region, new.region)
    return _look_alike(before.crop(old.region), after.crop(new.region))


def _sides_agree(one: Region, other: Region) -> bool:
    return (
        abs(one.width - other.width) <= THRESHOLDS.resized_max_px
        and abs(one.height - other.height) <= THRESHOLDS.resized_max_px
    )


def _look_alike(before: Pixels, after: Pixels) -> bool:
    """Whether two pictures of about the same size show the same; the border may be drawn slightly differently."""
    (height, width), (other_height, other_width) = before.shape[:2], after.shape[:2]
    if (
        abs(height - other_height) > THRESHOLDS.moved_together_px
        or abs(width - other_width) > THRESHOLDS.moved_together_px
        or not before.size
    ):
        return False
    size = min(height, other_height), min(width, other_width)
    first, second = before[: size[0], : size[1]], after[: size[0], : size[1]]
    return float(cv2.absdiff(first, second).mean()) <= THRESHOLDS.icon_max_difference
