"""Places in a brain's numbers, mapped to pixels of the desktop."""

import json
from functools import reduce
from math import floor
from typing import Any

import pytest
from hypothesis import given, strategies as st

from mark_i.brain import Space
from mark_i.prompts.coordinates import Spaces, in_coordinates_of, to_pixels
from mark_i.prompts.screenshot import size_for
from mark_i.replies import parse
from world_model import (
    Action,
    Observation,
    Place,
    Point,
    Problem,
    Region,
    ScreenChange,
    Size,
    Step,
    Thought,
    describe,
    message,
)

MONITORS = st.builds(Region, *[st.integers(-4000, 4000)] * 2, *[st.integers(64, 8000)] * 2)
DESKTOPS = st.lists(MONITORS, min_size=1, max_size=3).map(lambda monitors: reduce(Region.union, monitors))
SCALES = st.floats(1 / 3, 3)  # of the picture that is sent, to the desktop
PARTS = st.integers(0, 1000) | st.floats(0, 1000)
SCREEN = Region(0, 0, 1920, 1080)


def put(target: Any, space: Space = "thousandths", desktop: Region = SCREEN, name: str = "target") -> Any:
    """What becomes of a target."""
    return to_pixels(Action("click", {name: target}), Spaces(space, desktop, desktop.size)).args[name]


def mapped(x: Any, y: Any, desktop: Region = SCREEN) -> Point:
    target = put({"x": x, "y": y}, desktop=desktop)
    return Point(target["x"], target["y"])


def test_every_corner_of_a_path_is_mapped_and_named() -> None:
    spaces = Spaces("thousandths", SCREEN, SCREEN.size)
    corners = [{"x": 500, "y": 500}, [250, 250], {"text": "Save"}]

    action = to_pixels(Action("drag", {"start": "A", "via": corners, "end": "B"}), spaces)

    assert action.args["via"] == [{"x": 960, "y": 540}, {"x": 480, "y": 270}, {"text": "Save"}]
    step = in_coordinates_of(Step(1, Thought(""), action, Observation(ok=True, text="")), spaces)
    assert step.action.args["via"] == [{"x": 500, "y": 500}, {"x": 250, "y": 250}, {"text": "Save"}]


# Where a point lies --------------------------------------------------------------------------------------------------


@given(DESKTOPS)
def test_the_corners_are_the_corners(desktop: Region) -> None:
    assert mapped(0, 0, desktop) == Point(desktop.x, desktop.y)
    assert mapped(1000, 1000, desktop) == Point(desktop.right - 1, desktop.bottom - 1)
    assert mapped(1000, 0, desktop) == Point(desktop.right - 1, desktop.y)
    assert mapped(0, 1000, desktop) == Point(desktop.x, desktop.bottom - 1)


@given(DESKTOPS, PARTS, PARTS)
def test_every_point_maps_to_within_one_pixel(desktop: Region, x: float, y: float) -> None:
    point = mapped(x, y, desktop)

    assert point in desktop
    assert abs(point.x - (desktop.x + x * desktop.width / 1000)) <= 1
    assert abs(point.y - (desktop.y + y * desktop.height / 1000)) <= 1
    assert isinstance(point.x, int)


@given(DESKTOPS, PARTS, PARTS)
def test_what_is_further_right_is_not_mapped_further_left(desktop: Region, one: float, other: float) -> None:
    first, second = sorted((one, other))

    assert mapped(first, 0, desktop).x <= mapped(second, 0, desktop).x


@given(DESKTOPS, st.integers(1001, 5000) | st.integers(-5000, -1))
def test_what_lies_outside_stays_outside(desktop: Region, part: int) -> None:
    assert mapped(part, 500, desktop) not in desktop
    assert mapped(500, part, desktop) not in desktop


def test_the_middle_of_a_screen_is_its_middle() -> None:
    assert mapped(500, 500) == Point(960, 540)
    assert mapped(500, 500, Region(-1920, -200, 3840, 1280)) == Point(0, 440)


@given(DESKTOPS, st.integers(), st.integers())
def test_pixels_are_left_as_they_are(desktop: Region, x: int, y: int) -> None:
    action = Action("click", {"target": {"x": x, "y": y}})

    assert to_pixels(action, Spaces("pixels", desktop, desktop.size)) == action


