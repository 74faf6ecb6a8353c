"""Dropdowns and sliders are told from fields by what is drawn in them, where no program says what they are."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.elements.detector import elements_on
from toolbelt.elements.drawn import as_drawn
from toolbelt.ocr.reader import Reader
from toolbelt.perception.eyes import Eyes
from world_model import Frame

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0
FONT = ImageFont.load_default(size=18)
Draw = ImageDraw.ImageDraw


def test_a_dropdown_of_tk_is_one(desktop: VirtualDesktop, control: Control) -> None:
    eyes = Eyes(desktop, control)
    desktop.launch([sys.executable, str(APPS / "form_tk.py")])

    def fields() -> list[tuple[str, str]]:
        return [(one.role, one.text) for one in eyes.elements(eyes.look()) if one.role in {"textbox", "combobox"}]

    assert control.until(lambda: ("combobox", "Size") in fields(), CAP_S), fields()
    assert {name for role, name in fields() if role == "textbox"} >= {"Name", "Company", "Address"}


def down(draw: Draw) -> None:
    draw.polygon([(270, 55), (282, 55), (276, 61)], "black")


def two_arrows(draw: Draw) -> None:
    draw.polygon([(272, 54), (280, 54), (276, 50)], "black")
    draw.polygon([(272, 62), (280, 62), (276, 66)], "black")


def up(draw: Draw) -> None:
    draw.polygon([(270, 61), (282, 61), (276, 55)], "black")


def cross(draw: Draw) -> None:
    draw.line([(270, 53), (281, 64)], "black", 2)
    draw.line([(270, 64), (281, 53)], "black", 2)


@pytest.mark.parametrize(
    ("sign", "role"), [(down, "combobox"), (two_arrows, "textbox"), (up, "textbox"), (cross, "textbox")]
)
def test_only_one_arrow_that_points_down_makes_a_dropdown(sign: Callable[[Draw], None], role: str) -> None:
    image = Image.new("RGB", (400, 120), "#e8e8e8")
    draw = ImageDraw.Draw(image)
    draw.rectangle((60, 44, 290, 72), "white", "#707070")
    draw.text((68, 48), "Ireland", "black", FONT)
    sign(draw)
    frame = Frame(np.asarray(image, np.uint8))

    found = as_drawn(elements_on(frame, Reader().read(frame)), frame)

    assert [(one.role, one.holds) for one in found if one.role in {"textbox", "combobox"}] == [(role, "Ireland")]


@pytest.mark.parametrize(("knob", "roles"), [(True, ["slider"]), (False, ["textbox", "textbox"])])
def test_two_bars_and_a_knob_are_a_slider(*, knob: bool, roles: list[str]) -> None:
    image = Image.new("RGB", (400, 120), "#d9d9d9")
    draw = ImageDraw.Draw(image)
    for left, right in ((60, 150), (174, 300)):
        draw.rectangle((left, 50, right, 66), "#c3c3c3", "#707070")
    if knob:
        draw.rectangle((153, 52, 171, 64), "#f2f2f2", "#404040")
    frame = Frame(np.asarray(image, np.uint8))

    found = as_drawn(elements_on(frame, Reader().read(frame)), frame)

    assert [one.role for one in found if one.role != "image"] == roles
