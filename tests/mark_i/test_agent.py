"""The loop: look, think, act, settle, look, remember, until the goal is reached."""

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from mark_i import AgentCore, Control, Eyes, FakeDesktop, Limits, Prompt, Reply, ScriptedBrain, standard_toolbelt, tool
from mark_i.budget import Budget
from tests.support import action, reacting
from toolbelt.desktops.fake import Draw, Input
from world_model import DesktopError, Journal, Point, read_run

CAP_S = 120.0  # seconds; generous, since the machine may be busy
CLICK = action("click", target={"x": 30, "y": 20})
FINISH = action("finish", summary="It is done.")


def screen(color: str = "white", text: str = "") -> Image.Image:
    image = Image.new("RGB", (320, 96), color)
    ImageDraw.Draw(image).text((40, 30), text, "black", ImageFont.load_default(size=20))
    return image


def turns_blue(inputs: Sequence[Input]) -> Image.Image:
    """A screen that changes with the first click."""
    return screen("blue" if any(name == "click" for name, *_ in inputs) else "white")


class Trial:
    """An agent whose replies are given, on a desktop that shows what `draw` draws."""

    def __init__(self, *replies: object, draw: Draw = turns_blue, tools: Sequence[object] = (), **parts: Any) -> None:
        self.desktop = FakeDesktop(draw)
        self.brain = ScriptedBrain(replies)
        eyes = Eyes(self.desktop, self.desktop.control)
        self.agent = AgentCore(self.brain, standard_toolbelt(eyes, *tools), self.desktop, eyes=eyes, **parts)
        self.world_model = self.agent.world_model


def test_a_run_is_told_as_it_happens() -> None:
    events = list(Trial(CLICK, FINISH).agent.run("click"))

    step = ["thinking", "thought", "action", "step"]
    assert [event.event for event in events] == ["run_started", *step, *step, "ended"]
    assert events[0].data["goal"] == "click"
    assert events[2].data == {"index": 1, "text": "I use click."}
    assert events[3].data == {"index": 1, "tool": "click", "args": {"target": {"x": 30, "y": 20}}}
    assert events[4].data["observation"]["text"] == "Clicked at 30, 20."
    assert [event.t for event in events] == sorted(event.t for event in events)


def test_the_look_after_a_step_is_the_look_before_the_next() -> None:
    trial = Trial(CLICK, CLICK, FINISH)

    trial.agent.execute_command("click twice")

    first, second, third = trial.world_model
    assert first.before is not first.after
    assert first.after is second.before is second.after is third.before
    assert [step.observation.screen.changed for step in (first, second) if step.observation.screen] == [True, False]


def test_the_prompt_has_the_goal_the_tools_and_the_history() -> None:
    trial = Trial(CLICK, FINISH)

    trial.agent.execute_command("click it")

    first, second = trial.brain.prompts
    assert first.goal == second.goal == "click it"
    assert "click(target" in first.system == second.system
    assert first.scratchpad == ""
    assert "Action 1: click" in second.scratchpad
    assert second.past() == tuple(trial.world_model)


def test_a_scripted_brain_keeps_few_screens() -> None:
    trial = Trial(*(action("press", keys=f"f{number % 9 + 1}") for number in range(30)), FINISH)
    trial.brain.sight = 800

    trial.agent.execute_command("press the keys")

    prompts = trial.brain.prompts
    assert [prompt.picture is not None for prompt in prompts] == [False] * 21 + [True] * 10
    assert [bool(prompt.past()) for prompt in prompts] == [False] * 21 + [True] * 10
    assert "Action 3: press" in prompts[3].scratchpad


@pytest.mark.parametrize(
    ("wrong", "code", "hint"),
    [
        (action("click", target={"x": 999, "y": 0}), "OFF_SCREEN", "from 0, 0 to 319, 95"),
        (action("click", target={"x": "left"}), "INVALID_ARGS", "Call it as click(target"),
        (action("clik", target="Save"), "UNKNOWN_TOOL", "Did you mean click"),
    ],
)
def test_a_failure_is_an_observation_and_the_run_goes_on(wrong: object, code: str, hint: str) -> None:
    trial = Trial(wrong, CLICK, FINISH)

    assert trial.agent.execute_command("click").name == "done_unverified"

    error = trial.world_model[1].observation.error
    assert error is not None
    assert error.code == code
    assert hint in error.hints[0]
    assert f"{code}: {error.message} {error.hints[0]}" in trial.brain.prompts[1].scratchpad
    assert trial.desktop.inputs == [("move", Point(30, 20)), ("click", Point(30, 20), "left", 1), ("release",)]


