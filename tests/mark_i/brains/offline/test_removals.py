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
