"""The brain without a model: what comes next follows from the goal and from the steps that worked."""

from typing import Any

import pytest

from mark_i.brain import Prompt
from mark_i.brains.offline import OfflineBrain
from mark_i.replies import Decision, parse
from toolbelt.lines import Line
from world_model import Action, Observation, Problem, Region, ScreenChange, Step, Thought

GOAL = 'open xterm, type "hello" into Name, press ctrl+s, click Save'
ORDER = ["open_app", "type_text", "press", "click"]
AMBIGUOUS = Problem("TARGET_AMBIGUOUS", '"Save" is on the screen 2 times.', ("Name a point.",))
IN_THE_MENU = Line("Save", Region(10, 100, 60, 20))
IN_THE_BAR = Line("Save", Region(400, 10, 60, 20))


def think(goal: str, *steps: Step, screen: tuple[Line, ...] = ()) -> Decision:
    prompt = Prompt("", goal, "", past=lambda: steps, read=lambda: screen)
    return parse(OfflineBrain().think(prompt).text)


def args_of(goal: str, *steps: Step) -> dict[str, Any]:
    return dict(think(goal, *steps).action.args)


def worked(index: int, *regions: Region, data: object = None) -> Step:
    screen = ScreenChange(changed=bool(regions), regions=regions)
    return Step(index, Thought(""), Action("press"), Observation(ok=True, text="", data=data, screen=screen))


def went_wrong(index: int, error: Problem, tool: str = "click", **args: object) -> Step:
    return Step(index, Thought(""), Action(tool, args), Observation(ok=False, text="", error=error))


@pytest.mark.parametrize("done", range(4))
def test_the_next_instruction_is_the_one_after_those_that_worked(done: int) -> None:
    decision = think(GOAL, *(worked(index) for index in range(1, done + 1)))

    assert decision.action.tool == ORDER[done]
    assert f"Instruction {done + 1} of 4" in decision.thought.text


def test_a_step_that_failed_and_was_made_good_does_not_count_twice() -> None:
    steps = worked(1), went_wrong(2, AMBIGUOUS, target="Name"), worked(3)

    assert think(GOAL, *steps).action.tool == "press"


@pytest.mark.parametrize(
    ("instruction", "action"),
    [
        ("open xterm with -e top", Action("open_app", {"name": "xterm", "args": ["-e", "top"]})),
        ("open xterm", Action("open_app", {"name": "xterm"})),
        ("click Save", Action("click", {"target": "Save"})),
        ("click at 0, 300", Action("click", {"target": {"x": 0, "y": 300}})),
        ("double-click notes", Action("double_click", {"target": "notes"})),
        ("right-click notes", Action("right_click", {"target": "notes"})),
        ('type "hi" and press enter', Action("type_text", {"text": "hi", "enter": True})),
        ('type "hi" into Name', Action("type_text", {"text": "hi", "into": "Name"})),
        ("press f5", Action("press", {"keys": "f5"})),
        ("scroll up twice", Action("scroll", {"direction": "up", "amount": 2})),
        ("wait until Saved appears", Action("wait_for", {"text": "Saved", "timeout": 30.0})),
        ("wait up to 5 seconds for Saved", Action("wait_for", {"text": "Saved", "timeout": 5.0})),
        ("wait up to 0 seconds for Saved", Action("wait_for", {"text": "Saved", "timeout": 0.0})),
        ("wait until Saving disappears", Action("wait_for", {"text": "Saving", "timeout": 30.0, "gone": True})),
        ("check that Saved is shown", Action("wait_for", {"text": "Saved", "timeout": 3.0})),
        ("check that Error is not shown", Action("wait_for", {"text": "Error", "timeout": 3.0, "gone": True})),
        ("close the window", Action("close_window", {})),
        ("close xterm", Action("close_window", {"title": "xterm"})),
    ],
)
def test_each_instruction_is_one_action(instruction: str, action: Action) -> None:
    assert think(instruction).action == action


def test_the_thought_says_where_the_target_is_read() -> None:
    assert think("click Save", screen=(IN_THE_BAR,)).thought.text.endswith('I read "Save" at 430, 20.')
    assert 'I cannot read "Save" yet' in think("click Save").thought.text


