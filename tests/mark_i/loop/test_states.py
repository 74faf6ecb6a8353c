"""The states of controls at the end: what proves that something was switched, and what shows that it was not."""

from pathlib import Path
from typing import Any

import pytest

from mark_i import AgentCore, Eyes, standard_toolbelt
from mark_i.loop.evidence import objections
from tests.attentive import Attentive
from tests.mark_i.loop.known_facts import did, facts, proves, wrong
from tests.support import action, finish
from toolbelt.desktops import VirtualDesktop
from toolbelt.desktops.accessibility.nodes import State
from toolbelt.elements import Element
from world_model import Observation, Place, Region, Role, ScreenChange

FORM = ["/usr/bin/python3", str(Path(__file__).parents[2] / "apps" / "form_gtk.py")]
NEWS = {"text": "News", "state": "checked"}


def control(text: str, *states: State, role: Role = "checkbox") -> Element:
    return Element(role, Region(0, 0, 100, 20), text, states=frozenset(states), said=True)


def became(text: str, state: str, role: str = "checkbox") -> tuple[str, dict[str, Any], Observation]:
    change = ScreenChange(changed=True, became=(role, text, state))
    return "click", {"target": text}, Observation(ok=True, text="", screen=change, places=(Place(1, 1, text),))


def ticked(text: str, *, on: bool = True) -> tuple[str, dict[str, Any], Observation]:
    _, _, seen = did("tick", name=text)
    return (
        "tick",
        {"target": text},
        Observation(ok=True, text="", data={"ticked": on}, screen=seen.screen, places=seen.places),
    )


def against(goal: str, *steps: Any, said: tuple[Element, ...]) -> list[str]:
    return list(objections([], facts(goal, *steps, said=lambda: said), kind="deed"))


@pytest.mark.parametrize(
    ("steps", "said", "good"),
    [
        ([became("News", "checked")], "checked", True),
        ([ticked("News")], "checked", True),
        ([did("click", name="Sports")], "checked", False),  # it was so before, as far as anybody knows
        ([became("News", "checked"), became("News", "unchecked")], "checked", False),
        ([became("News", "unchecked")], "unchecked", False),
    ],
)
def test_a_state_proves_a_deed_that_brought_it_about(steps: list[Any], said: State, *, good: bool) -> None:
    known = facts("tick News", *steps, said=lambda: (control("News", said),))

    assert proves(NEWS, known) is good


def test_a_state_of_something_else_proves_nothing() -> None:
    known = facts("tick News", became("Sports", "checked"), said=lambda: (control("Sports", "checked"),))

    assert not proves({"text": "Sports", "state": "checked"}, known)


def test_a_state_that_is_not_so_or_that_nobody_says_is_false() -> None:
    said = (control("News", "unchecked"), Element("text", Region(0, 0, 9, 9), "Weather", said=True))
    known = facts("tick News", became("News", "checked"), said=lambda: said)

    assert wrong(NEWS, known)
    assert wrong({"text": "Weather", "state": "checked"}, known)
    assert wrong({"text": "Maps", "state": "checked"}, known)
    assert wrong({"state": "checked"}, known)


def test_a_state_answers_a_question() -> None:
    known = facts("Is News ticked?", said=lambda: (control("News", "checked"),))

    assert proves(NEWS, known, "answer")


@pytest.mark.parametrize(
    ("goal", "state"),
    [
        ("turn on dark mode", "unchecked"),
        ("Turn Dark mode off.", "checked"),
        ("tick Dark mode and press Save", "unchecked"),
        ("Deaktiviere Dark mode", "checked"),
        ("décoche Dark mode", "checked"),
        ("关闭 Dark mode", "checked"),
    ],
)
def test_what_is_switched_otherwise_than_the_goal_wants_is_not_done(goal: str, state: State) -> None:
    said = (control("Dark mode", state, role="switch"), control("Mode", "checked"))

    assert f'The switch "Dark mode" is {state} now.' in against(goal, did("click", name="Save"), said=said)


@pytest.mark.parametrize(
    ("goal", "steps", "said"),
    [
        ("turn on dark mode", [ticked("Dark mode")], [control("Dark mode", "checked")]),
        ("tick News and press Send", [became("News", "checked")], [control("News", "unchecked")]),  # the form was reset
        ("turn off News, then turn it on", [], [control("News", "checked")]),
        ("click on News", [], [control("News", "unchecked")]),
        ("untick all but News", [], [control("News", "checked")]),
        ("tick News weekly", [], [control("News", "unchecked"), control("News weekly", "checked")]),
        ("write about news", [], [control("News", "unchecked")]),
        ("check the box beside News", [ticked("the box")], [control("News", "unchecked")]),
        ("tick the box beside News", [became("", "checked")], [control("News", "unchecked"), control("", "checked")]),
    ],
)
def test_what_is_as_the_goal_wants_is_not_doubted(goal: str, steps: list[Any], said: list[Element]) -> None:
    told = against(goal, *steps, did("click", name="Save"), said=tuple(said))

    assert not [one for one in told if one.endswith(" now.")]


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("goal", "clicks", "ended"),
    [
        ("Tick Gift wrap", ["Gift wrap"], "done"),
        ("Tick Gift wrap", ["Gift wrap", "Gift wrap"], "done_unverified"),
        ("Untick Express", ["Gift wrap"], "done_unverified"),
    ],
)
def test_what_a_program_says_of_its_switches_decides(
    desktop: VirtualDesktop, tmp_path: Path, goal: str, clicks: list[str], ended: str
) -> None:
    eyes = Eyes(desktop, desktop.control)
    on = {"text": "Gift wrap", "state": "checked"}
    brain = Attentive(
        eyes,
        action("open_app", name=FORM[0], args=FORM[1:]),
        *(action("click", target=one) for one in clicks),
        finish(on),
        finish(on),
    )

    events = list(AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, folders=(tmp_path,)).run(goal))

    assert events[-1].data["outcome"] == ended, events[-1].data
