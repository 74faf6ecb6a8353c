"""Masks drawn on a picture of the desktop: from pixels of the picture to parts of the desktop and back. No Tk here."""

import math
from dataclasses import dataclass
from typing import Final

from toolbelt.perception import Masks
from world_model import Region

Pixel = tuple[int, int]  # a pixel of the picture
LEAST: Final = 4  # pixels of the picture that a mask is high and wide; what is smaller was a click


@dataclass(frozen=True, slots=True)
class MaskScale:
    """A picture of the desktop, `factor` of its pixels for each of the desktop's."""

    desktop: Region
    factor: float

    def part(self, one: Pixel, other: Pixel) -> Region | None:
        """The part of the desktop between two corners, with each pixel that is in it only partly; None for a click."""
        left, right = sorted((one[0], other[0]))
        top, bottom = sorted((one[1], other[1]))
        if min(right - left, bottom - top) < LEAST:
            return None
        x, y = (math.floor(value / self.factor) for value in (left, top))
        width, height = math.ceil(right / self.factor) - x, math.ceil(bottom / self.factor) - y
        drawn = Region(x, y, width, height).shifted(self.desktop.x, self.desktop.y).intersection(self.desktop)
        return drawn if drawn.area else None

    def box(self, part: Region) -> tuple[float, float, float, float]:
        """Its left, top, right and bottom in the picture."""
        inside = part.shifted(-self.desktop.x, -self.desktop.y)
        left, top, right, bottom = inside.x, inside.y, inside.right, inside.bottom
        return left * self.factor, top * self.factor, right * self.factor, bottom * self.factor

    def mask_at(self, spot: Pixel, masks: tuple[str, ...]) -> int | None:
        """Which of the masks lies there, the smallest where several do."""
        there = []
        for number, text in enumerate(masks):
            if part := part_of(text):
                left, top, right, bottom = self.box(part)
                if left <= spot[0] <= right and top <= spot[1] <= bottom:
                    there.append((part.area, number))
        return min(there)[1] if there else None


def part_of(mask: str) -> Region | None:
    """The part of the desktop that a mask is; None where it names windows."""
    return next(iter(Masks.parse([mask]).parts), None)


def as_mask(part: Region) -> str:
    """A part of the desktop, as a mask is written."""
    return f"{part.x},{part.y},{part.width}x{part.height}"


def without(masks: tuple[str, ...], number: int) -> tuple[str, ...]:
    """All the others."""
    return masks[:number] + masks[number + 1 :]


def swapped(masks: tuple[str, ...], was: str, now: tuple[str, ...]) -> tuple[str, ...]:
    """The masks with `now` in the place of `was`, or after the last where that is none of them; each of them once."""
    at = masks.index(was) if was in masks else len(masks)
    return tuple(dict.fromkeys((*masks[:at], *now, *masks[at + 1 :])))
