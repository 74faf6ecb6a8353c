"""Find what may be text in a picture: what differs from the pixels beside it, without borders."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from world_model import Pixels, Region

CONTRAST_MIN: Final = 24  # of 255; text with less contrast to the pixels beside it cannot be read
EVEN_CONTRAST_MAX: Final = 8  # of 255; pixels of a plain background may differ by so much
JOINED_GAP_PX: Final = 12  # things in one row that are nearer belong together
BORDER_HEIGHT_MIN_PX: Final = 16  # a vertical line of one pixel that is as high is not a letter
THICK_BORDER_HEIGHT_MIN_PX: Final = 18  # the same for one of two pixels, or one that something touches
HAIR_INK_PX: Final = 3  # the width of the ink of a line of one pixel
EDGE_INK_MIN_PX: Final = 2  # the ink of an edge is at least as wide; narrower ink is left over from a letter's curve
STEM_WIDTH_MAX_PX: Final = 8  # of the stem of a letter
BAR_HEIGHT_MAX_PX: Final = 7  # of a bar; where one leaves a stem, as in E, the stem has no ink on that side
STEM_SIDE_MIN_RATIO: Final = 0.6  # of a stem's side that runs along the stem; bars leave the stem at its ends
LETTER_HEIGHT_MAX_PX: Final = 48  # a higher vertical line is never a letter
REACH_PX: Final = 64  # how far a change affects its surroundings; with `LETTER_HEIGHT_MAX_PX` it reaches farthest

Mask = NDArray[np.uint8]


def standing_out(pixels: Pixels) -> Mask:
    """Return where something stands out from its surroundings, near things in one row joined, without borders."""
    ink, lines = inked(pixels), _lines(pixels)
    rest = np.asarray(cv2.subtract(ink, lines), np.uint8)  # two borders close together are not a stroke
    borders = np.asarray(cv2.max(cv2.max(lines, _borders(rest)), _opened(ink, LETTER_HEIGHT_MAX_PX, 1)), np.uint8)
    ink = np.asarray(cv2.subtract(ink, borders), np.uint8)
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, JOINED_GAP_PX + 1), np.uint8))
    return np.asarray(cv2.subtract(joined, borders), np.uint8)


def renew(standing: Mask, pixels: Pixels, changed: Region) -> None:
    """Update in place what stands out, after only a part of the pixels changed."""
    whole = Region(0, 0, pixels.shape[1], pixels.shape[0])
    near = changed.grown(REACH_PX).intersection(whole)
    around = near.grown(REACH_PX).intersection(whole)
    fresh = standing_out(pixels[around.y : around.bottom, around.x : around.right])
    inside = near.shifted(-around.x, -around.y)
    standing[near.y : near.bottom, near.x : near.right] = fresh[inside.y : inside.bottom, inside.x : inside.right]


def inked(pixels: Pixels) -> Mask:
    """Return where a pixel differs from the one to its left or right. Of a horizontal line that is only its ends."""
    return _differing(pixels, np.ones((1, 3), np.uint8))


def level(pixels: Pixels) -> Mask:
    """Return where a pixel differs from the one above or below it, as in an underscore."""
    return _differing(pixels, np.ones((3, 1), np.uint8))


def _differing(pixels: Pixels, beside: Mask) -> Mask:
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, beside) > CONTRAST_MIN, np.uint8)


def _borders(ink: Mask) -> Mask:
    """Return vertical lines that are not letters: the sides of windows, textboxes and buttons, and the caret."""
    # A stem has ink on both of its sides, and none between them.
    filled = _opened(
        cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((1, STEM_WIDTH_MAX_PX - 1), np.uint8)), 1, HAIR_INK_PX + 1
    )
    stems = np.asarray(cv2.morphologyEx(filled, cv2.MORPH_CLOSE, np.ones((BAR_HEIGHT_MAX_PX, 1), np.uint8)), np.uint8)
    return np.asarray(
        _opened(_without_sides(_opened(ink, BORDER_HEIGHT_MIN_PX, 1), stems), BORDER_HEIGHT_MIN_PX, EDGE_INK_MIN_PX),
        np.uint8,
    )


def _without_sides(uprights: Mask, stems: Mask) -> Mask:
    """Drop vertical lines that run along a stem for most of their height; a border close to text does for less."""
    columns, stems = (np.ascontiguousarray(np.pad(one, ((0, 1), (0, 0))).T).ravel() for one in (uprights, stems))
    turns = np.diff(columns.view(np.int8), prepend=np.int8(0))
    starts, ends = np.flatnonzero(turns > 0), np.flatnonzero(turns < 0)
    covered = np.cumsum(stems, dtype=np.int32)
    sides = covered[ends] - covered[starts] > STEM_SIDE_MIN_RATIO * (ends - starts)
    for start, end in zip(starts[sides], ends[sides], strict=True):
        columns[start:end] = 0
    return np.asarray(columns.reshape(uprights.shape[1], -1)[:, :-1].T)


def _lines(pixels: Pixels) -> Mask:
    """Return borders, even close ones: vertical lines of one or two pixels on plain ground. Letters are softer."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    rise, fall = cv2.subtract(gray[:, 1:], gray[:, :-1]), cv2.subtract(gray[:, :-1], gray[:, 1:])
    up, down, even = rise > CONTRAST_MIN, fall > CONTRAST_MIN, cv2.max(rise, fall) <= EVEN_CONTRAST_MAX
    one, beside, two = np.zeros((3, *gray.shape), np.bool_)
    there_and_back = (up[:, 1:-2] & down[:, 2:-1]) | (down[:, 1:-2] & up[:, 2:-1])
    one[:, 2:-2] = there_and_back & even[:, :-3] & even[:, 3:]
    beside[:, 2:-2] = there_and_back & (even[:, :-3] | even[:, 3:])
    there_and_back = (up[:, 1:-3] & down[:, 3:-1]) | (down[:, 1:-3] & up[:, 3:-1])
    two[:, 2:-3] = there_and_back & even[:, :-4] & even[:, 2:-2] & even[:, 4:]
    both = cv2.dilate(
        _opened(two.view(np.uint8), THICK_BORDER_HEIGHT_MIN_PX, 1), np.ones((1, 2), np.uint8), anchor=(1, 0)
    )
    lines = cv2.max(
        _opened(one.view(np.uint8), BORDER_HEIGHT_MIN_PX, 1),
        _opened(beside.view(np.uint8), THICK_BORDER_HEIGHT_MIN_PX, 1),
    )
    return np.asarray(cv2.dilate(cv2.max(lines, both), np.ones((1, HAIR_INK_PX), np.uint8)), np.uint8)


def _opened(mask: Any, height: int, width: int) -> Any:  # noqa: ANN401 - OpenCV's arrays have no narrow type
    """Keep what is at least as high and wide."""
    kernel = np.ones((height, width), np.uint8)
    # OpenCV's own opening uses one anchor for both steps, and so moves the result by a pixel if a side is even.
    return cv2.dilate(cv2.erode(mask, kernel, anchor=(0, 0)), kernel, anchor=(width - 1, height - 1))
