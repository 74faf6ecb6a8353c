"""Masks on a screenshot: from its pixels to areas of the desktop and back. No Tk here."""

import math
from dataclasses import dataclass
from typing import Final

from toolbelt.perception import Masks
from world_model import Region

Pixel = tuple[int, int]  # a pixel of the picture
MIN_MASK_PX: Final = 4  # width and height of a mask on the screenshot; less was a click


@dataclass(frozen=True, slots=True)
class MaskScale:
    """A screenshot at `factor` times the size of the desktop."""

    desktop: Region
    factor: float

    def part(self, one: Pixel, other: Pixel) -> Region | None:
        """The area of the desktop between two corners, with every pixel it touches; None for a click."""
        left, right = sorted((one[0], other[0]))
        top, bottom = sorted((one[1], other[1]))
        if min(right - left, bottom - top) < MIN_MASK_PX:
            return None
        x, y = (math.floor(value / self.factor) for value in (left, top))
        width, height = math.ceil(right / self.factor) - x, math.ceil(bottom / self.factor) - y
        drawn = Region(x, y, width, height).shifted(self.desktop.x, self.desktop.y).intersection(self.desktop)
        return drawn if drawn.area else None

    def box(self, part: Region) -> tuple[float, float, float, float]:
        """Where an area is on the screenshot: left, top, right, bottom."""
        inside = part.shifted(-self.desktop.x, -self.desktop.y)
        left, top, right, bottom = inside.x, inside.y, inside.right, inside.bottom
        return left * self.factor, top * self.factor, right * self.factor, bottom * self.factor

    def mask_at(self, spot: Pixel, masks: tuple[str, ...]) -> int | None:
        """The index of the mask at a pixel, the smallest where several overlap."""
        there = []
        for number, text in enumerate(masks):
            if part := part_of(text):
                left, top, right, bottom = self.box(part)
                if left <= spot[0] <= right and top <= spot[1] <= bottom:
                    there.append((part.area, number))
        return min(there)[1] if there else None


def part_of(mask: str) -> Region | None:
    """The area of the desktop that a mask covers; None where it names windows."""
    return next(iter(Masks.parse([mask]).parts), None)


def as_mask(part: Region) -> str:
    """Write an area as a mask."""
    return f"{part.x},{part.y},{part.width}x{part.height}"


def without(masks: tuple[str, ...], number: int) -> tuple[str, ...]:
    """Leave out the mask with this index."""
    return masks[:number] + masks[number + 1 :]


def swapped(masks: tuple[str, ...], was: str, now: tuple[str, ...]) -> tuple[str, ...]:
    """Put `now` in the place of `was`, or at the end if that is not there; each mask once."""
    at = masks.index(was) if was in masks else len(masks)
    return tuple(dict.fromkeys((*masks[:at], *now, *masks[at + 1 :])))
