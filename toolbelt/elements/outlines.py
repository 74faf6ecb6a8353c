"""Shapes: the outlines in a picture that may be a button, a textbox or a checkbox, and the ink in it."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from toolbelt.elements.thresholds import THRESHOLDS
from world_model import Frame, Pixels, Point, Region

Contour = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One outline, and its bounding rectangle in the picture."""

    region: Region
    contour: Contour

    @property
    def tiny(self) -> bool:
        """Whether it is as small as a checkbox or an icon."""
        return max(self.region.width, self.region.height) <= THRESHOLDS.checkbox_max_side_px and _about_square(
            self.region
        )

    @property
    def square(self) -> bool:
        """Whether it is a square, not a circle."""
        return self.tiny and _full(self) >= THRESHOLDS.outline_min_fill_ratio


def shapes(pixels: Pixels, ink: Pixels) -> list[Shape]:
    """Return the outlines in a picture, the largest first; of the two sides of a border only the outer one."""
    edges = np.asarray(cv2.Canny(pixels, *THRESHOLDS.outline_edge_thresholds), np.uint8)
    closed = _closed(edges)
    found = _outlines(closed)
    found += [shape for shape in _outlines(edges) if shape.tiny]  # closing the gaps joins a checkbox to a near label
    able = [shape for one in found if (shape := _able(one, ink, closed))]
    able += [
        shape
        for one in able
        if not one.tiny and one.region.height <= THRESHOLDS.one_line_max_height_px
        for shape in _framed(one.region, edges)
    ]
    return _outer(sorted(able, key=lambda shape: -shape.region.area))


def _framed(frame: Region, edges: Pixels) -> list[Shape]:
    """Return the checkboxes in a frame that is drawn around them and their labels, as around what has the focus."""
    inner = frame.grown(-THRESHOLDS.frame_px)
    part = _closed(edges[inner.y : inner.bottom, inner.x : inner.right])
    found = (shape for shape in _outlines(part) if shape.tiny and _full(shape) >= THRESHOLDS.checkbox_min_fill_ratio)
    return [Shape(one.region.shifted(inner.x, inner.y), np.add(one.contour, (inner.x, inner.y))) for one in found]


def _closed(edges: Pixels) -> Pixels:
    """Return edges without small gaps."""
    return np.asarray(cv2.dilate(edges, np.ones((2, 2), np.uint8)), np.uint8)


def outlines_at(point: Point, frame: Frame, part: Region) -> list[Region]:
    """Return the outlines around a point in a part of a frame, the smallest first, without those of checkboxes."""
    seen = part.intersection(frame.region)
    if not seen.area:
        return []
    pixels = frame.crop(seen)
    found = [shape.region.shifted(seen.x, seen.y) for shape in shapes(pixels, inked(pixels)) if not shape.tiny]
    return sorted((region for region in found if point in region), key=lambda region: region.area)


def _outlines(edges: Pixels) -> list[Shape]:
    """Return the outlines of everything in a picture of edges that is not too small, and of the holes in it."""
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [(cv2.boundingRect(contour), contour) for contour in contours]
    return [
        Shape(Region(*box), np.asarray(contour, np.int32))
        for box, contour in boxes
        if min(box[2:]) >= THRESHOLDS.checkbox_min_side_px
    ]


