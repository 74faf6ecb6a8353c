"""A skill goes on only where the screen fits, does nothing twice, and asks where nobody can know."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mark_i.brain import Prompt, Word
from mark_i.skills.brain import TRIES_MAX, WAITS_MAX, SkillBrain
from mark_i.skills.skill import Effect, Parameter, Shown, Skill, SkillStep
from toolbelt.desktops import Window
from toolbelt.elements import Element
from world_model import Action, Observation, Place, Problem, Region, ScreenChange, Step, Thought

SKILL = Skill(
    name="order",
    goal="order {what}",
    parameters=(Parameter(name="what", example="tea"),),
    steps=(
        SkillStep(does="Type {what}", tool="type_text", args={"text": "{what}"}, window="Shop"),
        SkillStep(
            does="Click on Buy",
            tool="click",
            args={"target": {"text": "Buy"}},
            window="Shop",
            pictures={"target": "step-2-target.png"},
            then=Effect(opened="Receipt"),
        ),
        SkillStep(does="Press enter", tool="press", args={"keys": "enter"}, window="Receipt"),
    ),
    check=(Shown(step=2), Shown(text="{what}")),
)
SHOP, RECEIPT, NEWS = (
    Window(number, title, "app", Region(0, 0, 9, 9), active=True)
    for number, title in enumerate(("*Shop 3 - Store", "Receipt 12", "News"))
)
CHANGED = ScreenChange(changed=True)
DONE = Observation(ok=True, text="", screen=CHANGED)
NOT_FOUND = Observation(ok=False, text="", error=Problem("TARGET_NOT_FOUND", "Not on the screen: Buy."))
INTERRUPTED = Observation(ok=False, text="", data={"interrupted": True}, error=Problem("TOOL_ERROR", "Interrupted."))

Past = list[tuple[str, Observation]]


class Course:
    """A run of the skill: replies are carried out with the observations that are given."""

    def __init__(self, folder: Path) -> None:
        self.brain = SkillBrain(SKILL, {"what": "coffee"}, folder)
        self.past: list[Step] = []

    def reply(self, *windows: Window, said: str = "", buttons: tuple[str, ...] = ()) -> dict[str, Any]:
        words = (Word(len(self.past) + 1, said),) if said else ()
        elements = tuple(Element("button", Region(1, 1, 3, 3), text) for text in buttons)
        prompt = Prompt("", "", "", past=lambda: tuple(self.past), said=words)
        prompt = replace(prompt, windows=lambda: windows, elements=lambda: elements)
        told: dict[str, Any] = json.loads(self.brain.think(prompt).text)
        return told

    def does(
        self,
        *windows: Window,
        seen: Observation = DONE,
        note: str | None = None,
        buttons: tuple[str, ...] = (),
        said: str = "",
    ) -> dict[str, Any]:
        """Carry out the next reply, and return its action."""
        told = self.reply(*windows, buttons=buttons, said=said)
        action = Action.from_dict(told["action"])
        kept = told.get("note", "") if note is None else note
        self.past.append(Step(len(self.past) + 1, Thought(""), action, seen, note=kept))
        return action.to_dict()


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return Course(tmp_path)


def test_the_steps_are_done_in_order_with_the_values(course: Course) -> None:
    done = [course.does(SHOP), course.does(SHOP), course.does(RECEIPT), course.does(RECEIPT)]

    assert done[:3] == [
        {"tool": "type_text", "args": {"text": "coffee"}},
        {"tool": "click", "args": {"target": {"text": "Buy"}}},
        {"tool": "press", "args": {"keys": "enter"}},
    ]
    assert done[3]["tool"] == "finish"
    assert done[3]["args"]["evidence"] == [{"observation": 2}, {"text": "coffee"}]


def test_what_a_step_must_bring_about_is_waited_for_and_then_missed(course: Course) -> None:
    course.does(SHOP)
    course.does(SHOP)
    waits = [course.does(SHOP)["tool"] for _ in range(WAITS_MAX)]
    late = course.reply(RECEIPT)
    never = course.reply(SHOP)

    assert waits == ["wait"] * WAITS_MAX
    assert late["action"]["tool"] == "press"
    assert never["action"] == {
        "tool": "fail",
        "args": {"reason": 'Step 2 of the skill: The window "Receipt" did not open.'},
    }


def test_what_is_not_found_by_name_is_looked_for_by_its_picture_once_and_later_by_name(
    course: Course, tmp_path: Path
) -> None:
    course.does(SHOP)
    course.does(SHOP, seen=NOT_FOUND)
    again = course.does(SHOP, seen=NOT_FOUND)
    later = []
    for _ in range(TRIES_MAX - 1):
        assert course.does(SHOP)["tool"] == "wait"
        later.append(course.does(SHOP, seen=NOT_FOUND))
    last = course.reply(SHOP)

    assert again["args"] == {"target": {"image": str(tmp_path / "step-2-target.png")}}
    assert later == [{"tool": "click", "args": {"target": {"text": "Buy"}}}] * (TRIES_MAX - 1)
    assert last["action"]["tool"] == "fail"
    assert "Not on the screen: Buy." in last["action"]["args"]["reason"]


def test_nothing_is_done_in_another_window(course: Course) -> None:
    tools = [course.does(NEWS)["tool"] for _ in range(WAITS_MAX + 1)]

    assert tools == ["wait"] * WAITS_MAX + ["fail"]
    assert course.past[-1].action.args["reason"].startswith('Step 1 of the skill: The window "News" is in front')


@pytest.mark.parametrize(
    ("answer", "tool", "args"),
    [
        ("Yes.", "press", {"keys": "enter"}),
        ("no", "click", {"target": {"text": "Buy"}}),
        ("what?", "fail", None),
        (None, "fail", None),
    ],
)
def test_nobody_knows_of_an_interrupted_step_but_the_person(
    course: Course, answer: str | None, tool: str, args: object
) -> None:
    told = Observation(ok=answer is not None, text="", data={"answer": answer} if answer else None)
    course.does(SHOP)
    course.does(SHOP, seen=INTERRUPTED, note="")
    asked = course.does(RECEIPT, seen=told)
    then = course.reply(RECEIPT if tool == "press" else SHOP)

    assert "in the middle of this: Click on Buy. Was it done?" in str(asked["args"])
    assert then["action"]["tool"] == tool
    assert args is None or then["action"]["args"] == args


def test_what_only_the_person_knows_is_no_evidence(course: Course) -> None:
    course.does(SHOP)
    course.does(SHOP, seen=INTERRUPTED, note="")
    course.does(RECEIPT, seen=Observation(ok=True, text="", data={"answer": "yes"}))
    course.does(RECEIPT)

    assert course.reply(RECEIPT)["action"]["args"]["evidence"] == [{"text": "coffee"}]


@pytest.mark.parametrize(("answer", "tool"), [("yes", "click"), ("Go on!", "click"), ("no", "fail"), (None, "fail")])
def test_what_the_person_says_is_asked_back(course: Course, answer: str | None, tool: str) -> None:
    told = Observation(ok=answer is not None, text="", data={"answer": answer} if answer else None)
    course.does(SHOP)
    asked = course.does(SHOP, said="not coffee, tea", seen=told)

    assert asked["tool"] == "ask_user"
    assert '"not coffee, tea"' in asked["args"]["question"]
    assert course.reply(SHOP)["action"]["tool"] == tool


def test_a_step_that_changed_nothing_is_missed(course: Course) -> None:
    course.does(SHOP, seen=Observation(ok=True, text="", screen=ScreenChange(changed=False)))
    for _ in range(WAITS_MAX):
        course.does(SHOP)

    assert course.reply(SHOP)["action"]["args"] == {"reason": "Step 1 of the skill: Nothing changed on the screen."}


@pytest.mark.parametrize(
    ("buttons", "tool"),
    [
        (("OK",), "click"),
        (("Later", "Close"), "click"),
        (("OK", "Cancel"), "wait"),
        (("Delete",), "wait"),
        ((), "wait"),
    ],
)
def test_only_a_window_that_informs_is_closed(course: Course, buttons: tuple[str, ...], tool: str) -> None:
    course.does(SHOP)
    told = course.does(NEWS, buttons=buttons)

    assert told["tool"] == tool
    if tool == "click":
        assert told["args"] == {"target": {"x": 2, "y": 2}}
        assert course.reply(SHOP)["action"]["tool"] == "click"  # the step that it was in front of
        assert course.reply(SHOP)["action"]["args"] == {"target": {"text": "Buy"}}


def test_a_step_that_a_window_covered_is_done_once_that_is_closed(course: Course) -> None:
    course.does(SHOP)
    course.does(SHOP, seen=NOT_FOUND)
    closed = course.does(NEWS, buttons=("OK",))
    again = course.reply(SHOP)

    assert closed["args"] == {"target": {"x": 2, "y": 2}}
    assert again["action"]["args"] == {"target": {"text": "Buy"}}


def test_what_was_used_in_place_of_its_target_is_told(course: Course) -> None:
    step = SKILL.steps[1].model_copy(update={"then": Effect(on="Buy")})
    skill = SKILL.model_copy(update={"steps": (SKILL.steps[0], step, SKILL.steps[2])})
    course.brain = SkillBrain(skill, {"what": "tea"}, Path())
    course.does(SHOP)
    course.does(SHOP, seen=replace(DONE, places=(Place(3, 3, "Buy nothing today"),)))
    for _ in range(WAITS_MAX):
        course.does(SHOP)

    told = course.reply(SHOP)["action"]

    assert told["args"] == {"reason": 'Step 2 of the skill: "Buy nothing today" was used in place of "Buy".'}
