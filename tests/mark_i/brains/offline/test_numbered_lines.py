"""A line that is typed, or to be typed, can be named by its number."""

from typing import Final

import pytest

from mark_i.brains.offline.corrections.numbered_lines import NOT_THERE
from tests.mark_i.brains.offline.plans import begun, written

LIST: Final = (
    'open the text editor, type "Shopping for Tuesday", press enter, type "30 eggs", press enter, '
    'type "Call Bert at 30", press enter, type "10 June", press enter, '
    'wait 5 seconds, type "bread", save it as list.txt'
)
DONE: Final = len(begun(0, LIST).every)


@pytest.mark.parametrize(
    ("said", "line", "reads"),
    [
        ("the second line should say 40, not 30", 1, "40 eggs"),
        ('the second line should be "40" not "30"', 1, "40 eggs"),
        ("the second line should read 40 instead of 30", 1, "40 eggs"),
        ("the third line must say Anna and not Bert", 2, "Call Anna at 30"),
        ("line 2 should say 40", 1, "40 eggs"),
        ("the 4th line should be 12 June", 3, "12 June"),
        ('the fourth line should be "milk and honey" instead', 3, "milk and honey"),
        ("the fourth line should be rye bread instead", 3, "rye bread"),
        ('the fifth line should be "milk, honey"', 4, "milk, honey"),
        ("the second line should say 40, not 30 and save", 1, "40 eggs"),
    ],
)
@pytest.mark.parametrize("done", [2, 4, 8, 10, DONE])
def test_only_the_named_line_changes(said: str, line: int, reads: str, done: int) -> None:
    before, after = begun(done, LIST), begun(done, LIST).after(said)

    assert not after.unclear
    lines = written(before).split("\n")
    assert written(after).split("\n") == [*lines[:line], reads, *lines[line + 1 :]]


def test_the_last_line_is_replaced_as_a_whole() -> None:
    after = begun(DONE, LIST).after('the last line should be "milk and honey" instead')

    assert not after.unclear
    assert written(after).split("\n")[3:] == ["10 June", "milk and honey"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("the second line should say 40, not 99", NOT_THERE.format("99", "30 eggs")),
        ('the first line should be "Friday" instead of "Monday"', NOT_THERE.format("Monday", "Shopping for Tuesday")),
        ("the ninth line should say 40, not 30", "there is no such line"),
        ("the third line should be moved to the top", "an instruction cannot start"),
        ("the second line should be gone", "an instruction cannot start"),
    ],
)
def test_what_the_line_does_not_have_is_refused(said: str, why: str) -> None:
    before = begun(DONE, LIST)
    after = before.after(said)

    assert [reason.startswith(why) for _, reason in after.unclear] == [True]
    assert written(after) == written(before)


def test_a_line_that_may_be_sent_is_not_changed() -> None:
    sent = begun(3, 'type "30 eggs", press enter, type "bye", press enter, press f5')

    assert sent.after("the first line should say 40, not 30").unclear


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ("swap line 1 and 2", (0, 1)),
        ("swap lines 2 and 3", (1, 2)),
        ("swap the first and the third line", (0, 2)),
        ("swap the first line and line 5", (0, 4)),
        ("swap 30 eggs and bread", (1, 4)),
    ],
)
@pytest.mark.parametrize("done", [2, 4, 8, DONE])
def test_lines_are_swapped_wherever_the_caret_is(said: str, places: tuple[int, int], done: int) -> None:
    after, lines = begun(done, LIST).after(said), written(begun(done, LIST)).split("\n")
    one, other = places
    lines[one], lines[other] = lines[other], lines[one]

    assert not after.unclear
    assert written(after).split("\n") == lines


@pytest.mark.parametrize("done", [2, 4, DONE])
def test_words_within_lines_are_swapped_as_words(done: int) -> None:
    after = begun(done, LIST).after("swap the words eggs and Tuesday")

    assert not after.unclear
    assert written(after).split("\n")[:3] == ["Shopping for eggs", "30 Tuesday", "Call Bert at 30"]


@pytest.mark.parametrize("done", [2, 4, DONE])
def test_a_swap_that_may_mean_lines_or_words_says_how_to_tell_them_apart(done: int) -> None:
    before = begun(done, LIST)
    [(_, reason)] = before.after("swap eggs and Tuesday").unclear
    lines, words = reason.partition("say: ")[2].split(", or: ")

    assert written(before.after(lines)).split("\n")[:2] == ["30 eggs", "Shopping for Tuesday"]
    assert written(before.after(words)).split("\n")[:2] == ["Shopping for eggs", "30 Tuesday"]
    assert written(before.after("swap the lines eggs and Tuesday")) == written(before.after(lines))


def test_two_words_of_one_line_are_swapped() -> None:
    after = begun(2, 'type "Ben and Zoe", press enter, type "tea", save it as a.txt').after("swap Ben and Zoe")

    assert written(after) == "Zoe and Ben\ntea"


STOCK: Final = (
    'type "40 eggs", press enter, type "2 milk", press enter, type "milk", press enter, type "map", press enter'
)


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("swap eggs and milk", STOCK),
        ("swap 40 and map", STOCK),
        ("swap eggs and map", STOCK),
        ("swap line 1 and 9", STOCK),
        ("swap 30 and Tuesday", LIST),
        ("swap eggs and Bert", LIST),
        ("swap eggs and pears", LIST),
    ],
)
def test_a_swap_that_may_mean_two_things_changes_nothing(said: str, goal: str) -> None:
    before = begun(len(begun(0, goal).every), goal)
    after = before.after(said)

    assert after.unclear
    assert written(after) == written(before)
