"""A brain that has called a skill is not asked until the skill ends, and then once more."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mark_i.brain import Prompt, Reply, Space, Word
from mark_i.loop.facts import RunFacts
from mark_i.loop.foresight import Foresight
from mark_i.skills.brain import WAITS_MAX, SkillBrain
from mark_i.skills.calling_brain import NOT_LEFT, CallingBrain
from mark_i.skills.calls import end_skill, resume_tool, skill_tool
from mark_i.skills.skill import Parameter, Skill, SkillStep
from toolbelt.belt import Toolbelt
from toolbelt.desktops import Window
from toolbelt.elements import Element
from world_model import Action, Observation, Problem, Region, ScreenChange, Step, Thought, ToolFailure, WorldModel

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


TWICE = SKILL.model_copy(
    update={"steps": (*SKILL.steps, SkillStep(does="Press {day}", tool="press", args={"keys": "{day}"}))}
)
UNSEEN = Observation(ok=True, text="", screen=ScreenChange(changed=False))


@pytest.fixture
def whole(course: Course, tmp_path: Path) -> Course:
    """A run that does the skill, with a model for what does not fit; its first step had no effect."""
    done = SkillBrain(TWICE, {"what": "milk", "day": "friday"}, tmp_path)
    course.brain = CallingBrain(course.model, {}, lambda: DESKTOP, done)
    told = course.reply()
    assert told is not None
    course.do(Action.from_dict(told["action"]), told["note"], UNSEEN)
    for _ in range(WAITS_MAX):
        course.follow()
    return course


def test_the_skill_of_a_run_is_left_to_the_model_and_goes_on_where_it_says(whole: Course) -> None:
    end = whole.follow()
    asked = whole.reply()
    whole.do(Action("press", {"keys": "f1"}), note="does 2")  # by the model, whose notes are its own
    whole.do(Action("resume_skill", {"skill": "buy", "step": 2}))
    second, done = whole.follow(), whole.follow()

    assert (end["args"]["step"], end["args"]["acted"], end["args"]["left"]) == (1, True, ["Press friday"])
    assert (asked, second, done["tool"]) == (None, {"tool": "press", "args": {"keys": "friday"}}, "end_skill")
    assert (done["args"]["why"], whole.reply()) == ("", None)


@pytest.mark.parametrize(
    ("step", "why"), [(1, "It does not go on with step 1: what comes before step 2 was done"), (4, "it has 2 steps")]
)
def test_nothing_is_done_again_because_a_model_says_so(whole: Course, step: int, why: str) -> None:
    first = whole.follow()
    whole.do(Action("resume_skill", {"skill": "buy", "step": step}))
    again = whole.follow()
    whole.do(Action("resume_skill", {"skill": "buy", "step": 2}))

    assert why in again["args"]["why"]
    assert {**again["args"], "why": ""} == {**first["args"], "why": ""}
    assert whole.follow() == {"tool": "press", "args": {"keys": "friday"}}


def test_a_skill_that_was_not_left_does_not_go_on(course: Course) -> None:
    course.do(CALL)
    course.follow()
    course.follow()
    course.do(Action("resume_skill", {"skill": "buy", "step": 1}))

    assert course.follow()["args"]["why"] == NOT_LEFT


def test_a_step_whose_target_was_not_there_may_be_done_by_the_skill(course: Course, tmp_path: Path) -> None:
    course.brain = CallingBrain(course.model, {}, lambda: DESKTOP, SkillBrain(TWICE, CALL.args, tmp_path))
    missing = Observation(ok=False, text="", error=Problem("TARGET_AMBIGUOUS", "There are two."))
    told = course.reply()
    assert told is not None
    course.do(Action.from_dict(told["action"]), told["note"], missing)

    end = course.follow()
    course.do(Action("resume_skill", {"skill": "buy", "step": 1}))

    assert (end["args"]["step"], end["args"]["acted"], len(end["args"]["left"])) == (1, False, 2)
    assert course.follow() == {"tool": "press", "args": {"keys": "milk"}}


def test_only_a_skill_of_the_run_can_go_on() -> None:
    with pytest.raises(ToolFailure, match="There is no skill 'sell' in this run"):
        resume_tool(["buy"])(skill="sell", step=1)


def test_the_person_orders_each_step_of_a_skill_until_a_model_takes_part(whole: Course) -> None:
    before = whole.brain.foreseen(Course(Path()).prompt())
    whole.follow()
    whole.do(Action("resume_skill", {"skill": "buy", "step": 2}))
    after = whole.brain.foreseen(whole.prompt())

    assert before is not None
    assert after is not None
    assert (before.literal, after.literal) == (True, False)