def test_a_part_of_a_pixel_is_that_pixel() -> None:
    assert put({"x": 10.9, "y": "20"}, "pixels") == {"x": 10, "y": 20}


def test_pixels_for_a_tool_without_a_target_stay_as_they_are() -> None:
    assert put({"x": 10.9, "y": "20"}, "pixels", name="measure") == {"x": 10.9, "y": "20"}


def test_numbers_that_a_model_wrote_as_text_mean_the_same_place() -> None:
    assert mapped("500", "500") == mapped(500, 500)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), 1e308, 10**400, "1e999", True, None, []])
def test_what_is_no_place_does_not_end_the_run(number: object) -> None:
    assert put({"x": number, "y": 500})["x"] is number
    assert put({"bbox": [number, 0, 1, 1]})["bbox"][0] is number


# Pixels of the picture that was sent ---------------------------------------------------------------------------------


def scaled(desktop: Region, scale: float) -> Size:
    """The size of a picture of the desktop."""
    return Size(max(1, round(desktop.width * scale)), max(1, round(desktop.height * scale)))


def shown(x: float, y: float, desktop: Region, picture: Size) -> Point:
    """Where a place in the picture is on the desktop."""
    target = to_pixels(Action("click", {"target": {"x": x, "y": y}}), Spaces("image", desktop, picture)).args["target"]
    return Point(target["x"], target["y"])


@given(DESKTOPS, SCALES, st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True))
def test_a_pixel_of_the_picture_that_was_sent_is_where_it_shows(
    desktop: Region, scale: float, right: float, down: float
) -> None:
    picture = scaled(desktop, scale)
    x, y = int(right * picture.width), int(down * picture.height)

    point = shown(x, y, desktop, picture)

    assert point in desktop
    assert abs(point.x + 0.5 - (desktop.x + (x + 0.5) * desktop.width / picture.width)) <= 1
    assert abs(point.y + 0.5 - (desktop.y + (y + 0.5) * desktop.height / picture.height)) <= 1


@given(DESKTOPS, SCALES)
def test_a_corner_of_the_picture_is_that_corner(desktop: Region, scale: float) -> None:
    picture = scaled(desktop, scale)
    first, last = shown(0, 0, desktop, picture), shown(picture.width - 1, picture.height - 1, desktop, picture)

    # The middle of a pixel of the picture, which shows several of the desktop where it is coarser.
    across, down = desktop.width / picture.width / 2, desktop.height / picture.height / 2
    assert (first.x - desktop.x, first.y - desktop.y) == (floor(across), floor(down))
    assert desktop.right - across - 1 <= last.x <= desktop.right - across
    assert desktop.bottom - down - 1 <= last.y <= desktop.bottom - down


@given(DESKTOPS, SCALES, st.integers(0, 40_000), st.integers(0, 40_000))
def test_the_mapping_is_monotonic(desktop: Region, scale: float, one: int, other: int) -> None:
    picture = scaled(desktop, scale)
    first, second = sorted((one, other))

    assert shown(first, 0, desktop, picture).x <= shown(second, 0, desktop, picture).x
    assert shown(0, first, desktop, picture).y <= shown(0, second, desktop, picture).y


@given(DESKTOPS, SCALES, st.floats(0, 1, exclude_max=True))
def test_mapping_to_a_finer_space_and_back_is_the_identity(desktop: Region, scale: float, along: float) -> None:
    picture = scaled(desktop, scale)
    if picture.width >= desktop.width:
        pixel = int(along * desktop.width)
        there = floor((pixel + 0.5) * picture.width / desktop.width)
        assert shown(there, 0, desktop, picture).x == desktop.x + pixel
    else:
        pixel = int(along * picture.width)
        there = shown(pixel, 0, desktop, picture).x - desktop.x
        assert floor((there + 0.5) * picture.width / desktop.width) == pixel


@given(DESKTOPS, st.floats(0, 1, exclude_max=True))
def test_a_pixel_can_be_named_in_thousandths(desktop: Region, along: float) -> None:
    pixel = int(along * desktop.width)
    part = (pixel + 0.5) * 1000 / desktop.width  # of its middle

    assert mapped(part, 0, desktop).x == desktop.x + pixel
    assert abs(mapped(round(part), 0, desktop).x - desktop.x - pixel) <= desktop.width / 2000 + 1
    if desktop.width <= 1000:
        assert desktop.x + pixel in [mapped(whole, 0, desktop).x for whole in (floor(part), floor(part) + 1)]


