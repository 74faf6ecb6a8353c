"""One look at a screen: pixels, and where and when they were taken."""

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
        pixels: height x width x 3, RGB, uint8; never written to after it was taken.
        origin: where the top left pixel lies on the desktop.
        time: seconds since the epoch.
    """

    pixels: Pixels
    origin: Point = Point(0, 0)
    time: float = 0.0
    _digest: list[str] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def named(cls, digest: str) -> Self:
        """A frame whose pixels were let go: its name still says what it showed, and finds its image in the journal."""
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
        """The name of what it shows: equal for equal pixels of one place. Made when first asked for (5 ms at 1080p)."""
        if not self._digest:
            name = hashlib.sha256(repr((self.origin, self.pixels.shape)).encode())
            name.update(np.ascontiguousarray(self.pixels).data)
            self._digest.append(name.hexdigest()[:32])
        return self._digest[0]

    def crop(self, region: Region) -> Pixels:
        """The pixels of the part of `region` that it shows, without a copy."""
        seen = region.intersection(self.region).shifted(-self.origin.x, -self.origin.y)
        return self.pixels[seen.y : seen.bottom, seen.x : seen.right]

    def part(self, region: Region) -> "Frame":
        """The part of `region` that it shows as a frame, without a copy."""
        seen = region.intersection(self.region)
        return Frame(self.crop(seen), Point(seen.x, seen.y), self.time)

    def same_as(self, other: "Frame") -> bool:
        """Whether both show the same pixels of the same place."""
        return self is other or (self.origin == other.origin and np.array_equal(self.pixels, other.pixels))
