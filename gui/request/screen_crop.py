"""Which part of the screen a dialog shows, how large, and the marks on it. No Tk here."""

from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from mark_i.runs import HALO, RING
from world_model import Frame, Point, Region, Size

MARGIN_PX: Final = 24  # around the window in front
FRONT_SHARE: Final = 2  # the window in front takes at most one part in so many of the screen, to be shown by itself
MIN_SHARE: Final = 2  # a place takes at most one part in so many of the view, if there is more to see
DARK: Final = (20, 22, 28)  # beside a bright line: one of the two can be seen on any ground
POINTED: Final = (36, 89, 211)
LINE_PX: Final = 3
ARM_PX: Final = 16  # length of each arm of the cross, at a line of 3 px


@dataclass(frozen=True, slots=True)
class Seen:
    """The screen as the agent saw it last, and where the window in front was then; None if nobody knows."""

    frame: Frame
    front: Region | None = None

    @property
    def small_front(self) -> Region | None:
        """The part of the screen with the window in front, if that leaves out most of it."""
        screen = self.frame.region
        part = (
            self.front.grown(MARGIN_PX).intersection(screen) if self.front and self.front.overlaps(screen) else screen
        )
        return part if part.area * FRONT_SHARE <= screen.area else None


@dataclass(frozen=True, slots=True)
class ScreenCrop:
    """A part of the desktop, shown as an image of a size."""

    part: Region
    size: Size

    def point(self, x: int, y: int) -> Point:
        """Map a pixel of the image to a point of the desktop."""
        across = min(max(0, x), self.size.width - 1) * self.part.width // self.size.width
        down = min(max(0, y), self.size.height - 1) * self.part.height // self.size.height
        return Point(self.part.x + across, self.part.y + down)

    def region(self, place: Region) -> tuple[int, int, int, int]:
        """Map a region of the desktop to the image: left, top, right, bottom."""
        wide, high = self.size.width / self.part.width, self.size.height / self.part.height
        left, top = (place.x - self.part.x) * wide, (place.y - self.part.y) * high
        return round(left), round(top), round(left + place.width * wide), round(top + place.height * high)


def fit_crop(part: Region, room: Size) -> ScreenCrop:
    """Show a part of the desktop as large as there is room."""
    by = min(room.width / part.width, room.height / part.height)
    return ScreenCrop(part, Size(max(1, round(part.width * by)), max(1, round(part.height * by))))


def crop_around(place: Region, screen: Region, room: Size) -> Region:
    """Choose the part of the screen around a place that fills the room, unscaled or larger where the place needs it.

    It lies within the screen; near the screen's edge the place is not in its middle.
    """
    by = max(1.0, MIN_SHARE * place.width / room.width, MIN_SHARE * place.height / room.height)
    width, height = (min(whole, round(side * by)) for whole, side in zip(_sides(screen), _sides(room), strict=True))
    x = min(max(screen.x, place.center.x - width // 2), screen.right - width)
    y = min(max(screen.y, place.center.y - height // 2), screen.bottom - height)
    return Region(x, y, width, height)


def draw_crop(frame: Frame, view: ScreenCrop, place: Region | None, pointed: Point | None, scale: float) -> Image.Image:
    """Draw the crop of a frame, with the place of an action framed and the person's point crossed."""
    seen = Image.fromarray(frame.crop(view.part))
    picture = seen.resize((view.size.width, view.size.height), Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(picture)
    line = max(2, round(LINE_PX * scale))
    if place:
        _frame(draw, view.region(place), line)
    if pointed:
        left, top, right, bottom = view.region(Region(pointed.x, pointed.y, 1, 1))
        _cross(draw, (left + right) // 2, (top + bottom) // 2, line)
    return picture


def _frame(draw: ImageDraw.ImageDraw, box: tuple[int, int, int, int], line: int) -> None:
    """Draw a frame around the place, not over it: a bright line between dark and white ones."""
    left, top, right, bottom = box
    for grown, color in ((3 * line, DARK), (2 * line, HALO), (line, RING)):
        corners = (left - grown - 1, top - grown - 1, right + grown, bottom + grown)
        draw.rectangle(corners, outline=color, width=line)


def _cross(draw: ImageDraw.ImageDraw, x: int, y: int, line: int) -> None:
    """Draw four arms that leave free what they point at."""
    arm, free = ARM_PX * line // 3, line
    for width, color in ((3 * line, DARK), (2 * line, HALO), (line, POINTED)):
        for across, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            ends = (x + across * free, y + down * free, x + across * (free + arm), y + down * (free + arm))
            draw.line(ends, fill=color, width=width)


def _sides(one: Region | Size) -> tuple[int, int]:
    return one.width, one.height