def test_the_picture_sent_is_never_larger_than_the_screen() -> None:
    assert size_for(Size(3840, 2160), 1280) == Size(1280, 720)
    assert size_for(Size(800, 600), 1280) == Size(800, 600)


@given(DESKTOPS, st.integers(0, 7999), st.integers(0, 7999))
def test_an_unscaled_picture_changes_only_the_origin(desktop: Region, x: int, y: int) -> None:
    target = to_pixels(Action("click", {"target": {"x": x, "y": y}}), Spaces("image", desktop, desktop.size)).args[
        "target"
    ]

    if x < desktop.width and y < desktop.height:
        assert (target["x"], target["y"]) == (desktop.x + x, desktop.y + y)


# The forms of a place ------------------------------------------------------------------------------------------------

AT = {"x": 192, "y": 540}  # a tenth from the left, half way down


@pytest.mark.parametrize(
    "target",
    [
        {"x": 100, "y": 500},
        [100, 500],
        ["100", 500.0],
        {"coordinate": [100, 500]},
        {"coordinates": "(100, 500)"},
        {"position": "100 500"},
        {"position": {"x": 100, "y": 500}},
        {"point": [500, 100]},
        {"point": [500, 100], "label": "Save"},
        {"point": {"x": 100, "y": 500}},
        {"point": "<point>100 500</point>"},
        {"point": "<|box_start|>(100,500)<|box_end|>"},
        {"point_2d": [100, 500]},
        {"bbox": [50, 400, 150, 600]},
        {"bbox": [150, 600, 50, 400]},
        {"bbox": [150, 400, 50, 600]},
        {"bbox_2d": [50, 400, 150, 600], "label": "Save"},
        {"bbox_2d": "[50, 400, 150, 600]"},
        {"box_2d": [400, 50, 600, 150]},
        {"box_2d": [600, 150, 400, 50]},
        {"box_2d": [600, 50, 400, 150], "label": "Save"},
    ],
    ids=json.dumps,
)
@pytest.mark.parametrize("name", ["target", "start", "end", "into"])
def test_a_place_is_understood_in_every_usual_form(target: Any, name: str) -> None:
    assert put(target, name=name) == AT
    if "box_2d" not in target:
        assert put(target, "pixels", name=name) == {"x": 100, "y": 500}


def test_a_gemini_box_is_always_in_thousandths() -> None:
    assert put({"box_2d": [400, 50, 600, 150]}, "pixels") == AT


@given(DESKTOPS, *[st.integers(0, 1000)] * 4)
def test_a_box_means_its_centre_whichever_corner_comes_first(desktop: Region, a: int, b: int, c: int, d: int) -> None:
    centre = put({"x": (a + c) / 2, "y": (b + d) / 2}, desktop=desktop)

    for left, top, right, bottom in ((a, b, c, d), (c, d, a, b), (c, b, a, d), (a, d, c, b)):
        assert put({"bbox": [left, top, right, bottom]}, desktop=desktop) == centre
        assert put({"box_2d": [top, left, bottom, right]}, desktop=desktop) == centre


def test_a_box_maps_to_its_centre() -> None:
    assert put({"box_2d": [0, 0, 1000, 1000]}) == {"x": 960, "y": 540}
    assert put({"box_2d": [1000, 1000, 1000, 1000]}) == {"x": 1919, "y": 1079}
    assert put({"bbox": [0, 0, 1920, 1080]}, "pixels") == {"x": 960, "y": 540}
    assert put({"bbox": [0, 0, 1, 1]}, "pixels") == {"x": 0, "y": 0}


@pytest.mark.parametrize(
    "target",
    [
        "10, 20",
        "(10, 20)",
        "[10, 20]",
        "<point>10 20</point>",
        {"text": "10, 20"},
        {"mark": 7},
        {"image": "save.png"},
        {"x": 10},
        {"text": "Save", "point": [10, 20]},
        {"point": "Save"},
        {"point": [10, 20, 30]},
        {"box_2d": "10, 20, 30, 40"},
        {"bbox": [1, 2, 3, "four"]},
        {"made_up": [10, 20]},
        [10, 20, 30, 40],
        [10],
        ["a", "b"],
        [True, False],
        {"coordinate": "(1,2)" + " " * 1_000_000},
        10,
        None,
        {},
        [],
    ],
    ids=lambda target: json.dumps(target)[:40],
)
@pytest.mark.parametrize("space", ["pixels", "thousandths"])
def test_what_is_not_clearly_a_point_stays_what_it_is(target: Any, space: Space) -> None:
    assert put(target, space) == target


