"""An amount that stands in a form is judged as it is read there, however it came to stand there."""

from typing import Final

import pytest

from mark_i import WorldModel
from mark_i.guard.policy import DEFAULT
from mark_i.guard.risk import Answer, Guard
from mark_i.guard.scene import Scene
from tests.mark_i.guard.pretended import TOOLS, Call, Pretended, Shown, click, press, tried, typed
from world_model import Action

HOLD: Final[Call] = ("hold", {"keys": "0", "seconds": 2})
WHEEL: Final[Call] = ("scroll", {"direction": "up", "target": "Amount"})


def form(amount: str, button: str = "Continue") -> Shown:
    return Shown(("textbox Payee", f"textbox Amount={amount}", "textbox Note", f"button {button}"))


def steps(after: str, calls: list[Call], leaves: list[Call]) -> tuple[list[Shown], list[Call]]:
    """The first calls in an empty form, the last ones in a form that shows an amount."""
    return [*[form("")] * len(calls), *[form(after)] * len(leaves)], [*calls, *leaves]


@pytest.mark.parametrize("leaves", [press("tab"), press("enter"), [click("Note")], [click("Continue")]])
@pytest.mark.parametrize(
    "calls",
    [
        [typed("10", into="Amount"), *press("up", "up")],
        [click("Amount"), *press("pageup")],
        [click("Amount"), *press("1"), HOLD],
        [click("Payee"), *press("tab"), typed("10"), WHEEL],
        [typed("10", into="Amount"), ("hold", {"keys": "up", "seconds": 5})],
    ],
)
def test_an_amount_that_keys_changed_is_asked_about_when_it_is_left(calls: list[Call], leaves: list[Call]) -> None:
    asked = tried(*steps("1,200", calls, leaves), "Pay 10").asked

    assert asked == ['The amount "1,200" appears in neither the goal nor an answer.']
    assert not tried(*steps("10.00", calls, leaves), "Pay 10").stopped


@pytest.mark.parametrize(
    "calls",
    [
        [click("Amount"), *press("tab")],
        [click("Payee"), *press("tab", "tab")],
        [typed("10", into="Amount", enter=True)],
        [click("Note"), typed("Rent"), *press("tab")],
    ],
)
def test_an_amount_that_the_agent_did_not_change_is_not_asked_about(calls: list[Call]) -> None:
    assert not tried(form("1,200"), calls, "Pay 10").stopped


def test_an_approval_of_a_word_for_the_run_is_for_no_other_amount() -> None:
    guard = Guard(DEFAULT)

    def judged(amount: str) -> list[str]:
        scene = Scene(TOOLS, WorldModel(), ("Pay 10",), Pretended(form(amount, "Pay")))
        one = guard.judge(Action(*click("Pay")), None, scene)
        if one.approval:
            guard.refusal_after(one, Answer("run"), scene)
        return [reason.words for reason in one.reasons]

    assert judged("10") == ['"pay" may be impossible to undo.']
    assert judged("10.00") == []
    assert judged("9999") == ['The amount "9999" appears in neither the goal nor an answer.']
