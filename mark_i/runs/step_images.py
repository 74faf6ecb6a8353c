"""The pictures of a step: small or large, with the place that was used ringed and what changed framed."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from world_model import Point, Region, Step, read_frame

SMALL: Final = (512, 512)  # twice what a card shows, so that it is sharp at 200 % too
THIN: Final = 640  # a mark's line is as thick as this part of the picture's width
RING, FRAME, HALO = (255, 45, 85), (255, 149, 0), (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn on a picture, in its own pixels."""

    point: Point | None = None
    regions: tuple[Region, ...] = ()

    def scaled(self, by: float) -> "Marks":
        """The same marks on a picture scaled by a factor."""
        point = self.point and Point(round(self.point.x * by), round(self.point.y * by))
        return Marks(point, tuple(Region(*(round(value * by) for value in part.to_list())) for part in self.regions))


@dataclass(frozen=True, slots=True)
class Shot:
    """One look at the screen: where its image is kept, and what is to be marked on it, in places of the desktop.

    The image itself stays on the disk until somebody sees it: a run of thousands of steps has gigabytes of them.
    """

    folder: Path
    digest: str
    point: Point | None = None
    regions: tuple[Region, ...] = ()

    def large(self) -> Image.Image | None:
        """The whole screen with the marks on it; None where its image is not there, or not yet."""
        if (frame := read_frame(self.folder, self.digest)) is None:
            return None
        return marked(Image.fromarray(frame.pixels), marks_on(frame.region, self.point, self.regions))

    def small(self) -> Image.Image | None:
        """The same, made small before it is marked, so that the marks stay clear."""
        if (frame := read_frame(self.folder, self.digest)) is None:
            return None
        image = Image.fromarray(frame.pixels)
        image.thumbnail(SMALL, Image.Resampling.LANCZOS, reducing_gap=2.0)
        return marked(image, marks_on(frame.region, self.point, self.regions).scaled(image.width / frame.region.width))


def marks_on(seen: Region, point: Point | None, regions: Sequence[Region]) -> Marks:
    """A point and regions of the desktop as they lie on a picture that has `seen` of it, as far as it shows them."""
    parts = tuple(part.intersection(seen).shifted(-seen.x, -seen.y) for part in regions if part.overlaps(seen))
    return Marks(Point(point.x - seen.x, point.y - seen.y) if point and point in seen else None, parts)


def shots_of(step: Step, folder: Path) -> tuple[Shot | None, Shot | None]:
    """The screen before the step, the place that it used ringed; and after it, with what changed framed.

    Args:
        step: with its images, or with their names alone.
        folder: that of the run.
    """
    screen = step.observation.screen
    before = Shot(folder, step.before.digest, place_of(step)) if step.before else None
    after = Shot(folder, step.after.digest, None, screen.regions if screen else ()) if step.after else None
    return before, after


def marked(image: Image.Image, marks: Marks) -> Image.Image:
    """The picture with the marks drawn on it: around what they mark, not over it."""
    draw = ImageDraw.Draw(image)
    line = max(2, image.width // THIN)
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


def _around(region: Region, line: int, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """The corners of a frame around a region; that of the whole screen stays inside of the picture."""
    left, top, right, bottom = _grown((region.x, region.y, region.right - 1, region.bottom - 1), line)
    left, top = max(0, left), max(0, top)
    return left, top, max(left, min(right, size[0] - 1)), max(top, min(bottom, size[1] - 1))


def _grown(box: tuple[int, int, int, int], by: int) -> tuple[int, int, int, int]:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by
