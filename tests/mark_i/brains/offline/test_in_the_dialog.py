"""What is said while the dialog that saves is open: nothing of it is done in the dialog, and no file is lost."""

from typing import Final

import pytest

from mark_i.brains.offline.instructions import DialogClosed, Press
from tests.mark_i.brains.offline.plans import begun, written

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
@pytest.mark.parametrize("said", ["drop the tea", "change the chapter to Fruit and drop the tea"])
def test_a_text_is_taken_back_outside_the_dialog(said: str, done: int) -> None:
    after = begun(done, SHOPPING).after(said)

    assert [getattr(one, "keys", "") for one in after.every[done:]][:3] == ["esc", "backspace", "ctrl+shift+s"]
    assert bool(after.unclear) is ("chapter" in said)


@pytest.mark.parametrize("done", range(OPEN, DONE))
@pytest.mark.parametrize("asked", ["what does it say now?", "read it to me"])
def test_the_text_is_read_once_the_dialog_is_closed(asked: str, done: int) -> None:
    after = begun(done, SHOPPING).after(asked)

    assert [one.text for one in after.every[-2:]] == ["save it as week.txt", asked]
    changed = after.after("no tea, please")
    assert not changed.unclear
    assert written(changed) == "Groceries\ncheese"
    keys = [getattr(one, "keys", "") for one in changed.every[done:]]
    assert keys[0] == "esc" or done == DONE - 1, "nothing is taken back within the dialog"


@pytest.mark.parametrize("done", range(DONE - 4, DONE + 1))
@pytest.mark.parametrize(
    ("said", "lines"),
    [("no cheese, please", ["Groceries", "tea"]), ("put tea before cheese", ["Groceries", "tea", "cheese"])],
)
def test_a_run_that_saved_twice_is_done_again_with_one_save(said: str, lines: list[str], done: int) -> None:
    after = begun(done, SHOPPING).after(said)

    assert not after.unclear
    typed = [f'type "{line}"' for line in lines]
    expected = ["open the text editor", *(one for line in typed for one in (line, "press enter"))][:-1]
    assert after.phrases() == [*expected, "save it as week.txt"]
