"""What is done in a form: another field, button or radio button than was meant, and a box that is switched back."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt
from mark_i.loop.control_objections import control_objections
from tests.mark_i.loop.known_facts import facts
from tests.support import action
from toolbelt.desktops import VirtualDesktop
from toolbelt.elements import Element
from world_model import Action, Frame, Observation, Place, Region, ScreenChange, Step, Thought, WorldModel

APPS = Path(__file__).parents[2] / "apps"
FORM = [sys.executable, str(APPS / "form_tk.py")]


def ended(desktop: VirtualDesktop, goal: str, *steps: dict[str, object]) -> tuple[str, str]:
    """How a run in the form ends that gives its last step as evidence, and what is said of that."""
    eyes = Eyes(desktop, desktop.control)
    desktop.launch(FORM)
    assert desktop.control.until(lambda: any(window.active for window in desktop.windows()), 30.0)
    eyes.settle(eyes.look(), 1.0)
    finish = action("finish", summary="It is done.", kind="deed", evidence=[{"observation": len(steps)}])
    brain = ScriptedBrain([*steps, finish, finish])
    outcome = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes).execute_command(goal)
    return outcome.name, str(outcome.evidence)


def click(target: str) -> dict[str, object]:
    return action("click", target=target)


def typed(text: str, **args: object) -> dict[str, object]:
    return action("type_text", text=text, **args)


def tick(target: str, **args: object) -> dict[str, object]:
    return action("tick", target=target, **args)


# The frames of what was done before these are not kept.
LATER = [typed("a", into="Address"), typed("b", into="Address"), *map(click, ("Express", "Pay later", "More"))]


@pytest.mark.parametrize(
    ("goal", "steps", "doubt"),
    [
        ("Enter Acme as the company", [typed("Acme", into="Name")], '"Name" was used, and "Company" was not.'),
        ("Enter Acme as the company", [typed("Acme", into="Company")], ""),
        (
            "Enter Anna as the name and enter Acme as the company",
            [typed("Acme", into="Name"), typed("Anna", into="Company")],
            '"Acme" was typed into "Name", and not into "Company".',
        ),
        (
            "Enter Anna as the name and enter Acme as the company",
            [typed("Anna", into="Name"), typed("Acme", into="Company")],
            "",
        ),
        ("Click Pay later in the form", [click("Pay now")], '"Pay now" was used, and "Pay later" was not.'),
        ("Click Pay later in the form", [click("Pay later")], ""),
        ("Drücke OK", [click("Cancel")], '"Cancel" was used, and "OK" was not.'),
        ("Drücke OK", [click("OK")], ""),
        ("Turn on Gift wrap and click More", [click("Gift wrap")] * 2 + [click("More")], "switched 2 times"),
        ("Turn on Gift wrap and click More", [click("Gift wrap"), click("More")], ""),
        ("Turn on gift wrap and turn on express", [tick("Gift wrap")], 'Nothing shows "turn on express".'),
        ("Turn on gift wrap and turn on express", [tick("Gift wrap"), tick("Express")], ""),
        (
            "Set the size to Large and tick Gift wrap",
            [action("select", options=["Small"], target="Size"), tick("Gift wrap")],
            'Nothing shows "Set the size to Large".',
        ),
        ("Tick Gift wrap and Express", [tick("Gift wrap")], 'Nothing shows "Express".'),
        ("Tick Gift wrap and Express", [tick("Gift wrap"), tick("Express")], ""),
        ("Turn on Gift wrap and click More", [click("Gift wrap"), click("Gift wrap"), *LATER], "switched 2 times"),
        ("Turn on Gift wrap and click More", [click("Gift wrap"), *LATER], ""),
        (
            "Enter Anna as the name and enter Acme as the company and click More",
            [typed("Acme", into="Name"), typed("Anna", into="Company"), *LATER],
            '"Acme" was typed into "Name", and not into "Company".',
        ),
        (
            "Enter Anna as the name and enter Acme as the company and click More",
            [typed("Anna", into="Name"), typed("Acme", into="Company"), *LATER],
            "",
        ),
        (
            "Tick Gift wrap and click More",
            [tick("Gift wrap", off=True), click("More")],
            'Nothing shows "Tick Gift wrap".',
        ),
        ("Tick Gift wrap and click More", [tick("Gift wrap"), click("More")], ""),
    ],
)
def test_a_run_ends_as_done_only_if_what_the_goal_names_was_used(
    desktop: VirtualDesktop, goal: str, steps: list[dict[str, object]], doubt: str
) -> None:
    name, told = ended(desktop, goal, *steps)

    assert (name, doubt in told) == ("done_unverified" if doubt else "done", True)


def objections(goal: str, buttons: tuple[str, ...], used: str, appeared: str) -> list[str]:
    """What is said against a click on one of several buttons, after which a text appeared."""
    there = tuple(Element("button", Region(90 * at, 0, 80, 20), text) for at, text in enumerate(buttons))
    screen = ScreenChange(changed=True, appeared=(appeared,))
    seen = Observation(ok=True, text="Clicked.", screen=screen, places=(Place(5, 5, used),))
    world_model = WorldModel()
    world_model.remember(Step(1, Thought(""), Action("click", {"target": used}), seen, before=Frame.named("a")))
    return list(control_objections(replace(facts(goal), world_model=world_model, controls=lambda _: there)))


def test_a_control_with_the_name_of_a_folder_in_a_path_is_not_what_the_goal_names() -> None:
    told = partial(objections, buttons=("Replace", "drafts"), used="Replace", appeared="saved")

    assert told("Save it as /home/drafts/a.txt.") == []
    assert told("Save it as drafts/a.txt.") == []
    assert told("Save it in drafts.") == ['"Replace" was used, and "drafts" was not.']


def test_one_of_several_alike_was_chosen_though_it_led_on() -> None:
    there = tuple(
        Element("button", Region(90 * at, 0, 80, 20), f"Anna {name}") for at, name in enumerate(("Berger", "Berg"))
    )
    world_model = WorldModel()
    for index, (name, left) in enumerate((("Anna Berger", 5), ("Send", 5)), 1):
        screen = ScreenChange(changed=True, appeared=("Send",) if index == 1 else ("sent",))
        seen = Observation(ok=True, text="Clicked.", screen=screen, places=(Place(left, 5, name),))
        step = Step(index, Thought(""), Action("click", {"target": name}), seen, before=Frame.named(name))
        world_model.remember(step)

    def told(goal: str) -> list[str]:
        shown = {Frame.named("Anna Berger").digest: there}
        known = replace(facts(goal), world_model=world_model, controls=lambda frame: shown.get(frame.digest, ()))
        return list(control_objections(known))

    assert told("Send hello to Anna Berg.") == ['"Anna Berger" was used, and "Anna Berg" was not.']
    assert told("Send hello to Anna Berger.") == []


def test_the_control_for_one_is_not_that_for_all() -> None:
    told = partial(objections, buttons=("Mark read", "Mark all read"), used="Mark read", appeared="2 unread")

    assert told("Mark all messages as read.") == ['"Mark read" was used, and "Mark all read" was not.']
    assert told("Mark the message as read.") == []
