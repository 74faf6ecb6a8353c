"""Described targets: the role of an element, which of several it is, and what it is beside."""

import time
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont
from pydantic import ValidationError

from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.elements.detector import elements_on
from toolbelt.ocr.lines import Line, Word
from toolbelt.ocr.reader import Reader
from toolbelt.ocr.text_match import Match, find_all, find_entries
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting.descriptions import Screen, described, in_reading_order, is_ticked, on_side, screen_of
from toolbelt.targeting.targets import TextTarget, resolve
from world_model import Action, Frame, Point, Region, ToolFailure

FONT = ImageFont.load_default(size=18)
BLUE, BLACK, WHITE, GRAY = (0, 0, 238), (0, 0, 0), (255, 255, 255), (110, 110, 110)


def place(name: str, x: int, y: int, width: int = 40, height: int = 20) -> Match:
    region = Region(x, y, width, height)
    return Match(region.center, name, region)


def names(places: list[Match]) -> list[str]:
    return [one.name for one in places]


def page() -> Image.Image:
    """Two rows with a word in black, the same in blue, and a field with a label above it."""
    image = Image.new("RGB", (600, 320), WHITE)
    draw = ImageDraw.Draw(image)
    for row, article in enumerate(("Milk", "Bread")):
        draw.text((20, 20 + 60 * row), article, BLACK, FONT)
        draw.text((200, 20 + 60 * row), "Delete", BLACK, FONT)
        draw.text((400, 20 + 60 * row), "Delete", BLUE, FONT)
    draw.text((20, 160), "Email", BLACK, FONT)
    draw.rectangle((20, 186, 260, 216), outline=GRAY)
    return image


@pytest.fixture
def eyes() -> Eyes:
    control = Control()
    return Eyes(FakeDesktop(lambda _inputs: page(), control), control)


# Order and neighbours ----------------------------------------------------------------------------------------------


def test_reading_order_is_by_rows_even_if_not_quite_level() -> None:
    places = [place("d", 0, 40), place("b", 100, 0), place("c", 200, 4), place("a", 0, 3)]

    assert names(in_reading_order(places)) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("side", "expected"), [("left", ["west"]), ("right", ["east"]), ("above", ["north"]), ("below", ["south"])]
)
def test_only_what_is_on_that_side_counts(side: str, expected: list[str]) -> None:
    middle = place("middle", 100, 100)
    around = [place("west", 0, 102), place("east", 200, 98), place("north", 110, 0), place("south", 90, 200)]

    assert names(on_side([*around, place("far", 300, 300)], [middle], side)) == expected  # type: ignore[arg-type]


# Targets -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "at"),
    [
        ({"text": "Delete", "nth": 3}, Point(200, 80)),
        ({"text": "Delete", "nth": -1}, Point(400, 80)),
        ({"text": "Delete", "role": "link", "beside": "Milk"}, Point(400, 20)),
        ({"text": "Delete", "role": "link", "nth": 2}, Point(400, 80)),
        ({"text": "Delete", "nth": 1, "beside": "Bread", "side": "right"}, Point(200, 80)),
        ({"role": "textbox"}, Point(20, 186)),
        ({"role": "textbox", "text": "Email"}, Point(20, 186)),
        ({"role": "textbox", "beside": "Email", "side": "below"}, Point(20, 186)),
    ],
)
def test_a_description_finds_its_thing(eyes: Eyes, target: dict[str, object], at: Point) -> None:
    found = resolve(TextTarget.model_validate(target), eyes).match

    assert found.region is not None
    assert abs(found.region.x - at.x) <= 8
    assert abs(found.region.y - at.y) <= 12


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ({"text": "Delete", "role": "link"}, "TARGET_AMBIGUOUS"),
        ({"text": "Delete", "nth": 5}, "TARGET_NOT_FOUND"),
        ({"text": "Delete", "nth": -5}, "TARGET_NOT_FOUND"),
        ({"role": "checkbox"}, "TARGET_NOT_FOUND"),
        ({"role": "textbox", "beside": "Email", "side": "above"}, "TARGET_NOT_FOUND"),
        ({"role": "textbox", "beside": "Phone"}, "TARGET_NOT_FOUND"),
    ],
)
def test_what_fits_nothing_or_too_much_is_an_error(eyes: Eyes, target: dict[str, object], code: str) -> None:
    with pytest.raises(ToolFailure) as failure:
        resolve(TextTarget.model_validate(target), eyes, patience=0)

    assert failure.value.code == code


