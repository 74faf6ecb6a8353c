"""What the person approved must still be there when they answer; what else stands on the screen may change."""

from dataclasses import replace

import pytest

from mark_i import WorldModel
from mark_i.guard.policy import DEFAULT, Policy
from mark_i.guard.risk import Answer, Guard
from mark_i.guard.scene import Scene
from tests.mark_i.guard.pretended import TOOLS, Call, Pretended, Shown, press, typed
from world_model import Action

[ENTER] = press("enter")
MAIL = typed("ann@shop.example", enter=True)
RULES = Policy.model_validate({"rules": ({"do": "ask", "target": "Publish"},)})
ASKS = Shown(("text Delete all photos?", "text 12:00:01", "button OK | button Cancel"), large=False)
FORM = Shown(("textbox Name | button Go", "button Help"), said=True, focus="Name")
FLAT = Shown(("text Delete", "text Keep", "text 12:00"), large=False)


def still(before: Shown, call: Call, after: Shown, policy: Policy = DEFAULT) -> bool:
    """Whether a call that was approved is carried out though the screen changed meanwhile."""
    guard, (name, args) = Guard(policy), call
    scenes = [Scene(TOOLS, WorldModel(), ("Sum it up",), Pretended(one)) for one in (before, after)]
    judged = guard.judge(Action(name, args), None, scenes[0])
    assert judged.approval
    return guard.refusal_after(judged, Answer("once"), scenes[1]) is None


def rows(shown: Shown, *texts: str) -> Shown:
    return replace(shown, rows=texts)


@pytest.mark.parametrize(
    ("before", "call", "after"),
    [
        (ASKS, ENTER, rows(ASKS, "text Delete all photos?", "text 12:00:09", "button OK | button Cancel")),
        (FLAT, ENTER, rows(FLAT, "text Delete", "text Keep", "text 12:01")),
        (FORM, MAIL, rows(FORM, "textbox Name | button Go", "button Help", "button About")),
        (FORM, MAIL, rows(FORM, "textbox Name | text Go", "text Help")),  # its program was too busy to say it
    ],
)
def test_what_does_no_harm_may_change(before: Shown, call: Call, after: Shown) -> None:
    assert still(before, call, before)
    assert still(before, call, after)


@pytest.mark.parametrize(
    ("before", "call", "after"),
    [
        (ASKS, ENTER, rows(ASKS, "text Delete all accounts?", "text 12:00:01", "button OK | button Cancel")),
        (FLAT, ENTER, rows(FLAT, "text Delete", "text Send", "text 12:00")),
        (FLAT, ENTER, rows(FLAT, "text Keep", "text 12:00")),
        (FORM, MAIL, rows(FORM, "textbox Name | button Delete account", "button Help")),
    ],
)
def test_harm_that_the_person_did_not_see_is_not_done(before: Shown, call: Call, after: Shown) -> None:
    assert not still(before, call, after)


def test_what_a_rule_names_may_not_change() -> None:
    before = Shown(("textbox Text=Hello", "button Publish now"), said=True, focus="Publish now")

    assert still(before, ENTER, before, RULES)
    after = replace(before, rows=("textbox Text=Hello", "button Publish later"), focus="Publish later")
    assert not still(before, ENTER, after, RULES)
