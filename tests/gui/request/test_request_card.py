"""What the agent asks, on a card of the window on a virtual desktop: approvals, questions, the preview of each action.

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
from mark_i.config.paths import runs_folder, tools_folder
from mark_i.config.settings import save
from mark_i.runs.step_images import RING
from tests.gui.opened_window import CAP_S, LONG, Window
from tests.support import WAITING_TOOL, action, script
from toolbelt.desktops.virtual.desktop import BACKGROUND
from toolbelt.ocr.text_match import Match, find
from world_model import Point, Region, Size, Step, read_run

SCREEN_SIZE: Final = Size(1100, 860)
BUTTONS: Final = Path(__file__).parents[2] / "apps" / "buttons_tk.py"
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


def on_picture(window: Window, text: str) -> Point:
    """Where a text is on the picture of the card, which is lower than the log and the message box."""
    window.screen.until(lambda lines: find(text, lines), CAP_S)
    return max(find(text, window.screen.read(window.screen.look())), key=lambda one: one.point.y).point


def instead(window: Window, words: str) -> None:
    """Write into the message box, which has taken it for a correction by now."""
    assert window.sees("What should it do instead? Enter denies the action and sends this.")
    window.enter_goal("What should it do instead?")
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
    window.is_to_approve()
    texts = "may be impossible to undo", "May do something that cannot be undone"
    assert window.sees('Click on "Delete" in Shop?', *texts)
    assert said(pressed) == []
    window.click("Allow once")
    assert window.wait(lambda: said(pressed) == ["Delete"])

    window.is_to_approve()
    window.click("Show details")
    assert window.sees("Hide", "click(target")  # the equals sign is too thin to be read
    window.click("Deny")

    assert window.sees("Done, but not verified", "Denied")
    assert not find("MARK-I needs your approval", window.screen.read(window.screen.look()))
    assert said(pressed) == ["Delete"]
    assert steps()[1].observation.ok
    assert denied(steps()[2]) == "The person did not approve this."
    window.desktop.press("page up")
    assert window.sees("Allowed once")


def test_what_is_allowed_for_the_run_is_not_asked_for_again(window: Window, tmp_path: Path, pressed: Path) -> None:
    delete = action("click", target="Delete")
    begin(window, tmp_path, shop(pressed), delete, delete, END, END)
    window.is_to_approve()
    window.click("Allow for this run")

    assert window.sees("Done, but not verified", "4 of 50 steps")
    assert window.wait(lambda: said(pressed) == ["Delete", "Delete"])


def test_stray_keys_decide_nothing(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), END, END)
    assert window.sees("MARK-I needs your approval")
    window.desktop.type("\n \n")
    window.is_to_approve()
    window.enter_goal("What should it do instead?")
    window.desktop.type("yes")
    assert window.sees("To allow the action, clear the text")
    window.desktop.press("ctrl+a")
    window.desktop.press("delete")
    window.desktop.press("enter")
    window.is_to_approve()
    assert said(pressed) == []
    assert len(steps()) == 1, "nothing was decided"

    for _ in range(20):  # there are fewer things that the keyboard comes to
        before = window.screen.look()
        window.desktop.press("tab")
        window.screen.settle(before, 2.0)
        if window.ringed("Allow once"):
            break
    window.desktop.press("space")
    assert window.wait(lambda: said(pressed) == ["Delete"])
    assert window.sees("Done, but not verified", "Allowed once")


def waits_for(folder: Path) -> tuple[dict[str, object], Path]:
    """A step that lasts until a file is there."""
    tools_folder().mkdir(parents=True)
    (tools_folder() / "wait_for_file.py").write_text(WAITING_TOOL)
    return action("wait_for_file", path=str(folder / "go")), folder / "go"


@pytest.mark.parametrize("kind", ["question", "approval"])
def test_what_was_being_written_is_no_reply(window: Window, tmp_path: Path, pressed: Path, kind: str) -> None:
    wait, go = waits_for(tmp_path)
    asks = ASK if kind == "question" else action("click", target="Delete")
    begin(window, tmp_path, shop(pressed), wait, asks, END, END)
    assert window.sees("Acting: Use wait_for_file")
    window.desktop.type("add milk")
    assert window.sees("add milk")
    go.touch()
    assert window.sees("MARK-I asks" if kind == "question" else "MARK-I needs your approval")
    assert kind == "question" or window.wait(lambda: window.lit("Allow once"))
    assert window.sees("Say something to the agent", "add milk")
    window.desktop.press("enter")

    caption = "This answers the question below" if kind == "question" else "What should it do instead?"
    assert window.sees("add milk", caption)
    assert len(steps()) == 2, "a word to the run, and no reply"
    window.desktop.type("violet\n")
    assert window.sees("Done, but not verified")
    assert said(pressed) == []
    observation = steps()[2].observation
    assert "violet" in (observation.text if kind == "question" else denied(steps()[2]))
    [folder] = runs_folder().iterdir()
    assert "add milk" in (folder / "prompts.jsonl").read_text()


def test_a_no_with_words_is_a_correction_that_reaches_the_agent(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), action("click", target="Keep"), END, END)
    window.is_to_approve()
    instead(window, "Keep it, Zoë.\n")

    assert window.wait(lambda: said(pressed) == ["Keep"])
    assert denied(steps()[1]) == 'The person did not approve this and said: "Keep it, Zoë."'
    assert window.sees("Done, but not verified")
    window.desktop.press("page up")
    assert window.sees("Denied: Keep it, Zo")


def test_what_is_said_instead_is_not_lost_by_an_allow(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), END, END)
    window.is_to_approve()
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

    window.desktop.click(on_picture(window, "Keep"))
    assert window.wait(lambda: not window.lit("Allow once"))
    window.desktop.press("delete")
    assert window.wait(lambda: window.lit("Allow once"))
    window.click("Allow once")
    assert window.wait(lambda: said(pressed) == ["Delete"])


def test_a_correction_is_given_by_pointing(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), END, END)
    window.is_to_approve()
    window.desktop.click(on_picture(window, "Keep"))
    assert window.sees("Pointed at")
    window.desktop.press("right")
    window.click("Deny")

    assert window.sees("Done, but not verified", "Denied: pointed at")
    told = denied(steps()[1])
    assert 'The user pointed at the button "Keep", which has the mark {"mark": ' in told
    assert said(pressed) == []


def test_esc_loses_no_approval_and_a_second_one_stops_the_run(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), LONG)
    window.is_to_approve()
    window.desktop.press("escape")
    assert window.sees("The question stays open. Esc again stops the run", "MARK-I needs your approval")
    assert len(steps()) == 1
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")
    assert window.gone("Allow once")
    assert said(pressed) == []


def test_the_stop_button_and_the_word_stop_end_a_run_that_asks(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), LONG)
    window.is_to_approve()
    instead(window, "stop\n")
    assert window.sees("Stopped", "The run was stopped.")
    assert window.wait(lambda: window.lit("Run"))
    window.click("New conversation")
    assert window.sees("What should MARK-I do?")
    window.write("Ask me")
    window.click("Run")
    window.is_to_approve()
    window.click("Stop")
    assert window.sees("Stopped", "The run was stopped.")
    assert said(pressed) == []


def test_the_place_is_seen_closely_on_the_whole_screen_and_large(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Delete"), LONG)
    window.is_to_approve()
    assert framed(window)
    near = on_picture(window, "Keep")
    window.click("Whole screen")
    assert window.sees("Zoom in")
    assert framed(window)
    window.click("Zoom in")
    assert window.sees("Whole screen")
    assert on_picture(window, "Keep") == near

    window.click("Larger")
    assert window.sees("Smaller")
    assert window.gone("Copy log")
    window.desktop.press("escape")
    assert window.sees("Larger", "Copy log")
    window.is_to_approve()


def framed(window: Window) -> bool:
    """Whether the frame's colour is seen on the card."""
    place = window.place("MARK-I")
    top = find("MARK-I needs your approval", window.screen.read(window.screen.look()))[0].point.y
    card = Region(place.x, top, place.width, place.bottom - top)
    return bool((window.screen.look().crop(card) == RING).all(axis=2).any())