@pytest.mark.parametrize("target", [{}, {"beside": "Milk"}, {"text": "a", "side": "left"}, {"text": "a", "nth": 0}])
def test_a_target_must_say_enough(target: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TextTarget.model_validate(target)


def test_a_target_is_told_in_words() -> None:
    target = TextTarget(text="Delete", role="button", nth=2, beside="Milk", side="right")

    assert str(target) == 'the button "Delete" number 2 right of "Milk"'


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        ("field", "textbox"),
        ("box", "checkbox"),
        ("list", "combobox"),
        ("icon", "image"),
        ("radio", "radio"),
        (None, None),
    ],
)
def test_the_kind_of_older_scripts_is_read_as_a_role(kind: str | None, role: str | None) -> None:
    target = TextTarget.model_validate({"text": "Save", "kind": kind})

    assert target == TextTarget(text="Save", role=role)  # type: ignore[arg-type]
    assert "kind" not in str(TextTarget.model_json_schema())


@pytest.mark.parametrize("kind", ["thing", "", 3, ["box"]])
def test_a_kind_that_is_no_role_is_refused(kind: object) -> None:
    with pytest.raises(ValidationError):
        TextTarget.model_validate({"text": "Save", "kind": kind})


@pytest.mark.parametrize("role", ["text", "tab", "menuitem", "option"])
def test_a_role_that_pixels_do_not_show_goes_by_its_text(eyes: Eyes, role: str) -> None:
    found = resolve(TextTarget.model_validate({"text": "Milk", "role": role}), eyes).match

    assert found.name == "Milk"


@pytest.mark.parametrize("target", [{"text": "Milk", "role": "slider"}, {"role": "tab"}])
def test_what_pixels_do_not_tell_is_not_found(eyes: Eyes, target: dict[str, object]) -> None:
    with pytest.raises(ToolFailure, match="Not on the screen") as failure:
        resolve(TextTarget.model_validate(target), eyes, patience=0)

    assert failure.value.code == "TARGET_NOT_FOUND"


# Roles -------------------------------------------------------------------------------------------------------------


def test_links_are_what_is_coloured(eyes: Eyes) -> None:
    frame = eyes.look()

    assert [one.point.x > 390 for one in described("link", "Delete", screen_of(eyes, frame))] == [True, True]
    assert names(described("link", None, screen_of(eyes, frame))) == ["Delete", "Delete"]


def test_a_large_square_with_a_word_in_its_middle_is_a_button() -> None:
    image = Image.new("RGB", (300, 300), WHITE)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((60, 60, 200, 200), 6, fill=(239, 239, 239), outline=GRAY, width=2)
    draw.text((130, 130), "Push", BLACK, FONT, anchor="mm")
    eyes = Eyes(FakeDesktop(lambda _inputs: image, control := Control()), control)
    frame = eyes.look()

    assert names(described("button", None, screen_of(eyes, frame))) == ["Push"]


