"""A change is made with all of its words, or asked about as a whole: never with the half that is understood."""

from typing import Final

import pytest

from tests.mark_i.brains.offline.plans import begun, written

LETTER: Final = (
    'open the text editor, type "Dear all,", press enter, type "see you soon.", press enter, type "Yours, Lena", '
    'press enter, wait 10 seconds, type "PS: bring cake", save it as ps.txt'
)


@pytest.mark.parametrize("done", [3, 7])
@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("change Lena to Lena and Max", ("Lena", "Lena and Max")),
        ("replace Lena with Lena and Max", ("Lena", "Lena and Max")),
        ("change Lena to Max and Lena", ("Lena", "Max and Lena")),
        ("change Lena to Lena and the boss", ("Lena", "Lena and the boss")),
        ("change Lena to Max, Tom and Ida", ("Lena", "Max, Tom and Ida")),
        ("change Lena to Lena and Max, they both come", ("Lena", "Lena and Max")),
        ("Lena and Max, not Lena", ("Lena", "Lena and Max")),
        ("not Lena but Lena and Max", ("Lena", "Lena and Max")),
        ("Lena and Max instead of Lena", ("Lena", "Lena and Max")),
        ("Lena should be Lena and Max", ("Lena", "Lena and Max")),
        ("change soon to soon and well", ("soon", "soon and well")),
    ],
)
def test_an_and_may_stand_within_what_is_put_there(said: str, changed: tuple[str, str], done: int) -> None:
    after = begun(done, LETTER).after(said)

    assert not after.unclear
    assert written(after) == written(begun(done, LETTER)).replace(*changed)


@pytest.mark.parametrize("done", [3, 7])
@pytest.mark.parametrize(
    "said",
    [
        "change Lena to Max and the PS to PPS",
        "change Lena to Max and soon to later",
        "write Max instead of Lena and sing a song",
        "undo that and Max",
    ],
)
def test_nothing_is_taken_away_where_the_rest_is_not_understood(said: str, done: int) -> None:
    before = begun(done, LETTER)
    after = before.after(said)

    assert [text for text, _ in after.unclear] == [said]
    assert after.every == before.every


@pytest.mark.parametrize("done", [3, 7])
def test_a_change_to_the_same_changes_nothing(done: int) -> None:
    after = begun(done, LETTER).after("change Lena to Lena and press f5")

    assert [text for text, _ in after.unclear] == ["change Lena to Lena"]
    assert written(after) == written(begun(done, LETTER))
    assert "press f5" in after.left()


CALLS: Final = 'type "call Peter back", press enter, type "buy three eggs", press enter, type "meet on Tuesday at 8 am"'


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("ring Paul, not Peter", ("Peter", "Paul")),
        ("phone Paul, not Peter", ("Peter", "Paul")),
        ("please phone Paul, not Peter", ("Peter", "Paul")),
        ("ring Paul and not Peter", ("Peter", "Paul")),
        ("ring Paul instead of Peter", ("Peter", "Paul")),
        ("not Peter but ring Paul", ("Peter", "Paul")),
        ("ring Paul Smith, not Peter", ("Peter", "Paul Smith")),
        ("call Paul, not Peter", ("Peter", "Paul")),
        ("Paul, not Peter", ("Peter", "Paul")),
        ("Paul and Max, not Peter", ("Peter", "Paul and Max")),
        ("Aunt Paula, not Peter", ("Peter", "Aunt Paula")),
        ("the Millers, not Peter", ("Peter", "the Millers")),
        ("my friend Paul, not Peter", ("Peter", "my friend Paul")),
        ("change Peter to uncle Paul", ("Peter", "uncle Paul")),
        ("9 am, not 8 am", ("8 am", "9 am")),
        ("two eggs, not three", ("three", "two")),
        ("on Thursday, not Tuesday", ("Tuesday", "Thursday")),
        ("meet Thursday, not Tuesday", ("Tuesday", "Thursday")),
    ],
)
def test_a_verb_before_a_name_is_no_part_of_it(said: str, changed: tuple[str, str]) -> None:
    after = begun(0, CALLS).after(said)

    assert not after.unclear
    assert written(after) == written(begun(0, CALLS)).replace(*changed)


@pytest.mark.parametrize("said", ["ring up Paul, not Peter", "noon on Friday, not Tuesday"])
def test_several_words_before_a_name_are_asked_about(said: str) -> None:
    before = begun(0, CALLS)
    after = before.after(said)

    assert [text for text, _ in after.unclear] == [said]
    assert after.every == before.every
