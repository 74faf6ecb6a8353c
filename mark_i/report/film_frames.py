"""What a film is made of, and how each of its frames is drawn: a screen, the pointer on it, a caption below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from mark_i.runs.step_images import Annotations, marked
from world_model import Frame, Point, Region, read_frame

MAX_SIDE_PX: Final = 1280  # of a screen in a film
# The colors of the report in the dark.
GROUND, TEXT, MUTED, HEADING, ACTION, FAILED = "#15171C", "#E9EBF0", "#9DA6B5", "#7BA2FF", "#F0B440", "#FF8079"
WIDTH_PER_TEXT: Final = 64  # picture width divided by text height
MIN_TEXT_PX: Final = 16
THOUGHT_LINES: Final = 2
CARD_LINES: Final = 9  # of a card that is as wide as the screen; more would not be read
CARD_SHADE: Final = 0.82  # how much of the screen behind a card is covered
# DejaVu has most scripts, the others are what Windows and macOS have. A film uses the one that has most of its letters.
FONTS: Final = ("DejaVuSans.ttf", "NotoSans-Regular.ttf", "segoeui.ttf", "Arial Unicode.ttf", "NotoSansCJK-Regular.ttc")
NO_LETTER: Final = "\U0010ffff"  # no font has it
# The usual arrow, in pixels from its tip; drawn larger, since a film is often shown small.
ARROW: Final = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12.5), (12.5, 12.5))
ARROW_SCALE: Final = 1.5
OVERSAMPLING: Final = 4  # for smooth edges


@dataclass(frozen=True, slots=True)
class Caption:
    """The words below a screen: two lines of `words`, and one of `action`, with the `count` of the step beside it."""

    words: str
    action: str
    count: str
    failed: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it says."""
        return self.words, self.action, self.count


