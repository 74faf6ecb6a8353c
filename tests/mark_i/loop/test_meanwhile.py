"""While the brain thinks, the screen is watched: a reply counts only if it fits what is there when it is used."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pytest
from PIL import Image, ImageDraw

from mark_i import AgentCore, Eyes, Limits, Prompt, Reply, standard_toolbelt
from mark_i.brain import Brain, Space
from mark_i.brains import brain_named
from mark_i.brains.access import Access
from mark_i.budget import Budget
from mark_i.events import Event
from mark_i.loop import meanwhile
from mark_i.loop.foresight import Foresight
from mark_i.loop.meanwhile import is_repeated
from mark_i.testing import OPENAI, ModelServer
from tests.support import action
from toolbelt.desktops import FakeDesktop
from toolbelt.perception import lateness, settling
from world_model import Action, Usage

LONG_S: Final = 600.0  # longer than any test: what it waits for must come
OF_CALL: Final = Usage(100, 10)
ASK: Final = action("click", target={"x": 60, "y": 40})
OTHER: Final = action("click", target={"x": 500, "y": 300})
KEY: Final = action("press", keys="f9")  # whose effect is waited for less long than that of a click
GIVEN_UP: Final = action("fail", reason="That is all.")


class Screen:
    """A screen that shows an answer once it is told to, some looks later."""

    def __init__(self) -> None:
        self.desktop = FakeDesktop(self._drawn)
        self.looks_left: int | None = None
        self.answers = 0
        self.is_answered = threading.Event()
        self.eyes = Eyes(self.desktop, self.desktop.control)

    def answer(self, looks: int = 0) -> None:
        self.looks_left, self.answers = looks, self.answers + 1

    def _drawn(self, _inputs: Sequence[Any]) -> Image.Image:
        image = Image.new("RGB", (640, 400), "white")
        if self.looks_left == 0:
            ImageDraw.Draw(image).rectangle((100, 150, 400, 150 + 50 * self.answers), "green")
            self.is_answered.set()
        self.looks_left = self.looks_left and self.looks_left - 1
        return image


class Thinker:
    """A brain with a list of replies, which may do something to the screen as it is asked."""

    name, sight = "thinker", 640
    space: Space = "pixels"

    def __init__(self, *replies: Mapping[str, Any], does: Mapping[int, Callable[[], object]], stateless: bool) -> None:
        self.replies, self.does, self.stateless = replies, does, stateless
        self.asked_after: list[int] = []  # steps, for each call
        self.steps = 0

    def think(self, prompt: Prompt) -> Reply:
        del prompt
        self.asked_after.append(self.steps)
        call = len(self.asked_after)
        self.does.get(call, lambda: None)()
        return Reply(json.dumps(self.replies[call - 1]), OF_CALL)


def run(screen: Screen, brain: Brain, *, steps: int = 20) -> list[Event]:
    agent = AgentCore(
        brain, standard_toolbelt(screen.eyes), screen.desktop, eyes=screen.eyes, limits=Limits(Budget(steps=steps))
    )
    events = []
    for event in agent.run("Ask"):
        events.append(event)
        if isinstance(brain, Thinker):
            brain.steps += event.step is not None
    return events


def done(events: Sequence[Event]) -> list[dict[str, Any]]:
    return [event.step.action.to_dict() for event in events if event.step]


def notices(events: Sequence[Event]) -> str:
    return " ".join(event.data["text"] for event in events if event.event == "notice")


def thinker(
    *replies: Mapping[str, Any], does: Mapping[int, Callable[[], object]] | None = None, stateless: bool = True
) -> Thinker:
    return Thinker(*replies, does=does or {}, stateless=stateless)


def acts(*replies: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [dict(reply["action"]) for reply in replies]


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every brain is slow enough to be asked early, and the wait for the screen ends with the reply."""
    monkeypatch.setattr(meanwhile, "SLOW_S", 0.0)
    monkeypatch.setattr(settling, "CLICK_REACTION_S", LONG_S)
    monkeypatch.setattr(settling, "SETTLE_MAX_S", LONG_S)


@pytest.mark.usefixtures("early")
def test_the_brain_thinks_while_the_screen_is_watched() -> None:
    brain = thinker(ASK, OTHER, KEY, GIVEN_UP)

    events = run(Screen(), brain)

    assert done(events) == acts(ASK, OTHER, KEY, GIVEN_UP)
    assert brain.asked_after[:3] == [0, 0, 1], "the brain was asked before the click was over"
    assert [event.event for event in events if event.event in {"step", "thought"}] == ["thought", "step"] * 4
    assert notices(events) == ""


@pytest.mark.usefixtures("early")
def test_a_screen_that_changes_is_shown_again_and_the_call_counts() -> None:
    screen = Screen()
    brain = thinker(ASK, OTHER, GIVEN_UP, does={2: screen.answer})

    events = run(screen, brain)

    assert done(events) == acts(ASK, GIVEN_UP), "what was decided without the answer is not done"
    [click, _] = [event.step for event in events if event.step]
    assert click.observation.screen
    assert click.observation.screen.changed
    assert "so the call was taken back: about 110 tokens." in notices(events)
    assert events[-1].data["usage"]["input_tokens"] == len(brain.asked_after) * OF_CALL.input_tokens


