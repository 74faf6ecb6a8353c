"""Several changes in one sentence are followed in order, or none of them is."""

from typing import Final

import pytest

from tests.mark_i.brains.offline.plans import begun, written

LIST: Final = (
    'open the text editor, type "Shopping for Tuesday", press enter, type "30 eggs", press enter, type "Call Bert", '
    'press enter, type "Ben and Zoe", press enter, type "3 May", press enter, type "10 June", save it as list.txt'
)
DONE: Final = len(begun(0, LIST).every)


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        (
            "make it 50, move Call Bert to the top and save",
            "Call Bert|Shopping for Tuesday|50 eggs|Ben and Zoe|3 May|10 June",
        ),
        (
            "actually make it 50, and move Call Bert to the top, then save",
            "Call Bert|Shopping for Tuesday|50 eggs|Ben and Zoe|3 May|10 June",
        ),
        ("drop Ben and make it 12 June, then save", "Shopping for Tuesday|30 eggs|Call Bert|Zoe|3 May|12 June"),
        (
            "swap the words eggs and Bert, make it 50 and save",
            "Shopping for Tuesday|50 Bert|Call eggs|Ben and Zoe|3 May|10 June",
        ),
    ],
)
def test_all_are_followed_in_order(said: str, lines: str) -> None:
    after = begun(DONE, LIST).after(said)

    assert not after.unclear
    assert written(after).split("\n") == lines.split("|")
    assert after.left()[-1] in {"save", "save it"}


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("add a line saying see you soon and change 30 eggs to 40 eggs", "see you soon"),
        ("add a line at the end: see you soon, and change 30 eggs to 40 eggs", "see you soon"),
        ("sign it with Maria and change 30 eggs to 40 eggs", "Maria"),
        ("sign it Maria and Paul, and change 30 eggs to 40 eggs", "Maria and Paul"),
        ("sign it with Maria and Paul, and change 30 eggs to 40 eggs", "Maria and Paul"),
    ],
)
@pytest.mark.parametrize("done", [2, 8, DONE])
def test_a_text_without_quotes_ends_where_the_next_change_begins(said: str, line: str, done: int) -> None:
    before = begun(done, LIST)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == f"{written(before).replace('30', '40')}\n{line}"


@pytest.mark.parametrize("done", [2, 8, DONE])
def test_nothing_changes_if_a_part_is_not_understood(done: int) -> None:
    before = begun(done, LIST)
    after = before.after("make it 50, frobnicate the eggs and save")

    assert ["frobnicate" in text for text, _ in after.unclear] == [True]
    assert written(after) == written(before)


@pytest.mark.parametrize("done", range(DONE + 1))
def test_a_line_is_moved_whatever_is_typed(done: int) -> None:
    after = begun(done, LIST).after("move Call Bert to the top and save")

    assert not after.unclear
    assert written(after) == "Call Bert\nShopping for Tuesday\n30 eggs\nBen and Zoe\n3 May\n10 June"


@pytest.mark.parametrize(
    ("said", "line", "reads"),
    [("it's 12 June", 5, "12 June"), ("make it 4 May", 4, "4 May"), ("it's 3 July", 4, "3 July")],
)
def test_a_date_takes_the_place_of_the_only_one_like_it(said: str, line: int, reads: str) -> None:
    after = begun(DONE, LIST).after(said)

    assert not after.unclear
    assert written(after).split("\n")[line] == reads


def test_a_date_like_two_is_asked_about() -> None:
    assert begun(DONE, LIST).after("it's 3 June").unclear


@pytest.mark.parametrize("done", [2, 8, DONE])
@pytest.mark.parametrize("text", ["bread and butter", '"bread and butter"', "bread"])
def test_a_line_can_be_given_after_a_colon(done: int, text: str) -> None:
    before = begun(done, LIST)
    after = before.after(f"add a line at the end: {text}")

    assert not after.unclear
    assert written(after) == written(before) + "\n" + text.strip('"')


def test_a_refused_text_without_quotes_says_that_quotes_help() -> None:
    [(_, reason)] = begun(DONE, LIST).after("insert bread in the middle").unclear

    assert "quotes" in reason
