"""Where on a picture something stands out that may be text: what differs from what is beside it, without borders."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from world_model import Pixels, Region

CONTRAST: Final = 24  # of 255; pixels that differ by less from those beside them show no text that could be read
EVEN: Final = 8  # of 255; by so little may even ground differ
BESIDE: Final = 12  # pixels; what stands nearer than this in one row belongs together
BORDER: Final = 16  # pixels; an upright as high as this and no thicker than a hair is no letter
SURE: Final = 18  # the same of one that is two pixels thick, or that something touches
HAIR: Final = 3  # pixels that the ink of a hair is wide ...
EDGE: Final = 2  # ... and at least that of any edge; where less is left, it is of the curve of a letter
STEM: Final = 8  # pixels that the stem of a letter is thick at most
BAR: Final = 7  # pixels; where a bar leaves a stem, as in E, nothing stands out from what is beside it
MOST: Final = 0.6  # of the height of a letter's stem is free of bars that leave it at its ends
TALLEST: Final = 48  # pixels; and one that is higher is none in any case
REACH: Final = 64  # pixels that what changed can matter to what is beside it; with `TALLEST` it reaches farthest

Mask = NDArray[np.uint8]


def standing_out(pixels: Pixels) -> Mask:
    """Where something stands out from what is beside it, what is near in one row joined, and no borders."""
    ink, lines = inked(pixels), _lines(pixels)
    rest = np.asarray(cv2.subtract(ink, lines), np.uint8)  # two borders close to each other are no stroke
    borders = np.asarray(cv2.max(cv2.max(lines, _borders(rest)), _opened(ink, TALLEST, 1)), np.uint8)
    ink = np.asarray(cv2.subtract(ink, borders), np.uint8)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, BESIDE + 1), np.uint8))
    return np.asarray(cv2.subtract(joined, borders), np.uint8)


def renew(standing: Mask, pixels: Pixels, changed: Region) -> None:
    """Make what stood out what stands out now, where only a part of the pixels has changed."""
    whole = Region(0, 0, pixels.shape[1], pixels.shape[0])
    near = changed.grown(REACH).intersection(whole)
    around = near.grown(REACH).intersection(whole)
    fresh = standing_out(pixels[around.y : around.bottom, around.x : around.right])
    inside = near.shifted(-around.x, -around.y)
    standing[near.y : near.bottom, near.x : near.right] = fresh[inside.y : inside.bottom, inside.x : inside.right]


def inked(pixels: Pixels) -> Mask:
    """Where a pixel differs from the one to its left or right. What is drawn level shows nothing but its ends."""
    return _differing(pixels, np.ones((1, 3), np.uint8))


def level(pixels: Pixels) -> Mask:
    """Where a pixel differs from the one above or below it, as those of an underscore do."""
    return _differing(pixels, np.ones((3, 1), np.uint8))


def _differing(pixels: Pixels, beside: Mask) -> Mask:
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, beside) > CONTRAST, np.uint8)


def _borders(ink: Mask) -> Mask:
    """Uprights that are no letters: the sides of windows, fields and buttons, and a caret."""
    # A stem has ink on both of its sides, and none between them.
    filled = _opened(cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, STEM - 1), np.uint8)), 1, HAIR + 1)
    stems = np.asarray(cv2.morphologyEx(filled, cv2.MORPH_CLOSE, np.ones((BAR, 1), np.uint8)), np.uint8)
    return np.asarray(_opened(_without_sides(_opened(ink, BORDER, 1), stems), BORDER, EDGE), np.uint8)


def _without_sides(uprights: Mask, stems: Mask) -> Mask:
    """The uprights that are no side of a stem for most of their height; a border close to text is one for less."""
    columns, stems = (np.ascontiguousarray(np.pad(one, ((0, 1), (0, 0))).T).ravel() for one in (uprights, stems))
    turns = np.diff(columns.view(np.int8), prepend=np.int8(0))
    starts, ends = np.flatnonzero(turns > 0), np.flatnonzero(turns < 0)
    covered = np.cumsum(stems, dtype=np.int32)
    sides = covered[ends] - covered[starts] > MOST * (ends - starts)
    for start, end in zip(starts[sides], ends[sides], strict=True):
        columns[start:end] = 0
    return np.asarray(columns.reshape(uprights.shape[1], -1)[:, :-1].T)


def _lines(pixels: Pixels) -> Mask:
    """Uprights of one or two pixels beside even ground: borders, however close they are. Letters are drawn softer."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    rise, fall = cv2.subtract(gray[:, 1:], gray[:, :-1]), cv2.subtract(gray[:, :-1], gray[:, 1:])
    up, down, even = rise > CONTRAST, fall > CONTRAST, cv2.max(rise, fall) <= EVEN
    one, beside, two = np.zeros((3, *gray.shape), np.bool_)
    there_and_back = (up[:, 1:-2] & down[:, 2:-1]) | (down[:, 1:-2] & up[:, 2:-1])
    one[:, 2:-2] = there_and_back & even[:, :-3] & even[:, 3:]
    beside[:, 2:-2] = there_and_back & (even[:, :-3] | even[:, 3:])
    there_and_back = (up[:, 1:-3] & down[:, 3:-1]) | (down[:, 1:-3] & up[:, 3:-1])
    two[:, 2:-3] = there_and_back & even[:, :-4] & even[:, 2:-2] & even[:, 4:]
    both = cv2.dilate(_opened(two.view(np.uint8), SURE, 1), np.ones((1, 2), np.uint8), anchor=(1, 0))
    lines = cv2.max(_opened(one.view(np.uint8), BORDER, 1), _opened(beside.view(np.uint8), SURE, 1))
    return np.asarray(cv2.dilate(cv2.max(lines, both), np.ones((1, HAIR), np.uint8)), np.uint8)


def _opened(mask: Any, height: int, width: int) -> Any:  # noqa: ANN401 - OpenCV's arrays have no narrow type
    """What of it is at least so high and wide."""
    kernel = np.ones((height, width), np.uint8)
    # With one anchor for both, as OpenCV has it, what is opened with an even size is moved by a pixel.
    return cv2.dilate(cv2.erode(mask, kernel, anchor=(0, 0)), kernel, anchor=(width - 1, height - 1))
