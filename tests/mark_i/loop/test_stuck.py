"""A model that brings nothing new ends as stuck, long before the limit, after a warning; any other never does."""

import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pytest
from PIL import Image

from mark_i import AgentCore, Limits, Prompt, Reply, ToolFailure, tool
from mark_i.brain import Space
from mark_i.budget import Budget
from mark_i.loop.loop_detection import LoopDetector
from tests.support import action
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Frame, Observation, Point, Problem, ScreenChange, Step, Thought

STEPS: Final = 50
EARLY: Final = 20  # steps; a stuck run ends before
TEXT: Final = {"text": "Save"}


@tool(risk="look")
def fetch(name: str) -> str:
    """Fetch something."""
    if name == "missing":
        raise ToolFailure("FILE_NOT_FOUND", f"There is no {name}.")
    return f"{name}: 7"


@tool(risk="write")
def store(name: str, count: int = 1) -> str:
    """Store something."""
    raise ToolFailure("NETWORK_ERROR", f"{name} x{count} was not stored.")


Seen = tuple[Observation, int]  # what came of an action, and which screen is there afterwards
World = Callable[[int, Action, int], Seen]  # of the number of the step, the action and the screen before it


def shown(number: int) -> Frame:
    return Frame(np.full((2, 2, 3), number % 256, np.uint8), Point(number // 256, 0))


@dataclass
class Walk:
    """What the detector makes of a model that repeats its actions for ever, on screens that a function tells."""

    actions: Iterable[Action]
    world: World
    screenless: bool = False
    steps: list[Step] = field(default_factory=list)
    warnings: int = 0
    stuck: str | None = None

    def __post_init__(self) -> None:
        control = Control()
        desktop = FakeDesktop(lambda _: Image.new("RGB", (9, 9)), control)
        detector = LoopDetector(standard_toolbelt(Eyes(desktop, control), fetch, store))
        screen = 0
        for number, one in enumerate(itertools.islice(itertools.cycle(self.actions), STEPS), 1):
            self.warnings += "brought nothing new" in (detector.notice() or "")
            refused = detector.refusal(one)
            seen, after = (refused, screen) if refused else self.world(number, one, screen)
            change = None if self.screenless else ScreenChange(changed=after != screen)
            seen = Observation(seen.ok, seen.text, seen.data, seen.error, change)
            frames = (None, None) if self.screenless else (shown(screen), shown(after))
            self.steps.append(Step(number, Thought(""), one, seen, *frames))
            detector.note(self.steps[-1])
            screen = after
            if reason := detector.stuck():
                self.stuck = reason
                break


def failing(code: str) -> World:
    told = {"TARGET_NOT_FOUND": "{0} is not on the screen.", "DENIED": "The person said no."}.get(code, "No: {0}.")
    return lambda _, one, screen: (
        Observation(ok=False, text="", error=Problem(code, told.format(json.dumps(one.args)))),
        screen,
    )


def vain(_number: int, one: Action, screen: int) -> Seen:
    """Everything works, and nothing has an effect."""
    return Observation(ok=True, text=f"Used {one.tool}: {one.args}"), screen


def mixed(number: int, one: Action, screen: int) -> Seen:
    """Saving fails, everything else has no effect."""
    return (failing("TARGET_NOT_FOUND") if one.args.get("target") == TEXT else vain)(number, one, screen)


def toggling(number: int, one: Action, screen: int) -> Seen:
    """Saving fails, and everything else shows and hides a menu."""
    seen, _ = mixed(number, one, screen)
    return seen, 1 - screen if seen.ok else screen


def click(target: object) -> Action:
    return Action("click", {"target": target})


def point(x: int, y: int) -> Action:
    return click({"x": x, "y": y})


SAVE: Final = click(TEXT)
STUCK: Final[dict[str, tuple[list[Action], World]]] = {
    "the same failure": ([SAVE], mixed),
    "wrong arguments": ([Action("click", {"page": 1}), Action("click", {"page": 1})], failing("INVALID_ARGS")),
    "a person who says no": ([point(9, 9), point(200, 90)], failing("DENIED")),
    "two in turn": ([SAVE, Action("fetch", {"name": "missing"})], failing("TARGET_NOT_FOUND")),
    "three in turn": ([SAVE, Action("fetch", {"name": "m"}), Action("store", {"name": "a"})], failing("TOOL_ERROR")),
    "four in turn": ([SAVE, *(Action("fetch", {"name": name}) for name in "abc")], failing("TOOL_ERROR")),
    "in turn with a look": ([SAVE, Action("read_screen", {})], mixed),
    "in turn with a key without effect": ([SAVE, Action("press", {"keys": "escape"})], mixed),
    "in turn with a menu": ([SAVE, Action("press", {"keys": "alt+f"})], toggling),
    "a menu opened and closed": ([Action("press", {"keys": "alt+f"})], toggling),
    "pixel by pixel": ([point(100 + number, 90) for number in range(STEPS)], vain),
    "pixels there and back": ([point(100, 90), point(104, 93)], vain),
    "pixels in turn with another": ([one for n in range(STEPS) for one in (point(n, 9), point(200, 90 - n))], vain),
    "other capitals": ([SAVE, click("save"), click({"text": " SAVE"})], failing("TARGET_NOT_FOUND")),
    "amounts": ([Action("scroll", {"direction": "down", "amount": number}) for number in range(1, 17)], vain),
    "nulls": ([Action("store", {"name": "a"}), Action("store", {"name": "a", "count": None})], failing("TIMEOUT")),
    "looking": ([Action("read_screen", {})], lambda _, one, screen: (Observation(ok=True, text=one.tool), screen)),
}


@pytest.mark.parametrize(("actions", "world"), STUCK.values(), ids=STUCK)
def test_who_repeats_in_vain_is_stuck_after_a_warning(actions: list[Action], world: World) -> None:
    walk = Walk(actions, world)
    assert walk.stuck
    assert len(walk.steps) < EARLY
    assert walk.warnings


def onward(number: int, one: Action, screen: int) -> Seen:
    """Saving fails, everything else changes the screen to a new one."""
    seen, _ = mixed(number, one, screen)
    return seen, number if seen.ok else screen


USEFUL: Final[dict[str, tuple[list[Action], World]]] = {
    "the same key with an effect": ([Action("press", {"keys": "down"})], onward),
    "the same place with an effect": ([point(9, 9)], onward),
    "a failure after each step on": ([SAVE, Action("press", {"keys": "down"})], onward),
    "searching many places": (
        [Action("fetch", {"name": str(number)}) for number in range(STEPS)],
        lambda _, _one, screen: (Observation(ok=True, text="Nothing there."), screen),
    ),
    "different failures": ([click(f"Word {number}") for number in range(STEPS)], failing("TARGET_NOT_FOUND")),
    "different places without effect": ([point(20 * (n % 14), 20 * (n // 14)) for n in range(STEPS)], vain),
    "different texts without effect": ([Action("type_text", {"text": str(n)}) for n in range(STEPS)], vain),
    "something new between failures": (
        [one for n in range(STEPS) for one in (SAVE, Action("fetch", {"name": str(n)}))],
        mixed,
    ),
}


@pytest.mark.parametrize(("actions", "world"), USEFUL.values(), ids=USEFUL)
def test_who_tries_other_ways_or_gets_on_is_never_stuck(actions: list[Action], world: World) -> None:
    walk = Walk(actions, world)
    assert (len(walk.steps), walk.stuck) == (STEPS, None)


def test_a_deed_without_a_screen_may_be_done_as_often_as_the_goal_wants() -> None:
    stores = [Action("store", {"name": "a"})]
    walk = Walk(stores, lambda _, _one, screen: (Observation(ok=True, text="Ok"), screen), screenless=True)
    assert (len(walk.steps), walk.stuck) == (STEPS, None)


class Repeating:
    """A brain that repeats the same replies for ever, whatever it is told."""

    name, sight = "repeating", 0
    space: Space = "pixels"

    def __init__(self, replies: Iterable[object]) -> None:
        self._replies = itertools.cycle(replies)
        self.prompts: list[Prompt] = []

    def think(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        return Reply(json.dumps(next(self._replies)))


@pytest.mark.parametrize(
    "replies",
    [
        [action("store", name="a")],
        [action("store", name="a"), action("fetch", name="missing")],
        [action("store", name="a", count=number) for number in range(1, 9)],
        [action("fly", to="x"), action("fly", to="y")],
    ],
)
def test_a_stuck_run_fails_and_says_why(replies: list[object]) -> None:
    brain = Repeating(replies)
    agent = AgentCore(brain, standard_toolbelt(None, fetch, store), limits=Limits(Budget(steps=STEPS)))
    outcome = agent.execute_command("get on with it")
    assert (outcome.name, outcome.exit_code) == ("failed", 1)
    assert "The agent is stuck" in outcome.summary
    assert len(agent.world_model) < EARLY
    assert [bool("brought nothing new" in prompt.text) for prompt in (brain.prompts[0], brain.prompts[-1])] == [
        False,
        True,
    ]


def test_the_reason_names_the_tools_and_the_last_problem() -> None:
    brain = Repeating([action("fetch", name="missing"), action("store", name="a")])
    outcome = AgentCore(brain, standard_toolbelt(None, fetch, store)).execute_command("get on with it")
    assert "fetch, store" in outcome.summary
    assert "NETWORK_ERROR: a x1 was not stored." in outcome.summary
    assert "Not carried out" not in outcome.summary
