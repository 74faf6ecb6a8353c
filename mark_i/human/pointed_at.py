"""The places at which a person pointed, told so that any brain can use them."""

import json
from functools import partial

from mark_i.brain import Brain
from mark_i.prompts.coordinates import spaces_of
from toolbelt.elements import Mark
from toolbelt.perception import Eyes
from world_model import Frame, Point


def place_told(point: Point, eyes: Eyes, brain: Brain) -> str:
    """What stands at a point of the desktop, by its mark, which every brain can name; and the point in its own numbers.

    It is what the agent saw last that the person pointed at, and not what may have come there since.
    """
    screen = eyes.shown
    mark = eyes.control.call(partial(_mark_at, point, eyes, screen))
    target = json.dumps(spaces_of(brain, screen.region).named((point.x, point.y)))
    if mark is None:
        return f"the place {target}, where no text and no control is"
    return f'the {mark.called}, which has the mark {{"mark": {mark.number}}}, at the place {target}'


def _mark_at(point: Point, eyes: Eyes, screen: Frame) -> Mark | None:
    """The smallest thing there: a button in a frame is the button."""
    there = [mark for mark in eyes.marks(screen) if point in mark.region]
    return min(there, key=lambda mark: mark.region.area, default=None)
