"""Neighbours: of several equal places, the one that belongs to a text."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from toolbelt.elements.labels import in_row
from toolbelt.ocr.text_match import Match
from world_model import Region

Areas: TypeAlias = Callable[[Match], Sequence[Region]]  # gives the areas around a place, the smallest first

CLEARLY_FURTHER_RATIO: Final = 2.0  # of two distances, from which on the nearer place is meant


def nearest(places: list[Match], neighbours: list[Match], areas: Areas = lambda _: ()) -> list[Match]:
    """Return the place that belongs to each neighbour: in the smallest area around it, in the same row, or nearby.

    Neighbours without such an area or row count only if all are. What is about as near on another side is returned
    as well: which one belongs there is not known.
    """
    found = [one for other in neighbours if (one := _belonging(places, other, areas))]
    close = [one for one in found if one.close] or sorted(found, key=lambda one: one.distance)[:1]
    return [place for place in places if any(place is one for belonging in close for one in belonging.places)]


def are_in_row(one: Match, other: Match) -> bool:
    """Whether the middle of one place is at the height of the other."""
    return bool(one.region and other.region and in_row(one.region, other.region))


@dataclass(frozen=True, slots=True)
class _Belonging:
    """The places that may belong to a neighbour, the nearest first; `close` if it shares more with them than others."""

    places: list[Match]
    distance: float
    close: bool


def _belonging(places: list[Match], neighbour: Match, areas: Areas) -> _Belonging | None:
    others = [place for place in places if place.region != neighbour.region]
    near = _in_its_area(others, areas(neighbour)) if len(others) > 1 else others
    row = [place for place in near if are_in_row(place, neighbour)]
    ranked = sorted(row or near, key=lambda place: math.hypot(*_way(neighbour, place)))
    if not ranked:
        return None
    first = ranked[0]
    doubted = [place for place in ranked[1:] if _in_doubt(first, place, neighbour)]
    distance = math.hypot(*_way(neighbour, first))
    return _Belonging([first, *doubted], distance, close=bool(row) or len(near) < len(others))


def _in_its_area(places: list[Match], areas: Sequence[Region]) -> list[Match]:
    """Return the places in the first area that has any of them; all if none has."""
    shared = ([place for place in places if place.point in area] for area in areas)
    return next(filter(None, shared), places)


def _in_doubt(first: Match, second: Match, neighbour: Match) -> bool:
    """Whether the second of two places is on another side of a text than the first, and not clearly further away.

    A text heads what comes after it, so one above it or left of it, in another row, is never clearly meant.
    """
    (across, down), (second_across, second_down) = _way(neighbour, first), _way(neighbour, second)
    if _in_column(first, second):
        one, two = (0, down), (0, second_down)
    elif are_in_row(first, second):
        one, two = (across, 0), (second_across, 0)
    else:
        one, two = (across, down), (second_across, second_down)
    side = one[0] * two[0] + one[1] * two[1]
    if 0 in one and side < 0 and sum(one) < 0 and not are_in_row(first, neighbour):
        return True
    beyond = 0 in one and side > 0
    return not beyond and math.hypot(*two) < CLEARLY_FURTHER_RATIO * math.hypot(*one)


def _way(start: Match, end: Match) -> tuple[int, int]:
    return end.point.x - start.point.x, end.point.y - start.point.y


def _in_column(one: Match, other: Match) -> bool:
    if not (one.region and other.region):
        return False
    return other.region.x < one.point.x < other.region.right or one.region.x < other.point.x < one.region.right
