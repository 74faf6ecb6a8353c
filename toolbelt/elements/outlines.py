"""Shapes: the outlines on a screen that may be a button, a field or a box to tick, and what stands out from it."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from world_model import Pixels, Region

EDGES: Final = (10, 30)  # of Canny's detector: borders are often faint, in dark themes most of all
INK: Final = 24  # of 255; what differs less from its neighbours belongs to the background
LOW: Final = 12  # pixels; a lower outline has no room for a word
FULL: Final = 0.8  # of the rectangle around it that an outline must fill; round corners take a little
TINY: Final = (9, 36)  # pixels of a side of what may be a box to tick
ROUND: Final = 0.66  # of the square around it that such a box must fill; a circle does
SQUARE: Final = 1.25  # its longer side, of the shorter one
BOUNDED: Final = 0.95  # of the way around that an edge must go where an outline does not fill so much ...
SIDE: Final = 3  # ... within so many pixels, on account of round corners ...
WORD: Final = 16  # ... and of what is not lower: between small letters and an underscore it may be a piece of a word
UNEVEN: Final = 8  # pixels by which the round corners of its two sides may differ
RIM: Final = 5  # pixels between the outer and the inner outline of one border
CLEAN: Final = 0.15  # of a line just within a border that may be ink; a word has no such line around it
CROSSED: Final = 0.35  # of one side, where they are not all clean at the same distance
INSETS: Final = (1, 2, 3, 4, 5, 6)  # pixels; an outline may be the inner side of its border ...
THIN: Final = 2  # ... and those before the third are within it where it is the outer one
WIPE: Final = 7  # pixels of a border's width, with what antialiasing and bevels add

Contour = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One outline, and the rectangle around it in the picture."""

    region: Region
    contour: Contour

    @property
    def tiny(self) -> bool:
        """Whether it is as small as a box to tick, or an icon."""
        return max(self.region.width, self.region.height) <= TINY[1] and _about_square(self.region)

    @property
    def square(self) -> bool:
        """Whether it is one to its corners, and no circle."""
        return self.tiny and _full(self) >= FULL


def shapes(pixels: Pixels, ink: Pixels) -> list[Shape]:
    """The outlines in a picture, the largest first; of the two sides of a border the outer one."""
    edges = np.asarray(cv2.Canny(pixels, *EDGES), np.uint8)
    closed = np.asarray(cv2.dilate(edges, np.ones((2, 2), np.uint8)), np.uint8)  # without gaps ...
    found = _outlines(closed)
    found += [shape for shape in _outlines(edges) if shape.tiny]  # ... which join a box to tick with a label close by
    able = [shape for one in found if (shape := _able(one, ink, closed))]
    return _outer(sorted(able, key=lambda shape: -shape.region.area))


def _outlines(edges: Pixels) -> list[Shape]:
    """Around everything in a picture of edges that is not too small, and around the holes in it."""
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [(cv2.boundingRect(contour), contour) for contour in contours]
    return [Shape(Region(*box), np.asarray(contour, np.int32)) for box, contour in boxes if min(box[2:]) >= TINY[0]]


