"""Plans: what a reply plans ahead is done without another call, as long as everything is as it was expected."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import AgentCore, Eyes, Limits, Prompt, Reply, ScriptedBrain, ToolFailure, standard_toolbelt, tool
from mark_i.assembly.resolve import _replies_used
from mark_i.bench.apps import order
from mark_i.brains.replay import ReplayBrain
from mark_i.budget import Budget
from mark_i.events import Event
from mark_i.loop.foresight import Foresight
from tests.support import action
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find
from world_model import Journal, read_replies, read_run

GIVEN_UP: Final = action("fail", reason="The plan was left.")
DONE: Final = action("finish", summary="It is noted.", kind="deed", evidence=[{"observation": 1}])


@tool(risk="write")
def note(text: str) -> str:
    """Note a text."""
    if text == "bad":
        raise ToolFailure("TOOL_ERROR", "This cannot be noted.")
    return f"Noted {text}."


def planned(first: Mapping[str, Any], *then: Mapping[str, Any]) -> dict[str, Any]:
    return {**first, "then": list(then)}


def notes(*texts: str) -> list[dict[str, Any]]:
    return [action("note", text=text) for text in texts]


class Run:
    """A run without a screen."""

    def __init__(self, *replies: Any, ahead: int = 5, journal: Journal | None = None, steps: int = 50) -> None:
        self.brain = ScriptedBrain(replies)
        toolbelt = standard_toolbelt(None, note)
        brain = Foresight(self.brain, ahead, toolbelt, None)
        limits = Limits(Budget(steps=steps))
        self.agent = AgentCore(brain, toolbelt, journal=journal, limits=limits)
        self.events = list(self.agent.run("note all of it"))

    @property
    def steps(self) -> list[tuple[str, bool]]:
        """What was done, and whether it was planned ahead."""
        return [(str(step.action.args.get("text", step.action.tool)), step.foreseen) for step in self.agent.world_model]

    @property
    def notices(self) -> list[str]:
        return [event.data["text"] for event in self.events if event.event == "notice"]


def test_a_plan_is_one_call_and_each_of_its_actions_is_a_step() -> None:
    one, *others = notes("1", "2", "3")
    run = Run(planned(one, planned(*others), DONE))

    assert run.steps == [("1", False), ("2", True), ("3", True), ("finish", True)]
    assert len(run.brain.prompts) == 1
    assert run.events[-1].data["outcome"] == "done"
    told = [event.data.get("foreseen", False) for event in run.events if event.event in {"thought", "step"}]
    assert told == [False, False, True, True, True, True, True, True]


SEVERAL: Final = {
    "then": json.dumps(planned(*notes("1", "2"))),
    "a list of actions": json.dumps({"thought": "t", "actions": [one["action"] for one in notes("1", "2")]}),
    "two objects": "\n".join(map(json.dumps, notes("1", "2"))),
}


@pytest.mark.parametrize("text", SEVERAL.values(), ids=SEVERAL)
def test_each_form_of_several_actions_is_a_plan(text: str) -> None:
    run = Run(text, DONE)

    assert run.steps == [("1", False), ("2", True), ("finish", False)]
    assert run.notices == []


def test_what_fails_ends_the_plan_and_the_brain_is_told() -> None:
    run = Run(planned(*notes("1", "bad", "3")), DONE)

    assert run.steps == [("1", False), ("bad", True), ("finish", False)]
    [told] = run.notices
    assert told == "The plan was left before note: note failed. What was planned after that was not done either."
    assert told in run.brain.prompts[1].text


def test_no_more_is_done_than_may_be_planned() -> None:
    run = Run(planned(*notes("1", "2", "3", "4")), DONE, ahead=2)

    assert run.steps == [("1", False), ("2", True), ("finish", False)]
    told = "The last reply had 4 actions, and no more than 2 are used; dropped: note, note."
    assert run.notices == [told]
    assert told in run.brain.prompts[1].text


def test_what_the_brain_must_know_ends_the_plan_first() -> None:
    run = Run(planned(*notes("1", "2", "3")), DONE, steps=4)

    assert run.steps == [("1", False), ("finish", False)]
    assert "3 steps" in run.notices[-1]


@pytest.mark.parametrize("odd", [{"thought": "no action"}, "click", {"action": {"tool": "???", "args": 5}}])
def test_a_plan_ends_at_what_cannot_be_read(odd: Any) -> None:
    one, two, three = notes("1", "2", "3")

    assert Run(planned(one, two, odd, three), DONE).steps == [("1", False), ("2", True), ("finish", False)]


def test_a_tool_that_is_not_there_ends_the_plan() -> None:
    run = Run(planned(*notes("1"), action("fly")), DONE)

    assert run.steps == [("1", False), ("finish", False)]
    assert "There is no tool fly." in run.notices[0]


def test_an_end_whose_evidence_does_not_hold_is_left_to_the_brain() -> None:
    unseen = action("finish", summary="It is noted.", kind="deed", evidence=[{"observation": 9}])

    run = Run(planned(*notes("1"), unseen), DONE)

    assert run.steps == [("1", False), ("finish", False)]
    assert "Observation 9 does not show it." in run.notices[0]
    assert run.events[-1].data["outcome"] == "done"


def test_a_foreseen_end_that_is_refused_does_not_use_up_the_one_warning(tmp_path: Path) -> None:
    missing = action("finish", summary="It is noted.", kind="deed", evidence=[{"file": str(tmp_path / "no.txt")}])

    run = Run(planned(*notes("1"), missing), missing, DONE)

    assert run.steps == [("1", False), ("finish", True), ("finish", False), ("finish", False)]
    assert run.events[-1].data["outcome"] == "done"


def test_no_plan_answers_the_last_question_of_a_run() -> None:
    run = Run(planned(*notes("1", "2", "3")), planned(*notes("2", "3")), {"thought": "t", "answer": "Two."}, steps=2)

    assert run.steps == [("1", False), ("2", False)]
    assert "Two." in run.events[-1].data["summary"]


def test_the_journal_has_every_reply_and_a_replay_needs_no_plan(tmp_path: Path) -> None:
    run = Run(planned(*notes("1", "2", "3")), DONE, journal=Journal(tmp_path, {"goal": "g", "brain": "scripted"}))

    replies = read_replies(tmp_path)
    assert [(one["index"], one.get("foreseen", False)) for one in replies] == [
        (1, False),
        (2, True),
        (3, True),
        (4, False),
    ]
    recorded = read_run(tmp_path)
    assert [step.foreseen for step in recorded.steps] == [False, True, True, False]
    assert (_replies_used(recorded, foreseen=False), _replies_used(recorded, foreseen=True)) == (2, 4)
    again = AgentCore(ReplayBrain(tmp_path), standard_toolbelt(None, note))
    again.execute_command("note all of it")
    assert [step.action for step in again.world_model] == [step.action for step in run.agent.world_model]


# On a real desktop ---------------------------------------------------------------------------------------------------

VALUES: Final = {"Name": "Ada Lovelace", "Street": "Dorset Street", "City": "Marylebone", "Phone": "Pelham 1815"}


class Order:
    """The window with the order, on a desktop of its own."""

    def __init__(self, desktop: VirtualDesktop, folder: Path, surprise: str, field: str) -> None:
        self.desktop, self.folder = desktop, folder
        desktop.launch([sys.executable, order.__file__, str(folder), surprise, field, "0"])
        self.eyes = Eyes(desktop, desktop.control)
        assert desktop.control.until((folder / "places.json").exists, 60.0)
        assert find("Save", self.eyes.until(lambda lines: find("Save", lines), 60.0))
        self.eyes.settle(self.eyes.look(), 1.0)
        self.places = json.loads((folder / "places.json").read_text())

    def fills(self, name: str) -> dict[str, Any]:
        x, y = self.places[name]
        return action("type_text", text=VALUES[name], into={"x": x, "y": y})

    def run(self, *replies: Any) -> list[Event]:
        return list(self.events(*replies))

    def events(self, *replies: Any, brain: Callable[[Sequence[Any]], ScriptedBrain] = ScriptedBrain) -> Iterator[Event]:
        toolbelt = standard_toolbelt(self.eyes)
        foresight = Foresight(brain(replies), 6, toolbelt, self.eyes)
        agent = AgentCore(foresight, toolbelt, self.desktop, eyes=self.eyes, folders=(self.folder,))
        return agent.run('fill in the order and save it, until "The order was saved." is shown')


def tools(events: Sequence[Event]) -> list[tuple[str, bool]]:
    return [(event.step.action.tool, event.step.foreseen) for event in events if event.step]


def whole(order: Order) -> dict[str, Any]:
    finish = action("finish", summary="Saved.", kind="deed", evidence=[{"text": "The order was saved."}])
    saved = {**finish, "expect": {"text": "The order was saved."}}
    return planned(*map(order.fills, VALUES), action("click", target="Save"), saved)


def test_a_form_is_filled_in_with_one_call(own_desktop: VirtualDesktop, tmp_path: Path) -> None:
    order = Order(own_desktop, tmp_path, "none", "Name")

    events = order.run(whole(order), GIVEN_UP)

    assert tools(events) == [("type_text", False), *[("type_text", True)] * 3, ("click", True), ("finish", True)]
    assert json.loads((tmp_path / "saved.json").read_text()) == VALUES
    assert events[-1].data["outcome"] == "done"


def test_points_of_a_plan_are_in_the_coordinates_of_its_picture(own_desktop: VirtualDesktop, tmp_path: Path) -> None:
    def seeing(replies: Sequence[Any]) -> ScriptedBrain:
        brain = ScriptedBrain(replies, sight=512)
        brain.space = "image"
        return brain

    order = Order(own_desktop, tmp_path, "none", "Name")
    order.places = {name: (x // 2, y // 2) for name, (x, y) in order.places.items()}

    events = list(order.events(whole(order), GIVEN_UP, brain=seeing))

    assert [foreseen for _, foreseen in tools(events)] == [False, True, True, True, True, True]
    assert json.loads((tmp_path / "saved.json").read_text()) == VALUES


def test_programs_get_as_much_time_after_a_planned_step(own_desktop: VirtualDesktop, tmp_path: Path) -> None:
    thinking_s = 0.4

    class Slow(ScriptedBrain):
        def think(self, prompt: Prompt) -> Reply:
            own_desktop.control.wait(thinking_s)
            return super().think(prompt)

    order = Order(own_desktop, tmp_path, "none", "Name")
    waited_s = []
    for event in order.events(planned(*map(order.fills, ("Name", "Street", "City"))), GIVEN_UP, brain=Slow):
        waited_s += [order.eyes.thought_s] * (event.event == "action")

    assert len(waited_s) == 4
    assert min(waited_s) >= thinking_s


@pytest.mark.parametrize("surprise", order.SURPRISES)
def test_a_surprise_ends_the_plan_before_the_next_action(
    surprise: str, own_desktop: VirtualDesktop, tmp_path: Path
) -> None:
    order = Order(own_desktop, tmp_path, surprise, "Street")

    events = order.run(whole(order), GIVEN_UP)

    assert tools(events)[-2:] == [("type_text", True), ("fail", False)]
    assert len(tools(events)) == 3
    assert not (tmp_path / "saved.json").exists()