def test_every_place_in_the_arguments_is_mapped_and_nothing_else() -> None:
    args = {
        "start": [0, 0],
        "end": {"x": 1000, "y": 500.5, "why": "there"},
        "target": {"text": "Save"},
        "spot": {"x": 500, "y": 500},
        "amount": 500,
        "half": {"x": 500},
        "flags": {"x": True, "y": False},
        "numbers": [500, 500],
        "box": {"box_2d": [0, 0, 10, 10]},
        "text": "(500, 500)",
    }

    action = to_pixels(Action("drag", args), Spaces("thousandths", SCREEN, SCREEN.size))

    places = {"start": {"x": 0, "y": 0}, "end": {"x": 1919, "y": 540, "why": "there"}, "spot": {"x": 960, "y": 540}}
    assert action == Action("drag", args | places)


@pytest.mark.parametrize(
    "text",
    [
        "Thought: I drag it.\nAction: drag(start_box='(0,0)', end_box='(1000,500)')",
        '{"type": "drag", "path": [{"x": 0, "y": 0}, {"x": 1000, "y": 500}]}',
        '{"action": "left_click_drag", "start_coordinate": [0, 0], "coordinate": [1000, 500]}',
        '{"name": "drag_and_drop", "args": {"x": 0, "y": 0, "destination_x": 1000, "destination_y": 500}}',
        '{"tool": "drag", "args": {"start": {"point": [0, 0]}, "end": {"box_2d": [400, 1000, 600, 1000]}}}',
    ],
)
def test_a_drag_in_anybodys_words_goes_from_pixel_to_pixel(text: str) -> None:
    action = to_pixels(parse(text).action, Spaces("thousandths", SCREEN, SCREEN.size))

    assert action == Action("drag", {"start": {"x": 0, "y": 0}, "end": {"x": 1919, "y": 540}})


# What a brain is told of what it did ---------------------------------------------------------------------------------


def test_a_brain_is_told_of_places_in_its_own_numbers() -> None:
    seen = message(
        '12 button "at 1, 2." at ', Place(960, 540, "at 1, 2."), "\n", Point(-4, 0), '; "5" at ', Point(1919, 1079)
    )
    hint = message('There are "No" at ', Point(38, 540), '; "No, 0, 0" at ', Point(0, 0), ".")
    problem = Problem("TARGET_AMBIGUOUS", message("What is at ", Point(960, 540), " is masked."), (hint, "960, 540"))
    args = {"start": {"x": 960, "y": 540}, "end": "960, 540", "amount": 960}
    step = Step(1, Thought("960, 540"), Action("drag", args), Observation(ok=False, text=seen, error=problem))

    told = in_coordinates_of(step, Spaces("thousandths", SCREEN, SCREEN.size))

    assert told.action.args == args | {"start": {"x": 500, "y": 500}}
    assert told.observation.text == '12 button "at 1, 2." at 500, 500\n-2, 0; "5" at 999, 999'
    assert told.observation.error
    assert told.observation.error.message == "What is at 500, 500 is masked."
    assert told.observation.error.hints == ('There are "No" at 20, 500; "No, 0, 0" at 0, 0.', "960, 540")


def test_where_a_text_appeared_is_told_in_the_coordinates_of_the_brain() -> None:
    screen = ScreenChange(changed=True, appeared=("Saved",), appeared_at=(Point(960, 540),))
    step = Step(1, Thought(""), Action("click", {}), Observation(ok=True, text="", screen=screen))

    told = in_coordinates_of(step, Spaces("thousandths", SCREEN, SCREEN.size))

    assert describe(told.observation) == 'Appeared: "Saved" at 500, 500.'
    assert describe(step.observation) == 'Appeared: "Saved" at 960, 540.'


def test_numbers_that_are_no_places_stay_as_they_are() -> None:
    step = Step(1, Thought(""), Action("read_file", {}), Observation(ok=True, text="Meet at 960, 540."))

    assert in_coordinates_of(step, Spaces("thousandths", SCREEN, SCREEN.size)) == step
    assert in_coordinates_of(step, Spaces("pixels", SCREEN, SCREEN.size)) is step