def inked(pixels: Pixels) -> Pixels:
    """Which pixels differ from their neighbours: 1 or 0."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return np.asarray(cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > INK, np.uint8)


def wipe(ink: Pixels, shape: Shape, *, whole: bool = False) -> None:
    """Take a border out of the ink, and with `whole` also what is within it."""
    hull = cv2.convexHull(shape.contour)  # where a text touches the border, the outline runs around its letters
    if not shape.tiny and cv2.contourArea(hull) < FULL * shape.region.area:  # it goes along a part of the border
        hull = _corners(shape.region)
    if whole:
        cv2.drawContours(ink, [hull], 0, 0, cv2.FILLED)
    cv2.drawContours(ink, [hull], 0, 0, WIPE)


def _corners(box: Region) -> Contour:
    right, bottom = box.right - 1, box.bottom - 1
    return np.array([[[box.x, box.y]], [[right, box.y]], [[right, bottom]], [[box.x, bottom]]], np.int32)


def _able(shape: Shape, ink: Pixels, edges: Pixels) -> Shape | None:
    """The shape, if it is about a rectangle in which a word has room; or small, and a square or a circle."""
    box = shape.region
    if shape.tiny:
        return shape if _full(shape) >= ROUND else None
    if box.height < LOW or box.width < box.height / 2 or not (_full(shape) >= FULL or _is_bounded(box, edges)):
        return None
    left, right = _bare(box, edges)
    if abs(left - right) > UNEVEN:
        box = Region(box.x + left, box.y, box.width - left - right, box.height)
        if box.width < box.height or not _is_bounded(box, edges):
            return None
        shape = Shape(box, _corners(box))
    return shape if _has_border(box, ink) else None


def _bare(box: Region, edges: Pixels) -> tuple[int, int]:
    """How far from its left and from its right no edge runs above and below it.

    That is about as much on both sides where corners are round, and more where a label touches a field.
    """
    part = edges[box.y : box.bottom, box.x : box.right]
    columns = np.flatnonzero(part[:SIDE].any(axis=0) & part[-SIDE:].any(axis=0))
    return (int(columns[0]), box.width - 1 - int(columns[-1])) if len(columns) else (0, box.width)


def _full(shape: Shape) -> float:
    """How much of the rectangle around it an outline fills."""
    return float(cv2.contourArea(shape.contour)) / shape.region.area


def _is_bounded(box: Region, edges: Pixels) -> bool:
    """Whether an edge runs all around it. An outline does not where letters touch it: it runs around these too."""
    if box.height < WORD:
        return False
    part = edges[box.y : box.bottom, box.x : box.right]
    sides = part[:SIDE], part[-SIDE:], part[:, :SIDE].T, part[:, -SIDE:].T
    length = sum(int(np.count_nonzero(side.max(axis=0))) for side in sides)
    return length >= BOUNDED * 2 * (box.width + box.height)


def _about_square(box: Region) -> bool:
    return max(box.width, box.height) <= SQUARE * min(box.width, box.height)


def _has_border(box: Region, ink: Pixels) -> bool:
    """Whether a clean line runs around within its border, or one along each side; the letters of a word cross any."""
    inner = [box.grown(-inset) for inset in INSETS if 2 * inset + 1 < min(box.width, box.height)]
    if not inner:
        return False
    parts = [ink[one.y : one.bottom, one.x : one.right] for one in inner]
    dirty = np.array([[side.mean() for side in (part[0], part[-1], part[:, 0], part[:, -1])] for part in parts])
    best = dirty.min(axis=0)
    around = any(_mean_around(shares, one) <= CLEAN for shares, one in zip(dirty[THIN:], inner[THIN:], strict=True))
    return around or bool(best.max() <= CROSSED and _mean_around(best, inner[0]) <= CLEAN)


def _mean_around(shares: NDArray[np.float64], box: Region) -> float:
    """Of shares of its top, bottom, left and right that of the whole way around."""
    return float(np.average(shares, weights=(box.width, box.width, box.height, box.height)))


def _outer(able: list[Shape]) -> list[Shape]:
    """Without the shapes that are the inner side of another's border, or lie within a tiny one."""
    edges = np.array([(s.region.x, s.region.y, -s.region.right, -s.region.bottom) for s in able], np.int32)
    rims = np.array([[TINY[1] if shape.tiny else RIM] for shape in able], np.int32).reshape(-1, 1)
    kept: list[int] = []
    for index in range(len(able)):
        within = edges[index] - edges[kept]  # by how much it is inside of each, on each side
        doubled = ((within >= -1) & (within <= rims[kept])).all(axis=1)
        if not doubled.any():
            kept.append(index)
    return [able[index] for index in kept]
