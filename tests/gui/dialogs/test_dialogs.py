"""What the agent asks, in the window itself on a virtual desktop: approvals, questions, and the preview of each action.

The runs are true ones: the guard asks, the person decides with mouse and keyboard, and an application shows what came
of it.
"""

import re
import sys
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from mark_i import DEFAULT_SIZE
from mark_i.config.paths import runs_folder
from mark_i.config.settings import save
from mark_i.runs.step_images import RING
from tests.gui.opened_window import CAP_S, LONG, Window
from tests.support import action, script
from toolbelt.desktops.virtual.desktop import BACKGROUND
from toolbelt.ocr.text_match import Match, find
from world_model import Point, Size, Step, read_run

SCREEN_SIZE: Final = Size(1100, 860)
BUTTONS: Final = Path(__file__).parents[2] / "apps" / "buttons_tk.py"
APPROVAL, QUESTION = "MARK-I needs your approval", "MARK-I asks"
END: Final = action("finish", summary="That is all.")


@pytest.fixture
def pressed(tmp_path: Path) -> Path:
    """What the application writes the names of its buttons to, when they are pressed."""
    return tmp_path / "pressed.txt"


def shop(pressed: Path) -> dict[str, object]:
    """Opens an application with two buttons."""
    return action("open_app", name=sys.executable, args=[str(BUTTONS), "Shop", str(pressed), "Delete", "Keep"])


def begin(window: Window, folder: Path, *replies: object) -> None:
    """Run these replies. Opening applications is allowed, so that only what a test is about is asked for."""
    policy = folder / "policy.toml"
    policy.write_text('[[rules]]\ndo = "allow"\ntool = "open_app"\n')
    save({"policy": str(policy)})
    window.start(script(folder / "b.jsonl", *replies))


def choose(window: Window, text: str) -> None:
    """Click on a choice of the goal bar, and go back to where the goal is written."""
    window.click(text)
    goal = place(window, "Goal")
    window.desktop.click(Point(goal.point.x, goal.point.y + 40))


def place(window: Window, text: str) -> Match:
    """Where a text stands, once it stands somewhere, and nowhere else."""
    lines = window.screen.until(lambda lines: len(find(text, lines)) == 1, CAP_S)
    [found] = find(text, lines)
    return found


def ready(window: Window, title: str = APPROVAL, button: str = "Allow once") -> None:
    """The dialog is there, in front, and can be decided."""
    assert window.wait(lambda: title in window.titles(active=True))
    assert window.wait(lambda: window.lit(button))


def gone(window: Window, title: str = APPROVAL) -> bool:
    return window.wait(lambda: title not in window.titles())


def instead(window: Window, words: str) -> None:
    """Write into the field below its caption."""
    caption = place(window, "What should it do instead? Enter denies the action and sends this.")
    window.desktop.click(Point(caption.point.x, caption.point.y + 26))
    window.desktop.type(words)


def said(pressed: Path) -> list[str]:
    return pressed.read_text().split() if pressed.exists() else []


def steps() -> tuple[Step, ...]:
    [folder] = runs_folder().iterdir()
    return read_run(folder, images=False).steps


def denied(step: Step) -> str:
    """What the agent reads of the person's no."""
    assert step.observation.error
    assert step.observation.error.code == "DENIED"
    return step.observation.error.message


# An action that waits -----------------------------------------------------------------------------------------------


def test_an_action_is_allowed_once_and_asked_for_again(window: Window, tmp_path: Path, pressed: Path) -> None:
    delete = action("click", target="Delete")
    begin(window, tmp_path, shop(pressed), delete, delete, END, END)
    ready(window)
    texts = "may be impossible to undo", "May do something that cannot be undone"
    assert window.sees('Click on "Delete" in Shop?', *texts)
    assert said(pressed) == []
    window.click("Allow once")
    assert window.wait(lambda: said(pressed) == ["Delete"])

    ready(window)
    window.click("Show details")
    assert window.sees("Hide", "click(target")  # the equals sign is too thin to be read
    window.click("Deny")

    assert window.sees("Done, but not verified", "Denied")
    assert gone(window)
    assert said(pressed) == ["Delete"]
    assert steps()[1].observation.ok
    assert denied(steps()[2]) == "The person did not approve this."
    window.desktop.press("page up")
    assert window.sees("Allowed once")


