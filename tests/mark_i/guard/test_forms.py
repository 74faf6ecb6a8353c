"""Enter in a field may press each button of its form."""

from typing import Final

import pytest

from mark_i.guard.risk import Judgment
from tests.mark_i.guard.pretended import Call, Shown, click, press, tried, typed

CHATS: Final = (
    Shown(("text Ann: hello", "area Message", "button Send")),
    Shown(("text Ann: hello", "area Message | button Send")),
    Shown(("textbox Search", *["text Ann: hello"] * 10, "area Message", "button Attach | button Send")),
)
FORMS: Final = (
    Shown(("textbox To", "textbox Subject", "area Message", "button Send")),
    Shown(("area Message", "textbox Your name", "button Submit")),
    Shown(("area Message", "button Next")),
    Shown(("button Send", "area Message")),
)


def judged(*rows: str) -> Judgment:
    return tried(Shown(rows), [click("Card"), *press("enter")]).judged[-1]


def test_enter_may_press_a_button_that_is_not_the_next_one() -> None:
    assert judged("textbox Card", "button Use a voucher", "button Pay now").approval
    assert judged("textbox Card", "button Use a voucher", "textbox Name", "button Pay now").approval


def test_enter_presses_no_button_that_is_elsewhere() -> None:
    assert not judged("textbox Card", "button Next", "text Tea", "text Milk", "button Buy now").approval
    assert not judged("button Delete account", "textbox Card", "button Next").approval


@pytest.mark.parametrize("shown", CHATS)
@pytest.mark.parametrize(
    "calls", [[typed("I quit"), *press("enter")], [typed("I quit\n")], [typed("I quit", enter=True)]]
)
def test_enter_may_send_what_is_written_in_a_chat(shown: Shown, calls: list[Call]) -> None:
    assert tried(shown, [click("Message"), *calls]).stopped


@pytest.mark.parametrize("shown", FORMS)
def test_enter_begins_a_line_in_a_form(shown: Shown) -> None:
    assert not tried(shown, [click("Message"), typed("Dear Ann,\nhow are you?"), *press("enter")]).stopped


def test_shift_and_enter_complete_no_address_in_a_text() -> None:
    rows, calls = ("area Message", "button Next"), [click("Message"), typed("Yes"), *press("shift+enter")]
    assert not tried(Shown(rows, categories=("WebBrowser",)), calls).stopped


@pytest.mark.parametrize("shown", CHATS)
def test_shift_and_enter_begin_a_line_in_a_chat(shown: Shown) -> None:
    assert not tried(
        shown, [click("Message"), typed("Dear Ann,"), *press("shift+enter"), typed("how are you?")]
    ).stopped
