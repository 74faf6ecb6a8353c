"""What is added to a list or a letter looks as the rest of it does, and its parts are known by their names."""

from typing import Final

import pytest

from mark_i.brains.offline.instructions import Close, DialogClosed, NotUnderstood, Press, Type, parse_instructions
from tests.mark_i.brains.offline.plans import begun, written

BULLETS: Final = 'open the text editor, type "Shopping list\n- 2 milk\n- bread\n- 6 eggs", save it as shopping.txt'
NUMBERS: Final = 'open the text editor, type "1. milk\n2. bread\n3. eggs", save it as shopping.txt'
LETTER: Final = (
    'open the text editor, type "Dear Tom,\nthe meeting is on Friday at 10 in room 204.\nPlease bring the report.\n'
    'Best regards,\nAnn", save it as letter.txt'
)
MEETING: Final = "the meeting is on Friday at 10 in room 204.\n"
HEAD: Final = f"Dear Tom,\n{MEETING}"
TAIL: Final = "Please bring the report.\nBest regards,\nAnn"
TYPED: Final = [0, 1, 2]  # nothing is done, nothing is typed, or all is


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("add cheese", "Shopping list\n- 2 milk\n- bread\n- 6 eggs\n- cheese"),
        ("we also need cheese", "Shopping list\n- 2 milk\n- bread\n- 6 eggs\n- cheese"),
        ("add cheese and ham", "Shopping list\n- 2 milk\n- bread\n- 6 eggs\n- cheese\n- ham"),
        ("and cheese too", "Shopping list\n- 2 milk\n- bread\n- 6 eggs\n- cheese"),
        ("also cheese please", "Shopping list\n- 2 milk\n- bread\n- 6 eggs\n- cheese"),
        ("add cheese after the milk", "Shopping list\n- 2 milk\n- cheese\n- bread\n- 6 eggs"),
        ('add a line "For two weeks"', "Shopping list\n- 2 milk\n- bread\n- 6 eggs\nFor two weeks"),
        ("scratch the bread", "Shopping list\n- 2 milk\n- 6 eggs"),
        ("remove the last two lines", "Shopping list\n- 2 milk"),
        ("remove the first two items", "Shopping list\n- 6 eggs"),
        ("remove the first two lines", "- bread\n- 6 eggs"),
        ("the second item should be rolls", "Shopping list\n- 2 milk\n- rolls\n- 6 eggs"),
        ("change the title to Groceries", "Groceries\n- 2 milk\n- bread\n- 6 eggs"),
        ("put a blank line after the title", "Shopping list\n\n- 2 milk\n- bread\n- 6 eggs"),
    ],
)
def test_a_list_stays_a_list(said: str, wanted: str, done: int) -> None:
    after = begun(done, BULLETS).after(said)

    assert not after.unclear
    assert written(after) == wanted


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize("said", ["put the eggs first", "move the eggs to the top of the list"])
def test_an_entry_comes_first_below_the_heading(said: str, done: int) -> None:
    assert written(begun(done, BULLETS).after(said)) == "Shopping list\n- 6 eggs\n- 2 milk\n- bread"


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("add cheese", "1. milk\n2. bread\n3. eggs\n4. cheese"),
        ("add cheese after the milk", "1. milk\n2. cheese\n3. bread\n4. eggs"),
        ("forget the bread", "1. milk\n2. eggs"),
    ],
)
def test_the_entries_of_a_numbered_list_are_counted_on(said: str, wanted: str, done: int) -> None:
    after = begun(done, NUMBERS).after(said)

    assert not after.unclear
    assert written(after) == wanted


def test_a_closing_below_a_list_is_no_entry() -> None:
    assert written(begun(2, NUMBERS).after("add a line: Best regards")).endswith("3. eggs\nBest regards")


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("change the room to 205", f"Dear Tom,\nthe meeting is on Friday at 10 in room 205.\n{TAIL}"),
        ("add a line: Lunch is provided.", f"{HEAD}{TAIL}\nLunch is provided."),
        (
            "insert a line after the greeting saying Hope you are well.",
            f"Dear Tom,\nHope you are well.\n{MEETING}{TAIL}",
        ),
        (
            "add a line before the closing: See you there, please",
            f"{HEAD}Please bring the report.\nSee you there\nBest regards,\nAnn",
        ),
        ("change the closing to Kind regards", f"{HEAD}Please bring the report.\nKind regards,\nAnn"),
        ("the greeting should be Hi Tom", f"Hi Tom,\n{MEETING}{TAIL}"),
        ("leave a blank line before the closing", f"{HEAD}Please bring the report.\n\nBest regards,\nAnn"),
    ],
)
def test_the_parts_of_a_letter_are_known(said: str, wanted: str, done: int) -> None:
    after = begun(done, LETTER).after(said)

    assert not after.unclear
    assert written(after) == wanted


