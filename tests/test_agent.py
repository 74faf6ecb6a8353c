"""The loop: look, think, act, settle, look, remember, until the goal is reached."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import AgentCore, Control, Eyes, FakeDesktop, Prompt, Reply, ScriptedBrain, standard_toolbelt, tool
from tests.support import action
from toolbelt.fake import Draw, Input
from world_model import DesktopError, Journal, Point, read_run

CAP = 20.0  # seconds; generous, since the machine may be busy
CLICK = action("click", target={"x": 30, "y": 20})
FINISH = action("finish", summary="It is done.")


def screen(color: str = "white", text: str = "") -> Image.Image:
    image = Image.new("RGB", (320, 96), color)
    ImageDraw.Draw(image).text((40, 30), text, "black", ImageFont.load_default(size=20))
    return image


def turns_blue(inputs: Sequence[Input]) -> Image.Image:
    """A screen that changes with the first input."""
    return screen("blue" if inputs else "white")


def agent(*replies: object, draw: Draw = turns_blue, tools: Sequence[object] = (), **parts: Any) -> AgentCore:
    """An agent that gives these replies, on a desktop that shows what `draw` draws."""
    desktop = FakeDesktop(draw)
    eyes = Eyes(desktop, desktop.control)
    return AgentCore(ScriptedBrain(replies), standard_toolbelt(eyes, *tools), desktop, eyes=eyes, **parts)


def inputs(agent: AgentCore) -> list[Input]:
    assert isinstance(agent.desktop, FakeDesktop)
    return agent.desktop.inputs


def prompts(agent: AgentCore) -> list[Prompt]:
    assert isinstance(agent.brain, ScriptedBrain)
    return agent.brain.prompts


# One step after the other ------------------------------------------------------------------------------------------


def test_a_run_is_told_as_it_happens() -> None:
    events = list(agent(CLICK, FINISH).run("click"))

    step = ["thinking", "thought", "action", "step"]
    assert [event.event for event in events] == ["run_started", *step, *step, "ended"]
    assert events[0].data["goal"] == "click"
    assert events[2].data == {"index": 1, "text": "I use click."}
    assert events[3].data == {"index": 1, "tool": "click", "args": {"target": {"x": 30, "y": 20}}}
    assert events[4].data["observation"]["text"] == "Clicked at 30, 20."
    assert events[-1].data["outcome"] == "done_unverified"
    assert [event.t for event in events] == sorted(event.t for event in events)


def test_each_step_has_a_look_before_and_one_after_which_is_the_next_ones_first() -> None:
    run = agent(CLICK, CLICK, FINISH)

    run.execute_command("click twice")

    first, second, third = run.world_model
    assert first.before is not None
    assert first.after is not None
    assert first.before.pixels[0, 0].tolist() == [255, 255, 255]
    assert first.after.pixels[0, 0].tolist() == [0, 0, 255]
    assert first.after is second.before is second.after is third.before
    assert first.observation.screen is not None
    assert first.observation.screen.changed
    assert second.observation.screen is not None
    assert not second.observation.screen.changed


def test_the_brain_is_told_the_goal_the_tools_and_all_that_happened() -> None:
    run = agent(CLICK, FINISH)

    run.execute_command("click it")

    first, second = prompts(run)
    assert first.goal == second.goal == "click it"
    assert first.system == second.system
    assert "click(target" in first.system
    assert first.scratchpad == ""
    assert "Action 1: click" in second.scratchpad
    assert second.steps == (run.world_model[1],)


@pytest.mark.parametrize(
    ("wrong", "code", "hint"),
    [
        (action("click", target={"x": 999, "y": 0}), "OFF_SCREEN", "x from 0 to 319"),
        (action("click", target={"x": "left"}), "INVALID_ARGS", "click is called as click(target"),
        (action("clik", target="Save"), "UNKNOWN_TOOL", "Did you mean click"),
    ],
)
def test_a_failure_is_an_observation_and_the_run_goes_on(wrong: object, code: str, hint: str) -> None:
    run = agent(wrong, CLICK, FINISH)

    assert run.execute_command("click").name == "done_unverified"

    error = run.world_model[1].observation.error
    assert error is not None
    assert error.code == code
    assert hint in error.hints[0]
    assert f"{code}: {error.message} {error.hints[0]}" in prompts(run)[1].scratchpad
    assert inputs(run) == [("click", Point(30, 20), "left", 1), ("release",)]


# How a run ends ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("replies", "outcome", "exit_code", "summary"),
    [
        ([FINISH], "done_unverified", 6, "It is done."),
        ([{"thought": "I know.", "answer": "It is 7."}], "done_unverified", 6, "It is 7."),
        ([action("fail", reason="There is no door.")], "failed", 1, "There is no door."),
        ([CLICK] * 9, "limit_steps", 3, "The limit of 3 steps was reached"),
        ([CLICK], "model_error", 4, "The script has no reply left"),
        (["I would click.", "And how!"], "model_error", 4, "holds no JSON object"),
    ],
)
def test_every_ending_has_its_name_and_lets_go_of_the_keys(
    replies: list[object], outcome: str, exit_code: int, summary: str
) -> None:
    run = agent(*replies, max_steps=3)

    ended = list(run.run("anything"))[-1].data

    assert (ended["outcome"], ended["exit_code"], ended["steps"]) == (outcome, exit_code, len(run.world_model))
    assert summary in ended["summary"]
    assert inputs(run)[-1] == ("release",)


@pytest.mark.parametrize(
    ("evidence", "outcome"),
    [
        ([{"text": "Saved notes.txt"}], "done"),
        (["saved"], "done"),
        ([{"observation": 1}], "done"),
        ([{"file": __file__}], "done"),
        ([{"text": "Saved"}, {"file": "/no/such/file"}], "done_unverified"),
        ([{"text": "Sent"}], "done_unverified"),
        ([{"text": "Save"}], "done_unverified"),
        ([{"observation": 2}], "done_unverified"),
        ([], "done_unverified"),
    ],
)
def test_only_evidence_that_is_seen_to_be_true_makes_it_done(evidence: list[object], outcome: str) -> None:
    finish = action("finish", summary="Saved it.", evidence=evidence)
    run = agent(CLICK, finish, draw=lambda done: screen(text="Saved notes.txt" if done else "Not yet"))

    ended = run.execute_command("save")

    assert ended.name == outcome
    assert len(ended.evidence) == len(evidence)


def test_what_a_tool_gave_back_is_no_evidence_by_the_name_of_its_parts() -> None:
    @tool
    def look_up() -> dict[str, bool]:
        """Look something up."""
        return {"paid": False}

    run = agent(action("look_up"), action("finish", summary="", evidence=[{"text": "paid"}]), tools=[look_up])

    assert run.execute_command("is it paid?").name == "done_unverified"


def test_an_unreadable_reply_is_asked_for_again_with_the_reason() -> None:
    run = agent("I would click.", FINISH)

    assert run.execute_command("finish").name == "done_unverified"

    first, second = prompts(run)
    assert first.notices == ()
    assert "holds no JSON object" in second.notices[0]
    assert replace(second, notices=()) == first
    assert len(run.world_model) == 1


def test_a_lost_desktop_is_an_ending() -> None:
    def gone(done: Sequence[Input]) -> Image.Image:
        if done:
            raise DesktopError("The display is gone.")
        return screen()

    outcome = agent(CLICK, FINISH, draw=gone).execute_command("click")

    assert (outcome.name, outcome.summary) == ("desktop_error", "The display is gone.")


# The person's hand -------------------------------------------------------------------------------------------------


class Hanging:
    """A tool and a brain that do not come back by themselves; `stop` is called when one of them is in it."""

    name, sight, space = "hanging", 0, "pixels"

    def __init__(self, control: Control) -> None:
        self.control = control
        self.over = threading.Event()

    @tool
    def hang(self) -> None:
        """Never come back."""
        threading.Thread(target=self.control.stop).start()
        self.over.wait(CAP)

    def think(self, _prompt: Prompt) -> Reply:
        self.hang()
        return Reply("")


@pytest.mark.parametrize("where", ["tool", "brain"])
def test_a_stop_is_felt_in_the_middle_of_a_tool_and_of_a_thought(where: str) -> None:
    run = agent(action("hang"))
    hanging = Hanging(run.control)
    if where == "tool":
        run.toolbelt = standard_toolbelt(None, hanging)
    else:
        run.brain = hanging  # type: ignore[assignment]  # its `space` is a plain string

    ended = list(run.run("hang"))[-1]
    hanging.over.set()

    assert (ended.data["outcome"], ended.data["exit_code"]) == ("stopped", 130)
    assert ended.t < CAP / 2
    assert inputs(run) == [("release",)]


def test_a_pause_holds_the_run_before_its_next_step() -> None:
    run = agent(FINISH)
    run.control.pause()
    told = []

    for event in run.run("finish"):
        told.append(event.event)
        if event.event == "paused":
            run.control.resume()

    assert told[:4] == ["run_started", "paused", "resumed", "thinking"]


def test_a_reader_that_goes_away_ends_the_run() -> None:
    run = agent(CLICK, FINISH)
    events = run.run("click")
    while next(events).event != "step":
        pass

    events.close()  # type: ignore[attr-defined]  # it is a generator

    assert inputs(run)[-1] == ("release",)


# Without a desktop, and with a journal -----------------------------------------------------------------------------


def test_without_a_desktop_observations_are_words_alone() -> None:
    @tool(risk="look")
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    run = AgentCore(ScriptedBrain([action("add", a=3, b=4), {"answer": "It is 7."}]), standard_toolbelt(None, add))

    assert run.execute_command("3 + 4").summary == "It is 7."
    assert run.world_model[1].observation.data == 7
    assert all((step.before, step.after, step.observation.screen) == (None,) * 3 for step in run.world_model)


def test_the_journal_has_each_decision_before_it_is_carried_out_and_each_step_when_it_is_told(tmp_path: Path) -> None:
    in_flight = []

    @tool
    def peek() -> None:
        """Look into the journal in the middle of the step."""
        in_flight.append(read_run(tmp_path / "run").in_flight)

    run = agent(CLICK, action("peek"), FINISH, tools=[peek], journal=Journal(tmp_path / "run", {"goal": "look"}))

    for event in run.run("look"):
        if event.event == "step":
            steps = read_run(tmp_path / "run").steps
            assert [step.to_dict()["action"] for step in steps] == [s.to_dict()["action"] for s in run.world_model]

    read = read_run(tmp_path / "run")
    assert in_flight == [run.world_model[2].action]
    assert [step.to_dict() for step in read.steps] == [step.to_dict() for step in run.world_model]
    assert read.about["outcome"] == {"outcome": "done_unverified", "summary": "It is done.", "evidence": []}


def test_what_nobody_expects_is_raised_when_everything_is_let_go_and_written_down(tmp_path: Path) -> None:
    class Broken(ScriptedBrain):
        def think(self, prompt: Prompt) -> Reply:
            raise ZeroDivisionError(prompt.goal)

    run = agent(journal=Journal(tmp_path / "run", {}))
    run.brain = Broken([])

    with pytest.raises(ZeroDivisionError, match="divide"):
        list(run.run("divide"))

    assert inputs(run) == [("release",)]
    assert read_run(tmp_path / "run").about["outcome"] == {"outcome": None}
