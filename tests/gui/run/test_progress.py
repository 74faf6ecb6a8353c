"""Pausing, the figures of the status line and the goals of earlier runs, as values: no display is opened here."""

import functools
from pathlib import Path
from typing import Any

import pytest

from gui.agent_page.goal_history import GoalHistory, history_of
from gui.run.messages import (
    ClockTicked,
    ControlRequest,
    ControlRequested,
    GoalsLoaded,
    Message,
    RunHalted,
    RunReleased,
    RunStarted,
    Spoken,
    StopRequested,
)
from gui.run.progress import PAUSED, PAUSING
from gui.run.state import RunState
from gui.run.update import reduce
from mark_i import AgentCore, Event, Limits, ScriptedBrain, standard_toolbelt
from mark_i.budget import Budget, Ledger
from mark_i.events import LABELS
from mark_i.runs.store import goals
from tests.support import action
from world_model import Journal, Usage

PAUSE, RESUME, STEP = ControlRequested("pause"), ControlRequested("resume"), ControlRequested("step")
HELD, LET_GO = Event("paused", 0), Event("resumed", 0)


def after(*messages: Message, start: RunState = RunState()) -> RunState:  # noqa: B008 - frozen
    return functools.reduce(reduce, messages, start)


def test_a_word_that_lets_a_paused_run_go_on_is_seen_in_its_header() -> None:
    paused = after(RunStarted(), PAUSE, HELD)
    assert after(LET_GO, start=paused).status == "Looking"
    assert after(Spoken("wait only 5 seconds. You can continue now"), LET_GO, start=paused).status == "Looking"
    pausing = after(RunStarted(), PAUSE)
    assert after(Spoken("go on"), acting(2), start=pausing).status.startswith("Acting")
    assert after(Spoken("hold on a moment"), start=after(RunStarted())).status == PAUSING


def thinking(index: int, **budget: Any) -> Event:
    data = {"index": index, "last": False}
    return Event("thinking", 0, {**data, "budget": budget} if budget else data)


def acting(index: int) -> Event:
    return Event("action", 0, {"index": index, "tool": "press", "args": {"keys": "shift"}})


ENDED = Event("ended", 9, {"outcome": "stopped", "summary": "", "evidence": []})


# A person's hand ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("messages", "allowed_requests"),
    [
        ([], ()),
        ([RunStarted()], ("pause",)),
        ([RunStarted(), PAUSE], ("resume",)),
        ([RunStarted(), PAUSE, HELD], ("resume", "step")),
        ([RunStarted(), PAUSE, HELD, STEP], ("resume",)),
        ([RunStarted(), PAUSE, HELD, STEP, LET_GO, acting(1), HELD], ("resume", "step")),
        ([RunStarted(), PAUSE, HELD, RESUME, LET_GO], ("pause",)),
        ([RunStarted(), PAUSE, RESUME], ("pause",)),
        ([RunStarted(), PAUSE, HELD, StopRequested()], ()),
        ([RunStarted(), PAUSE, HELD, StopRequested(), ENDED], ()),
        ([RunStarted(), PAUSE, HELD, StopRequested(), ENDED, RunReleased()], ()),
        ([RunStarted(), PAUSE, RunHalted(), RunReleased(), RunStarted()], ("pause",)),
        ([RunStarted(), HELD], ("resume", "step")),  # somebody used the mouse, and was not asked here
        ([RunStarted(), HELD, RESUME, LET_GO], ("pause",)),
        ([RunStarted(), HELD, LET_GO], ("pause",)),  # by itself, after a while
        ([RunStarted(), HELD, STEP, LET_GO, acting(1), HELD], ("resume", "step")),
        ([RunStarted(), HELD, RESUME, PAUSE, LET_GO], ("resume",)),
        ([RunStarted(), PAUSE, HELD, LET_GO], ("pause",)),  # a word let it go on
        ([RunStarted(), PAUSE, HELD, Spoken("write pears. You can continue now"), LET_GO], ("pause",)),
        ([RunStarted(), PAUSE, Spoken("write pears. You can continue now")], ("pause",)),  # before it came to the gate
        ([RunStarted(), Spoken("hold on")], ("resume",)),
        ([RunStarted(), PAUSE, HELD, Spoken("write pears")], ("resume", "step")),
        ([RunStarted(), PAUSE, RESUME, HELD, LET_GO], ("pause",)),  # it had come to the gate before it was let go
    ],
)
def test_what_a_person_can_wish(messages: list[Message], allowed_requests: tuple[ControlRequest, ...]) -> None:
    assert after(*messages).allowed_requests == allowed_requests


