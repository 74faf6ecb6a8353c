"""Enter in a field may press each button of its form."""

from mark_i.guard.risk import Judgment
from tests.mark_i.guard.pretended import Shown, click, press, tried


def judged(*rows: str) -> Judgment:
    return tried(Shown(rows), [click("Card"), *press("enter")]).judged[-1]


def test_enter_may_press_a_button_that_is_not_the_next_one() -> None:
    assert judged("textbox Card", "button Use a voucher", "button Pay now").approval
    assert judged("textbox Card", "button Use a voucher", "textbox Name", "button Pay now").approval


def test_enter_presses_no_button_that_is_elsewhere() -> None:
    assert not judged("textbox Card", "button Next", "text Tea", "text Milk", "button Buy now").approval
    assert not judged("button Delete account", "textbox Card", "button Next").approval
