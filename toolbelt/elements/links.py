"""Links as they are drawn: coloured letters, and a line under them."""

from typing import Final

import numpy as np

from world_model import Frame, Pixels, Region

COLOR_MIN: Final = 60  # of 255, between the color channels of its letters; black, gray and white have 0
INK_MIN_RATIO: Final = 0.5  # to the strongest contrast in a text; less is the edge of a letter
LINE_MAX_PX: Final = 4  # from the box around the letters down to the line under them
LINE_MIN_RATIO: Final = 0.75  # of its length to that of the text; browsers leave it out around letters such as g


def is_coloured(frame: Frame, region: Region) -> bool:
    """Whether the letters of a text are colored, not only the background."""
    return _is_coloured(frame.crop(region.intersection(frame.region)))


def is_underlined_link(pixels: Pixels, region: Region) -> bool:
    """Whether the letters of a text in a picture are colored and have a line under them."""
    part = pixels[region.y : region.bottom + LINE_MAX_PX, region.x : region.right]
    if not part.size or not _is_coloured(part):
        return False
    contrast = _contrast(part)
    ink = contrast > INK_MIN_RATIO * contrast.max()
    return bool((ink[len(ink) // 2 :].mean(axis=1) >= LINE_MIN_RATIO).any())


def _is_coloured(pixels: Pixels) -> bool:
    if not pixels.size or np.ptp(pixels, axis=2).max() <= COLOR_MIN:
        return False
    contrast = _contrast(pixels)
    letters = pixels[contrast > INK_MIN_RATIO * contrast.max()]
    return bool(len(letters)) and float(np.ptp(letters, axis=1).mean()) > COLOR_MIN


def _contrast(pixels: Pixels) -> Pixels:
    """Return by how much each pixel differs from the ground."""
    signed = pixels.astype(np.int16)
    ground = np.median(signed.reshape(-1, 3), axis=0)
    return np.asarray(np.abs(signed - ground).max(axis=2), np.uint8)
