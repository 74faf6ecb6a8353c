"""What is said while the dialog that saves is open: nothing of it is done in the dialog, and no file is lost."""

from typing import Final

import pytest

from mark_i.brains.offline.instructions import DialogClosed, Press
from tests.mark_i.brains.offline.plans import begun

SHOPPING: Final = (
    'open the text editor, type "Groceries", press enter, type "cheese", press enter, type "tea", save it as week.txt'
)
DONE: Final = len(begun(0, SHOPPING).every)
OPEN: Final = next(at for at, one in enumerate(begun(0, SHOPPING).every) if isinstance(one, Press) and one.opens) + 1


@pytest.mark.parametrize("done", range(2, DONE + 1))
@pytest.mark.parametrize(
    "said",
    [
        "and save it as copy.txt too",
        "save a copy as copy.txt too",
        "also save it as copy.txt",
        "save it as copy.txt, as well",
        "oh, and also save it under copy.txt please",
    ],
)
def test_a_second_file_is_saved_after_the_first(said: str, done: int) -> None:
    after = begun(done, SHOPPING).after(said)

    assert not after.unclear
    assert after.every[: DONE - 1] == begun(done, SHOPPING).every[: DONE - 1]
    assert [one.file for one in after.every if isinstance(one, DialogClosed)] == ["week.txt", "copy.txt"]


@pytest.mark.parametrize("done", range(OPEN, DONE - 1))
@pytest.mark.parametrize("said", ["drop the tea", "change the title to Fruit and drop the tea"])
def test_a_text_is_taken_back_outside_the_dialog(said: str, done: int) -> None:
    after = begun(done, SHOPPING).after(said)

    assert [getattr(one, "keys", "") for one in after.every[done:]][:3] == ["esc", "backspace", "ctrl+shift+s"]
    assert bool(after.unclear) is ("title" in said)
