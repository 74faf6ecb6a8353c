"""Targets: a text finds its place, and nothing else does; a name finds its field."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.elements.text_fields import field_beside
from toolbelt.ocr.lines import Line, Word
from toolbelt.ocr.on_screen import TEXTS_LISTED_MAX, what_is_there
from toolbelt.ocr.text_match import Match, find
from toolbelt.perception.eyes import Eyes
from toolbelt.targeting.neighbours import nearest
from toolbelt.targeting.targets import PointTarget, TextTarget, only, resolve
from world_model import Frame, Point, Region, ToolFailure

LETTER, HEIGHT = 10, 20  # pixels


def line(text: str, x: int = 0, y: int = 0) -> Line:
    """A line as it is read: each letter ten pixels wide."""
    words, at = [], 0
    for word in text.split(" "):
        words.append(Word(word, Region(x + at * LETTER, y, len(word) * LETTER, HEIGHT)))
        at += len(word) + 1
    return Line(text, Region(x, y, len(text) * LETTER, HEIGHT), tuple(words))


def found(wanted: str, *texts: str) -> list[str]:
    """The texts that are found, each on a line of its own."""
    return [place.name for place in find(wanted, tuple(line(text, y=30 * row) for row, text in enumerate(texts)))]


# Finding a text ----------------------------------------------------------------------------------------------------


def test_a_whole_line_is_found_by_its_middle() -> None:
    assert find("Save", (line("Open", y=0), line("Save", x=100, y=30))) == [
        Match(Point(120, 40), "Save", Region(100, 30, 40, 20))
    ]


@pytest.mark.parametrize("wanted", ["Save As", "save as", "SAVE AS...", "Save As…", "SaveAs", " Save  As ", "Save As:"])
def test_case_and_space_and_the_dots_of_a_menu_do_not_matter(wanted: str) -> None:
    assert found(wanted, "File", "Save As...") == ["Save As..."]


def test_a_whole_line_comes_before_words_of_another() -> None:
    assert found("Save", "Save all files", "Save") == ["Save"]


def test_what_unfolds_is_called_by_its_text() -> None:
    assert found("Details", "▼Details", "Some details here") == ["▼Details"]
    assert found("Details", "▶ Details", "Details") == ["Details"]


def test_one_sign_stands_by_itself() -> None:
    assert found("-", "<-", "a - b", "-") == ["-"]
    assert found("=", "x =") == []
    assert found("×", "2 × 3", "X") == ["X"]


def test_words_of_a_line_are_found_where_they_stand() -> None:
    assert find("all files", (line("Save all files now", x=100),)) == [
        Match(Point(195, 10), "all files", Region(150, 0, 90, 20))
    ]


@pytest.mark.parametrize(
    ("wanted", "read", "name"),
    [
        ("Terms of Service", "I agree to the Terms of Service, the Privacy Policy, and more", "Terms of Service,"),
        ("Privacy Policy", "I agree to the Terms of Service, the Privacy Policy, and more", "Privacy Policy,"),
        ("Inbox", "my Inbox, 3 new", "Inbox,"),
        ("notes.txt", 'Delete "notes.txt"? It is gone then', '"notes.txt"?'),
    ],
)
def test_words_of_a_sentence_are_found_without_its_signs(wanted: str, read: str, name: str) -> None:
    (place,) = find(wanted, (line(read),))
    assert place.name == name
    assert place.region
    assert place.region.width == LETTER * len(name)


def test_words_of_a_sentence_come_after_words_that_stand_alone() -> None:
    assert [place.name for place in find("Save", (line("Click Save, then close"), line("Save now", y=60)))] == ["Save"]
    assert find("Save then", (line("Click Save, then close"),)) == []


def test_every_place_is_found() -> None:
    assert found("Save", "Save", "Open", "save") == ["Save", "save"]
    assert len(find("a", (line("a b a"),))) == 2


def test_equal_words_in_a_line_are_places_from_left_to_right() -> None:
    regions = [place.region for place in find("b c", (line("a b c d b c"),))]

    assert regions == [Region(20, 0, 30, 20), Region(80, 0, 30, 20)]


def test_a_part_of_a_word_is_found_about_where_it_is() -> None:
    (place,) = find("notes.txt", (line("/home/notes.txt-", x=100),))

    assert place.name == "/home/notes.txt-"
    assert place.region == Region(160, 0, 90, 20)
    assert place.point == Point(205, 10)


@pytest.mark.parametrize(
    ("wanted", "read"),
    [
        ("Install", "lnstall"),
        ("Bill", "BiIl"),
        ("Options", "0ptions"),
        ("Connection", "Connecti0n"),
        ("Modern", "Modem"),
        ("letter.txt", "lettertxt"),
        ("letter.txt", "letter,txt"),
        ("song.mp3", "songmp3"),
        ("draft1.txt", "draft1txt"),
    ],
)
def test_what_is_read_a_little_wrong_is_found(wanted: str, read: str) -> None:
    assert found(wanted, "Cancel", read) == [read]
    assert found(wanted, f"{read} now") == [read]


@pytest.mark.parametrize("read", ["/home/lettertxt - Editor", "/home/letter,txt- Editor"])
def test_a_file_name_in_a_path_is_found_without_its_dot(read: str) -> None:
    (place,) = find("letter.txt", (line(read, x=100),))

    assert place.name == read
    assert place.point.x in range(150, 260)


@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        ("Save", "Saved"),
        ("Saved", "Unsaved"),
        ("Saved", "Unsaved changes"),
        ("Connected", "Disconnected"),
        ("Installed", "Uninstalled"),
        ("file1.txt", "file2.txt"),
        ("Step 1", "Step 2"),
        ("Page 10", "Page 11"),
        ("Invoice", "Invoices"),
        ("Send", "Spend"),
        ("OK", "OKAY"),
        ("Undo", "Redo"),
        ("15", "This is it"),
        ("is", "15"),
        ("100", "IOO"),
        ("Size 1.5", "Size 15"),
        ("letter.txt", "newlettertxt"),
        ("letter.txt", "newletter,txt"),
        ("Size 1.5", "Size 1,5"),
        ("IOO", "a/100/b"),
        ("file1.txt", "/home/file2txt"),
        ("fileI.txt", "/home/file1.txt"),
        ("Save", "Cancel"),
    ],
)
def test_what_says_something_else_is_not_found(wanted: str, there: str) -> None:
    assert found(wanted, there) == []


def test_what_is_read_right_comes_before_what_is_like_it() -> None:
    assert found("Install", "lnstall", "Install") == ["Install"]


@pytest.mark.parametrize("wanted", [".", "...", ":", " ", "…"])
def test_a_text_of_nothing_but_dots_and_space_is_nowhere(wanted: str) -> None:
    assert found(wanted, "a + b", "Save", "(1)", "-") == []


def test_on_an_empty_screen_nothing_is_found() -> None:
    assert find("Save", ()) == []


# The one place -----------------------------------------------------------------------------------------------------


def places(*names: str) -> list[Match]:
    return [Match(Point(10 * index, 5), name, Region(0, 0, 1, 1)) for index, name in enumerate(names)]


def test_the_only_place_is_taken_or_the_only_exact_one() -> None:
    assert only("save", places("Save")).name == "Save"
    assert only("Save", places("save", "Save", "Save…")).point == Point(10, 5)


def test_a_text_that_was_read_twice_is_one_place() -> None:
    twice = [Match(Point(571, 438 + at), "Medium", Region(540, 430 + at, 62, 17)) for at in (0, 1)]
    apart = [
        Match(Point(571, 438), "Medium", Region(540, 430, 62, 17)),
        Match(Point(571, 455), "Medium", Region(540, 447, 62, 17)),
    ]

    assert only("Medium", twice).point == Point(571, 438)
    with pytest.raises(ToolFailure, match="2 times"):
        only("Medium", apart)


@pytest.mark.parametrize("names", [("Save", "Save"), ("SAVE", "save")])
def test_several_places_are_told_with_where_they_are(names: tuple[str, str]) -> None:
    with pytest.raises(ToolFailure, match='"Save" is on the screen 2 times') as failure:
        only("Save", places(*names))

    assert failure.value.code == "TARGET_AMBIGUOUS"
    assert f'"{names[0]}" at 0, 5; "{names[1]}" at 10, 5' in failure.value.hints[0]


def test_what_is_there_is_told_up_to_a_limit() -> None:
    texts = [f"line {number}" for number in range(TEXTS_LISTED_MAX + 2)]

    assert what_is_there(()) == "No text can be read on the screen."
    assert what_is_there((line("Open"), line("Quit"))) == 'On the screen: "Open", "Quit".'
    seen = line("Notes"), line("2007–365"), line("2008–365")
    there = 'On the screen: "Notes", "2007–365", "2008–365".'
    assert what_is_there(seen, "2007-365") == f'The nearest: "2007–365", "2008–365". {there}'
    assert what_is_there(seen, "note") == f'The nearest: "Notes". {there}'
    assert what_is_there(seen, "Save") == there
    assert what_is_there(tuple(map(line, texts[:TEXTS_LISTED_MAX]))).endswith(f'"line {TEXTS_LISTED_MAX - 1}".')
    told = what_is_there(tuple(map(line, texts)))
    assert told.endswith(f'"line {TEXTS_LISTED_MAX - 1}" and 2 more lines.')
    assert f'"line {TEXTS_LISTED_MAX}"' not in told


# On a screen -------------------------------------------------------------------------------------------------------

FONT = ImageFont.load_default(size=20)


def picture(*texts: tuple[int, int, str], boxes: tuple[Region, ...] = (), background: str = "#f4f4f4") -> Image.Image:
    """Texts, and boxes as a toolkit draws an input field."""
    image = Image.new("RGB", (640, 200), background)
    draw = ImageDraw.Draw(image)
    for box in boxes:
        corners = box.x, box.y, box.right - 1, box.bottom - 1
        draw.rounded_rectangle(corners, 3, fill="white", outline="#909090")
    for x, y, text in texts:
        draw.text((x, y), text, "black", FONT)
    return image


@pytest.mark.parametrize("wanted", ["Сохранить", "حفظ", "저장", "บันทึก", "सहेजें"])
def test_letters_that_cannot_be_read_are_told(wanted: str) -> None:
    told = what_is_there((line("Open"),), wanted)

    assert told.startswith(f'The letters "{wanted[0]}", ')
    assert told.endswith(
        'cannot be read from a screen: use a mark, a point or an image instead of a text. On the screen: "Open".'
    )


@pytest.mark.parametrize(
    ("wanted", "letters"), [("Đăng nhập", '"ậ"'), ("Αποθήκευση", '"ή"'), ("Khởi động", '"ở", "ộ"')]
)
def test_letters_that_are_taken_for_others_are_told(wanted: str, letters: str) -> None:
    assert what_is_there((line("Open"),), wanted).startswith(f"The letters {letters} cannot be read from a screen: ")


@pytest.mark.parametrize("wanted", ["Save", "保存", "Öffnen", "Zażółć", "2007–365", "✓ Done"])
def test_letters_that_can_be_read_are_not_told(wanted: str) -> None:
    assert what_is_there((line("Open"),), wanted) == 'On the screen: "Open".'


def test_a_missing_text_is_an_error_with_what_is_there() -> None:
    shown = picture((40, 20, "Open file"), (300, 20, "Save"), (40, 120, "Save"))
    eyes = Eyes(FakeDesktop(lambda _inputs: shown), Control())

    place = resolve("Open file", eyes).match
    with pytest.raises(ToolFailure) as missing:
        resolve(TextTarget(text="Quit"), eyes, patience=0)
    with pytest.raises(ToolFailure) as twice:
        resolve("Save", eyes)

    assert place.point in Region(40, 20, 90, 24)
    assert missing.value.code == "TARGET_NOT_FOUND"
    assert missing.value.hints == ('On the screen: "Open file", "Save", "Save".',)
    assert twice.value.code == "TARGET_AMBIGUOUS"


@pytest.mark.parametrize(("x", "y"), [(0, 0), (639, 199)])
def test_a_point_on_the_desktop_is_taken_as_it_is(x: int, y: int) -> None:
    eyes = Eyes(FakeDesktop(lambda _inputs: picture()), Control())

    assert resolve(PointTarget(x=x, y=y), eyes).match == Match(Point(x, y), f"{x}, {y}")


@pytest.mark.parametrize(("x", "y"), [(640, 0), (0, 200), (-1, 5)])
def test_a_point_beside_the_desktop_is_told_with_its_size(x: int, y: int) -> None:
    eyes = Eyes(FakeDesktop(lambda _inputs: picture()), Control())

    with pytest.raises(ToolFailure, match=f"{x}, {y} is outside") as failure:
        resolve(PointTarget(x=x, y=y), eyes)
    assert failure.value.code == "OFF_SCREEN"
    assert failure.value.hints == ("It reaches from 0, 0 to 639, 199.",)


# Fields ------------------------------------------------------------------------------------------------------------


def text_region(x: int, y: int, text: str) -> Region:
    left, top, right, bottom = FONT.getbbox(text)
    return Region(x + int(left), y + int(top), int(right - left), int(bottom - top))


def field_of(index: int, *texts: tuple[int, int, str], boxes: tuple[Region, ...] = ()) -> Region | None:
    """The box that is found for one of the texts, as it was drawn."""
    frame = Frame(np.asarray(picture(*texts, boxes=boxes)))
    seen = field_beside(frame, text_region(*texts[index]))
    if seen is None:
        return None
    (drawn,) = [box for box in boxes if abs(seen.x - box.x) < 4 and abs(seen.y - box.y) < 4]
    assert abs(seen.width - drawn.width) < 8
    assert abs(seen.height - drawn.height) < 8
    return drawn


UPPER, LOWER = Region(160, 20, 300, 36), Region(160, 90, 300, 36)


def test_the_field_of_a_name_to_its_left_is_beside_it() -> None:
    texts = (20, 26, "Name:"), (20, 96, "Password:")

    assert field_of(0, *texts, boxes=(UPPER, LOWER)) == UPPER
    assert field_of(1, *texts, boxes=(UPPER, LOWER)) == LOWER


def test_the_field_of_a_name_above_it_is_below() -> None:
    texts = (160, 8, "Name"), (160, 88, "Password")
    boxes = Region(156, 36, 300, 36), Region(156, 116, 300, 36)

    assert [field_of(index, *texts, boxes=boxes) for index in (0, 1)] == list(boxes)


def test_the_field_of_a_name_that_stands_in_it_is_that_one() -> None:
    assert field_of(0, (170, 26, "Search"), (20, 96, "Name"), boxes=(UPPER, LOWER)) == UPPER


def test_of_two_fields_in_a_row_the_nearer_one_is_meant() -> None:
    boxes = Region(100, 20, 150, 36), Region(300, 20, 150, 36)

    assert field_of(0, (20, 26, "From"), boxes=boxes) == boxes[0]


def test_a_button_is_no_field() -> None:
    image = Image.new("RGB", (300, 100), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((100, 30, 160, 60), outline="black")
    draw.rectangle((180, 30, 290, 60), outline="black")  # the field of somebody else, beside it

    assert field_beside(Frame(np.asarray(image)), Region(110, 36, 40, 16)) is None


def test_a_button_beside_or_below_a_name_is_not_its_field() -> None:
    wide = text_region(0, 0, "Delete account").right
    button, drop_down = Region(160, 60, wide + 40, 36), Region(20, 150, 200, 36)
    texts = (160, 26, "Nickname"), (180, 66, "Delete account"), (20, 120, "City"), (28, 156, "Berlin"), (200, 156, "v")

    assert field_of(0, *texts[:2], boxes=(button,)) is None
    assert field_of(0, (20, 66, "Nickname"), texts[1], boxes=(button,)) is None
    assert field_of(2, *texts, boxes=(button, drop_down)) == drop_down


def test_the_field_of_a_name_over_its_middle_is_below() -> None:
    field = Region(100, 46, 400, 36)

    assert field_of(0, (270, 10, "E-mail"), boxes=(field,)) == field


def test_where_there_is_no_box_there_is_no_field() -> None:
    assert field_of(0, (20, 26, "Name:"), (300, 26, "Ada Lovelace")) is None


def test_a_box_far_from_its_name_or_much_taller_is_no_field() -> None:
    assert field_of(0, (20, 26, "Name:"), boxes=(Region(20, 150, 300, 36),)) is None
    assert field_of(0, (20, 26, "Name:"), boxes=(Region(160, 10, 400, 180),)) is None


def test_a_frame_of_another_monitor_gives_places_on_the_desktop() -> None:
    pixels = np.asarray(picture((20, 26, "Name:"), boxes=(UPPER,)))
    name = text_region(20, 26, "Name:")

    here = field_beside(Frame(pixels), name)
    there = field_beside(Frame(pixels, Point(-640, 100)), name.shifted(-640, 100))

    assert here is not None
    assert there == here.shifted(-640, 100)


def test_what_is_only_a_part_of_a_line_says_of_which() -> None:
    [part] = find("Replace all", (line("Replace all in:"),))
    [whole] = find("Replace all", (line("Replace All"),))

    assert (part.name, part.line) == ("Replace all", "Replace all in:")
    assert whole.line == ""


# Beside, and enlarged ----------------------------------------------------------------------------------------------


def test_of_several_texts_the_one_beside_another_is_meant() -> None:
    shown = picture((40, 20, "notes.txt"), (400, 20, "Delete"), (40, 80, "report.txt"), (400, 80, "Delete"))
    eyes = Eyes(FakeDesktop(lambda _inputs: shown), Control())

    place = resolve(TextTarget(text="Delete", beside="report.txt"), eyes).match
    with pytest.raises(ToolFailure) as failure:
        resolve("Delete", eyes)

    assert place.point in Region(400, 80, 80, 30)
    assert failure.value.code == "TARGET_AMBIGUOUS"
    assert '{"text": "Delete", "beside": "..."}' in failure.value.hints[0]


def test_a_row_comes_before_what_is_nearer() -> None:
    places = find("Delete", (line("Delete", x=300, y=0), line("Delete", x=100, y=40)))
    neighbours = find("report", (line("report", x=100, y=4),))

    assert nearest(places, neighbours) == [places[0]]
    assert nearest(places[1:], neighbours) == [places[1]]


def test_look_alikes_that_are_small_are_told_apart() -> None:
    small = ImageFont.load_default(size=12)
    shown = picture()
    draw = ImageDraw.Draw(shown)
    for row, text in enumerate(("key-A1B0C5", "key-A1BOC5", "key-AlB0CS")):
        draw.text((60, 20 + 50 * row), text, "black", small)
    eyes = Eyes(FakeDesktop(lambda _inputs: shown), Control())

    assert resolve("key-A1B0C5", eyes).point in Region(55, 15, 90, 25)


def test_a_place_is_told_by_what_it_is() -> None:
    at, region = Point(10, 20), Region(0, 10, 20, 20)

    assert Match(at, "10, 20").told == "10, 20"
    assert Match(at, "Save", region).told == '"Save" at 10, 20'
    assert Match(at, "Save", region, "Save all").told == '"Save" at 10, 20, a part of the line "Save all"'
    assert Match(at, "x.png", region, called="the image x.png").told == "the image x.png at 10, 20"
