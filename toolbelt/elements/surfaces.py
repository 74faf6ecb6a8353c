"""Surfaces: what one colour fills without a gap, such as a card, a table row, a border or a window."""

from typing import Final

import cv2
import numpy as np

from world_model import Frame, Point, Region

GRADIENT_MAX: Final = 1  # of 255, from one pixel of a surface to the next


def surfaces_around(point: Point, frame: Frame) -> list[Region]:
    """Return the rectangles around the surfaces that reach around a point of a frame, the smallest first.

    Each surface around a point is in its row, on the left or on the right of it.
    """
    pixels = frame.pixels.copy()  # OpenCV takes none that are read-only
    height, width = pixels.shape[:2]
    row = point.y - frame.origin.y
    filled = np.zeros((height + 2, width + 2), np.uint8)  # with a border of one pixel, as OpenCV wants it
    step, flags = (GRADIENT_MAX,) * 3, 4 | cv2.FLOODFILL_MASK_ONLY | 255 << 8
    found = []
    for column in range(width):
        if not filled[row + 1, column + 1]:
            box = cv2.floodFill(pixels, filled, (column, row), 0, step, step, flags)[3]
            found.append(Region(*box).shifted(frame.origin.x, frame.origin.y))
    return sorted((region for region in found if point in region), key=lambda region: region.area)
