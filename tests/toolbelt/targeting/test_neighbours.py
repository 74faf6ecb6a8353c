"""Which of several equal places belongs to a text: the one on its card, in its row, or clearly the nearest."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting.targets import TextTarget, resolve
from world_model import Action, Point, Region, ToolFailure

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
Draw = ImageDraw.ImageDraw
FONT = ImageFont.load_default(size=18)


def found(drawn: Callable[[Draw], None], text: str, beside: str, ground: str = "white") -> Point:
    """Return where a text beside another is on a drawn screen."""
    image = Image.new("RGB", (700, 400), ground)
    drawn(ImageDraw.Draw(image))
    eyes = Eyes(FakeDesktop(lambda _inputs: image), Control())
    return resolve(TextTarget(text=text, beside=beside), eyes, patience=0).point


def words(draw: Draw, *places: tuple[int, int, str]) -> None:
    for x, y, text in places:
        draw.text((x, y), text, "black", FONT)


CARDS = (Region(20, 20, 300, 120), Region(330, 20, 300, 120), Region(20, 160, 300, 120), Region(330, 160, 300, 120))
NOTES = ("Milk", "Scratch", "Bread", "Letter")


def notes(draw: Draw) -> None:
    """Write a note on each card: its name at the left, its button far away in the lower right corner."""
    for card, name in zip(CARDS, NOTES, strict=True):
        words(draw, (card.x + 10, card.y + 50, name), (card.right - 70, card.y + 90, "Delete"))


def framed(draw: Draw) -> None:
    for card in CARDS:
        draw.rectangle((card.x, card.y, card.right - 1, card.bottom - 1), outline="#cccccc")
    notes(draw)


def tinted(draw: Draw) -> None:
    for card in CARDS:
        draw.rounded_rectangle((card.x, card.y, card.right - 1, card.bottom - 1), 12, fill="#f6f6f6")
    notes(draw)


def shaded(draw: Draw) -> None:
    """Cards with a gradient."""
    for card in CARDS:
        for row in range(card.height):
            draw.line((card.x, card.y + row, card.right - 1, card.y + row), (240 - row // 4,) * 3)
    notes(draw)


@pytest.mark.parametrize("drawn", [framed, tinted, shaded])
@pytest.mark.parametrize("index", range(4))
def test_what_is_on_the_same_card_comes_before_what_is_nearer(drawn: Callable[[Draw], None], index: int) -> None:
    assert found(drawn, "Delete", NOTES[index]) in CARDS[index]


@pytest.mark.parametrize("index", range(4))
def test_without_any_frame_a_button_of_another_card_is_never_taken(index: int) -> None:
    try:
        assert found(notes, "Delete", NOTES[index]) in CARDS[index]
    except ToolFailure as failure:
        assert failure.code == "TARGET_AMBIGUOUS"  # noqa: PT017 - either is right


def test_a_price_is_that_of_its_own_card_though_the_next_button_is_nearer() -> None:
    def shop(draw: Draw) -> None:
        for left in (20, 330):
            draw.rectangle((left, 20, left + 299, 80), outline="#888888")
        words(draw, (30, 40, "9.50"), (220, 40, "Buy now"), (340, 40, "7.25"), (530, 40, "Buy now"))

    assert found(shop, "Buy now", "7.25").x > 500


def test_a_row_of_its_own_colour_is_a_row_however_high() -> None:
    def table(draw: Draw) -> None:
        for row, name in enumerate(("Anna", "Boris", "Clara")):
            draw.rectangle((0, 100 * row, 700, 100 * row + 99), fill=("#ffffff", "#eef2f6")[row % 2])
            words(draw, (20, 100 * row + 8, name), (500, 100 * row + 66, "Edit"))

    assert found(table, "Edit", "Boris") in Region(0, 100, 700, 100)
    assert found(table, "Edit", "Clara") in Region(0, 200, 700, 100)


def test_cells_with_borders_are_in_rows() -> None:
    def table(draw: Draw) -> None:
        for row, name in enumerate(("Anna", "Boris", "Clara")):
            for left, right in ((10, 200), (200, 400), (400, 600)):
                draw.rectangle((left, 10 + 40 * row, right, 50 + 40 * row), outline="black")
            words(draw, (20, 18 + 40 * row, name), (440, 18 + 40 * row, "Edit"))

    assert found(table, "Edit", "Boris") in Region(400, 50, 200, 40)


def test_the_next_line_of_an_entry_is_its_own() -> None:
    def entries(draw: Draw) -> None:
        for row, name in enumerate(("Anna", "Boris", "Clara")):
            words(draw, (20, 20 + 90 * row, name), (500, 50 + 90 * row, "Edit"))

    assert found(entries, "Edit", "Boris") in Region(480, 130, 100, 60)


def test_what_is_about_as_near_on_both_sides_is_ambiguous() -> None:
    def loose(draw: Draw) -> None:
        words(draw, (40, 40, "Delete"), (180, 40, "Scratch"), (360, 40, "Delete"), (520, 40, "Letter"))

    with pytest.raises(ToolFailure) as failure:
        found(loose, "Delete", "Scratch")

    assert failure.value.code == "TARGET_AMBIGUOUS"
    assert found(loose, "Delete", "Letter").x > 300, "nothing is behind the second"


def test_the_dialog_in_front_is_meant_not_the_window_behind(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    pressed = tmp_path / "pressed"
    desktop.launch([sys.executable, str(APPS / "export_tk.py"), str(pressed)])
    assert control.until(lambda: [one for one in desktop.windows() if one.active and one.dialog], CAP_S)
    eyes = Eyes(desktop, control)
    assert eyes.seek(lambda frame: len(find("Export", eyes.read(frame))) > 1, CAP_S)[0]
    eyes.show()

    clicked = standard_toolbelt(eyes).call(Action("click", {"target": "Export"}), control).observation

    assert clicked.ok, clicked.error
    assert control.until(pressed.exists, CAP_S)
    assert control.until(pressed.read_text, CAP_S) == "dialog"


def test_a_program_says_what_is_on_a_card_that_nothing_shows(
    desktop: VirtualDesktop, control: Control, tmp_path: Path
) -> None:
    deleted = tmp_path / "deleted"
    desktop.launch(["/usr/bin/python3", str(APPS / "notes_gtk.py"), str(deleted)])
    eyes = Eyes(desktop, control)
    assert eyes.seek(lambda frame: len(find("Delete", eyes.read(frame))) == len(NOTES), CAP_S)[0]
    toolbelt = standard_toolbelt(eyes)

    for at, name in enumerate(NOTES):
        eyes.show()
        target = {"text": "Delete", "beside": name}
        clicked = toolbelt.call(Action("click", {"target": target}), control).observation
        assert clicked.ok, clicked.error
        assert control.until(lambda: deleted.exists() and len(deleted.read_text().split()) > at, CAP_S)  # noqa: B023

    assert deleted.read_text().split() == [*NOTES]