def test_what_is_allowed_for_the_run_is_not_asked_for_again(window: Window, tmp_path: Path, pressed: Path) -> None:
    delete = action("click", target="Delete")
    begin(window, tmp_path, shop(pressed), delete, delete, END, END)
    ready(window)
    window.click("Allow for this run")

    assert window.sees("Done, but not verified", "4 of 50 steps")
    assert window.wait(lambda: said(pressed) == ["Delete", "Delete"])


def test_keys_typed_before_the_dialog_decide_nothing(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), END, END)
    assert window.wait(lambda: APPROVAL in window.titles(active=True))
    window.desktop.type("\n y\n")
    window.desktop.press("shift+tab")
    window.desktop.type("\n \n")

    ready(window)
    window.desktop.press("y")
    assert said(pressed) == []
    assert len(steps()) == 1, "nothing was decided"

    for _ in range(20):  # there are fewer things that the keyboard comes to
        before = window.screen.look()
        window.desktop.press("shift+tab")
        window.screen.settle(before, 2.0)
        if window.ringed("Allow once"):
            break
    window.desktop.press("space")
    assert window.wait(lambda: said(pressed) == ["Delete"])
    assert window.sees("Done, but not verified", "Allowed once")


def test_a_no_with_words_is_a_correction_that_reaches_the_agent(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), action("click", target="Keep"), END, END)
    ready(window)
    instead(window, "Keep it, Zoë.\n")

    assert window.wait(lambda: said(pressed) == ["Keep"])
    assert denied(steps()[1]) == 'The person did not approve this and said: "Keep it, Zoë."'
    assert window.sees("Done, but not verified")
    window.desktop.press("page up")
    assert window.sees("Denied: Keep it, Zo")


def test_what_is_said_instead_is_not_lost_by_an_allow(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), END, END)
    ready(window)
    instead(window, "Keep it")
    assert window.sees("To allow the action, clear the text and the point.")
    assert window.wait(lambda: not window.lit("Allow once"))
    window.click("Allow once")
    window.click("Allow for this run")
    window.click("Keep it")
    window.desktop.press("ctrl+a")
    window.desktop.press("delete")
    assert window.wait(lambda: window.lit("Allow once"))
    assert len(steps()) == 1, "nothing was decided"

    window.desktop.click(place(window, "Keep").point)  # on the picture
    assert window.wait(lambda: not window.lit("Allow once"))
    window.desktop.press("delete")
    assert window.wait(lambda: window.lit("Allow once"))
    window.click("Allow once")
    assert window.wait(lambda: said(pressed) == ["Delete"])


def test_a_correction_is_given_by_pointing(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), END, END)
    ready(window)
    window.desktop.click(place(window, "Keep").point)  # on the picture
    assert window.sees("Pointed at")
    window.desktop.press("right")
    window.click("Deny")

    assert window.sees("Done, but not verified", "Denied: pointed at")
    told = denied(steps()[1])
    assert 'The user pointed at the button "Keep", which has the mark {"mark": ' in told
    assert said(pressed) == []


@pytest.mark.parametrize("way", ["escape", "close"])
def test_esc_and_closing_the_dialog_are_a_no(window: Window, tmp_path: Path, pressed: Path, way: str) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), LONG)
    ready(window)
    if way == "escape":
        window.desktop.press("escape")
    else:
        [dialog] = [one for one in window.desktop.windows() if one.title == APPROVAL]
        window.desktop.close_window(dialog)
    assert window.sees("Acting: Wait for", "Denied")

    assert gone(window)
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")
    assert said(pressed) == []


def test_the_place_is_seen_closely_and_on_the_whole_screen(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), LONG)
    ready(window)
    assert framed(window)
    near = place(window, "Keep").point
    window.click("Whole screen")
    assert window.sees("Zoom in")
    assert framed(window)
    window.click("Zoom in")
    assert window.sees("Whole screen")
    assert place(window, "Keep").point == near


