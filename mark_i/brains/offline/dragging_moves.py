"""Dragging: things some way, entries to other places, and the ends of a selection or of a field."""

from collections.abc import Sequence
from typing import Final

from mark_i.brains.offline.field_moves import paragraphs
from mark_i.brains.offline.instructions import DragBy, Highlight, Rearrange, Resize, SortByDragging
from mark_i.brains.offline.seen import NUMBER, Move, SeekError, Seen, at
from toolbelt.elements import Element
from world_model import Point, Region

SOME_PX: Final = 40
CORNER_PX: Final = 4  # from the corner of a field to its handle
SORTS_MAX: Final = 50
DIRECTIONS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
RANKS: Final = {"top": 0.0, "left": 0.0, "center": 0.5, "centre": 0.5, "middle": 0.5, "bottom": 1.0, "right": 1.0}


def highlight(meant: Highlight, seen: Seen) -> Move:
    """Select a paragraph with three clicks."""
    found = paragraphs(seen)
    if not 1 <= meant.nth <= len(found):
        raise SeekError(f"I see {len(found)} paragraphs.")
    return Move("triple_click", {"target": at(found[meant.nth - 1].region)})


def resize(meant: Resize, seen: Seen) -> Move:
    """Drag the lower right corner of the field, where its handle is."""
    region = seen.only_field(tall=True).region
    corner = Point(region.right - CORNER_PX, region.bottom - CORNER_PX)
    by = -SOME_PX if meant.smaller else SOME_PX
    end = Point(corner.x + by, corner.y) if meant.dimension == "width" else Point(corner.x, corner.y + by)
    return Move("drag", {"start": at(corner), "end": at(end)})


def drag_by(meant: DragBy, seen: Seen) -> Move:
    """Drag a thing by its name, or else the only picture."""
    found = seen.named(meant.name) or [one for one in seen.of_role("image") if one.said] or seen.of_role("image")
    if len(found) != 1:
        raise SeekError(f'There are {len(found)} things that "{meant.name}" may mean.')
    x, y = DIRECTIONS[meant.to]
    start = found[0].region.center
    return Move("drag", {"start": at(start), "end": at(Point(start.x + SOME_PX * x, start.y + SOME_PX * y))})


def rearrange(meant: Rearrange, seen: Seen) -> Move:
    """Drag an entry onto the place of another, and a little beyond it, where that makes room."""
    entries = _entries(seen)
    own = next(iter(seen.named(meant.name, "option")), None)
    if own is None or own not in entries:
        raise SeekError(f'"{meant.name}" is in no list on the screen.')
    other = _entry_at(meant.place, own, entries)
    return _dragged(own.region, other.region, last=True)


def _entries(seen: Seen) -> list[Element]:
    """Return the entries of the list, row by row."""
    found = seen.of_role("option")
    return sorted(found, key=lambda one: (one.region.y, one.region.x))


def _entry_at(place: str, own: Element, entries: Sequence[Element]) -> Element:
    """Return the entry whose place is meant."""
    columns = len({one.region.x for one in entries})
    at_now = entries.index(own)
    step = {"up": -columns, "down": columns, "left": -1, "right": 1}.get(place)
    if step is not None:
        there = at_now + step
    elif place.lstrip("-").isdigit():
        there = int(place) - 1 if int(place) > 0 else len(entries) + int(place)
    else:
        rows = len(entries) // columns
        words = place.split()
        down = next((RANKS[one] for one in words if one in {"top", "bottom"}), 0.5)
        across = next((RANKS[one] for one in words if one in {"left", "right"}), 0.5)
        there = round(down * (rows - 1)) * columns + (round(across * (columns - 1)) if columns > 1 else 0)
    if not 0 <= there < len(entries):
        raise SeekError(f'The list has no place "{place}".')
    return entries[there]


def _dragged(start: Region, end: Region, *, last: bool) -> Move:
    """Drag an entry past the middle of the one whose place it takes."""
    x = end.center.x + end.width // 4 * _sign(end.center.x - start.center.x)
    y = end.center.y + end.height // 4 * _sign(end.center.y - start.center.y)
    return Move("drag", {"start": at(start), "end": at(Point(x, y))}, last=last)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def sort_by_dragging(meant: SortByDragging, seen: Seen) -> Move:
    """Drag the entry that belongs to the first wrong place there."""
    entries = [one for one in _entries(seen) if NUMBER.fullmatch(one.text)]
    wanted = sorted(entries, key=lambda one: int(one.text), reverse=meant.descending)
    wrong = next((place for place, (is_, to_be) in enumerate(zip(entries, wanted, strict=True)) if is_ != to_be), None)
    if not entries or len(seen.since) > SORTS_MAX:
        raise SeekError("I see no list of numbers that can be sorted.")
    if wrong is None:
        return Move("read_screen")
    return _dragged(wanted[wrong].region, entries[wrong].region, last=False)
