"""Who or what is left out may be named only by the reason: "Ben was not there, drop him"."""

from typing import Final

import pytest

from tests.mark_i.brains.offline.plans import begun, written

GUESTS: Final = (
    'open the text editor, type "Guests", press enter, type "Anna", press enter, type "Ben", press enter, '
    'type "Eva Brown"'
)


@pytest.mark.parametrize("done", [3, 6])
@pytest.mark.parametrize(
    "said",
    [
        "Ben was not there, drop him",
        "Ben was not there so drop him",
        "drop him, Ben was not there",
        "Ben wasn't there, drop him",
        "Ben called in sick, leave him out",
        "Ben did not come, so please drop him from the list",
        "Ben could not come. Remove him.",
        "Ben is ill, take him off the list",
        "we don't need Ben, leave him out",
    ],
)
def test_a_person_who_is_named_by_the_reason_is_left_out(said: str, done: int) -> None:
    after = begun(done, GUESTS).after(said)

    assert not after.unclear
    assert written(after).split() == ["Guests", "Anna", "Eva", "Brown"]


@pytest.mark.parametrize("said", ["drop him", "Tom was not there, drop him", "Anna and Ben were not there, drop them"])
def test_nobody_is_left_out_if_it_is_not_said_who(said: str) -> None:
    before = begun(3, GUESTS)
    after = before.after(said)

    assert after.unclear
    assert after.every == before.every


@pytest.mark.parametrize("done", [3, 4])
@pytest.mark.parametrize("said", ["Ben was not there, drop him", "Ben was not there, leave it out"])
def test_only_one_of_several_names_in_a_line_is_left_out(said: str, done: int) -> None:
    after = begun(done, 'open the text editor, type "Guests", press enter, type "Anna, Ben and Carl"').after(said)

    assert not after.unclear
    assert written(after) == "Guests\nAnna and Carl"


NOTE: Final = (
    'open the text editor, type "Dear Anna", press enter, type "The party is on Friday", press enter, '
    'type "Bring cake and drinks. Dogs are welcome.", press enter, type "Ben", '
    "save it as note.txt"
)


@pytest.mark.parametrize("done", [4, 8])
@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("drop the part about dogs", "Bring cake and drinks."),
        ("remove the bit about the dogs", "Bring cake and drinks."),
        ("delete the sentence about the cake", "Dogs are welcome."),
        ("take out the part with the drinks", "Dogs are welcome."),
    ],
)
def test_a_sentence_that_is_named_by_what_it_is_about_is_left_out_and_no_other(said: str, left: str, done: int) -> None:
    after = begun(done, NOTE).after(said)

    assert not after.unclear
    assert written(after) == f"Dear Anna\nThe party is on Friday\n{left}\nBen"


def test_a_line_of_one_sentence_is_left_out_as_a_whole() -> None:
    after = begun(8, NOTE).after("leave out the part about the party")

    assert not after.unclear
    assert written(after) == "Dear Anna\nBring cake and drinks. Dogs are welcome.\nBen"
