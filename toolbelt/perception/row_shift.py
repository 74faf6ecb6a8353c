"""Detect that a row has moved under a place that looks the same in every row, such as the button at its end."""

from typing import Final

import cv2

from toolbelt.desktops.base import around
from toolbelt.perception.template_match import DEVIATION_MIN, SCORE_MIN
from world_model import Frame, Pixels, Point, Region

ROW_HEIGHT_PX: Final = 16  # of a row that holds its text


def row_at(place: Point, frame: Frame) -> Region:
    """Return the row around a place, across the whole frame."""
    return Region(frame.region.x, place.y - ROW_HEIGHT_PX // 2, frame.region.width, ROW_HEIGHT_PX).intersection(
        frame.region
    )


def row_moved(before: Frame, now: Frame, place: Point, changed: Region) -> bool:
    """Whether the changed part of a row is higher or lower now, beside a place that looks the same as before.

    What scrolls beside a button that stays is not such a row: there is no button where it is now.
    """
    part = changed.intersection(row_at(place, before))
    button, text = before.crop(around(place)), before.crop(part)
    if min(part.width, part.height) < ROW_HEIGHT_PX // 2 or text.std() < DEVIATION_MIN:
        return False
    column = Region(part.x, now.region.y, part.width, now.region.height)
    were, are = (cv2.matchTemplate(one.crop(column), text, cv2.TM_CCOEFF_NORMED) for one in (before, now))
    are[were >= SCORE_MIN] = 0.0  # other rows had the same text before
    _, best, _, (_, y) = cv2.minMaxLoc(are)
    there = around(place).shifted(0, now.region.y + y - part.y)
    inside = there.intersection(now.region) == there
    return best >= SCORE_MIN and there != around(place) and inside and _alike(button, now.crop(there))


def _alike(one: Pixels, other: Pixels) -> bool:
    # The score ignores the background, which differs in every second row.
    seen = min(one.std(), other.std()) >= DEVIATION_MIN
    return bool(seen and cv2.matchTemplate(one, other, cv2.TM_CCOEFF_NORMED).max() >= SCORE_MIN)
