"""Textboxes: find where to type by a name in, beside or above the textbox."""

import cv2
import numpy as np
from numpy.typing import NDArray

from toolbelt.elements.outlines import inked
from toolbelt.elements.thresholds import THRESHOLDS
from world_model import Frame, Region


def field_beside(frame: Frame, name: Region) -> Region | None:
    """Return the textbox that a name belongs to: the one around it, else the one to its right, else the one below."""
    left = name.x - THRESHOLDS.named_right_max_gap_px  # a name may be above the middle of its box
    part = Region(
        left,
        name.y - 2 * THRESHOLDS.named_below_max_gap_px,
        frame.region.right - left,
        name.height + 5 * THRESHOLDS.named_below_max_gap_px,
    )
    boxes = [
        box
        for box in _rectangles(frame, part)
        if box.height <= THRESHOLDS.named_max_height_ratio * name.height + THRESHOLDS.named_height_padding_px
    ]
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
    """Whether a box is a button: its text is centred and fills it. The placeholder of a textbox is at the left."""
    return (
        abs(name.center.x - box.center.x) <= THRESHOLDS.named_off_centre_px
        and box.width <= name.width + 4 * name.height
    )


def _is_to_press(frame: Frame, box: Region) -> bool:
    """Whether the content of a box is centred, as on a button. In a dropdown, the arrow is far from the text."""
    inner = box.grown(-THRESHOLDS.border_px)
    columns = np.flatnonzero(inked(frame.crop(inner)).any(axis=0))
    if not columns.size:
        return False
    left, right = int(columns[0]) + THRESHOLDS.border_px, box.width - THRESHOLDS.border_px - int(columns[-1]) - 1
    apart = int(np.diff(columns).max(initial=0))
    return (
        abs(left - right) <= THRESHOLDS.named_off_centre_px
        and min(left, right) > box.height // 4
        and apart <= box.height // 2
    )


def _below(name: Region, box: Region) -> bool:
    """Whether a box is below a name and one line high: a list under a checkbox is not its textbox.

    A name overlaps what is close below, since the reader adds a margin.
    """
    near = -(name.height // 3) <= box.y - name.bottom <= THRESHOLDS.named_below_max_gap_px
    return (
        near
        and box.x < name.right
        and name.x < box.right
        and box.height <= THRESHOLDS.named_below_max_height_ratio * name.height + THRESHOLDS.named_height_padding_px
    )


def _right_of(name: Region, box: Region) -> bool:
    return (
        -name.height // 2 <= box.x - name.right <= THRESHOLDS.named_right_max_gap_px
        and box.y < name.center.y < box.bottom
    )


def _rectangles(frame: Frame, part: Region) -> list[Region]:
    """Return the rectangles in a part of the frame that could be textboxes."""
    seen = part.intersection(frame.region)
    gray = cv2.cvtColor(frame.crop(seen), cv2.COLOR_RGB2GRAY)
    edges = cv2.dilate(cv2.Canny(gray, *THRESHOLDS.named_edge_thresholds), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = [np.asarray(contour, np.int32) for contour in contours]
    boxes = [Region(*cv2.boundingRect(contour)) for contour in found if _is_box(contour)]
    return [box.shifted(seen.x, seen.y) for box in boxes]


def _is_box(contour: NDArray[np.int32]) -> bool:
    """Whether a contour is about a rectangle, wider than high, with room for a word."""
    _x, _y, width, height = cv2.boundingRect(contour)
    return (
        width >= 2 * height
        and height >= THRESHOLDS.outline_min_height_px
        and cv2.contourArea(contour) >= THRESHOLDS.outline_min_fill_ratio * width * height
    )
