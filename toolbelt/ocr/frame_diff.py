"""Find where two frames of one screen differ, and what was scrolled."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from world_model import Frame, Pixels, Region

TILE_PX: Final = 16  # changes that are closer together count as one
SCROLL_SIDE_MIN_PX: Final = 48  # the shorter side of a region that can be recognized as scrolled
IN_SIGHT_MIN: Final = 0.3  # the share of rows that stay in sight; with less it is another page
FOUND_AGAIN_MIN: Final = 0.6  # the share of the rows in sight that are at the new place
RIVALS_MAX: Final = 0.5  # rows that moved by another distance, to those; with more, two elements changed places


@dataclass(frozen=True, slots=True)
class Scrolled:
    """A part of the screen whose content moved by `down` pixels; less than zero is up."""

    region: Region
    down: int


def changed_regions(before: Frame, after: Frame) -> list[Region]:
    """Return where two frames of the same screen differ: rectangles around pixels that changed near each other."""
    if before is after:
        return []
    if before.region != after.region:
        return [after.region]
    tiles = _different_tiles(before.pixels, after.pixels)
    _count, _labels, stats, _centers = cv2.connectedComponentsWithStats(tiles.astype(np.uint8), connectivity=8)
    boxes = [Region(*(int(value) * TILE_PX for value in row[:4])) for row in stats[1:]]  # the first is the background
    tight = (_tight(before.pixels, after.pixels, box) for box in boxes)
    return [box.shifted(after.origin.x, after.origin.y) for box in tight]


def scrolled(before: Frame, after: Frame, regions: list[Region]) -> Scrolled | None:
    """Return the largest of the changes, if most of its content is still there, higher or lower."""
    region = max(regions, key=lambda one: one.area, default=None)
    if region is None or min(region.width, region.height) < SCROLL_SIDE_MIN_PX:
        return None
    down = _offset(_rows(before.crop(region)), _rows(after.crop(region)))
    return Scrolled(region, down) if down else None


def _different_tiles(before: Pixels, after: Pixels) -> NDArray[np.bool_]:
    """Return which tiles differ. It compares eight bytes at a time, since it runs on every look."""
    different = _in_words(before) != _in_words(after)
    height, columns = different.shape[:2]
    tiles = np.zeros((-(-height // TILE_PX), columns), np.bool_)
    for row in np.flatnonzero(different.any(axis=(1, 2))).tolist():
        tiles[row // TILE_PX] |= different[row].any(axis=1)
    return tiles


def _in_words(pixels: Pixels) -> Any:  # noqa: ANN401 - height x columns x words of a tile's row
    height, width = pixels.shape[:2]
    if rest := -width % TILE_PX:
        pixels = np.pad(pixels, ((0, 0), (0, rest), (0, 0)))
    return np.ascontiguousarray(pixels).reshape(height, -1, 3 * TILE_PX).view(np.uint64)


def _tight(before: Pixels, after: Pixels, box: Region) -> Region:
    """Shrink a box to the pixels in it that differ."""
    part = np.s_[box.y : box.bottom, box.x : box.right]
    red, green, blue = np.moveaxis(before[part] != after[part], 2, 0)
    x, y, width, height = cv2.boundingRect((red | green | blue).view(np.uint8))
    return Region(box.x + x, box.y + y, width, height)


def _rows(pixels: Pixels) -> list[bytes | None]:
    """Return the bytes of each row of pixels; None for a row of a single colour, which identifies nothing."""
    rows = pixels.reshape(len(pixels), -1)
    plain = (rows[:, 3:] == rows[:, :-3]).all(axis=1)
    return [None if empty else row.tobytes() for row, empty in zip(rows, plain, strict=True)]


def _offset(before: list[bytes | None], after: list[bytes | None]) -> int:
    """Return by how many rows most of the rows that are not plain went down; 0 if they did not."""
    places: dict[bytes, list[int]] = {}
    for row, shown in enumerate(before):
        if shown is not None:
            places.setdefault(shown, []).append(row)
    # A row that was there twice does not tell which of the two it is now.
    found = [(row, places.get(shown, ())) for row, shown in enumerate(after) if shown is not None]
    votes = Counter(row - olds[0] for row, olds in found if len(olds) == 1)
    for down, agreeing in votes.most_common(1):
        rival = max((count for other, count in votes.items() if other not in (0, down)), default=0)
        in_sight = {shown for shown, olds in places.items() if any(0 <= row + down < len(after) for row in olds)}
        enough = agreeing >= FOUND_AGAIN_MIN * len(in_sight) and len(in_sight) >= IN_SIGHT_MIN * len(places)
        if down and enough and rival <= RIVALS_MAX * agreeing:
            return down
    return 0
