"""Geometry of the desktop, in physical pixels from the top left corner of the whole desktop."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """One pixel; `x` grows to the right, `y` down. Either may be negative on a monitor left of or above the first."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height in pixels."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `1920x1080`.

        Raises:
            ValueError: the text is not a size, or not a usable one.
        """
        width, cross, height = text.lower().partition("x")
        if not (cross and width.isascii() and width.isdigit() and height.isascii() and height.isdigit()):
            raise ValueError(f"{text!r} is not a size such as 1920x1080")
        size = cls(int(width), int(height))
        if not (MIN_SIDE_PX <= size.width <= MAX_SIDE_PX and MIN_SIDE_PX <= size.height <= MAX_SIDE_PX):
            raise ValueError(f"{text} is not a usable size: each side is {MIN_SIDE_PX} to {MAX_SIDE_PX} pixels")
        return size


MIN_SIDE_PX, MAX_SIDE_PX = 64, 16384  # a smaller screen fits no dialog; a larger one exceeds X11's 16-bit coordinates


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle: its left column, its top row, its width and height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def size(self) -> Size:
        """Its width and height."""
        return Size(self.width, self.height)

    @property
    def right(self) -> int:
        """The first column to its right."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row below it."""
        return self.y + self.height

    @property
    def center(self) -> Point:
        """Its middle pixel."""
        return Point(self.x + self.width // 2, self.y + self.height // 2)

    @property
    def area(self) -> int:
        """Its number of pixels."""
        return self.width * self.height

    def __contains__(self, point: Point) -> bool:
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def overlaps(self, other: "Region") -> bool:
        """Whether they share a pixel."""
        return self.intersection(other).area > 0

    def union(self, other: "Region") -> "Region":
        """Return the smallest rectangle that contains both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Region(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def intersection(self, other: "Region") -> "Region":
        """Return the pixels in both; width or height is 0 if they share none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Region(x, y, max(0, min(self.right, other.right) - x), max(0, min(self.bottom, other.bottom) - y))

    def without(self, other: "Region") -> "list[Region]":
        """Return the parts that `other` does not cover, up to four."""
        hole = self.intersection(other)
        if not hole.area:
            return [self]
        parts = (
            Region(self.x, self.y, self.width, hole.y - self.y),
            Region(self.x, hole.bottom, self.width, self.bottom - hole.bottom),
            Region(self.x, hole.y, hole.x - self.x, hole.height),
            Region(hole.right, hole.y, self.right - hole.right, hole.height),
        )
        return [part for part in parts if part.area]

    def grown(self, pixels: int) -> "Region":
        """Return it with `pixels` more on each side."""
        return Region(self.x - pixels, self.y - pixels, self.width + 2 * pixels, self.height + 2 * pixels)

    def shifted(self, x: int, y: int) -> "Region":
        """Return it moved by x and y."""
        return Region(self.x + x, self.y + y, self.width, self.height)

    def to_list(self) -> list[int]:
        """`[x, y, width, height]`, its form in events and in the journal."""
        return [self.x, self.y, self.width, self.height]

    @classmethod
    def from_list(cls, numbers: list[int]) -> Self:
        """The inverse of `to_list`."""
        x, y, width, height = numbers
        return cls(x, y, width, height)
