"""A value stands in the window of its label."""

from dataclasses import dataclass, field

import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.base import Window
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.values import find_value
from world_model import Region, ToolFailure

FONT = ImageFont.truetype("DejaVuSans.ttf", 20)


def drawn(_inputs: object) -> Image.Image:
    image = Image.new("RGB", (800, 300), "white")
    draw = ImageDraw.Draw(image)
    draw.text((40, 60), "Total", "black", FONT)
    draw.text((500, 60), "Elsewhere", "black", FONT)
    return image


@dataclass
class Windowed(FakeDesktop):
    """A fake desktop with windows."""

    shown: list[Region] = field(default_factory=list)

    def windows(self) -> list[Window]:
        return [Window(at, f"Window {at}", "app", region) for at, region in enumerate(self.shown)]


def value_in(*windows: Region) -> str:
    desktop = Windowed(drawn, shown=list(windows))
    return find_value("Total", Eyes(desktop, Control())).text


def test_what_stands_beside_a_label_in_its_window_is_its_value() -> None:
    assert value_in(Region(0, 0, 800, 300)) == "Elsewhere"
    assert value_in() == "Elsewhere"


@pytest.mark.parametrize("front", [Region(400, 0, 400, 300), Region(450, 40, 300, 60)])
def test_what_stands_beside_a_label_in_another_window_is_not(front: Region) -> None:
    with pytest.raises(ToolFailure, match="No value stands in, beside or below"):
        value_in(Region(0, 0, 800, 300), front)