def inked(pixels: Pixels) -> Pixels:
    """Return 1 for each pixel that differs from its neighbours, else 0."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    return np.asarray(
        cv2.morphologyEx(gray, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > THRESHOLDS.ink_min_contrast, np.uint8
    )


def wipe(ink: Pixels, shape: Shape, *, whole: bool = False) -> None:
    """Remove a border from the ink; with `whole`, also what is within it."""
    hull = cv2.convexHull(shape.contour)  # if a text touches the border, the outline also runs around its letters
    # The outline may follow only a part of the border.
    if not shape.tiny and cv2.contourArea(hull) < THRESHOLDS.outline_min_fill_ratio * shape.region.area:
        hull = _corners(shape.region)
    if whole:
        cv2.drawContours(ink, [hull], 0, 0, cv2.FILLED)
    cv2.drawContours(ink, [hull], 0, 0, THRESHOLDS.border_wipe_px)


def _corners(box: Region) -> Contour:
    right, bottom = box.right - 1, box.bottom - 1
    return np.array([[[box.x, box.y]], [[right, box.y]], [[right, bottom]], [[box.x, bottom]]], np.int32)


def _able(shape: Shape, ink: Pixels, edges: Pixels) -> Shape | None:
    """Return the shape if it is about a rectangle with room for a word, or a small square or circle."""
    box = shape.region
    if shape.tiny:
        return shape if _full(shape) >= THRESHOLDS.checkbox_min_fill_ratio else None
    if (
        box.height < THRESHOLDS.outline_min_height_px
        or box.width < box.height / 2
        or not (_full(shape) >= THRESHOLDS.outline_min_fill_ratio or _is_bounded(box, edges))
    ):
        return None
    left, right = _bare(box, edges)
    if abs(left - right) > THRESHOLDS.corners_max_difference_px:
        box = Region(box.x + left, box.y, box.width - left - right, box.height)
        if box.width < box.height or not _is_bounded(box, edges):
            return None
        shape = Shape(box, _corners(box))
    return shape if _has_border(box, ink) else None


def _bare(box: Region, edges: Pixels) -> tuple[int, int]:
    """Return how far, from the left and from the right, a box has no edge along its top and bottom.

    Round corners make both about equal; a label that touches a textbox makes one larger.
    """
    part = edges[box.y : box.bottom, box.x : box.right]
    columns = np.flatnonzero(
        part[: THRESHOLDS.outline_side_px].any(axis=0) & part[-THRESHOLDS.outline_side_px :].any(axis=0)
    )
    return (int(columns[0]), box.width - 1 - int(columns[-1])) if len(columns) else (0, box.width)


def _full(shape: Shape) -> float:
    """Return the share of its bounding rectangle that an outline fills."""
    return float(cv2.contourArea(shape.contour)) / shape.region.area


def _is_bounded(box: Region, edges: Pixels) -> bool:
    """Whether an edge runs all around a box. The outline itself does not if letters touch it: it includes them."""
    if box.height < THRESHOLDS.bounded_min_height_px:
        return False
    part = edges[box.y : box.bottom, box.x : box.right]
    sides = (
        part[: THRESHOLDS.outline_side_px],
        part[-THRESHOLDS.outline_side_px :],
        part[:, : THRESHOLDS.outline_side_px].T,
        part[:, -THRESHOLDS.outline_side_px :].T,
    )
    length = sum(int(np.count_nonzero(side.max(axis=0))) for side in sides)
    return length >= THRESHOLDS.outline_min_bounded_ratio * 2 * (box.width + box.height)


def _about_square(box: Region) -> bool:
    return max(box.width, box.height) <= THRESHOLDS.checkbox_max_side_ratio * min(box.width, box.height)


def _has_border(box: Region, ink: Pixels) -> bool:
    """Whether a clean line runs all around within a box, or along each side. Letters of a word cross any such line."""
    inner = [box.grown(-inset) for inset in THRESHOLDS.border_insets_px if 2 * inset + 1 < min(box.width, box.height)]
    if not inner:
        return False
    parts = [ink[one.y : one.bottom, one.x : one.right] for one in inner]
    dirty = np.array([[side.mean() for side in (part[0], part[-1], part[:, 0], part[:, -1])] for part in parts])
    best = dirty.min(axis=0)
    around = any(
        _mean_around(shares, one) <= THRESHOLDS.border_max_ink_ratio
        for shares, one in zip(
            dirty[THRESHOLDS.border_insets_in_outline :], inner[THRESHOLDS.border_insets_in_outline :], strict=True
        )
    )
    return around or bool(
        best.max() <= THRESHOLDS.border_side_max_ink_ratio
        and _mean_around(best, inner[0]) <= THRESHOLDS.border_max_ink_ratio
    )


def _mean_around(shares: NDArray[np.float64], box: Region) -> float:
    """Return the mean of shares of the top, bottom, left and right of a box, weighted by length."""
    return float(np.average(shares, weights=(box.width, box.width, box.height, box.height)))


def _outer(able: list[Shape]) -> list[Shape]:
    """Drop the shapes that are the inner side of another's border, or are within a tiny one."""
    edges = np.array([(s.region.x, s.region.y, -s.region.right, -s.region.bottom) for s in able], np.int32)
    rims = np.array(
        [[THRESHOLDS.checkbox_max_side_px if shape.tiny else THRESHOLDS.border_rim_px] for shape in able], np.int32
    ).reshape(-1, 1)
    kept: list[int] = []
    for index in range(len(able)):
        within = edges[index] - edges[kept]  # by how much it is inside each of them, on each side
        doubled = ((within >= -1) & (within <= rims[kept])).all(axis=1)
        if not doubled.any():
            kept.append(index)
    return [able[index] for index in kept]