@pytest.mark.parametrize(
    ("replies", "outcome", "exit_code", "summary"),
    [
        ([FINISH], "done_unverified", 6, "It is done."),
        ([{"thought": "I know.", "answer": "It is 7."}], "done_unverified", 6, "It is 7."),
        ([action("fail", reason="There is no door.")], "failed", 1, "There is no door."),
        ([CLICK] * 9, "limit_steps", 3, "The limit of 3 steps was reached"),
        ([CLICK], "model_error", 4, "The script has no reply left"),
        (["I would click."] * 4, "model_error", 4, "I would click."),
    ],
)
def test_every_ending_has_its_name_and_lets_go_of_the_keys(
    replies: list[object], outcome: str, exit_code: int, summary: str
) -> None:
    trial = Trial(*replies, draw=reacting(turns_blue), limits=Limits(Budget(steps=3)))

    ended = list(trial.agent.run("anything"))[-1].data

    assert (ended["outcome"], ended["exit_code"], ended["steps"]) == (outcome, exit_code, len(trial.world_model))
    assert summary in ended["summary"]
    assert trial.desktop.inputs[-1] == ("release",)


@pytest.mark.parametrize(
    ("evidence", "outcome"),
    [
        ([{"text": "Saved notes.txt"}], "done"),
        (["saved", {"observation": 1}, {"file": __file__}], "done"),
        ([{"text": "Saved"}, {"file": "/no/such/file"}], "done_unverified"),
        ([{"text": "Save"}], "done_unverified"),
        ([{"observation": 2}], "done_unverified"),
        ([], "done_unverified"),
    ],
)
def test_only_evidence_that_is_seen_to_be_true_makes_it_done(evidence: list[object], outcome: str) -> None:
    finish = action("finish", summary="Saved it.", evidence=evidence, kind="answer")
    trial = Trial(CLICK, finish, draw=reacting(lambda done: screen(text="Saved notes.txt" if done else "Not yet")))

    assert trial.agent.execute_command("is it saved?").name == outcome


def test_the_name_of_a_value_is_no_evidence_that_it_is_so() -> None:
    @tool
    def look_up() -> dict[str, bool]:
        """Look something up."""
        return {"paid": False}

    trial = Trial(action("look_up"), action("finish", summary="", evidence=[{"text": "paid"}]), tools=[look_up])

    assert trial.agent.execute_command("is it paid?").name == "done_unverified"


def test_an_unreadable_reply_is_asked_for_again_with_the_reason() -> None:
    trial = Trial("I would click.", FINISH)

    assert trial.agent.execute_command("finish").name == "done_unverified"

    assert [len(prompt.notices) for prompt in trial.brain.prompts] == [0, 1]
    assert "holds no JSON object" in trial.brain.prompts[1].text
    assert len(trial.world_model) == 1


def test_a_lost_desktop_is_an_ending() -> None:
    def gone(done: Sequence[Input]) -> Image.Image:
        if done:
            raise DesktopError("The display is gone.")
        return screen()

    outcome = Trial(CLICK, FINISH, draw=gone).agent.execute_command("click")

    assert (outcome.name, outcome.summary) == ("desktop_error", "The display is gone.")


class Hanging(ScriptedBrain):
    """A tool and a brain that do not come back by themselves; a person stops the run when it is in one of them."""

    def __init__(self, control: Control) -> None:
        super().__init__([action("hang")])
        self.control = control
        self.over = threading.Event()

    @tool
    def hang(self) -> None:
        """Never come back."""
        threading.Thread(target=self.control.stop).start()
        self.over.wait(CAP_S)

    def think(self, prompt: Prompt) -> Reply:
        self.hang()
        return super().think(prompt)


@pytest.mark.parametrize("where", ["toolbelt", "brain"])
def test_a_stop_is_felt_in_the_middle_of_a_tool_and_of_a_thought(where: str) -> None:
    trial = Trial(action("hang"))
    hanging = Hanging(trial.agent.control)
    setattr(trial.agent, where, standard_toolbelt(None, hanging) if where == "toolbelt" else hanging)

    ended = list(trial.agent.run("hang"))[-1]
    hanging.over.set()

    assert (ended.data["outcome"], ended.data["exit_code"]) == ("stopped", 130)
    assert ended.t < CAP_S / 2
    assert trial.desktop.inputs == [("release",)]


