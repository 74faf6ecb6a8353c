"""What a model does by points alone: it is named as its program names it, and counts as what the goal names."""

import shutil
from pathlib import Path

import pytest

from mark_i import AgentCore, Eyes, standard_toolbelt
from mark_i.bench.skills import Shower
from toolbelt.desktops import VirtualDesktop
from world_model import Step

CONTACT = Path(__file__).parents[2] / "apps" / "contact_gtk.py"


def ended(
    desktop: VirtualDesktop, goal: str, command: list[str], steps: list[tuple[str, dict[str, object]]]
) -> tuple[str, list[Step]]:
    """How a run ends that does these steps by points, and its steps."""
    eyes = Eyes(desktop, desktop.control)
    desktop.launch(command)
    assert desktop.control.until(lambda: any(window.active for window in desktop.windows()), 30.0)
    eyes.settle(eyes.look(), 1.0)
    agent = AgentCore(Shower(steps, eyes), standard_toolbelt(eyes), desktop, eyes=eyes)
    outcome = agent.execute_command(goal)
    return f"{outcome.name}: {outcome.summary}", list(agent.world_model)


@pytest.mark.usefixtures("patience")
def test_a_dialog_that_is_filled_in_and_accepted_by_points_is_done(desktop: VirtualDesktop, tmp_path: Path) -> None:
    values = {"First name": "Mary", "Last name": "Somerville", "Mail": "mary@example.org", "Phone": "0151 22"}
    first, last, mail, phone = (f'"{value}" as "{name}"' for name, value in values.items())
    steps: list[tuple[str, dict[str, object]]] = [
        ("type_text", {"text": value, "into": {"text": name, "role": "textbox"}}) for name, value in values.items()
    ]

    name, _ = ended(
        desktop,
        f"fill in {first}, {last}, {mail} and {phone}, and click OK",
        ["/usr/bin/python3", str(CONTACT), str(tmp_path / "out")],
        [*steps, ("click", {"target": "OK"})],
    )

    assert name == "done: It is done."
    assert (tmp_path / "out").read_text("utf-8") == ";".join(values.values())


@pytest.mark.usefixtures("patience")
def test_what_is_clicked_by_a_point_has_the_name_that_its_program_gives(
    desktop: VirtualDesktop, tmp_path: Path
) -> None:
    if not shutil.which("mousepad"):
        pytest.skip("not installed: mousepad")
    steps: list[tuple[str, dict[str, object]]] = [
        ("type_text", {"text": "amber"}),
        ("click", {"target": "File"}),
        ("click", {"target": {"text": "Save", "role": "menuitem"}}),
    ]
    (tmp_path / "list.txt").touch()

    name, done = ended(
        desktop, 'type "amber", and save it', ["mousepad", "--disable-server", str(tmp_path / "list.txt")], steps
    )

    [place] = done[2].observation.places
    assert (name, place.name, place.role) == ("done: It is done.", "Save", "menuitem")
    change = done[0].observation.screen
    assert change
    assert "Mousepad" in change.was_in_front