@pytest.mark.parametrize("messages", [[], [RunStarted()], [RunStarted(), PAUSE], [RunStarted(), PAUSE, HELD, STEP]])
def test_a_step_that_cannot_be_done_now_changes_nothing(messages: list[Message]) -> None:
    state = after(*messages)
    assert after(STEP, start=state) == state


def test_until_it_waits_a_pause_is_only_announced() -> None:
    state = after(RunStarted(), thinking(1), PAUSE)
    assert (state.status, state.tone) == (PAUSING, "busy")
    assert after(acting(1), start=state).status == PAUSING
    assert after(acting(1), RESUME, start=state).status == "Acting: Press shift"

    state = after(HELD, start=state)
    assert (state.status, state.tone) == (PAUSED, "paused")
    assert (after(RESUME, LET_GO, start=state).status, after(LET_GO, start=state).tone) == ("Looking", "busy")


def test_a_step_is_told_like_any_other_and_then_it_waits_again() -> None:
    state, said = after(RunStarted(), PAUSE, HELD), []
    for message in (STEP, LET_GO, thinking(1), acting(1), HELD):
        state = reduce(state, message)
        said.append(state.status)

    assert said == [PAUSED, "Looking", "Thinking about step 1", "Acting: Press shift", PAUSED]


def test_a_stop_from_a_pause_is_told_and_stays() -> None:
    assert after(RunStarted(), PAUSE, HELD, StopRequested()).status == "Stopping"
    assert after(RunStarted(), PAUSE, HELD, StopRequested(), ENDED, RunReleased()).status == "Stopped"


# Figures ------------------------------------------------------------------------------------------------------------


def test_the_time_of_a_pause_does_not_count() -> None:
    state = after(
        RunStarted(), ClockTicked(2), PAUSE, HELD, ClockTicked(60), ClockTicked(100), RESUME, LET_GO, ClockTicked(103)
    )
    assert state.progress.seconds == 5


def test_what_takes_long_is_counted_in_seconds() -> None:
    state = after(RunStarted(), ClockTicked(1), thinking(1), ClockTicked(1.9))
    assert state.progress.activity_s == 0

    state = after(ClockTicked(8.5), start=state)
    assert state.progress.activity_s == 7
    assert after(acting(1), start=state).progress.activity_s == 0
    assert after(PAUSE, HELD, ClockTicked(90), start=state).progress.activity_s == 0
    assert after(StopRequested(), ClockTicked(10), start=state).progress.activity_s == 1


def test_nothing_is_shown_that_is_not_known() -> None:
    assert after().figures == ""
    assert after(RunStarted(), ClockTicked(3)).figures == "0 steps · 0:03"


def figures(budget: Budget, usage: Usage, done: int = 2, taken: float = 42.0) -> str:
    """After that many steps, which cost that much, as a run itself tells it."""
    ledger = Ledger(budget, usage, taken)
    started = Event("run_started", 0, {"max_steps": budget.steps, "mode": LABELS["strict"]})
    steps = [Event("ended", 0, {"outcome": "done", "summary": "", "evidence": [], "steps": done})]
    state = after(RunStarted(), started, ClockTicked(taken), thinking(done + 1, **ledger.to_dict(done)))
    assert "more step" not in after(*steps, start=state).figures
    return state.progress.summary(done, state.limit, ended=False)


