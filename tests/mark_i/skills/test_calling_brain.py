"""A brain that has called a skill is not asked until the skill ends, and then once more."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mark_i.brain import Prompt, Reply, Space, Word
from mark_i.loop.facts import RunFacts
from mark_i.loop.foresight import Foresight
from mark_i.skills.calling_brain import CallingBrain
from mark_i.skills.calls import end_skill, skill_tool
from mark_i.skills.skill import Parameter, Skill, SkillStep
from toolbelt.belt import Toolbelt
from toolbelt.desktops import Window
from toolbelt.elements import Element
from world_model import Action, Observation, Region, ScreenChange, Step, Thought, ToolFailure, WorldModel

SKILL = Skill(
    name="buy",
    goal="buy {what} by {day}",
    parameters=(Parameter(name="what", example="tea"), Parameter(name="day", type="date", example="2026-01-02")),
    steps=(SkillStep(does="Press {what}", tool="press", args={"keys": "{what}"}, window="Shop"),),
)
CALL = Action("buy", {"what": "milk", "day": "2026-03-04"})
DONE = Observation(ok=True, text="", screen=ScreenChange(changed=True))
DESKTOP = Region(0, 0, 2000, 1000)


class Model:
    """Thinks in thousandths, and plans one more action."""

    name, sight, ahead, stateless = "model", 640, 2, True
    space: Space = "thousandths"

    def __init__(self) -> None:
        self.asked = 0

    def think(self, prompt: Prompt) -> Reply:
        del prompt
        self.asked += 1
        press = {"thought": "t", "action": {"tool": "press", "args": {"keys": "f1"}}}
        return Reply(json.dumps({"thought": "t", "action": CALL.to_dict(), "then": [press]}))


class Course:
    """The steps of a run, and the brain that is asked for the next one."""

    def __init__(self, folder: Path) -> None:
        self.model = Model()
        self.brain = CallingBrain(self.model, {"buy": (SKILL, folder)}, lambda: DESKTOP)
        self.steps: list[Step] = []

    def prompt(self, title: str = "Shop", said: str = "", button: str = "") -> Prompt:
        words = (Word(len(self.steps) + 1, said),) if said else ()
        windows = (Window(1, title, "app", DESKTOP, active=True),)
        elements = (Element("button", Region(1000, 500, 10, 10), button),) if button else ()
        prompt = Prompt("", "", "", past=lambda: tuple(self.steps), said=words)
        return replace(prompt, windows=lambda: windows, elements=lambda: elements)

    def reply(self, **shown: str) -> dict[str, Any] | None:
        reply = self.brain.foreseen(self.prompt(**shown))
        return json.loads(reply.text) if reply else None

    def do(self, action: Action, note: str = "", seen: Observation = DONE) -> None:
        self.steps.append(Step(len(self.steps) + 1, Thought(""), action, seen, note=note))

    def follow(self, **shown: str) -> dict[str, Any]:
        """Carry out what is foreseen, and return its action."""
        told = self.reply(**shown)
        assert told is not None
        self.do(Action.from_dict(told["action"]), told.get("note", ""))
        action: dict[str, Any] = told["action"]
        return action


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


def test_the_steps_of_a_call_are_known_until_its_end(course: Course) -> None:
    course.do(Action("press", {"keys": "f2"}))
    before = course.reply()
    course.do(CALL)

    press, planned = course.follow(), course.brain.has_plan
    end, after = course.follow(), course.reply()

    assert (before, press) == (None, {"tool": "press", "args": {"keys": "milk"}})
    goal = "buy milk by 2026-03-04"
    assert end == {
        "tool": "end_skill",
        "args": {"skill": "buy", "goal": goal, "steps": 1, "evidence": [], "why": ""},
    }
    assert (planned, course.brain.has_plan, after, course.model.asked) == (True, False, None, 0)


def test_a_call_that_was_refused_begins_nothing(course: Course) -> None:
    course.do(CALL, seen=Observation(ok=False, text=""))

    assert course.reply() is None


def test_what_the_person_says_gives_the_run_back_to_the_model(course: Course) -> None:
    course.do(CALL)

    end = course.follow(said="Take two.")

    assert (end["tool"], end["args"]["why"]) == ("end_skill", 'The person said: "Take two."')


def test_a_point_of_a_skill_is_in_the_coordinates_of_the_brain(course: Course) -> None:
    course.do(CALL)
    course.follow()
    course.do(CALL)  # again, while a window that only informs is in front

    closing = course.follow(title="News", button="OK")

    assert closing == {"tool": "click", "args": {"target": {"x": 502, "y": 505}}}


def test_a_call_that_is_ordered_is_given_for_one_step(course: Course) -> None:
    assert course.brain.begin(CALL)
    assert not course.brain.begin(Action("sell"))
    course.brain.begin(CALL)
    replies = [course.reply(), course.reply(said="Hello.")]  # a word has it decided again
    course.do(CALL, seen=Observation(ok=False, text="Denied."))

    assert [reply and reply["action"] for reply in replies] == [CALL.to_dict()] * 2
    assert course.reply() is None


def test_a_plan_beside_a_call_is_left(course: Course) -> None:
    foresight = Foresight(course.brain, 2, Toolbelt(skill_tool(SKILL)), None)
    prompt = course.prompt()
    foresight.keep(prompt, foresight.planner.think(prompt))
    course.do(CALL)

    reply = foresight.foreseen(course.prompt())

    assert reply is not None
    assert json.loads(reply.text)["action"]["tool"] == "press"
    assert json.loads(reply.text)["action"]["args"] == {"keys": "milk"}
    assert foresight.left().startswith("The plan was left before press: Other steps came in between.")


def test_a_value_of_a_wrong_type_is_refused() -> None:
    with pytest.raises(ToolFailure, match="day must be a date, such as 2026-11-29, not 'soon'"):
        skill_tool(SKILL).run(**{**CALL.args, "day": "soon"})


def test_neither_the_call_nor_the_end_of_a_skill_proves_anything(course: Course) -> None:
    toolbelt, seen = Toolbelt(skill_tool(SKILL), end_skill), Observation(ok=True, text="done", data={"skill": "buy"})
    course.do(CALL, seen=seen)
    course.do(Action("end_skill", {}), seen=seen)
    past = WorldModel()
    for step in course.steps:
        past.remember(step)

    assert list(RunFacts("buy milk", past, toolbelt).worked()) == []


def test_the_end_of_a_skill_is_in_no_list_of_tools() -> None:
    toolbelt = Toolbelt(skill_tool(SKILL), end_skill)

    assert ([tool.name for tool in toolbelt], "end_skill" in toolbelt) == (["buy"], True)
