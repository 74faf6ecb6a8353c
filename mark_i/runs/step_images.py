"""The pictures of a step, small or large: a ring where it acted, frames around what changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from world_model import Point, Region, ScreenChange, Step, read_frame

THUMBNAIL_PX: Final = (512, 512)  # twice the size on a card, to be sharp at 200 % too
CROP_MARGIN_PX: Final = 24  # around the window and the marks, in a thumbnail
CROP_MIN_PX: Final = 512  # width of what a thumbnail shows: less would be enlarged, and blurred
FLATTEST: Final = 0.4  # height divided by width of what a thumbnail shows; a card has no room for more than a square
WIDTH_PER_LINE: Final = 640  # picture width divided by line thickness
RING, FRAME, HALO = (255, 45, 85), (255, 149, 0), (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Annotations:
    """What is drawn on a picture, in pixels of the picture."""

    point: Point | None = None
    regions: tuple[Region, ...] = ()

    def scaled(self, by: float) -> "Annotations":
        """Return the annotations for the picture scaled by a factor."""
        point = self.point and Point(round(self.point.x * by), round(self.point.y * by))
        return Annotations(
            point, tuple(Region(*(round(value * by) for value in part.to_list())) for part in self.regions)
        )


@dataclass(frozen=True, slots=True)
class Shot:
    """A stored screenshot and the marks on it, in pixels of the desktop.

    The image stays on disk until it is shown: a run of thousands of steps has gigabytes of images.

    Attributes:
        window: the window that was in front; None if there was none, or that is unknown, as in older journals.
    """

    folder: Path
    digest: str
    point: Point | None = None
    regions: tuple[Region, ...] = ()
    window: Region | None = None

    def large(self) -> Image.Image | None:
        """Return the whole screen with its marks; None if the image is missing, or not stored yet."""
        if (frame := read_frame(self.folder, self.digest)) is None:
            return None
        return marked(Image.fromarray(frame.pixels), marks_on(frame.region, self.point, self.regions))

    def small(self) -> Image.Image | None:
        """Return a thumbnail of the window in front, with all that is marked on the screen.

        It is scaled before it is marked, so that the marks stay sharp.
        """
        if (frame := read_frame(self.folder, self.digest)) is None:
            return None
        part = frame.part(self._crop(frame.region))
        image = Image.fromarray(part.pixels)
        image.thumbnail(THUMBNAIL_PX, Image.Resampling.LANCZOS, reducing_gap=2.0)
        return marked(image, marks_on(part.region, self.point, self.regions).scaled(image.width / part.region.width))

    def _crop(self, screen: Region) -> Region:
        """Choose the part of the screen that a thumbnail shows."""
        if self.window is None or not self.window.overlaps(screen):
            return screen
        point = [Region(self.point.x, self.point.y, 1, 1)] if self.point else []
        shown = reduce(Region.union, [*point, *self.regions], self.window).grown(CROP_MARGIN_PX)
        return _in_shape(shown.intersection(screen), screen)


def marks_on(seen: Region, point: Point | None, regions: Sequence[Region]) -> Annotations:
    """Convert a point and regions of the desktop to marks on a picture of `seen`, as far as it shows them."""
    parts = tuple(part.intersection(seen).shifted(-seen.x, -seen.y) for part in regions if part.overlaps(seen))
    return Annotations(Point(point.x - seen.x, point.y - seen.y) if point and point in seen else None, parts)


def shots_of(step: Step, folder: Path) -> tuple[Shot | None, Shot | None]:
    """Return the screen before the step, with a ring where it acted, and after it, with frames around what changed.

    Args:
        step: with its images, or only their digests.
        folder: the folder of the run.
    """
    screen = step.observation.screen or ScreenChange(changed=False)
    before = Shot(folder, step.before.digest, place_of(step), (), screen.front_before) if step.before else None
    after = Shot(folder, step.after.digest, None, screen.regions, screen.front_after) if step.after else None
    return before, after


def marked(image: Image.Image, marks: Annotations) -> Image.Image:
    """Draw the marks on the picture, around what they mark and not over it."""
    draw = ImageDraw.Draw(image)
    line = max(2, image.width // WIDTH_PER_LINE)
    for region in marks.regions:
        draw.rectangle(_around(region, line, image.size), outline=FRAME, width=line)
    if marks.point:
        radius = 10 * line
        box = (marks.point.x - radius, marks.point.y - radius, marks.point.x + radius, marks.point.y + radius)
        draw.ellipse(_grown(box, line), outline=HALO, width=3 * line)
        draw.ellipse(box, outline=RING, width=line + 1)
    return image


def place_of(step: Step) -> Point | None:
    """Return where a step's action took place, of a drag where it began; None where it has no place."""
    places = step.observation.places
    return places[0].point if places else None


def _in_shape(part: Region, screen: Region) -> Region:
    """Return the smallest part of the screen that holds `part`, is large enough, and neither flat nor tall."""
    width = min(screen.width, max(part.width, part.height, CROP_MIN_PX))
    height = min(screen.height, max(part.height, round(FLATTEST * width)))
    x = min(max(screen.x, part.center.x - width // 2), screen.right - width)
    y = min(max(screen.y, part.center.y - height // 2), screen.bottom - height)
    return Region(x, y, width, height)


def _around(region: Region, line: int, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return the corners of a frame around a region; the frame of the whole screen stays inside the picture."""
    left, top, right, bottom = _grown((region.x, region.y, region.right - 1, region.bottom - 1), line)
    left, top = max(0, left), max(0, top)
    return left, top, max(left, min(right, size[0] - 1)), max(top, min(bottom, size[1] - 1))


def _grown(box: tuple[int, int, int, int], by: int) -> tuple[int, int, int, int]:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by
