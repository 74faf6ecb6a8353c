"""The picture of a dry run: the screen, marked with what would be done."""

import io
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from world_model import Frame, Region
from world_model.journal import write_whole

COLOUR, HALO, PAPER, INK = (255, 45, 85), (255, 255, 255), (255, 248, 220), (20, 20, 20)
MIN_FRAME_PX: Final = 40  # width of the frame around a point
WIDTH_PER_LINE: Final = 400  # picture width divided by line thickness
WIDTH_PER_TEXT: Final = 60  # picture width divided by text height


def write_planned(frame: Frame, place: Region | None, words: str, file: Path) -> None:
    """Write the screen as a PNG, with a frame around `place` and a caption below.

    Raises:
        OSError: the file cannot be written.
    """
    image = Image.fromarray(frame.pixels)
    line = max(2, image.width // WIDTH_PER_LINE)
    if place:
        seen = place.shifted(-frame.origin.x, -frame.origin.y)
        seen = seen.grown(max(2 * line, (MIN_FRAME_PX - min(seen.width, seen.height)) // 2))
        box = (seen.x, seen.y, seen.right - 1, seen.bottom - 1)
        draw = ImageDraw.Draw(image)
        draw.rectangle(tuple(edge + way for edge, way in zip(box, (-1, -1, 1, 1), strict=True)), None, HALO, line + 2)
        draw.rectangle(box, None, COLOUR, line)
    content = io.BytesIO()
    _with_words(image, words).save(content, "PNG")
    write_whole(file, content.getvalue())


def _with_words(image: Image.Image, words: str) -> Image.Image:
    """Add a caption below the picture, where it covers nothing."""
    font = ImageFont.load_default(max(14, image.width // WIDTH_PER_TEXT))
    left, top, right, bottom = font.getbbox(words)
    while right - left > image.width and len(words) > 1:
        words = words[:-2].rstrip() + "…"
        left, top, right, bottom = font.getbbox(words)
    high = round(bottom - top)
    whole = Image.new("RGB", (image.width, image.height + 2 * high), PAPER)
    whole.paste(image, (0, 0))
    ImageDraw.Draw(whole).text((high // 2, image.height + high // 2 - top), words, INK, font)
    return whole
