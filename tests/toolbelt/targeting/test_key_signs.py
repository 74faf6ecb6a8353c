"""The keys of a calculator are found by their signs, each by its own and by no other."""

from pathlib import Path

import pytest

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting.key_signs import plain_sign
from world_model import Action

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
