"""How many there are of something is changed by what is counted, whatever else has that number."""

from typing import Final

import pytest

from tests.mark_i.brains.offline.plans import begun, written

PARTY: Final = (
    'open the text editor, type "Party list", press enter, type "2 pizzas from Luigi", press enter, '
    'type "There are 4 of us.", press enter, type "2 cakes", press enter, type "Two big tables", press enter, '
    'type "Tickets: 3", press enter, type "music by Tom", save it as week.txt'
)
DONE: Final = len(begun(0, PARTY).every)


@pytest.mark.parametrize("done", [2, 4, 8, DONE])
@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("only 1 pizza, not 2", "2 pizzas", "1 pizza"),
        ("1 pizza, not 2", "2 pizzas", "1 pizza"),
        ("only one cake, not two, and save it", "2 cakes", "1 cake"),
        ("only 1 cake", "2 cakes", "1 cake"),
        ("we need 3 cakes, not 2", "2 cakes", "3 cakes"),
        ("3 pizzas will do", "2 pizzas", "3 pizzas"),
        ("only 3 tables, not 2", "Two big tables", "Three big tables"),
        ("5 people, not 4", "4 of us", "5 of us"),
        ("only 5 guests", "4 of us", "5 of us"),
        ("only 4 tickets, not 3", "Tickets: 3", "Tickets: 4"),
    ],
)
def test_the_number_and_its_noun_change(said: str, old: str, new: str, done: int) -> None:
    before = begun(done, PARTY)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(old, new)


@pytest.mark.parametrize("done", [2, 4, 8, DONE])
@pytest.mark.parametrize(
    "said", ["only 1 fish, not 3", "only 1 fish", "5 fish, not 2", "5 pizzas, not 4", "only 5 cakes, not 4"]
)
def test_what_is_counted_nowhere_changes_nothing(said: str, done: int) -> None:
    before = begun(done, PARTY)
    after = before.after(said)

    assert after.unclear
    assert written(after) == written(before)


@pytest.mark.parametrize("done", [2, 4, 8, DONE])
def test_only_is_no_part_of_the_text(done: int) -> None:
    before = begun(done, PARTY)
    after = before.after("only 3 cakes, not 2 pizzas")

    assert written(after) == written(before).replace("2 pizzas", "3 cakes")


SUPPLIES: Final = (
    'open the text editor, type "Shopping list for the office\n- coffee 2 packs\n- paper A4 5 packs\n- pens blue 10\n'
    '- toner black 1", save it as shopping.txt'
)


@pytest.mark.parametrize("done", [0, 1, 2])
@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("Make it 3 packs of coffee instead of 2", "coffee 2 packs", "coffee 3 packs"),
        ("make it 3 packs of coffee", "coffee 2 packs", "coffee 3 packs"),
        ("we need 7 packs of paper", "A4 5 packs", "A4 7 packs"),
        ("we need 20 blue pens instead of 10", "blue 10", "blue 20"),
        ("20 pens, not 10", "blue 10", "blue 20"),
    ],
)
def test_what_is_counted_behind_its_noun_has_another_number(said: str, old: str, new: str, done: int) -> None:
    before = begun(done, SUPPLIES)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(old, new)


def test_a_count_that_fits_two_lines_is_asked_about() -> None:
    assert begun(2, SUPPLIES).after("make it 3 packs").unclear