def test_the_file_is_still_saved() -> None:
    after = begun(2, BULLETS).after("remove the last two lines")

    assert [one.content for one in after.every if isinstance(one, Type)][-1] == "shopping.txt"


SHOPPING: Final = 'open the text editor, type "Shopping list\nmilk\nbread\neggs", save it as shopping.txt'


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("sort it alphabetically", "Shopping list\nbread\neggs\nmilk"),
        ("put the list in alphabetical order", "Shopping list\nbread\neggs\nmilk"),
        ("number the lines", "Shopping list\n1. milk\n2. bread\n3. eggs"),
        ("make it a bulleted list", "Shopping list\n- milk\n- bread\n- eggs"),
        ("make it 6 eggs", "Shopping list\nmilk\nbread\n6 eggs"),
        ("we need 2 bottles of milk", "Shopping list\n2 bottles of milk\nbread\neggs"),
        ("the title should be Groceries", "Groceries\nmilk\nbread\neggs"),
    ],
)
def test_a_list_without_marks_is_a_list_too(said: str, wanted: str, done: int) -> None:
    after = begun(done, SHOPPING).after(said)

    assert not after.unclear
    assert written(after) == wanted


@pytest.mark.parametrize(
    ("said", "reason"),
    [("sort it alphabetically", "with the lines of a list"), ("change the title to X", "neither in")],
)
def test_a_letter_is_no_list(said: str, reason: str) -> None:
    before = begun(2, LETTER)
    after = before.after(said)

    assert reason in after.unclear[0][1]
    assert after.every == before.every


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("it's Mrs Weber", "Dear Mrs Weber,\nthank you.\nKind regards,\nPaul"),
        ("say Hello instead of Dear", "Hello Ms Weber,\nthank you.\nKind regards,\nPaul"),
        ("sign it Paula", "Dear Ms Weber,\nthank you.\nKind regards,\nPaula"),
    ],
)
def test_who_writes_and_who_reads_is_changed(said: str, wanted: str) -> None:
    goal = 'open the text editor, type "Dear Ms Weber,\nthank you.\nKind regards,\nPaul", save it as order.txt'

    assert written(begun(2, goal).after(said)) == wanted


TO_DO: Final = (
    'open the text editor, type "To do on Monday\n1. Call Bo\n2. Book the train to Bonn\n3. Send the invoice 2041", '
    "save it as todo.txt"
)


@pytest.mark.parametrize("done", TYPED)
def test_the_number_of_an_entry_is_no_value_of_it(done: int) -> None:
    before = begun(done, TO_DO)
    after = before.after("the invoice number is 2042")

    assert not after.unclear
    assert written(after) == written(before).replace("2041", "2042")


@pytest.mark.parametrize("said", ["save it and close the editor", "close the editor", "save it and close it"])
def test_a_window_is_closed_once_all_is_written_and_saved(said: str) -> None:
    before = begun(1, TO_DO)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before)
    assert [type(one) for one in after.every[-2:]] == [DialogClosed, Close]


def test_a_text_that_is_not_saved_is_saved_before_its_window_is_closed() -> None:
    after = begun(1, 'open the text editor, type "a"').after("save it and close the editor")

    assert [type(one) for one in after.every[-3:]] == [Type, Press, Close]


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (BULLETS, "Shopping list\n- 2 milk\n- 6 eggs\n- bread"),
        (NUMBERS, "1. milk\n2. eggs\n3. bread"),
        (
            BULLETS.replace("- bread", "Bread: rye").replace("- 6 eggs", "Eggs: 6"),
            "Shopping list\n- 2 milk\nEggs: 6\nBread: rye",
        ),
    ],
)
def test_entries_of_a_list_change_their_places(said: str, wanted: str, done: int) -> None:
    after = begun(done, said).after("swap the bread and the eggs")

    assert not after.unclear
    assert written(after) == wanted


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "path"),
    [
        ("put it in my Documents folder", "~/Documents/todo.txt"),
        ("save it in the reports folder instead", "reports/todo.txt"),
        ("save it to my desktop", "~/Desktop/todo.txt"),
    ],
)
def test_a_file_is_saved_in_another_folder(said: str, path: str, done: int) -> None:
    after = begun(done, TO_DO).after(said)

    assert not after.unclear
    assert [one.file for one in after.every if isinstance(one, DialogClosed)] == [path]


def test_a_file_without_a_name_is_asked_about() -> None:
    after = begun(1, 'open the text editor, type "a"').after("save it in my Documents folder")

    assert "under what name" in after.unclear[0][1]


@pytest.mark.parametrize("said", ["put it in my Documents folder", "put this in the box"])
def test_a_word_that_only_points_is_never_typed(said: str) -> None:
    assert isinstance(parse_instructions(said)[0], NotUnderstood)