@pytest.mark.parametrize("steps", [(), (worked(1),)], ids=["at the start", "later"])
def test_a_goal_that_is_not_understood_fails_at_once_and_names_it(steps: tuple[Step, ...]) -> None:
    decision = think("open xterm, juggle three balls, click Save", *steps)

    assert decision.action.tool == "fail"
    assert '"juggle three balls"' in decision.action.args["reason"]
    assert decision.thought.text == decision.action.args["reason"]
    assert "open xterm" not in decision.thought.text


def test_of_a_goal_that_is_not_understood_nothing_was_done_and_that_is_said() -> None:
    assert args_of("juggle three balls")["reason"].endswith("have done nothing.")


@pytest.mark.parametrize("goal", ["", "  \n "])
def test_a_goal_without_an_instruction_fails_and_shows_one(goal: str) -> None:
    decision = think(goal)

    assert decision.action.tool == "fail"
    assert "holds no instruction" in decision.action.args["reason"]
    assert "press ctrl+s" in decision.action.args["reason"]


def test_a_step_that_failed_ends_the_run_with_its_reason() -> None:
    missing = Problem("TARGET_NOT_FOUND", '"Save" is not on the screen.', ('On the screen: "Open".',))

    decision = think("press f5, click Save", worked(1), went_wrong(2, missing, target="Save"))

    assert decision.action == Action(
        "fail", {"reason": 'I could not click Save: "Save" is not on the screen. On the screen: "Open".'}
    )


def test_a_text_in_two_places_is_meant_where_the_screen_changed_last() -> None:
    in_the_bar, in_the_menu = worked(1, Region(390, 0, 200, 40)), worked(2, Region(0, 90, 200, 200))
    failed = went_wrong(4, AMBIGUOUS, "double_click", target="Save")

    decision = think(
        "press f1, press f2, press f3, double-click Save",
        *(in_the_bar, in_the_menu, worked(3), failed),
        screen=(IN_THE_BAR, IN_THE_MENU),
    )

    assert decision.action == Action("double_click", {"target": {"x": 40, "y": 110}})
    assert "more than once" in decision.thought.text


@pytest.mark.parametrize(
    "steps",
    [
        (),
        (worked(1),),
        (worked(1, Region(700, 700, 10, 10)),),
        (worked(1, Region(0, 0, 800, 600)),),
    ],
    ids=["at the start", "nothing changed", "it changed elsewhere", "it changed everywhere"],
)
def test_where_that_does_not_tell_them_apart_it_fails_with_the_reason(steps: tuple[Step, ...]) -> None:
    failed = went_wrong(len(steps) + 1, AMBIGUOUS, target="Save")

    decision = think("press f5, click Save", *steps, failed, screen=(IN_THE_BAR, IN_THE_MENU))

    assert decision.action.tool == "fail"
    assert '"Save" is on the screen 2 times. Name a point.' in decision.action.args["reason"]


def test_there_is_no_third_try() -> None:
    again = went_wrong(3, Problem("OFF_SCREEN", "40, 110 is outside of the desktop."), target={"x": 40, "y": 110})
    steps = worked(1, Region(0, 90, 200, 200)), went_wrong(2, AMBIGUOUS, target="Save"), again

    decision = think("press f5, click Save", *steps, screen=(IN_THE_BAR, IN_THE_MENU))

    assert decision.action.tool == "fail"
    assert "outside of the desktop" in decision.action.args["reason"]


def test_after_the_last_instruction_it_finishes_with_what_showed_and_the_last_step_as_evidence() -> None:
    shown = Region(0, 0, 9, 9)
    steps = worked(1, shown), worked(2), worked(3, data={"seen": True}), went_wrong(4, AMBIGUOUS), worked(5)

    decision = think(GOAL, *steps)

    assert decision.action == Action(
        "finish",
        {
            "summary": "Every instruction was carried out.",
            "evidence": [{"observation": 1}, {"observation": 3}, {"observation": 5}],
        },
    )