@pytest.mark.parametrize(
    ("fill", "mark", "ticked"),
    [
        (WHITE, None, False),
        (WHITE, BLACK, True),
        (BLUE, WHITE, True),
        (BLUE, None, True),
        ((245, 245, 245), None, False),
    ],
)
def test_a_box_is_ticked_where_it_is_marked_or_filled(
    fill: tuple[int, int, int], mark: tuple[int, int, int] | None, *, ticked: bool
) -> None:
    image = Image.new("RGB", (60, 60), WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((20, 20, 33, 33), fill=fill, outline=GRAY)
    if mark:
        draw.line((23, 27, 26, 30, 31, 23), fill=mark, width=2)
    desktop = FakeDesktop(lambda _inputs: image, Control())

    assert is_ticked(desktop.grab(), Region(20, 20, 14, 14)) is ticked


@pytest.mark.parametrize("ticked", [False, True])
def test_a_switch_is_much_wider_than_high(*, ticked: bool) -> None:
    image = Image.new("RGB", (120, 60), WHITE)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((20, 20, 69, 35), 8, fill=BLUE if ticked else WHITE, outline=BLUE if ticked else GRAY)

    assert is_ticked(FakeDesktop(lambda _inputs: image, Control()).grab(), Region(20, 20, 50, 16)) is ticked


@pytest.mark.parametrize(("filled", "dot", "ticked"), [(WHITE, None, False), (BLUE, WHITE, True), (BLUE, BLUE, True)])
def test_a_filled_radio_button_with_a_light_dot_is_selected(
    filled: tuple[int, int, int], dot: tuple[int, int, int] | None, *, ticked: bool
) -> None:
    large = Image.new("RGB", (480, 480), WHITE)
    draw = ImageDraw.Draw(large)
    draw.ellipse((160, 160, 287, 287), fill=filled, outline=BLUE, width=10)
    if dot:
        draw.ellipse((200, 200, 247, 247), fill=dot)
    image = large.resize((60, 60), Image.Resampling.BOX)

    assert is_ticked(Frame(np.asarray(image)), Region(20, 20, 16, 16)) is ticked


@pytest.mark.parametrize(("x", "fill", "ticked"), [(20, WHITE, False), (20, BLUE, True), (3, BLUE, True)])
def test_the_glow_of_a_box_that_has_the_focus_is_not_its_ground(
    x: int, fill: tuple[int, int, int], *, ticked: bool
) -> None:
    image = Image.new("RGB", (60, 60), WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((x - 4, 16, x + 17, 37), fill=(180, 210, 255))
    draw.rectangle((x, 20, x + 13, 33), fill=fill, outline=GRAY)

    assert is_ticked(Frame(np.asarray(image)), Region(x, 20, 14, 14)) is ticked


@pytest.mark.parametrize(("label", "found"), [(44, ("checkbox", "Alpha")), (37, ("text", "OAlpha"))])
def test_a_circle_read_as_a_letter_is_still_a_radio_button(label: int, found: tuple[str, str]) -> None:
    large = Image.new("RGB", (800, 240), WHITE)
    draw = ImageDraw.Draw(large)
    draw.ellipse((80, 80, 143, 143), outline=BLACK, width=6)
    draw.text((4 * label, 68), "Alpha", BLACK, ImageFont.load_default(size=72))
    frame = Frame(np.asarray(large.resize((200, 60), Image.Resampling.BOX)))
    whole = Region(16, 16, 84, 26)

    (element,) = elements_on(frame, (Line("OAlpha", whole, (Word("OAlpha", whole),)),))

    assert (element.role, element.text) == found


@pytest.mark.parametrize(("inside", "role", "text"), [("", "checkbox", "Next"), ("2", "button", "2")])
def test_a_square_beside_a_text_is_a_checkbox_at_200_percent_too(inside: str, role: str, text: str) -> None:
    image = Image.new("RGB", (300, 100), WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((40, 30, 71, 61), outline=GRAY, width=2)
    draw.text((50, 32), inside, BLACK, ImageFont.load_default(size=22))
    draw.text((88, 30), "Next", BLACK, ImageFont.load_default(size=26))
    frame = Frame(np.asarray(image))

    first = elements_on(frame, Reader().read(frame))[0]

    assert (first.role, first.text) == (role, text)


@pytest.mark.parametrize(("word", "boxes"), [('"No"', 0), ("e", 0), ("□No", 1), ("V", 1)])
def test_what_was_read_as_a_letter_of_a_word_is_no_box_to_tick(word: str, boxes: int) -> None:
    image = Image.new("RGB", (200, 60), WHITE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((24, 20, 37, 33), outline=BLACK)
    draw.text((46, 16), "button", BLACK, FONT)
    words = Word(word, Region(18, 16, 26, 24)), Word("button", Region(46, 16, 64, 24))
    line = Line(f"{word} button", Region(18, 16, 104, 24), words)

    elements = elements_on(Frame(np.asarray(image)), (line,))

    assert [one.role for one in elements].count("checkbox") == boxes


@pytest.mark.parametrize("lit", [0, 1, 2])
def test_a_partly_lit_strip_is_no_textbox_and_no_button(lit: int) -> None:
    large = Image.new("RGB", (1600, 480), "#1e2129")
    draw, face, x = ImageDraw.Draw(large), ImageFont.truetype("DejaVuSans.ttf", 52), 172
    draw.rounded_rectangle((160, 80, 900, 215), 24, "#282c34")
    for nth, text in enumerate(["Agent", "Runs", "Settings"]):
        right = x + int(draw.textlength(text, face)) // 4 * 4 + 32
        draw.rounded_rectangle((x, 92, right - 1, 203), 20, "#434954" if nth == lit else "#282c34")
        draw.text((x + 16, 118), text, "white", face)
        x = right + 16
    frame = Frame(np.asarray(large.resize((400, 120), Image.Resampling.BOX)))

    elements = elements_on(frame, Reader().read(frame))
    assert [one.text for one in elements if one.role != "text"] == [["Agent", "Runs", "Settings"][lit]]
    assert sorted(" ".join(one.text for one in elements).split()) == ["Agent", "Runs", "Settings"]


def test_small_keys_are_buttons_with_their_sign() -> None:
    image = Image.new("RGB", (200, 60), WHITE)
    draw = ImageDraw.Draw(image)
    for nth, sign in enumerate("127A"):
        draw.rectangle((20 + 36 * nth, 20, 43 + 36 * nth, 43), "#f0f0f0", GRAY)
        draw.text((28 + 36 * nth, 24), sign, BLACK, ImageFont.load_default(size=14))
    frame = Frame(np.asarray(image))

    assert [(one.role, one.text) for one in elements_on(frame, Reader().read(frame))] == [
        ("button", one) for one in "127A"
    ]


@pytest.mark.parametrize(("then", "code"), [("ticked", None), ("gone", None), ("as before", "NO_CHANGE")])
def test_a_checkbox_must_look_checked_after_the_click(then: str, code: str | None) -> None:
    """With the pointer over it, it looks otherwise in any case."""

    def draw(inputs: Sequence[Input]) -> Image.Image:
        image = Image.new("RGB", (300, 100), WHITE)
        draw = ImageDraw.Draw(image)
        clicked = any(name == "click" for name, *_ in inputs)
        if clicked and then == "gone":
            return image
        draw.rectangle((20, 40, 33, 53), outline=BLACK if inputs else GRAY)
        draw.text((44, 36), "Milk", BLACK, FONT)
        if clicked and then == "ticked":
            draw.line((23, 47, 26, 50, 31, 43), fill=BLACK, width=2)
        return image

    desktop = FakeDesktop(draw, control := Control())
    seen = standard_toolbelt(Eyes(desktop, control)).call(Action("tick", {"target": "Milk"}), control).observation

    assert [name for name, *_ in desktop.inputs if name == "click"] == ["click"]
    assert (seen.error.code if seen.error else None) == code


# Texts -------------------------------------------------------------------------------------------------------------


def test_entries_are_whole_lines() -> None:
    lines = (Line("Equatorial Guinea", Region(0, 0, 90, 20)), Line("Guinea", Region(0, 30, 40, 20)))

    assert names(find_entries("Guinea", lines)) == ["Guinea"]
    assert find_entries("Equatorial", lines) == []


def test_every_place_of_a_word_is_found() -> None:
    words = Word("in", Region(0, 0, 20, 20)), Word("it", Region(30, 0, 20, 20))
    alone = Line("in", Region(0, 30, 20, 20), (Word("in", Region(0, 30, 20, 20)),))

    assert len(find_all("in", (Line("in it", Region(0, 0, 50, 20), words), alone))) == 2


def test_a_drop_down_takes_one_entry_only(eyes: Eyes) -> None:
    belt = standard_toolbelt(eyes)

    seen = belt.call(Action("select", {"options": ["a", "b"], "target": {"x": 20, "y": 190}}), eyes.control).observation

    assert seen.error is not None
    assert seen.error.code == "INVALID_ARGS"


@pytest.mark.parametrize("late", [0.0, 0.3])  # seconds until the list comes up
@pytest.mark.parametrize("target", [{"x": 300, "y": 215}, {"role": "combobox"}])
def test_what_is_drawn_anew_elsewhere_is_not_taken_for_the_list(target: dict[str, object], late: float) -> None:
    opened: list[float] = []

    def draw(inputs: Sequence[Input]) -> Image.Image:
        """A drop-down in a window whose title bar is drawn anew at a click."""
        clicks = [name for name, *_ in inputs].count("click")
        if clicks and not opened:
            opened.append(time.monotonic())
        image = Image.new("RGB", (600, 400), WHITE)
        draw = ImageDraw.Draw(image)
        draw.rectangle((0, 0, 600, 30), BLUE if clicks else GRAY)
        draw.text((20, 4), "Parcels", WHITE, FONT)
        draw.rectangle((200, 200, 400, 230), outline=GRAY)
        draw.text((210, 204), "Large" if clicks > 1 else "Small", BLACK, FONT)
        draw.polygon([(375, 211), (389, 211), (382, 218)], BLACK)
        if clicks == 1 and time.monotonic() - opened[0] >= late:
            draw.rectangle((200, 234, 400, 300), outline=GRAY)
            draw.text((210, 240), "Small", BLACK, FONT)
            draw.text((210, 270), "Large", BLACK, FONT)
        return image

    control = Control()
    belt = standard_toolbelt(Eyes(desktop := FakeDesktop(draw, control), control))
    seen = belt.call(Action("select", {"options": ["Large"], "target": target}), control).observation

    assert seen.ok, seen.error
    opener, entry = (args[0] for name, *args in desktop.inputs if name == "click")
    assert isinstance(opener, Point)
    assert isinstance(entry, Point)
    assert opener in Region(200, 200, 200, 30)
    assert entry in Region(200, 264, 200, 36)


def test_nothing_is_ticked_where_there_is_no_box(eyes: Eyes) -> None:
    belt = standard_toolbelt(eyes)

    seen = belt.call(Action("tick", {"target": "Milk"}), eyes.control).observation

    assert seen.error is not None
    assert seen.error.code == "TARGET_NOT_FOUND"
    assert "no checkbox" in seen.error.message


def test_a_button_without_outline_counts_in_its_column() -> None:
    """The second one has a soft ring around it, as one that has the focus."""
    image = Image.new("RGB", (600, 320), WHITE)
    draw = ImageDraw.Draw(image)
    for row in range(3):
        if row != 1:
            draw.rectangle((300, 40 + 80 * row, 400, 76 + 80 * row), "#eeeeee", GRAY)
        draw.text((322, 46 + 80 * row), "Delete", BLACK, FONT)
    eyes = Eyes(FakeDesktop(lambda _inputs: image, control := Control()), control)
    found = [resolve(TextTarget(text="Delete", role="button", nth=nth), eyes).point.y // 80 for nth in (1, 2, 3, -1)]
    assert found == [0, 1, 2, 2]


def test_frames_are_read_where_they_are() -> None:
    frame = Frame(FakeDesktop(lambda _inputs: page(), Control()).grab().pixels, Point(1000, 500))

    assert [
        one.region.x >= 1000
        for one in described("textbox", None, Screen(frame, (), elements_on(frame, ())))
        if one.region
    ] == [True]


def test_a_switch_that_is_off_is_not_told_to_be_ticked() -> None:
    large = Image.new("RGB", (1200, 400), "white")
    draw = ImageDraw.Draw(large)
    draw.rounded_rectangle((80, 160, 223, 239), 40, fill="#6b778c")
    draw.ellipse((88, 168, 151, 231), fill="white")
    draw.text((248, 164), "Airplane mode", "black", ImageFont.load_default(size=60))
    image = large.resize((300, 100), Image.Resampling.BOX)  # smooth, as a page draws it
    desktop = FakeDesktop(lambda _inputs: image)
    belt = standard_toolbelt(Eyes(desktop, desktop.control))

    seen = belt.call(Action("tick", {"target": "Airplane mode"}), desktop.control).observation

    assert seen.error
    assert seen.error.code == "TARGET_NOT_FOUND"
    assert not desktop.inputs
