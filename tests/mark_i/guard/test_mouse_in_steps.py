"""What `mouse_down`, `move` and `mouse_up` do one after another is judged like the click or the drag that they make."""

from typing import Final

import pytest

from tests.mark_i.guard.pretended import Call, Shown, click, press, tried, typed

NOTE: Final = Shown(("text Note", "button Delete", "button Close"))
FILES: Final = Shown(("text plan.txt", "text Trash", "text Rename", "text Move to Trash"), categories=("FileManager",))
FORM: Final = Shown(("textbox Payee", "text Eve Mallory", "button Continue", "area Note"))
SHELL: Final = Shown(("text $", "text find . -delete"), shell="prompt")
UP: Final[Call] = ("mouse_up", {})


def down(target: object = None, button: str = "left") -> Call:
    return "mouse_down", {"button": button, "target": target}


def move(target: object) -> Call:
    return "move", {"target": target}


@pytest.mark.parametrize(
    ("shown", "calls"),
    [
        (NOTE, [move({"x": 60, "y": 90}), down(), UP]),
        (NOTE, [click("Close"), move({"x": 60, "y": 90}), *press("shift"), down()]),
        (FILES, [down("plan.txt"), move("Trash"), UP]),
        (FILES, [move("plan.txt"), down(), move({"x": 60, "y": 80}), UP]),
        (FILES, [down("plan.txt"), move({"x": 500, "y": 500}), move("Trash"), UP]),
        (FORM, [down("Eve Mallory"), move("Payee"), UP, click("Continue")]),
        (FORM, [down("Eve Mallory"), move({"x": 60, "y": 220}), UP, typed("x")]),
        (FILES, [down("plan.txt", "right"), ("mouse_up", {"button": "right"}), *press("up", "enter")]),
        (FILES, [move("plan.txt"), down(None, "right"), *press("up", "enter")]),
        (FILES, [down("plan.txt", "right"), *press("m")]),
    ],
)
def test_a_click_or_a_drag_in_steps_is_asked_about(shown: Shown, calls: list[Call]) -> None:
    assert tried(shown, calls).stopped


@pytest.mark.parametrize(
    ("shown", "calls"),
    [
        (NOTE, [move("Close"), down(), UP]),
        (NOTE, [move("Delete"), ("scroll", {"direction": "down", "target": "Delete"})]),
        (NOTE, [down("Close"), UP, move("Note"), UP]),
        (FILES, [down("Trash"), UP, move("plan.txt"), down(), UP]),
        (FILES, [down("Trash"), move("plan.txt"), UP]),
        (FORM, [down("Note"), move({"x": 200, "y": 300}), UP, typed("x"), click("Continue")]),
        (FORM, [down("Payee"), UP, typed("Ann"), click("Continue")]),
        (SHELL, [down("$"), move({"x": 200, "y": 30}), UP]),
    ],
)
def test_other_clicks_and_drags_in_steps_are_not_asked_about(shown: Shown, calls: list[Call]) -> None:
    assert not tried(shown, calls, "Give Ann the plan").stopped