@dataclass(frozen=True, slots=True)
class Card:
    """Words on a screen that is dimmed: what the run was to do, or how it ended."""

    heading: str
    words: str

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it says."""
        return self.heading, self.words


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """One frame of a film.

    Attributes:
        digest: names the screen.
        told: what is said with it.
        shown_ms: how long it is shown.
        pointer: where the pointer is, in pixels of the desktop; None where it is not shown.
        ring: whether there is a ring around it.
    """

    digest: str
    told: Caption | Card
    shown_ms: int
    pointer: Point | None = None
    ring: bool = False


class FrameDrawer:
    """Draws the frames of one film, all of one size, in order.

    Args:
        folder: the run's.
        first: the first screen of the film; another one is made to fit in.
        letters: what its captions say, to choose a font.
    """

    def __init__(self, folder: Path, first: Frame, letters: str) -> None:
        scale = min(1.0, MAX_SIDE_PX / max(first.region.width, first.region.height))
        self._screen = (_even(first.region.width * scale), _even(first.region.height * scale))
        text_px = max(MIN_TEXT_PX, self._screen[0] // WIDTH_PER_TEXT)
        self._font = font_for(letters, text_px)
        self._line_px = text_px * 3 // 2
        self.size = (self._screen[0], self._screen[1] + _even((THOUGHT_LINES + 2) * self._line_px))
        self._folder = folder
        self._shown = first.digest, first.region, self._fitted(first)
        self._captioned = lru_cache(maxsize=2)(self._caption)

    def draw(self, frame: FilmFrame) -> Image.Image:
        """Draw a frame; instead of a screen that is missing, the one before it is shown."""
        if frame.digest != self._shown[0]:
            read = read_frame(self._folder, frame.digest)
            self._shown = (frame.digest, read.region, self._fitted(read)) if read else (frame.digest, *self._shown[1:])
        _, seen, screen = self._shown
        image = Image.new("RGB", self.size, GROUND)
        if isinstance(frame.told, Card):
            image.paste(self._card(frame.told, screen))
            return image
        image.paste(screen)
        if frame.pointer and frame.pointer in seen:
            self._point(image, frame.pointer, seen, ring=frame.ring)
        image.paste(self._captioned(frame.told), (0, self._screen[1]))
        return image

    def _fitted(self, frame: Frame) -> Image.Image:
        """Scale a screen; where another screen of the run was wider or higher, the rest stays dark."""
        whole, image = Image.new("RGB", self._screen, GROUND), Image.fromarray(frame.pixels)
        image.thumbnail(self._screen, Image.Resampling.LANCZOS, reducing_gap=2.0)
        whole.paste(image)
        return whole

    def _point(self, image: Image.Image, pointer: Point, seen: Region, *, ring: bool) -> None:
        by = min(1.0, self._screen[0] / seen.width, self._screen[1] / seen.height)
        at = Point(round((pointer.x - seen.x) * by), round((pointer.y - seen.y) * by))
        if ring:
            marked(image, Annotations(at))
        image.paste(arrow(), (at.x - 1, at.y - 1), arrow())

    def _caption(self, told: Caption) -> Image.Image:
        width, height = self._screen[0], self.size[1] - self._screen[1]
        image = Image.new("RGB", (width, height), GROUND)
        draw, margin = ImageDraw.Draw(image), self._line_px // 2
        room = width - 2 * margin
        for row, line in enumerate(wrapped(told.words, self._font, room, THOUGHT_LINES)):
            draw.text((margin, margin + row * self._line_px), line, TEXT, self._font)
        top, aside = margin + THOUGHT_LINES * self._line_px + margin // 2, self._font.getlength(told.count)
        draw.text((width - margin - aside, top), told.count, MUTED, self._font)
        for line in wrapped(told.action, self._font, room - aside - 2 * margin, 1):
            draw.text((margin, top), line, FAILED if told.failed else ACTION, self._font)
        return image

    def _card(self, card: Card, screen: Image.Image) -> Image.Image:
        image = Image.blend(screen, Image.new("RGB", screen.size, GROUND), CARD_SHADE)
        draw, margin = ImageDraw.Draw(image), 2 * self._line_px
        lines = wrapped(card.words, self._font, image.width - 2 * margin, CARD_LINES)
        top = max(margin, (image.height - (len(lines) + 2) * self._line_px) // 2)
        draw.text((margin, top), card.heading, HEADING, self._font.font_variant(size=self._line_px))
        for row, line in enumerate(lines, start=2):
            draw.text((margin, top + row * self._line_px), line, TEXT, self._font)
        return image


def wrapped(words: str, font: ImageFont.FreeTypeFont, room_px: float, most: int) -> list[str]:
    """Break a text into at most that many lines; an ellipsis ends the last one if there is more."""
    lines: list[str] = []
    rest = " ".join(words.split())
    while rest and len(lines) < most:
        end = _fitting(rest, font, room_px)
        if len(lines) == most - 1 and end < len(rest):
            end = _fitting(rest, font, room_px - font.getlength("…"))
            return [*lines, rest[:end].rstrip() + "…"]
        space = rest.rfind(" ", 0, end + 1) if end < len(rest) else -1
        end = space if space > 0 else end  # a word that is longer than a line is broken
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return lines


def _fitting(text: str, font: ImageFont.FreeTypeFont, room_px: float) -> int:
    """Return how many characters fit in; at least one."""
    low, high = 1, min(len(text), max(1, int(room_px)))  # no letter is narrower than a pixel
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if font.getlength(text[:middle]) <= room_px else (low, middle - 1)
    return low


def font_for(letters: str, size_px: int) -> ImageFont.FreeTypeFont:
    """Return the font of this system that has most of these letters; Pillow's own if it has none of `FONTS`."""
    fonts = [font for name in FONTS if (font := _font(name, size_px))]
    own = ImageFont.load_default(size_px)
    if isinstance(own, ImageFont.FreeTypeFont):
        fonts.append(own)
    wanted = sorted({letter for letter in letters if letter.isprintable() and not letter.isspace()})
    return min(fonts, key=lambda font: _missing(wanted, font))  # the first of those that are equal


def _font(name: str, size_px: int) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype(name, size_px)
    except OSError:
        return None


def _missing(letters: Sequence[str], font: ImageFont.FreeTypeFont) -> int:
    none = bytes(font.getmask(NO_LETTER))
    return sum(bytes(font.getmask(letter)) == none for letter in letters)


@lru_cache(maxsize=1)
def arrow() -> Image.Image:
    """Draw the pointer, with its tip one pixel from the upper left corner."""
    by = ARROW_SCALE * OVERSAMPLING
    corners = [(round((x + 1) * by), round((y + 1) * by)) for x, y in ARROW]
    size = (round(15 * by), round(23 * by))
    large = Image.new("RGBA", size, (255, 255, 255, 0))
    draw = ImageDraw.Draw(large)
    draw.polygon(corners, "white")
    draw.line([*corners, corners[0], corners[1]], "black", round(1.4 * by), joint="curve")
    return large.resize((size[0] // OVERSAMPLING, size[1] // OVERSAMPLING), Image.Resampling.LANCZOS)


def _even(length: float) -> int:
    """Return the next even number of pixels: in a film, four pixels share their colour."""
    return 2 * -(-round(length) // 2)
