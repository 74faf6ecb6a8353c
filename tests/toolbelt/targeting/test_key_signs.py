"""The keys of a calculator are found by their signs, each by its own and by no other."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting.key_signs import plain_sign
from toolbelt.targeting.targets import resolve
from world_model import Action, Region

APP = Path(__file__).parents[2] / "apps" / "keypad_gtk.py"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
SIGNS = "()%C789/456*123-0.=+"


def test_every_key_is_pressed_by_its_sign(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch(["/usr/bin/python3", str(APP)])
    eyes = Eyes(desktop, control)
    assert eyes.until(lambda lines: find("789", lines) or find("7", lines), CAP_S)
    tools = standard_toolbelt(eyes)
    eyes.settle(eyes.look(), 1.0)

    for sign in SIGNS:
        done = tools.call(Action("click", {"target": sign}), control).observation
        assert done.ok, (sign, done.error)

    wanted = " ".join(("Keypad", *SIGNS))
    assert control.until(lambda: desktop.windows()[-1].title == wanted, CAP_S), desktop.windows()[-1].title


@pytest.mark.parametrize(
    ("read", "sign"),
    [("（", "("), ("十", "+"), ("米", "*"), ("×", "x"), ("−", "-"), ("一", "-"), ("＝", "="), (" 7 ", "7"), ("·", ".")],
)
def test_signs_that_look_alike_are_one(read: str, sign: str) -> None:
    assert plain_sign(read) == plain_sign(sign)


def test_signs_that_only_differ_are_two() -> None:
    assert len({plain_sign(sign) for sign in SIGNS}) == len(SIGNS)


def test_a_sign_without_a_key_is_found_beside_outlines_too_small_for_one(control: Control) -> None:
    image = Image.new("RGB", (400, 200), "white")
    draw = ImageDraw.Draw(image)
    for at in range(5):
        draw.rectangle((20 + 60 * at, 20, 48 + 60 * at, 28), outline="black")
    draw.text((100, 100), "Page 7 of", "black", ImageFont.load_default(18))
    draw.text((300, 100), "5", "black", ImageFont.load_default(18))
    eyes = Eyes(FakeDesktop(lambda _inputs: image, control), control)

    place = resolve("5", eyes, 0.0).match

    assert Region(290, 95, 30, 30).overlaps(place.region or Region(0, 0, 1, 1))
