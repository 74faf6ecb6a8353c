"""The overlay: a frame with its marks drawn on it, for a model that sees images."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from toolbelt.elements.marks import Mark
from toolbelt.elements.outlines import inked
from world_model import Frame, Pixels, Region, Size

COLORS: Final = ("#d0021b", "#0050d8", "#007a1f", "#9b00b8", "#a34f00", "#00707a")  # white text is readable on each
NUMBER_SIZE_PX: Final = 12  # the font size
TAG_MARGIN_PX: Final = 2  # between a number and the edge of its tag
BAR_INSET_PX: Final = 4  # by which the bar before a text is shorter at each end
SMALL_MAX_PX: Final = 28  # the shorter side of an element that a tag would hide
SMALL_WEIGHT: Final = 4  # how much worse it is to cover a small element than a larger one
OUTLINE: Final = "white"  # around the boxes, so that they show on a dark or colored background


def draw_marks(frame: Frame, marks: Sequence[Mark]) -> Frame:
    """Draw a box around each marked element, or a bar before a text, and its number where there is room."""
    image = Image.fromarray(frame.pixels)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(size=NUMBER_SIZE_PX)
    taken = inked(frame.pixels)  # a tag must not cover text either
    boxes = [mark.region.shifted(-frame.origin.x, -frame.origin.y) for mark in marks]
    for box in boxes:
        small = min(box.width, box.height) <= SMALL_MAX_PX
        taken[max(box.y, 0) : box.bottom, max(box.x, 0) : box.right] = SMALL_WEIGHT if small else 1
    for mark, box in zip(marks, boxes, strict=True):
        color = COLORS[mark.number % len(COLORS)]
        if mark.role == "text":  # a box would cut through the lines above and below it
            draw.line((box.x - 1, box.y + BAR_INSET_PX, box.x - 1, box.bottom - BAR_INSET_PX), color, TAG_MARGIN_PX)
            continue
        draw.rectangle((box.x - 2, box.y - 2, box.right + 1, box.bottom + 1), outline=OUTLINE)
        draw.rectangle((box.x - 1, box.y - 1, box.right, box.bottom), outline=color)
    for mark, box in zip(marks, boxes, strict=True):
        tag = _free(box, _tag_size(str(mark.number), font), taken)
        taken[tag.y : tag.bottom, tag.x : tag.right] = 1
        draw.rectangle((tag.x, tag.y, tag.right - 1, tag.bottom - 1), COLORS[mark.number % len(COLORS)], OUTLINE)
        draw.text((tag.center.x, tag.center.y), str(mark.number), "white", font, anchor="mm")
    return Frame(np.asarray(image), frame.origin, frame.time)


def _tag_size(number: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> Size:
    left, top, right, bottom = font.getbbox(number)
    return Size(round(right - left) + 2 * TAG_MARGIN_PX + 2, round(bottom - top) + 2 * TAG_MARGIN_PX)


def _free(box: Region, size: Size, taken: Pixels) -> Region:
    """Return the place around a box where a tag covers the least of the elements and of the other tags."""
    height, width = taken.shape
    left, above, right, below = box.x - size.width - 2, box.y - size.height - 1, box.right + 2, box.bottom + 1
    corners = (box.x - 2, above), (left, box.y), (right, box.y), (box.x - 2, below), (box.right - size.width, above)
    places = [
        Region(
            min(max(x, 0), max(width - size.width, 0)),
            min(max(y, 0), max(height - size.height, 0)),
            size.width,
            size.height,
        )
        for x, y in corners
    ]
    return min(places, key=lambda one: int(taken[one.y : one.bottom, one.x : one.right].sum()))