def framed(window: Window) -> bool:
    """Whether the frame's colour is seen in the dialog."""
    [dialog] = [one for one in window.desktop.windows() if one.title == APPROVAL]
    return bool((window.screen.look().crop(dialog.region) == RING).all(axis=2).any())


# Each action first --------------------------------------------------------------------------------------------------


def test_each_action_is_shown_before_it_is_done(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "Ask before each action")
    choose(window, "Ask before each action")
    press = action("press", keys="shift")
    begin(window, tmp_path, action("list_files", path="."), press, press, press, END, END)
    ready(window)
    assert window.sees("Press shift?", "You asked to see each action before it is carried out.", "STEP 2")
    instead(window, "Not now\n")
    assert window.sees("STEP 3")  # the dialog before is gone
    ready(window)
    window.click("Allow for this run")

    assert window.sees("Done, but not verified", "5 of 50 steps")
    assert [step.observation.ok for step in steps()] == [True, False, True, True, True]
    assert 'said: "Not now"' in denied(steps()[1])


def test_the_box_for_it_is_ticked_by_the_keyboard(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "Ask before each action")
    window.desktop.press("shift+tab")
    window.desktop.press("space")
    window.desktop.press("tab")  # back to the goal
    begin(window, tmp_path, action("press", keys="shift"), LONG)
    ready(window)
    assert window.sees("You asked to see each action before it is carried out.")


# A question ---------------------------------------------------------------------------------------------------------

ASK: Final = action("ask_user", question="Which of them?")


def test_a_question_is_answered_by_typing(window: Window, tmp_path: Path) -> None:
    begin(window, tmp_path, ASK, END, END)
    assert window.wait(lambda: QUESTION in window.titles(active=True))
    window.desktop.type("\n\n")
    ready(window, QUESTION, "Answer")
    assert steps() == (), "what was on its way answers nothing"
    window.desktop.type("the violet one\n")

    assert gone(window, QUESTION)
    assert window.sees("Done, but not verified")
    assert steps()[0].observation.text == "the violet one"


def test_a_question_is_answered_by_pointing(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Keep"), ASK, END, END)
    ready(window, QUESTION, "Answer")
    window.desktop.type("this one")
    window.desktop.click(seen_at(window, steps()[1]))
    assert window.sees("Pointed at")
    window.click("Answer")

    assert window.sees("Done, but not verified")
    answered = steps()[2].observation
    assert answered.text.startswith('this one\nThe user pointed at the button "Keep", which has the mark {"mark": ')
    assert answered.data
    assert answered.data["answer"] == "this one"


def seen_at(window: Window, click: Step) -> Point:
    """Where the dialog's picture of the whole screen shows the place of a click; its ground is known by its colour."""
    x, y = map(int, re.findall(r"(\d+), (\d+)", click.observation.text)[0])
    [dialog] = [one for one in window.desktop.windows() if one.title == QUESTION]
    ground = (BACKGROUND >> 16, BACKGROUND >> 8 & 255, BACKGROUND & 255)
    rows, columns = np.nonzero((window.screen.look().crop(dialog.region) == ground).all(axis=2))
    scale = (columns.max() - columns.min() + 1) / DEFAULT_SIZE.width
    left, top = dialog.region.x + int(columns.min()), dialog.region.y + int(rows.min())
    return Point(left + round(x * scale), top + round(y * scale))


def test_closing_a_question_is_an_empty_answer_and_so_is_esc(window: Window, tmp_path: Path) -> None:
    begin(window, tmp_path, ASK, ASK, LONG)
    assert window.wait(lambda: QUESTION in window.titles())
    [dialog] = [one for one in window.desktop.windows() if one.title == QUESTION]
    window.desktop.close_window(dialog)
    assert window.wait(lambda: len(steps()) == 1)
    assert steps()[0].observation.data == {"answer": ""}

    window.is_asked()
    window.desktop.press("escape")
    assert gone(window, QUESTION)
    assert window.sees("Acting: Wait for")
    assert steps()[1].observation.data == {"answer": ""}
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")