# Each action first --------------------------------------------------------------------------------------------------


def test_each_action_is_shown_before_it_is_done(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "Ask before each action")
    choose(window, "Ask before each action")
    press = action("press", keys="shift")
    begin(window, tmp_path, action("list_files", path="."), press, press, press, END, END)
    window.is_to_approve()
    assert window.sees("Press shift?", "You asked to see each action before it is carried out.", "STEP 2")
    instead(window, "Not now\n")
    assert window.sees("STEP 3", "Denied")
    window.is_to_approve()
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
    window.is_to_approve()
    assert window.sees("You asked to see each action before it is carried out.")


# A question ---------------------------------------------------------------------------------------------------------

ASK: Final = action("ask_user", question="Which of them?")


def test_questions_are_answered_in_turn_by_typing(window: Window, tmp_path: Path) -> None:
    begin(window, tmp_path, ASK, action("ask_user", question="And how many?"), END, END)
    assert window.sees("MARK-I asks")
    window.desktop.type("\n\n")
    window.is_asked()
    assert steps() == (), "what was on its way answers nothing"
    window.desktop.type("the violet one\n")

    assert window.sees("And how many?", "Which of them?", "the violet one")
    window.answers("three")
    assert window.sees("Done, but not verified")
    assert window.gone("MARK-I asks")
    assert [step.observation.text for step in steps()[:2]] == ["the violet one", "three"]


