"""Links are told from other texts by how they are drawn."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.elements.detector import elements_on
from toolbelt.ocr.reader import Reader
from world_model import Frame

FONT = ImageFont.load_default(size=18)
TEXT = "Keepers and their families"


def role(colour: str, ground: str, *, gap_px: int | None) -> str:
    """The role of a text of a colour, with a line so far under its letters, or without one."""
    image = Image.new("RGB", (500, 200), ground)
    draw = ImageDraw.Draw(image)
    draw.text((60, 80), TEXT, colour, FONT)
    if gap_px is not None:
        left, _, right, bottom = draw.textbbox((60, 80), TEXT, FONT)
        draw.rectangle((left, bottom + gap_px, right, bottom + gap_px), fill=colour)
    frame = Frame(np.asarray(image, np.uint8))
    [found] = [one for one in elements_on(frame, Reader().read(frame)) if one.text == TEXT]
    return found.role


@pytest.mark.parametrize(("colour", "ground"), [("#0645ad", "white"), ("#6ab0ff", "#2b2b2b")], ids=["light", "dark"])
def test_coloured_letters_with_a_line_under_them_are_a_link(colour: str, ground: str) -> None:
    assert role(colour, ground, gap_px=0) == "link"


@pytest.mark.parametrize(
    ("colour", "gap_px"), [("#0645ad", None), ("#202020", 0), ("#0645ad", 12)], ids=["no line", "black", "far line"]
)
def test_other_texts_are_none(colour: str, gap_px: int | None) -> None:
    assert role(colour, "white", gap_px=gap_px) == "text"
