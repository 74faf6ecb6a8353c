"""Fields: where to type, found by the name that stands in, beside or above an input box."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from toolbelt.elements.outlines import inked
from world_model import Frame, Region

TALL: Final = 3.5  # a one-line box is at most this many times as tall as its name
NEAR: Final = 400  # pixels between a name and the box to its right
BELOW: Final = 40  # pixels between a name and the box below it
PADDING: Final = 8  # pixels that a box may be taller than that
LOW: Final = 12  # pixels; a lower box has no room for a word
FULL: Final = 0.8  # of the rectangle around it that a contour must fill; round corners take a little
ONE_LINE: Final = 2.2  # a box below a name is at most this many times as tall
CENTRED: Final = 4  # pixels that a button's text may be off its middle
BORDER: Final = 5  # pixels of a box that its border takes, seen from around it
EDGES: Final = (20, 60)  # of Canny's detector: borders of fields are often faint


def field_beside(frame: Frame, name: Region) -> Region | None:
    """The input box that a name belongs to: the one it stands in, else the one to its right, else the one below."""
    left = name.x - NEAR  # a name may stand over the middle of its box
    part = Region(left, name.y - 2 * BELOW, frame.region.right - left, name.height + 5 * BELOW)
    boxes = [box for box in _rectangles(frame, part) if box.height <= TALL * name.height + PADDING]
    inside = [box for box in boxes if name.center in box and box.width > name.width]
    if inside:
        smallest = min(inside, key=lambda box: box.area)
        return None if _is_button(name, smallest) else smallest
    right = [box for box in boxes if _right_of(name, box) and not _is_to_press(frame, box)]
    if right:
        return min(right, key=lambda box: (box.x - name.right, -box.area))
    below = [box for box in boxes if _below(name, box) and not _is_to_press(frame, box)]
    return min(below, key=lambda box: (box.y - name.bottom, -box.area), default=None)


def _is_button(name: Region, box: Region) -> bool:
    """A button's text stands in its middle and fills it; what stands in an empty field stands at its left."""
    return abs(name.center.x - box.center.x) <= CENTRED and box.width <= name.width + 4 * name.height


def _is_to_press(frame: Frame, box: Region) -> bool:
    """Whether what stands in it stands in its middle, as on a button. A list's entry has its arrow far behind it."""
    inner = box.grown(-BORDER)
    columns = np.flatnonzero(inked(frame.crop(inner)).any(axis=0))
    if not columns.size:
        return False
    left, right = int(columns[0]) + BORDER, box.width - BORDER - int(columns[-1]) - 1
    apart = int(np.diff(columns).max(initial=0))
    return abs(left - right) <= CENTRED and min(left, right) > box.height // 4 and apart <= box.height // 2


def _below(name: Region, box: Region) -> bool:
    """One line high: a list under a check button is not its field. What is read has a margin around it."""
    near = -(name.height // 3) <= box.y - name.bottom <= BELOW
    return near and box.x < name.right and name.x < box.right and box.height <= ONE_LINE * name.height + PADDING


def _right_of(name: Region, box: Region) -> bool:
    return -name.height // 2 <= box.x - name.right <= NEAR and box.y < name.center.y < box.bottom


def _rectangles(frame: Frame, part: Region) -> list[Region]:
    """The rectangles that are drawn in a part of the frame and could be a field."""
    seen = part.intersection(frame.region)
    gray = cv2.cvtColor(frame.crop(seen), cv2.COLOR_RGB2GRAY)
    edges = cv2.dilate(cv2.Canny(gray, *EDGES), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = [np.asarray(contour, np.int32) for contour in contours]
    boxes = [Region(*cv2.boundingRect(contour)) for contour in found if _is_box(contour)]
    return [box.shifted(seen.x, seen.y) for box in boxes]


def _is_box(contour: NDArray[np.int32]) -> bool:
    """Whether a contour is about a rectangle, wider than high, in which a word has room."""
    _x, _y, width, height = cv2.boundingRect(contour)
    return width >= 2 * height and height >= LOW and cv2.contourArea(contour) >= FULL * width * height