@pytest.mark.usefixtures("early")
def test_what_comes_after_the_brain_was_asked_belongs_to_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lateness, "UNKNOWN_S", 0.0)
    monkeypatch.setattr(settling, "LATE_MAX_S", LONG_S)
    screen = Screen()

    def answer_late() -> None:
        screen.answer(looks=60)  # more than there are in the time in which a key shows its effect
        screen.is_answered.wait(LONG_S)

    events = run(screen, thinker(KEY, OTHER, GIVEN_UP, does={2: answer_late}))

    assert done(events) == acts(KEY, GIVEN_UP)
    [press, _] = [event.step for event in events if event.step]
    assert press.observation.screen
    assert press.observation.screen.changed


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("reply", [ASK, action("click", target={"x": 64, "y": 44}), GIVEN_UP])
def test_what_may_yet_be_answered_is_not_done_again_nor_given_up(reply: Mapping[str, Any]) -> None:
    screen = Screen()
    brain = thinker(ASK, reply, KEY, GIVEN_UP, does={2: lambda: screen.answer(looks=9)})

    assert done(run(screen, brain)) == acts(ASK, KEY, GIVEN_UP)


@pytest.mark.usefixtures("early")
def test_what_is_planned_ahead_is_kept_until_its_reply_is_due() -> None:
    screen = Screen()
    planner = thinker(ASK, {**KEY, "then": [action("wait", seconds=0.01), GIVEN_UP]})
    toolbelt = standard_toolbelt(screen.eyes)

    events = run(screen, Foresight(planner, 5, toolbelt, screen.eyes))

    tools = [(event.step.action.tool, event.step.foreseen) for event in events if event.step]
    assert tools == [("click", False), ("press", False), ("wait", True), ("fail", True)]
    assert planner.asked_after == [0, 0]


def test_a_brain_that_answers_at_once_is_asked_when_the_screen_has_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "CLICK_REACTION_S", 0.3)
    monkeypatch.setattr(meanwhile, "SLOW_S", LONG_S)
    brain = thinker(ASK, OTHER, GIVEN_UP)

    run(Screen(), brain)

    assert brain.asked_after == [0, 1, 2]


@pytest.mark.usefixtures("early")
def test_a_brain_whose_calls_count_is_asked_once_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "CLICK_REACTION_S", 0.3)
    screen = Screen()
    brain = thinker(ASK, OTHER, GIVEN_UP, does={2: screen.answer}, stateless=False)

    assert done(run(screen, brain)) == acts(ASK, OTHER, GIVEN_UP)
    assert brain.asked_after == [0, 1, 2]


def test_an_answer_that_comes_while_the_brain_thinks_is_told_before_anything_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settling, "CLICK_REACTION_S", 0.3)
    monkeypatch.setattr(meanwhile, "SLOW_S", LONG_S)
    screen = Screen()
    brain = thinker(ASK, OTHER, GIVEN_UP, does={2: screen.answer})

    events = run(screen, brain)

    assert done(events) == acts(ASK, GIVEN_UP)
    assert "What click did shows only now. The next step is decided again." in notices(events)


def test_an_answer_that_comes_while_the_brain_thinks_again_is_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "CLICK_REACTION_S", 0.3)
    monkeypatch.setattr(meanwhile, "SLOW_S", LONG_S)
    screen = Screen()
    brain = thinker(ASK, OTHER, OTHER, GIVEN_UP, does={2: screen.answer, 3: screen.answer})

    assert done(run(screen, brain)) == acts(ASK, GIVEN_UP)


def test_what_still_fits_is_done_on_a_screen_that_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meanwhile, "SLOW_S", LONG_S)
    screen = Screen()
    brain = thinker(OTHER, GIVEN_UP, does={1: screen.answer})

    events = run(screen, brain)

    assert done(events) == acts(OTHER, GIVEN_UP)
    assert notices(events) == ""


def test_a_target_that_has_gone_is_chosen_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meanwhile, "SLOW_S", LONG_S)
    screen = Screen()
    covered = action("click", target={"x": 250, "y": 175})
    brain = thinker(covered, GIVEN_UP, does={1: screen.answer})

    events = run(screen, brain)

    assert done(events) == acts(GIVEN_UP)
    assert "has changed since it was chosen" in notices(events)


@pytest.mark.usefixtures("early")
def test_no_more_is_asked_of_a_service_than_is_used() -> None:
    replies = [ASK, OTHER, KEY, GIVEN_UP]
    with ModelServer(OPENAI, replies) as server:
        events = run(
            Screen(), brain_named("openai", Access(lambda _: server.key, server.base_url, coordinates="pixels"))
        )

        assert done(events)[-1]["tool"] == "fail"
        assert len(done(events)) == server.requests == len(replies)


def test_a_click_beside_the_last_one_repeats_it() -> None:
    last = Action("click", {"target": {"x": 60, "y": 40}})

    assert is_repeated(Action("click", {"target": {"x": 64, "y": 44}}), last)
    assert is_repeated(Action("click", {"target": "Save"}), Action("click", {"target": "Save"}))
    assert not is_repeated(Action("click", {"target": {"x": 460, "y": 40}}), last)
    assert not is_repeated(Action("click", {"target": "Save"}), Action("click", {"target": "Open"}))
    assert not is_repeated(Action("click", {"target": "Save"}), last)
    assert not is_repeated(Action("double_click", dict(last.args)), last)
