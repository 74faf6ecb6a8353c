"""A run on the terminal, as a person reads it: nothing is told twice, and the end is prose."""

import io
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from rich.console import Console

from mark_i import AgentCore, Event, Outcome, ScriptedBrain, Toolbelt, ToolFailure, tool
from mark_i.cli.console import ABOVE, Log, Quiet
from mark_i.cli.runner import _told_once
from mark_i.loop.parts import Limits
from tests.support import action
from toolbelt.standard import ENDING_TOOLS
from world_model import JournalError

WHY = "There is no water."
HINT = "Fill it first."
ANSWER = {"outcome": "done", "sources": [], "unsupported": [], "evidence": []}
FREE = {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}


@tool(risk="look")
def boil() -> str:
    """Boil water."""
    raise ToolFailure("TOOL_ERROR", WHY, [HINT])


@tool(risk="look")
def count() -> str:
    """Count the cups."""
    return "12 cups"


def told(*replies: object, goal: str = "boil water") -> list[Event]:
    brain = ScriptedBrain(replies)
    return list(AgentCore(brain, Toolbelt(boil, count, *ENDING_TOOLS), limits=Limits()).run(goal))


def logged(events: Iterable[Event], *, past: bool = False) -> str:
    out = io.StringIO()
    log = Log(Console(file=out, width=200, highlight=False), past=past)
    for event in events:
        log.write(event)
    return out.getvalue()


def ended(outcome: str, summary: str, **more: Any) -> Event:
    return Event("ended", 1.0, {**ANSWER, "outcome": outcome, "summary": summary, "usage": FREE, **more})


@pytest.mark.parametrize("said", [WHY, f"{WHY} {HINT}"])
def test_an_error_is_not_repeated_as_the_end(said: str) -> None:
    reason = f"This did not work: boil. {said}"
    fail = {"thought": reason, "action": {"tool": "fail", "args": {"reason": reason}}}

    log = logged(told(action("boil"), fail))

    assert log.count(WHY) == 1
    assert "\nFailed. This did not work: boil.\n" in log
    assert "Step 2" not in log
    assert "The run ends here." not in log


def test_the_end_says_where_the_reason_is_if_it_is_nothing_else() -> None:
    log = logged(told(action("boil"), action("fail", reason=WHY)))

    assert log.count(WHY) == 1
    assert f"\nFailed. {ABOVE}\n" in log
    assert "I use fail." in log


def test_what_was_said_after_the_last_step_is_told() -> None:
    log = logged([ended("done", "That is all.", unheard=["Paint it green"])])

    assert 'You said "Paint it green" after the last step, and it was not done.' in " ".join(log.split())


def test_an_error_within_a_sentence_of_the_end_stays() -> None:
    reason = f"The pot says {WHY} So I stopped."
    assert f"\nFailed. {reason}\n" in logged(told(action("boil"), action("fail", reason=reason)))


def test_the_answer_is_told_once_and_its_evidence_is_a_sentence() -> None:
    finish = action("finish", summary="There are 12 cups.", evidence=[{"observation": 1}], kind="answer")

    log = logged(told(action("count"), finish, goal="how many cups are there?"))

    assert log.count("There are 12 cups.") == 1
    assert '\nDone. There are 12 cups.\n  Checked: step 1 returned "12 cups".\n' in log


def test_an_end_that_is_refused_is_shown() -> None:
    finish = action("finish", summary="All 12 cups.", evidence=[{"text": "13"}], kind="answer")

    log = logged(told(action("count"), finish, finish, goal="how many cups are there?"))

    assert log.count('finish(summary="All 12 cups."') == 1
    assert "NO_CHANGE" in log
    assert '\n  Not verified: "13" is not on the screen now, and no tool returned it.\n' in log


def test_a_model_that_cannot_be_reached_is_told_of_once() -> None:
    why = "The service cannot be reached."
    tries = [
        Event("notice", 0.0, {"text": f"{why} Trying again in {pause} s.", "why": why, "then": f"Again in {pause} s."})
        for pause in (1, 3, 5)
    ]

    log = logged([*tries, ended("model_error", f"Node 4 (planner): {why}")])

    assert log.count(why) == 1
    assert [line.split(maxsplit=1)[1].rstrip() for line in log.splitlines()[:3]] == [
        f"{why} Trying again in 1 s.",
        "Again in 3 s.",
        "Again in 5 s.",
    ]
    assert f"\nModel error. Node 4 (planner): {ABOVE}\n" in log


def test_replies_that_cannot_be_used_are_told_of_once() -> None:
    log = logged(told(*["no JSON"] * 4))

    assert log.count("The reply holds no JSON object.") == 1
    assert "Model error. The model gave no usable reply, 4 times in a row. Its last words: 'no JSON'." in log


def test_an_approval_is_in_the_log_of_a_past_run_only() -> None:
    asked = Event("approval", 0.0, {"index": 1, "tool": "boil", "args": {}, "why": "boil may do harm."})

    assert logged([asked]) == ""
    assert "Approval    boil may do harm." in logged([asked], past=True)


def test_what_is_held_back_is_told_as_soon_as_the_run_says_more() -> None:
    thought = Event("thought", 0.0, {"index": 1, "text": "I give up."})
    fail = Event("action", 0.0, {"index": 1, "tool": "fail", "args": {"reason": "x"}})

    assert 'fail(reason="x")' in logged([thought, fail, Event("notice", 0.0, {"text": "The run was killed."})])


# Quiet --------------------------------------------------------------------------------------------------------------


def quiet(*events: Event) -> None:
    reader = Quiet(lambda: "Press Enter here to resume it.")
    for event in events:
        reader.write(event)


def outcome(name: Any, summary: str) -> Event:
    return Event("ended", 1.0, outcome=Outcome(name, summary))


@pytest.mark.parametrize(
    ("end", "out", "err"),
    [
        (outcome("done", "12\x1b[2J cups"), "12␛[2J cups\n", ""),
        (outcome("done_unverified", "12 cups"), "12 cups\n", "mark-i: Done, but not verified.\n"),
        (outcome("failed", WHY), "", f"mark-i: Failed. {WHY}\n"),
        (outcome("stopped", "The run was stopped."), "", "mark-i: Stopped. The run was stopped.\n"),
        (Event("paused", 1.0), "", "The run is paused. Press Enter here to resume it.\n"),
        (Event("notice", 1.0, {"text": "Oh."}), "", ""),
    ],
)
def test_a_quiet_run_prints_the_answer_and_else_only_errors(
    capsys: pytest.CaptureFixture[str], end: Event, out: str, err: str
) -> None:
    quiet(end)

    assert capsys.readouterr() == (out, err)


# A lost journal ------------------------------------------------------------------------------------------------------


def losing(*events: Event) -> Iterator[Event]:
    yield from events
    raise JournalError(WHY)


def test_a_lost_journal_that_was_told_as_the_end_is_not_told_again() -> None:
    end = outcome("failed", WHY)
    assert [*_told_once(losing(Event("paused", 0.0), end))][-1] == end
    with pytest.raises(JournalError):
        list(_told_once(losing(Event("paused", 0.0))))
