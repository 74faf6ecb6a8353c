"""A node of a workflow does a skill, says how that ended, and does nothing twice when the run is resumed."""

import json
from pathlib import Path
from typing import Any

import pytest

from mark_i.agent import AgentCore
from mark_i.brains.scripted import ScriptedBrain
from mark_i.skills.calls import end_skill, skill_tool
from mark_i.skills.store import skill_named
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.library import found
from mark_i.workflows.running import Workflow
from tests.order_skill import keep_order
from tests.support import Run, action, events, script
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from world_model import Action, Step, Thought, WorldModel

VIRTUAL = ("--virtual", "1024x768", "--json", "--yes")
VALUES = {"person": "Eve", "company": "Acme"}


def workflow(folder: Path, *skills: dict[str, Any]) -> str:
    """A workflow that does these skills one after another."""
    nodes = [{"id": 1, "type": "user_input"}]
    nodes += [{"id": at, "type": "run_skill", "properties": one} for at, one in enumerate(skills, 2)]
    links = [{"id": at, "origin_id": at, "target_id": at + 1} for at in range(1, len(nodes))]
    links = [{**one, "origin_slot": 0, "target_slot": 0} for one in links]
    file = folder / "flow.json"
    file.write_text(json.dumps({"name": "flow", "nodes": nodes, "links": links}))
    return str(file)


def ran(mark_i: Run, folder: Path, flow: str, *more: str) -> list[dict[str, Any]]:
    brain = script(folder / "run.jsonl", action("fail", reason="No model is needed."))
    return events(mark_i("run", "my monthly orders", "--workflow", flow, "--brain", brain, *VIRTUAL, *more).stdout)


def test_a_resumed_run_does_no_skill_again(tmp_path: Path) -> None:
    skill, _ = skill_named("default", keep_order().name)
    call = Action("order", VALUES)
    end = Action("end_skill", {"skill": "order", "goal": "order", "steps": 4, "evidence": []})
    toolbelt, control = Toolbelt(skill_tool(skill), end_skill), Control()
    before = WorldModel()
    for index, one in enumerate((call, end), 1):
        before.remember(Step(index, Thought(""), one, toolbelt.call(one, control).observation))
    flow = Workflow("flow", found(workflow(tmp_path, {"skill": "order", "parameters": VALUES}), CATALOG))
    agent = AgentCore(ScriptedBrain([]), toolbelt, world_model=before, workflow=flow.run)

    outcome = agent.execute_command("my monthly orders")

    assert (len(agent.world_model), outcome.name) == (2, "done_unverified"), outcome


def tools(told: list[dict[str, Any]]) -> list[str]:
    return [one["action"]["tool"] for one in told if one["event"] == "step"]


@pytest.mark.usefixtures("shop", "patience")
def test_a_node_does_a_skill_without_a_model(mark_i: Run, tmp_path: Path) -> None:
    keep_order()
    flow = workflow(tmp_path, {"skill": "order", "parameters": VALUES})

    told = ran(mark_i, tmp_path, flow)

    assert tools(told) == ["order", "open_app", "type_text", "type_text", "click", "end_skill"], told[-1]
    assert told[-1]["outcome"] == "done", told[-1]


@pytest.mark.usefixtures("shop", "patience")
def test_a_skill_that_does_not_fit_fails_the_run_and_the_next_node_follows(mark_i: Run, tmp_path: Path) -> None:
    keep_order()
    keep_order("send", button="Send")
    flow = workflow(tmp_path, {"skill": "send", "parameters": VALUES}, {"skill": "order", "parameters": VALUES})

    told = ran(mark_i, tmp_path, flow)

    assert tools(told).count("end_skill") == 2
    assert told[-1]["outcome"] == "failed", told[-1]
    assert "Step 4 of the skill: " in told[-1]["summary"]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("properties", "why"),
    [
        ({}, 'It names no skill: set its property "skill".'),
        ({"skill": "none"}, "There is no skill none that is kept: mark-i skill list"),
        ({"skill": "order", "parameters": "x"}, "Its property"),
    ],
)
def test_a_node_that_names_no_skill_fails_the_run(
    mark_i: Run, tmp_path: Path, properties: dict[str, Any], why: str
) -> None:
    keep_order()

    told = ran(mark_i, tmp_path, workflow(tmp_path, properties))

    assert (told[-1]["outcome"], tools(told)) == ("failed", [])
    assert why in told[-1]["summary"]
