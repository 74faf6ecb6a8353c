"""What a gesture's arguments do is judged as what it is: a held key is no text, and hides nothing."""

from typing import Any, Final

import pytest

from tests.mark_i.guard.pretended import Call, Shown, press, tried, typed

FILES: Final = Shown(("text plan.txt", "text photo.jpg", "text Trash", "button Delete"), categories=("FileManager",))
GOAL: Final = "Pay 19, not 5, run ls, and open good.example"
BROWSER: Final = Shown(("textbox Address", "text Welcome", "button Go"), categories=("WebBrowser",))
FORM: Final = Shown(("textbox Name", "text Eve Mallory", "button Next", "area Note"))
PAY: Final = Shown(("textbox Payee", "textbox Amount", "button Continue"))
SHELL: Final = Shown(("text $ ls",), shell="prompt")
Case = tuple[Shown, list[Call]]


def click(target: str, **more: Any) -> Call:
    return "click", {"target": target, **more}


def drag(start: Any, end: Any, **more: Any) -> Call:
    return "drag", {"start": start, "end": end, **more}


ASKED: Final[dict[str, Case]] = {
    "a button with shift": (FILES, [click("Delete", holding="shift")]),
    "into the bin with ctrl": (FILES, [drag("plan.txt", "Trash", holding="ctrl")]),
    "over the bin": (FILES, [drag("plan.txt", "photo.jpg", via=["Trash"])]),
    "into the bin by a detour": (FILES, [drag("plan.txt", "Trash", via=["photo.jpg"])]),
    "a text into a field by a detour": (
        FORM,
        [drag({"x": 30, "y": 75}, {"x": 30, "y": 25}, via=[{"x": 30, "y": 180}]), ("press", {"keys": "enter"})],
    ),
    "a list that is emptied": (FILES, [typed("", replace=True, pace_ms=1)]),
    "a list that is emptied for a paste": (FILES, [typed("x", replace=True, paste=True)]),
    "an address over another one": (BROWSER, [typed("good.example"), typed("evil.example", replace=True)]),
    "a part of an amount": (PAY, [click("Amount"), typed("1"), typed("9", replace=True), *press("tab")]),
    "an unknown line of a shell": (SHELL, [typed("ls"), typed(" x", replace=True), *press("enter")]),
}
NOT_ASKED: Final[dict[str, Case]] = {
    "one more file": (FILES, [click("plan.txt"), click("photo.jpg", holding="ctrl")]),
    "a line of a shell": (SHELL, [click("$ ls", holding="shift")]),
    "a line that is drawn": (FORM, [drag({"x": 30, "y": 180}, {"x": 90, "y": 190}, via=[{"x": 60, "y": 200}])]),
    "a name over another one": (FILES, [typed("x", replace=True)]),
    "the amount again": (PAY, [click("Amount"), typed("19"), typed("19", replace=True), *press("tab")]),
    "a field that is cleared": (
        FORM,
        [click("Name"), typed("19"), typed("", replace=True), typed("19"), *press("tab")],
    ),
    "a copy": (FILES, [drag("plan.txt", "photo.jpg", holding="ctrl")]),
}


@pytest.mark.parametrize("name", ASKED)
def test_harm_by_a_gesture_is_asked_about(name: str) -> None:
    assert tried(*ASKED[name], GOAL).asked


@pytest.mark.parametrize("name", NOT_ASKED)
def test_a_harmless_gesture_is_not_asked_about(name: str) -> None:
    assert not tried(*NOT_ASKED[name], GOAL).stopped
