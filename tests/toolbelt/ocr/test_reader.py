"""Reading: what stands on a picture is read, only what changed is read again, and the result is that of a full read."""

import subprocess
import sys
from collections import Counter
from random import Random

import numpy as np
import pytest
from PIL import Image, ImageColor, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr import reader as reading
from toolbelt.ocr.engine import recognized
from toolbelt.ocr.frame_diff import changed_regions
from toolbelt.ocr.lines import Line
from toolbelt.ocr.reader import Reader
from toolbelt.ocr.segmentation import renew, standing_out
from world_model import Frame, Pixels, Point, Region

Texts = dict[tuple[int, int], str]


def drawn(
    texts: Texts, size: tuple[int, int] = (600, 300), font: int = 20, colours: tuple[str, str] = ("white", "black")
) -> Frame:
    image = Image.new("RGB", size, colours[0])
    draw = ImageDraw.Draw(image)
    for place, text in texts.items():
        draw.text(place, text, colours[1], ImageFont.load_default(size=font))
    return Frame(np.asarray(image))


def texts_of(frame: Frame, reader: Reader | None = None) -> list[str]:
    return sorted(line.text for line in (reader or Reader()).read(frame))


@pytest.fixture
def read_pictures(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pictures went to the recognizer, one number a time."""
    counts: list[int] = []

    def counting(pictures: list[Pixels]) -> list[Line | None]:
        counts.append(len(pictures))
        return recognized(pictures)

    monkeypatch.setattr(reading, "recognized", counting)
    return counts


SCENES: list[Texts] = [
    {(20, 20): "File", (120, 20): "Edit", (20, 100): "first line"},
    {(20, 20): "File", (120, 20): "Edit", (20, 100): "first line", (20, 130): "second line"},
    {(20, 20): "File", (120, 20): "Edit", (20, 100): "first line and more", (20, 130): "second line"},
    {(20, 20): "File", (120, 20): "Edit", (20, 70): "first line and more", (20, 100): "second line"},
    {(20, 20): "File", (120, 20): "Edit", (300, 200): "Cancel"},
    {},
    {(20, 20): "File", (120, 20): "Edit", (20, 100): "first line"},
]


def test_incremental_reading_gives_exactly_what_a_full_read_does() -> None:
    reader = Reader()
    for texts in SCENES:
        frame = drawn(texts)
        assert Counter(reader.read(frame)) == Counter(Reader().read(frame))
        assert texts_of(frame) == sorted(texts.values())


def test_an_incremental_look_finds_the_same_outstanding_parts() -> None:
    chance = Random(5)
    for _ in range(60):
        picture = Image.new("RGB", (chance.randint(40, 500), chance.randint(40, 400)), "white")
        draw = ImageDraw.Draw(picture)
        before = np.asarray(picture)
        standing = standing_out(before)
        for _ in range(4):
            for _ in range(chance.randint(1, 6)):
                _scribble(draw, picture.size, chance)
            after = np.asarray(picture)
            for region in changed_regions(Frame(before), Frame(after)):
                renew(standing, after, region)
            assert np.array_equal(standing, standing_out(after))
            before = after


def _scribble(draw: ImageDraw.ImageDraw, size: tuple[int, int], chance: Random) -> None:
    x, y, color = chance.randrange(size[0]), chance.randrange(size[1]), tuple(chance.choices(range(256), k=3))
    match chance.randrange(3):
        case 0:
            draw.text((x, y), "Save as OK", color, ImageFont.load_default(chance.randint(9, 70)))
        case 1:
            draw.rectangle((x, y, x + chance.randint(0, 90), y + chance.randint(0, 90)), outline=color)
        case _:
            draw.line((x, y, x + chance.randint(0, 3), y + chance.randint(0, 150)), color, chance.randint(1, 4))


def test_a_read_that_failed_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, frame = Reader(), drawn({(20, 20): "File"})
    with monkeypatch.context() as broken:
        broken.setattr(reading, "recognized", lambda _pictures: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            reader.read(frame)
    assert texts_of(frame, reader) == ["File"]


def test_what_moved_or_came_back_is_not_read_again(read_pictures: list[int]) -> None:
    reader = Reader()
    lines = {(20, 20 + 40 * number): f"this is line number {number}" for number in range(6)}
    moved = {(x + 31, y - 13): text for (x, y), text in lines.items() if y > 20}
    reader.read(drawn(lines))
    reader.read(drawn({}))
    read_pictures.clear()

    assert texts_of(drawn(moved), reader) == sorted(moved.values())
    assert texts_of(drawn(lines), reader) == sorted(lines.values())
    assert sum(read_pictures) == 0


def test_of_a_long_line_that_is_written_on_only_the_end_is_read(read_pictures: list[int]) -> None:
    reader = Reader()
    line = "the quick brown fox jumps over the lazy dog and runs into the dark green forest at night to sleep in peace"
    reader.read(drawn({(10, 50): line}, (1300, 100)))
    whole = sum(read_pictures)
    read_pictures.clear()

    assert texts_of(drawn({(10, 50): f"{line} again"}, (1300, 100)), reader) == [f"{line} again"]
    assert 0 < sum(read_pictures) <= 2 < whole


def test_where_nothing_stands_out_nothing_is_read(read_pictures: list[int]) -> None:
    shades = np.linspace(0, 255, 600, dtype=np.uint8)
    assert Reader().read(Frame(np.dstack([np.tile(shades, (300, 1))] * 3))) == ()
    assert sum(read_pictures) == 0


def test_what_is_just_outside_a_region_is_not_read_in_it() -> None:
    """Its margin is looked at too, and the icon of a window's title bar was read as a text of the window."""
    frame = drawn({(20, 40): "above", (20, 60): "inside"}, font=10)

    found = reading.read_region(frame, Region(0, 51, 600, 30))

    assert [one.text for one in found] == ["inside"]
    assert len(reading.read_region(frame, Region(0, 30, 600, 51))) == 2


def test_a_label_and_the_text_in_its_field_are_two_lines() -> None:
    image = Image.fromarray(drawn({(20, 52): "Name", (104, 52): "Anna"}).pixels)
    ImageDraw.Draw(image).rectangle((96, 44, 320, 84), outline="black")

    assert texts_of(Frame(np.asarray(image))) == ["Anna", "Name"]


@pytest.mark.parametrize("colours", [("white", "black"), ("#222222", "#dddddd"), ("#b02048", "white")])
@pytest.mark.parametrize("font", [12, 16, 26, 40, 60])
def test_light_and_dark_small_and_large_text_is_read(font: int, colours: tuple[str, str]) -> None:
    texts = {(30, 40): "Save the file"}

    assert " ".join(texts_of(drawn(texts, font=font, colours=colours))) == "Save the file"


@pytest.mark.parametrize("font", [32, 36, 40])
def test_a_heading_is_one_line_and_an_icon_not_part_of_a_label(font: int) -> None:
    """The words of large text stand far apart, and low ones beside high ones."""
    image = Image.new("RGB", (900, 300), "white")
    draw, x = ImageDraw.Draw(image), 30.0
    for word in ("Your", "order", "is", "on", "its", "way"):
        draw.text((x, 40), word, "black", ImageFont.load_default(font))
        x += draw.textlength(word, ImageFont.load_default(font)) + 0.38 * font
    draw.rectangle((30, 160, 54, 184), "#3070c0")
    draw.text((68, 164), "Home folder", "black", ImageFont.load_default(15))

    assert texts_of(Frame(np.asarray(image)))[-2:] == ["Home folder", "Your order is on its way"]


@pytest.mark.parametrize("font", [22, 24, 27, 32])
@pytest.mark.parametrize("bold", ["", "-Bold"])
def test_no_stem_of_a_large_letter_is_taken_for_a_border(font: int, bold: str) -> None:
    image = Image.new("RGB", (900, 300), "white")
    for line, text in enumerate(["Express RED", "DELETE KEY", "FIELD 1585", "Remember me"]):
        face = ImageFont.truetype(f"DejaVuSans{bold}.ttf", font)
        ImageDraw.Draw(image).text((30, 20 + 65 * line), text, "black", face)

    words = " ".join(texts_of(Frame(np.asarray(image)))).split()
    assert sorted(words) == ["1585", "DELETE", "Express", "FIELD", "KEY", "RED", "Remember", "me"]


@pytest.mark.parametrize("font", [14, 16, 20, 24])
@pytest.mark.parametrize("gap", [1, 2, 3])
@pytest.mark.parametrize("text", ["Comments", "Full name"])
def test_a_fields_border_is_no_letter_of_its_label(text: str, gap: int, font: int) -> None:
    image = Image.new("RGB", (600, 200), "white")
    draw, face = ImageDraw.Draw(image), ImageFont.load_default(font)
    draw.text((40, 60), text, "black", face)
    _, top, right, bottom = draw.textbbox((40, 60), text, face)
    draw.rectangle((right + gap, top - 6, right + gap + 200, bottom + 6), outline="gray")

    assert texts_of(Frame(np.asarray(image))) == [text]


def test_the_texts_of_adjacent_buttons_are_separate_lines() -> None:
    """The border of one, the ground of the other, and eight pixels between them: together no stroke of a letter."""
    large = Image.new("RGB", (1600, 480), "#f2f3f7")
    draw, face = ImageDraw.Draw(large), ImageFont.truetype("DejaVuSans-Bold.ttf", 56)
    draw.rounded_rectangle((200, 160, 760, 296), 32, "white", "#8896ac", 8)
    draw.rounded_rectangle((792, 160, 1200, 296), 32, "#2255d0")
    draw.text((250, 192), "Allow for all", "black", face)
    draw.text((830, 192), "Allow once", "white", face)
    image = large.resize((400, 120), Image.Resampling.BOX)

    assert texts_of(Frame(np.asarray(image))) == ["Allow for all", "Allow once"]


@pytest.mark.parametrize("font", [12, 13, 14, 16])
@pytest.mark.parametrize("text", ["Settings", "Bold", "Home", "Reports"])
def test_the_side_of_a_tab_is_no_letter_of_its_text(text: str, font: int) -> None:
    large = Image.new("RGB", (1200, 240), "#20242c")
    draw, face = ImageDraw.Draw(large), ImageFont.truetype("DejaVuSans.ttf", 4 * font)
    draw.text((460, 80), "Tools", "white", face, "ra")
    draw.rounded_rectangle(
        (500, 80 - 2 * font, 543 + draw.textlength(text, face) // 4 * 4, 79 + 6 * font), 16, "#414b59"
    )
    draw.text((520, 80), text, "white", face)
    image = large.resize((300, 60), Image.Resampling.BOX)

    assert texts_of(Frame(np.asarray(image))) == sorted(["Tools", text])


@pytest.mark.parametrize("thick", [1, 2])
def test_the_cells_of_a_table_are_each_a_line(thick: int) -> None:
    image = Image.new("RGB", (600, 200), "white")
    draw, face = ImageDraw.Draw(image), ImageFont.truetype("DejaVuSans.ttf", 14)
    texts, x = ["Lamp", "12.50", "Edit", "Home", "Delete"], 40
    for text in texts:
        wide = 6 + thick + round(draw.textlength(text, face))
        draw.rectangle((x, 60, x + wide + thick - 1, 60 + 22 + thick), outline="#333333", width=thick)
        draw.text((x + thick + 3, 60 + thick + 3), text, "black", face)
        x += wide

    assert texts_of(Frame(np.asarray(image))) == sorted(texts)


@pytest.mark.parametrize("text", ["old line", "report 7", "Hello", "level", "quarter", "[old] line", "(page 2)"])
@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("font", [14, 18, 24])
@pytest.mark.parametrize("colours", [("white", "black"), ("#202428", "#e8e8e8")])
def test_a_caret_before_a_text_is_no_letter_of_it(text: str, width: int, font: int, colours: tuple[str, str]) -> None:
    """It stands there as long as nobody types, and `old line` was read as `bld line`."""
    without = drawn({(40, 40): text}, (240, 100), font, colours)
    ink = np.argwhere((without.pixels != without.pixels[0, 0]).any(axis=2))
    (top, left), (bottom, _) = ink.min(axis=0), ink.max(axis=0)
    pixels = without.pixels.copy()
    pixels[top - 3 : bottom + 4, left - width : left] = ImageColor.getrgb(colours[1])

    assert texts_of(Frame(pixels)) == texts_of(without)


@pytest.mark.parametrize("font", [13, 15, 18])
def test_a_name_is_not_cut_at_its_underscores(font: int) -> None:
    """They are drawn level, so that nothing on their own row stands out but their ends."""
    texts = {
        (20, 20): "in the folder are trim_zeros.txt, of last week, and also left_shift",
        (20, 60): "it calls broadcast_shapes of the library once, and then unique_all",
    }

    assert texts_of(drawn(texts, (900, 100), font)) == sorted(texts.values())


def test_lines_and_words_stand_where_they_were_drawn() -> None:
    plain = drawn({(40, 60): "Replace with"})
    [line] = Reader().read(Frame(plain.pixels, Point(-1000, 50)))

    assert [word.text for word in line.words] == ["Replace", "with"]
    assert Region(-960, 110, 200, 30).intersection(line.region).area > 0.8 * line.region.area
    assert line.words[0].region.right <= line.words[1].region.x + 3


@pytest.mark.parametrize("name", ["indteett", "illicit", "fillet-tilt", "filter"])
def test_no_narrow_letter_of_a_title_is_lost(desktop: VirtualDesktop, control: Control, name: str) -> None:
    """At the size of a title, an l or a t is hardly wider than what the recognizer takes for one sign."""
    desktop.launch(["xterm", "-T", f"/tmp/{name}/letter.txt"])
    wanted, reader = f"{name}/letter.txt", Reader()

    assert control.until(lambda: any(wanted in text for text in texts_of(desktop.grab(), reader)), 15), texts_of(
        desktop.grab()
    )


RING = """
import tkinter
from tkinter import ttk
root = tkinter.Tk()
ttk.Style().theme_use("clam")
button = ttk.Button(root, text="Count")
button.pack(padx=40, pady=30)
button.focus_force()
root.mainloop()
"""


def test_a_button_with_a_dotted_focus_ring_is_read_once(desktop: VirtualDesktop, control: Control) -> None:
    desktop.launch([sys.executable, "-c", RING])
    reader = Reader()
    assert control.until(lambda: "Count" in texts_of(desktop.grab(), reader), 120)
    control.wait(0.5)  # the focus comes a moment later
    assert texts_of(desktop.grab()).count("Count") == 1


def test_a_reader_keeps_no_more_than_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT", 5)
    reader = Reader()
    for number in range(12):
        frame = drawn({(20, 20): f"page {number}", (20, 80): f"of {number * 7}", (20, 140): f"item {number}"})
        assert texts_of(frame, reader) == texts_of(frame)
    assert len(reader._texts) <= 5
    assert len(reader._rows) <= 5


@pytest.mark.usefixtures("processes")
def test_reading_reports_to_nobody() -> None:
    watched = """
import multiprocessing.process as process, sys
process.BaseProcess.start = lambda self: sys.exit(f"started {self}")
from toolbelt.ocr.engine import _recognizer
_recognizer()
import openvino
print(sys.modules["openvino_telemetry"], len(openvino.Core().available_devices) > 0)
"""
    done = subprocess.run([sys.executable, "-c", watched], capture_output=True, text=True, check=False, timeout=250)

    assert (done.stdout, done.returncode) == ("None True\n", 0), done.stderr
