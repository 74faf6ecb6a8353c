"""What a person pointed at, told so that any brain can use it."""

from functools import partial

from toolbelt.elements import Mark
from toolbelt.perception import Eyes
from world_model import Frame, Point, message


def place_told(point: Point, eyes: Eyes) -> str:
    """Name what is at a point of the desktop by its mark, which every brain can use, and the point itself.

    The person pointed at what the agent saw last, not at what may have come there since.
    """
    screen = eyes.shown
    mark = eyes.control.call(partial(_mark_at, point, eyes, screen))
    if mark is None:
        return message("the place ", point, ", where no text and no control is")
    return message(f'the {mark.called}, which has the mark {{"mark": {mark.number}}}, at the place ', point)


def _mark_at(point: Point, eyes: Eyes, screen: Frame) -> Mark | None:
    """Return the smallest mark there: a button, not the frame around it."""
    there = [mark for mark in eyes.marks(screen) if point in mark.region]
    return min(there, key=lambda mark: mark.region.area, default=None)