@pytest.mark.parametrize(
    ("budget", "usage", "summary"),
    [
        (Budget(), Usage(), "2 of 50 steps · 0:42"),
        (Budget(steps=1), Usage(), "2 of 1 step · 0:42"),
        (Budget(), Usage(900, 100, 0.01234), "2 of 50 steps · 0:42 · 1,000 tokens · 0.0123 USD"),
        (Budget(), Usage(900, 100, None), "2 of 50 steps · 0:42 · 1,000 tokens · cost unknown"),
        (
            Budget(usd=0.05),
            Usage(900, 100, 0.01),
            "2 of 50 steps · 0:42 · 1,000 tokens · 0.0100 of 0.05 USD · the limits allow about 8 more steps",
        ),
        (Budget(seconds=64), Usage(), "2 of 50 steps · 0:42 of 1:04 · the limits allow about 1 more step"),
        (
            Budget(tokens=100_000),
            Usage(9000, 1000, 0.0),
            "2 of 50 steps · 0:42 · 10,000 of 100,000 tokens · 0.0000 USD · the limits allow about 18 more steps",
        ),
    ],
)
def test_the_figures(budget: Budget, usage: Usage, summary: str) -> None:
    assert figures(budget, usage) == f"Strict data mode · {summary}"


def test_before_the_first_step_there_is_nothing_to_judge_by() -> None:
    assert "more steps" not in figures(Budget(seconds=90), Usage(), done=0)


def test_the_figures_of_a_run_are_its_own() -> None:
    agent = AgentCore(
        ScriptedBrain([action("list_files", path="."), {"thought": "I know it.", "answer": "Nothing."}]),
        standard_toolbelt(None),
        limits=Limits(Budget(steps=9, usd=1.0)),
    )
    state = after(RunStarted(), *agent.run("Say something"))

    assert state.figures.startswith("Conversational mode · ")
    assert state.progress.limits == {"steps": 9, "seconds": None, "tokens": None, "usd": 1.0}


def test_a_step_adds_its_cost_and_takes_from_the_forecast() -> None:
    ledger = Ledger(Budget(usd=1.0), Usage(10, 0, 0.1), 4.0)
    [step] = [
        one
        for one in AgentCore(ScriptedBrain([action("press", keys="a")]), standard_toolbelt(None)).run("x")
        if one.event == "step"
    ]
    summary = Event("step", 1, {**step.data, "index": 2, "usage": Usage(20, 5, 0.2).to_dict()})

    state = after(RunStarted(), ClockTicked(4), thinking(2, **ledger.to_dict(1)), summary)

    assert state.progress.usage.tokens == 35
    assert state.progress.usage.cost_usd == pytest.approx(0.3)
    assert state.progress.left == 8


# Earlier goals ------------------------------------------------------------------------------------------------------


def test_earlier_goals_are_listed_newest_first_without_repeats(tmp_path: Path) -> None:
    for number, goal in enumerate(("one", "two", "one", "", "three")):
        Journal(tmp_path / str(number), {"goal": goal}).close({"outcome": "done"})
    (tmp_path / "broken").mkdir()

    assert goals(tmp_path) == ["three", "one", "two"]
    assert goals(tmp_path / "none") == []


def test_a_goal_that_is_run_comes_before_those_of_earlier_runs() -> None:
    state = after(GoalsLoaded(("two", "one")), RunStarted("one"))
    assert state.goals == ("one", "two")
    assert after(RunReleased(), RunStarted("three\ud800"), start=state).goals == ("three?", "one", "two")
    assert after(RunStarted("three"), GoalsLoaded(("two", "one"))).goals == ("three", "two", "one")


def test_what_was_being_typed_is_not_lost() -> None:
    history = history_of(("newest", "oldest")).older("I type")
    assert history.text == "newest"

    history = history.older("newest, changed")
    assert history.text == "oldest"
    assert history.older("oldest").text == "oldest"

    history = history.newer("oldest")
    assert history.text == "newest, changed"
    assert history.newer(history.text).text == "I type"


def test_one_that_is_shown_already_is_passed_over() -> None:
    history = history_of(("newest", "oldest"))
    assert history.older("newest").text == "oldest"
    assert history.older("newest").newer("oldest").newer("newest").text == "newest"


def test_without_earlier_goals_nothing_happens() -> None:
    assert GoalHistory().older("I type") == GoalHistory(("I type",))
    assert GoalHistory().newer("I type") == GoalHistory(("I type",))
