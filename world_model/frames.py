"""Frames: the pixels of a screen, and where and when they were captured."""

import hashlib
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from world_model.geometry import Point, Region

Pixels = NDArray[np.uint8]  # height x width x 3, RGB


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What was on the screen at one instant.

    Attributes:
        pixels: height x width x 3, RGB, uint8; never modified.
        origin: the position of the top left pixel on the desktop.
        time: seconds since the epoch.
    """

    pixels: Pixels
    origin: Point = Point(0, 0)
    time: float = 0.0
    _digest: list[str] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def named(cls, digest: str) -> Self:
        """Make a frame without pixels, whose digest still identifies it and finds its image in the journal."""
        frame = cls(np.zeros((0, 0, 3), np.uint8))
        frame._digest.append(digest)
        return frame

    @property
    def region(self) -> Region:
        """The part of the desktop that it shows."""
        height, width = self.pixels.shape[:2]
        return Region(self.origin.x, self.origin.y, width, height)

    @property
    def digest(self) -> str:
        """Identify what it shows: equal for equal pixels at the same origin. Computed on first use (5 ms at 1080p)."""
        if not self._digest:
            name = hashlib.sha256(repr((self.origin, self.pixels.shape)).encode())
            name.update(np.ascontiguousarray(self.pixels).data)
            self._digest.append(name.hexdigest()[:32])
        return self._digest[0]

    def crop(self, region: Region) -> Pixels:
        """Return the pixels of `region`, as far as it shows them, without a copy."""
        seen = region.intersection(self.region).shifted(-self.origin.x, -self.origin.y)
        return self.pixels[seen.y : seen.bottom, seen.x : seen.right]

    def part(self, region: Region) -> "Frame":
        """Return `region`, as far as it shows it, as a frame, without a copy."""
        seen = region.intersection(self.region)
        return Frame(self.crop(seen), Point(seen.x, seen.y), self.time)

    def same_as(self, other: "Frame") -> bool:
        """Whether both show the same pixels at the same origin."""
        return self is other or (self.origin == other.origin and np.array_equal(self.pixels, other.pixels))
