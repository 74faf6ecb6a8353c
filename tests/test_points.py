"""Points in a brain's numbers, mapped to pixels of the desktop."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mark_i.points import to_pixels
from world_model import Action, Point, Region

UNHURRIED = settings(deadline=None)  # the machine may be busy
DESKTOPS = st.builds(Region, *[st.integers(-4000, 4000)] * 2, *[st.integers(64, 8000)] * 2)
PARTS = st.integers(0, 1000) | st.floats(0, 1000)
SCREEN = Region(0, 0, 1920, 1080)


def mapped(x: Any, y: Any, desktop: Region = SCREEN) -> Point:
    target = to_pixels(Action("click", {"target": {"x": x, "y": y}}), "thousandths", desktop).args["target"]
    return Point(target["x"], target["y"])


@UNHURRIED
@given(DESKTOPS)
def test_the_corners_are_the_corners(desktop: Region) -> None:
    assert mapped(0, 0, desktop) == Point(desktop.x, desktop.y)
    assert mapped(1000, 1000, desktop) == Point(desktop.right - 1, desktop.bottom - 1)
    assert mapped(1000, 0, desktop) == Point(desktop.right - 1, desktop.y)
    assert mapped(0, 1000, desktop) == Point(desktop.x, desktop.bottom - 1)


@UNHURRIED
@given(DESKTOPS, PARTS, PARTS)
def test_every_place_is_a_pixel_of_the_desktop_within_one_of_where_it_is_meant(
    desktop: Region, x: float, y: float
) -> None:
    point = mapped(x, y, desktop)

    assert point in desktop
    assert abs(point.x - (desktop.x + x * desktop.width / 1000)) <= 1
    assert abs(point.y - (desktop.y + y * desktop.height / 1000)) <= 1
    assert isinstance(point.x, int)


@UNHURRIED
@given(DESKTOPS, PARTS, PARTS)
def test_what_is_further_right_is_not_mapped_further_left(desktop: Region, one: float, other: float) -> None:
    first, second = sorted((one, other))

    assert mapped(first, 0, desktop).x <= mapped(second, 0, desktop).x


@UNHURRIED
@given(DESKTOPS, st.integers(1001, 5000) | st.integers(-5000, -1))
def test_what_lies_outside_stays_outside(desktop: Region, part: int) -> None:
    assert mapped(part, 500, desktop) not in desktop
    assert mapped(500, part, desktop) not in desktop


def test_the_middle_of_a_screen_is_its_middle() -> None:
    assert mapped(500, 500) == Point(960, 540)
    assert mapped(500, 500, Region(-1920, -200, 3840, 1280)) == Point(0, 440)


def test_every_point_among_the_arguments_is_mapped_and_nothing_else() -> None:
    args = {
        "start": {"x": 0, "y": 0},
        "end": {"x": 1000, "y": 500.5, "why": "there"},
        "target": {"text": "Save"},
        "amount": 500,
        "half": {"x": 500},
        "flags": {"x": True, "y": False},
    }

    action = to_pixels(Action("drag", args), "thousandths", SCREEN)

    assert action.tool == "drag"
    assert action.args == args | {"start": {"x": 0, "y": 0}, "end": {"x": 1919, "y": 540, "why": "there"}}


@UNHURRIED
@given(DESKTOPS, st.integers(), st.integers())
def test_pixels_are_left_as_they_are(desktop: Region, x: int, y: int) -> None:
    action = Action("click", {"target": {"x": x, "y": y}})

    assert to_pixels(action, "pixels", desktop) == action


def test_numbers_that_a_model_wrote_as_text_mean_the_same_place() -> None:
    assert mapped("500", "500") == mapped(500, 500)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_place_does_not_end_the_run(number: float) -> None:
    target = {"x": number, "y": 500}

    assert to_pixels(Action("click", {"target": target}), "thousandths", SCREEN).args["target"]["x"] is number
