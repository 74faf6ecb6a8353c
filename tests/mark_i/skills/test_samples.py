"""What programs said of an earlier screen counts where it still looks the same."""

import numpy as np

from mark_i.skills.samples import Sample
from toolbelt.desktops import Window
from toolbelt.desktops.accessibility import Node, WindowTree
from toolbelt.perception import Heard
from world_model import Frame, Point, Region

WINDOW = Window(1, "Log in", "login", Region(0, 0, 200, 100), active=True, pid=7)
BUTTON = Region(20, 20, 80, 30)
NODES = (Node(-1, "window", "Log in", "", WINDOW.region), Node(0, "button", "Enter", "", BUTTON))


def frame(*drawn: Region) -> Frame:
    pixels = np.full((100, 200, 3), 255, np.uint8)
    for one in drawn:
        pixels[one.y : one.bottom, one.x : one.right] = 0
    return Frame(pixels, Point(0, 0))


def sample(now: Frame, *, is_news: bool) -> Sample:
    heard = Heard(frame(), (WINDOW,), (WindowTree(7, "Log in", NODES),), 1.0, frozenset())
    return Sample(2.0, now, (WINDOW,), heard=heard, is_news=is_news)


def test_a_control_keeps_its_name_while_another_place_changes() -> None:
    found = sample(frame(Region(150, 70, 30, 20)), is_news=False).control_at(BUTTON.center)

    assert found is not None
    assert found.text == "Enter"


def test_a_control_that_looks_otherwise_has_no_name_until_its_program_says_one() -> None:
    now = frame(Region(30, 25, 40, 10))

    assert sample(now, is_news=False).control_at(BUTTON.center) is None
    assert sample(now, is_news=True).control_at(BUTTON.center) is not None
