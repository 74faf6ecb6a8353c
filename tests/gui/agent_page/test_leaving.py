"""A conversation is left, or the window closed: what a program has not saved is asked about, and nothing else."""

import sys
from functools import partial
from pathlib import Path

import pytest

from tests.gui.opened_window import Window
from tests.support import action, processes_with, script

LETTER = 'open mousepad, type "Dear Ann"'
ASKS_AT_CLOSE = """
import tkinter
def ask():
    question = tkinter.Toplevel(window)
    question.title("Really?")
    question.transient(window)
window = tkinter.Tk()
window.title("Quiet pad")
window.protocol("WM_DELETE_WINDOW", ask)
window.mainloop()
"""


def alone(window: Window) -> bool:
    """Whether of all processes of the profile only the window is left."""
    return len(processes_with(f"MARK_I_HOME={window.home}\0")) == 1


def run(window: Window, goal: str, brain: str = "offline") -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.type(f"{goal}\t{brain}")
    window.desktop.press("shift+tab")
    window.desktop.press("enter")
    if brain != "offline":
        window.is_to_approve()
        window.click("Allow once")
    assert window.sees("Next goal")


def test_a_new_conversation_asks_before_it_discards_a_text(window: Window) -> None:
    run(window, LETTER)
    window.click("New conversation")
    assert window.sees("Not saved", "Untitled 1 - Mousepad", "Close anyway")
    window.desktop.press("enter")  # keeps it
    assert window.gone("Close anyway")
    assert window.sees("Dear Ann", "Next goal")
    window.click("New conversation")
    assert window.sees("Close anyway")
    window.desktop.press("escape")
    assert window.gone("Close anyway")
    assert not alone(window)

    window.click("New conversation")
    window.click("Close anyway")

    assert window.sees("What should MARK-I do?")
    assert window.wait(partial(alone, window))


def test_the_window_asks_before_it_closes_on_any_page(window: Window) -> None:
    run(window, LETTER)
    window.click("Runs")
    (only,) = window.desktop.windows()
    window.desktop.close_window(only)
    assert window.sees("Not saved", "Close anyway")
    window.click("Keep open")
    assert window.gone("Close anyway")

    window.desktop.close_window(only)
    window.click("Close anyway")

    assert window.ends() == 0
    assert window.wait(lambda: not processes_with(f"MARK_I_HOME={window.home}\0"))


@pytest.mark.parametrize("asks", [True, False])
def test_a_program_that_says_nothing_is_asked_to_close_first(window: Window, tmp_path: Path, *, asks: bool) -> None:
    program = ASKS_AT_CLOSE if asks else ASKS_AT_CLOSE.replace("window.protocol", "str")
    opened = action("open_app", name=sys.executable, args=["-c", program])
    run(window, "Open it", script(tmp_path / "b.jsonl", opened, action("finish", summary="It is open.")))

    window.click("New conversation")

    if asks:
        assert window.sees("Still open", "Quiet pad", "Close anyway")
        window.click("Close anyway")
    assert window.sees("What should MARK-I do?")
    assert window.wait(partial(alone, window))
