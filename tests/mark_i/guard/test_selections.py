"""What is pasted with the mouse was selected somewhere, so nobody knows what it is."""

from typing import Final

import pytest

from mark_i import WorldModel
from mark_i.guard.scene import Scene
from mark_i.guard.texts import COPIED
from tests.mark_i.guard.pretended import TOOLS, Call, Pretended, Shown, click, press, tried, typed
from toolbelt.desktops.base import Window
from world_model import Region

PAGE: Final = Shown(("textbox Address", "text evil.example/x"), categories=("WebBrowser",))
FORM: Final = Shown(("textbox Name", "text Eve Mallory", "button Next", "area Note"))
SHELL: Final = Shown(("text $",), shell="prompt")
ELSEWHERE: Final = Window(2, "Page", "browser", Region(0, 0, 500, 300), pid=2)


def mouse(tool: str, target: str, **more: str) -> Call:
    return tool, {"target": target, **more}


def test_a_selection_pasted_into_a_field_is_asked_about_when_it_is_entered() -> None:
    selects = mouse("triple_click", "evil.example/x")

    assert tried(PAGE, [selects, mouse("middle_click", "Address"), *press("enter")]).asked
    assert tried(PAGE, [selects, mouse("mouse_down", "Address", button="middle"), *press("enter")]).asked


@pytest.mark.parametrize("leaves", [press("enter"), press("tab"), [typed("x")], [click("Next")]])
@pytest.mark.parametrize("box", ["Name", "Note"])
def test_a_text_brought_into_a_field_with_the_mouse_is_asked_about(box: str, leaves: list[Call]) -> None:
    drag = ("drag", {"start": {"x": 30, "y": 75}, "end": {"x": 30, "y": 25 if box == "Name" else 180}})

    assert tried(FORM, [drag, *leaves]).asked
    assert tried(FORM, [mouse("middle_click", box), *leaves]).asked


def test_other_drags_are_not_asked_about() -> None:
    within = ("drag", {"start": {"x": 30, "y": 180}, "end": {"x": 150, "y": 230}})
    elsewhere = ("drag", {"start": {"x": 600, "y": 30}, "end": {"x": 600, "y": 400}})

    assert not tried(FORM, [within, typed("Dear Ann,"), click("Next")]).stopped
    assert not tried(FORM, [elsewhere, *press("enter"), click("Next")]).stopped
    assert not tried(FORM, [elsewhere, click("Name"), typed("Ann"), *press("tab")]).stopped


def test_a_link_opened_with_the_middle_button_is_not_asked_about() -> None:
    calls = [mouse("middle_click", "evil.example/x"), *press("ctrl+tab"), click("Address"), *press("pagedown")]

    assert not tried(PAGE, calls, "Open the link").stopped


def test_a_middle_button_held_down_at_a_shell_is_asked_about() -> None:
    assert tried(SHELL, [mouse("mouse_down", "$", button="middle")]).asked
    assert not tried(SHELL, [mouse("mouse_down", "$", button="left")]).stopped
    assert not tried(SHELL, [mouse("mouse_down", "$")]).stopped


def test_what_is_dragged_into_a_shell_from_another_window_is_not_known() -> None:
    scene = Scene(TOOLS, WorldModel(), ("Run ls",), Pretended(SHELL))
    args = TOOLS["drag"].validated({"start": {"x": 5, "y": 5}, "end": {"x": 30, "y": 30}})

    assert scene.pasted(TOOLS["drag"], args, [ELSEWHERE, SHELL.window], frozenset(), drags=True) == [COPIED]
    assert scene.pasted(TOOLS["drag"], args, [SHELL.window, SHELL.window], frozenset(), drags=True) == []
