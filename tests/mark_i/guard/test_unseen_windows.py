"""Where nobody tells which window is in front, what would be judged by it is asked about."""

from dataclasses import replace
from typing import Any, Final

import pytest

from mark_i.guard.policy import Policy, Rule
from tests.mark_i.guard.pretended import Call, Shown, click, press, tried, typed

NOTES: Final = Shown(("text File | text Edit", "area Notes"), categories=("TextEditor",))
FOCUS: Final = "This session tells nobody which window gets the keys"
GOAL: Final = 'Write "Dear Anna" and save it'


def unseen(shown: Shown) -> Shown:
    return replace(shown, unseen=True)


@pytest.mark.parametrize("call", [typed("Dear Anna"), *press("enter", "ctrl+s", "f5"), ("key_down", {"key": "a"})])
def test_the_first_key_is_asked_about(call: Call) -> None:
    assert FOCUS in tried(unseen(NOTES), [call], GOAL).asked[0]
    assert not tried(NOTES, [call], GOAL).asked


def test_a_yes_to_keys_holds_for_the_run() -> None:
    calls = [typed("Dear Anna"), *press("ctrl+s", "ctrl+end")]
    assert len(tried(unseen(NOTES), calls, GOAL, approve=True).asked) == 1
    assert len(tried(unseen(NOTES), calls, GOAL).asked) == len(calls)


def test_what_is_typed_may_be_a_command() -> None:
    calls = [typed("Dear Anna"), typed(" and Bob", enter=True)]
    assert [FOCUS in why for why in tried(unseen(NOTES), calls, GOAL, approve=True).asked] == [True, False]
    assert 'The typed line "Dear Anna and Bob"' in tried(unseen(NOTES), calls, GOAL, approve=True).asked[1]
    assert not tried(NOTES, calls, GOAL).asked


def test_what_is_pasted_may_be_a_command() -> None:
    copied = replace(NOTES, copied="Dear Anna")
    assert len(tried(unseen(copied), press("ctrl+end", "ctrl+v"), GOAL, approve=True).asked) == 2
    assert not tried(copied, press("ctrl+end", "ctrl+v"), GOAL).asked


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("alt+f4", NOTES),
        ("ctrl+w", NOTES),
        ("delete", Shown(("text Anna | text Bob",), categories=("TextEditor",))),
        ("ctrl+minus", NOTES),
        ("backspace", Shown(("text Hello",), categories=("TextEditor",))),
        ("f5", Shown(("text DROP TABLE customers;",), categories=("TextEditor",))),
    ],
)
def test_keys_that_do_harm_in_some_windows_are_asked_about(keys: str, shown: Shown) -> None:
    calls = [*press("ctrl+end"), *press(keys)]
    assert len(tried(unseen(shown), calls, GOAL, approve=True).asked) == 2
    assert not tried(shown, calls, GOAL).asked


def test_clicks_are_judged_as_before() -> None:
    assert not tried(unseen(NOTES), [click("File")], GOAL).asked
    assert tried(unseen(Shown(("button Delete",))), [click("Delete")], GOAL).asked


@pytest.mark.parametrize("condition", [{"window": ("Bank",)}, {"application": ("bank",)}])
def test_a_rule_about_windows_holds_for_an_unknown_one(condition: dict[str, Any]) -> None:
    denies, allows = (Policy(rules=(Rule(do=do, **condition),)) for do in ("deny", "allow"))
    assert tried(unseen(NOTES), [click("File")], GOAL, denies).stopped
    assert not tried(NOTES, [click("File")], GOAL, denies).stopped
    assert tried(unseen(NOTES), press("ctrl+s"), GOAL, allows).stopped
