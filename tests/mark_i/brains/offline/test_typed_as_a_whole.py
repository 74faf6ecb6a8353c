"""A text of several lines that is typed as a whole is corrected line by line, before and after it is typed."""

from typing import Final

import pytest

from tests.mark_i.brains.offline.plans import begun, written

LINES: Final = (
    "Shopping",
    "milk",
    "6 eggs",
    "bread",
    "",
    "Ben brings 20 chairs.",
    "The bill goes to Anna Brown.",
    "Yours, Ben",
)
GOAL: Final = 'open the text editor, wait 5 seconds, type "{}", wait 5 seconds, save it as list.txt'.format(
    "\n".join(LINES)
)
BEFORE, AFTER, SAVED = 1, 3, len(begun(0, GOAL).every)


@pytest.mark.parametrize("done", [BEFORE, AFTER, SAVED])
@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("skip the eggs, we have some", "6 eggs\n", ""),
        ("I don't need bread after all", "bread\n", ""),
        ("forget the milk", "milk\n", ""),
        ("put the bread before the milk", "milk\n6 eggs\nbread", "bread\nmilk\n6 eggs"),
        ("Shopping should be Groceries", "Shopping", "Groceries"),
        ("we actually need 25 chairs, not 20", "20 chairs", "25 chairs"),
        ("we need 25, not 20", "20 chairs", "25 chairs"),
    ],
)
def test_only_that_line_is_changed(said: str, old: str, new: str, done: int) -> None:
    before = begun(done, GOAL)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(old, new)


@pytest.mark.parametrize("done", [BEFORE, AFTER, SAVED])
@pytest.mark.parametrize("said", ['add "Bring a hat" at the end', "add a line: Bring a hat"])
def test_a_line_is_added_as_one(said: str, done: int) -> None:
    before = begun(done, GOAL)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == f"{written(before)}\nBring a hat"


@pytest.mark.parametrize("done", [BEFORE, AFTER, SAVED])
@pytest.mark.parametrize("said", ["Tom Brown gets the bill, not Anna", "it's Bob, not Ben", "xyzzy"])
def test_what_is_not_clear_changes_nothing(said: str, done: int) -> None:
    before = begun(done, GOAL)
    after = before.after(said)

    assert after.unclear
    assert after.every == before.every