def test_a_pause_holds_the_run_before_its_next_step() -> None:
    agent = Trial(FINISH).agent
    agent.control.pause()
    told = []

    for event in agent.run("finish"):
        told.append(event.event)
        if event.event == "paused":
            agent.control.resume()

    assert told[:4] == ["run_started", "paused", "resumed", "thinking"]


def test_after_a_pause_it_acts_on_what_is_there_then() -> None:
    color = "white"
    trial = Trial(action("press", keys="shift"), FINISH, draw=lambda _inputs: screen(color))

    for event in trial.agent.run("finish"):
        if event.event == "step" and event.data["index"] == 1:
            trial.agent.control.pause()
        if event.event == "paused":
            color = "blue"  # the person does something themselves
            trial.agent.control.resume()

    first, second = trial.world_model
    assert first.after
    assert second.before
    assert tuple(first.after.pixels[0, 0]) == (255, 255, 255)
    assert tuple(second.before.pixels[0, 0]) == (0, 0, 255)


def test_the_time_of_a_pause_counts_for_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    trial, excused, held = Trial(FINISH), list[float](), 0.0
    monkeypatch.setattr(trial.agent._ledger, "excuse", excused.append)
    trial.agent.control.pause()

    for event in trial.agent.run("finish"):
        if event.event == "paused":
            began = time.monotonic()
            trial.agent.control.wait(0.01)
            trial.agent.control.resume()
            held = time.monotonic() - began

    [pause] = filter(None, excused)
    assert pause >= held > 0


def test_the_clock_of_the_events_goes_on_in_a_pause() -> None:
    trial, times, held = Trial(FINISH), dict[str, float](), 0.0
    trial.agent.control.pause()

    for event in trial.agent.run("finish"):
        times[event.event] = event.t
        if event.event == "paused":
            began = time.monotonic()
            trial.agent.control.wait(0.01)
            trial.agent.control.resume()
            held = time.monotonic() - began

    assert times["resumed"] - times["paused"] >= held > 0


def test_a_stop_ends_a_pause() -> None:
    agent = Trial(FINISH).agent
    agent.control.pause()
    told = []

    for event in agent.run("finish"):
        told.append(event.event)
        if event.event == "paused":
            agent.control.stop()

    assert told == ["run_started", "paused", "ended"]


def test_without_a_desktop_observations_are_words_alone() -> None:
    @tool(risk="look")
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    agent = AgentCore(ScriptedBrain([action("add", a=3, b=4), {"answer": "It is 7."}]), standard_toolbelt(None, add))

    assert agent.execute_command("3 + 4").summary == "It is 7."
    assert agent.world_model[1].observation.data == 7
    assert all((step.before, step.after, step.observation.screen) == (None,) * 3 for step in agent.world_model)


def test_decisions_are_journaled_before_acting_and_steps_after(tmp_path: Path) -> None:
    folder, in_flight = tmp_path / "run", []

    @tool
    def peek() -> None:
        """Look into the journal in the middle of the step."""
        in_flight.append(read_run(folder).in_flight)

    trial = Trial(CLICK, action("peek"), FINISH, tools=[peek], journal=Journal(folder, {"goal": "look"}))
    for event in trial.agent.run("look"):
        assert event.event != "step" or len(read_run(folder).steps) == event.data["index"]

    run = read_run(folder)
    assert in_flight == [trial.world_model[2].action]
    assert [step.to_dict() for step in run.steps] == [step.to_dict() for step in trial.world_model]
    assert run.about["outcome"]["outcome"] == "done_unverified"
    assert run.about["outcome"]["summary"] == "It is done."


def test_an_unexpected_error_is_raised_after_cleaning_up(tmp_path: Path) -> None:
    class Broken(ScriptedBrain):
        def think(self, prompt: Prompt) -> Reply:
            raise ZeroDivisionError(prompt.goal)

    trial = Trial(journal=Journal(tmp_path / "run", {}))
    trial.agent.brain = Broken([])

    with pytest.raises(ZeroDivisionError, match="divide"):
        trial.agent.execute_command("divide")

    assert trial.desktop.inputs == [("release",)]
    assert read_run(tmp_path / "run").about["outcome"] == {"outcome": None}