def test_a_question_stands_once_whole_and_beside_the_screen(window: Window, tmp_path: Path) -> None:
    long = f"{'Of all the fruit that there is in this shop today, there is much. ' * 40}Which quinces?"
    begin(window, tmp_path, action("ask_user", question="Which colour?"), action("ask_user", question=long), LONG)
    window.is_asked()
    assert len(find("Which colour?", window.screen.read(window.screen.look()))) == 1
    window.desktop.type("violet\n")
    assert window.sees("Of all the fruit", "This answers the question below", "Larger")
    assert not find("Which quinces?", window.screen.read(window.screen.look()))
    start = find("MARK-I asks", window.screen.read(window.screen.look()))[0].point
    window.desktop.move(Point(start.x, start.y + 40))
    for _ in range(12):
        seen = window.screen.look()
        window.desktop.scroll("down", 10)
        window.screen.settle(seen)
        if find("Which quinces?", window.screen.read(window.screen.look())):
            break
    assert window.sees("Which quinces?", "MARK-I asks")


def test_a_question_is_answered_by_pointing(window: Window, tmp_path: Path, pressed: Path) -> None:
    begin(window, tmp_path, shop(pressed), action("click", target="Keep"), ASK, ASK, END, END)
    window.is_asked()
    window.desktop.type("this one")
    window.click("Whole screen")
    assert window.sees("Zoom in")
    window.desktop.click(seen_at(window, steps()[1]))
    assert window.sees("Pointed at")
    window.click("Answer")
    assert window.wait(lambda: len(steps()) == 3)
    answered = steps()[2].observation
    assert answered.text.startswith('this one\nThe user pointed at the button "Keep", which has the mark {"mark": ')
    assert answered.data
    assert answered.data["answer"] == "this one"

    window.is_asked()
    window.click("Whole screen")
    assert window.sees("Zoom in")
    window.desktop.click(seen_at(window, steps()[1]))
    assert window.sees("Pointed at")
    window.desktop.press("enter")
    assert window.sees("Done, but not verified")
    assert steps()[3].observation.text.startswith('The user pointed at the button "Keep"')


def seen_at(window: Window, click: Step) -> Point:
    """Where the card's picture of the whole screen shows the place of a click; its ground is known by its colour."""
    x, y = map(int, re.findall(r"(\d+), (\d+)", click.observation.text)[0])
    whole = window.place("MARK-I")
    top = find("MARK-I asks", window.screen.read(window.screen.look()))[0].point.y
    card = Region(whole.x, top, whole.width - 4, whole.bottom - top - 4)
    ground = (BACKGROUND >> 16, BACKGROUND >> 8 & 255, BACKGROUND & 255)
    rows, columns = np.nonzero((window.screen.look().crop(card) == ground).all(axis=2))
    scale = (columns.max() - columns.min() + 1) / DEFAULT_SIZE.width
    left, bottom = card.x + int(columns.min()), card.y + int(rows.max()) + 1
    return Point(left + round(x * scale), bottom - round((DEFAULT_SIZE.height - y) * scale))


def test_dismiss_is_an_empty_answer_and_esc_is_none(window: Window, tmp_path: Path) -> None:
    begin(window, tmp_path, ASK, LONG)
    window.is_asked()
    window.desktop.press("escape")
    assert window.sees("The question stays open. Esc again stops the run", "Which of them?")
    assert steps() == ()
    window.click("Dismiss")
    assert window.sees("Acting: Wait for")
    assert steps()[0].observation.data == {"answer": ""}
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")
