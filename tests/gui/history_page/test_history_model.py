"""The past as the window shows it, as values: no display is opened here."""

import functools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from gui.history_page.archive_thread import ArchiveThread
from gui.history_page.model import (
    DeleteRequested,
    FolderShown,
    HistoryFailed,
    HistoryMessage,
    HistoryState,
    OpenRequested,
    PageChosen,
    ReportRequested,
    ReportWritten,
    RunClosed,
    RunDeleted,
    RunOpened,
    RunsListed,
    RunsSearched,
    StepChosen,
    reduce_history,
)
from gui.history_page.replay import Replay, replay_in, states_of
from gui.history_page.rows import STATES, RunRow, local, row_of, rows_in
from gui.run.choices import Choices
from gui.run.messages import ImagesReady, Message, RunReleased, RunStarted, WorkflowChosen
from gui.run.state import EndCard, NodeRun, NoticeCard, RunState, StepCard
from gui.run.update import reduce
from gui.run.workflow_graph import drawing_of
from mark_i import AgentCore, Event, FakeDesktop, ScriptedBrain, standard_toolbelt
from mark_i.agent import Workflow as AgentWorkflow
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.guard.secrets import NO_SECRETS
from mark_i.human.words import Words
from mark_i.report.page import report
from mark_i.runs.playback import IN_FLIGHT, RUNNING, play_back
from mark_i.runs.step_images import shots_of
from mark_i.runs.store import Summary, running
from mark_i.workflows.running import Workflow
from tests.support import action
from toolbelt.control import Control
from toolbelt.perception.eyes import Eyes
from toolbelt.tools.files import Files
from world_model import Journal, JournalError, read_nodes, read_run

BLANK = Image.new("RGB", (320, 96), "white")
REPLIES = [
    action("press", keys="shift"),
    action("click", target={"x": 999, "y": 0}),
    action("finish", summary="It is."),
]
NAMES = ["20260101-101500-a1b2c3", "20260101-111500-a1b2c3", "20260203-091500-ffffff"]


def ran(
    folder: Path, replies: Sequence[object] = REPLIES, course: AgentWorkflow | None = None, **about: Any
) -> list[Event]:
    """The events of a real run on a desktop that does not react; its journal is in `folder`."""
    desktop = FakeDesktop(lambda _inputs: BLANK)
    eyes = Eyes(desktop, desktop.control)
    journal = Journal(folder, {"goal": "Hold shift", "brain": "scripted", **about})
    belt = standard_toolbelt(eyes, Files([Path.cwd()]))
    agent = AgentCore(ScriptedBrain(list(replies)), belt, desktop, eyes=eyes, journal=journal, workflow=course)
    return list(agent.run("Hold shift"))


def after(*messages: Message) -> RunState:
    return functools.reduce(reduce, messages, RunState())


def live(folder: Path, events: Sequence[Event], *before: Message) -> RunState:
    """What the window shows of a run once it is over."""
    pictures = [ImagesReady(event.step.index, *shots_of(event.step, folder)) for event in events if event.step]
    return after(*before, RunStarted(), *events, *pictures, RunReleased())


def browsed(*messages: HistoryMessage, start: HistoryState = HistoryState()) -> HistoryState:  # noqa: B008 - frozen
    return functools.reduce(reduce_history, messages, start)


def told_by(archive: ArchiveThread, told: list[HistoryMessage], count: int) -> list[HistoryMessage]:
    """The first messages of the archive, once there are so many."""
    assert Control().until(lambda: len(told) >= count, 120.0)
    archive.close()
    return told[:count]


# From the journal ---------------------------------------------------------------------------------------------------


def test_a_past_run_looks_as_it_did_while_it_went_on(tmp_path: Path) -> None:
    settings = {"budget": {"steps": 50}}
    seen = live(tmp_path / "run", ran(tmp_path / "run", settings=settings))

    told: list[HistoryMessage] = []
    archive = ArchiveThread(tmp_path, told.append)
    archive.open("run")
    past = browsed(OpenRequested("run"), *told_by(archive, told, 1))

    assert [type(card) for card in past.view_state.cards] == [StepCard, StepCard, StepCard, EndCard]
    assert past.view_state == replace(seen, progress=past.view_state.progress)
    assert any(isinstance(card, StepCard) and card.before and card.after for card in past.view_state.cards)


def test_a_past_workflow_has_its_counts_and_its_last_node(tmp_path: Path) -> None:
    graph = drawing_of("react")
    replies = [action("list_files", path="."), {"thought": "I know it.", "answer": "Nothing."}]
    course = Workflow("react", graph.graph).run
    seen = live(tmp_path, ran(tmp_path, replies, course, settings={"workflow": "react"}), WorkflowChosen(graph))

    replay = replay_in(tmp_path)

    assert replay.states[-1].nodes == seen.nodes
    assert replay.states[-1].workflow == graph
    assert replay.states[0].nodes == {}
    lit = [[one for one, run in state.nodes.items() if run.status == "started"] for state in replay.states]
    assert lit == [[], [5], []]
    assert replay.states[1].nodes[5] == NodeRun("started", 1)


def test_a_node_without_a_recorded_time_is_listed_at_the_end(tmp_path: Path) -> None:
    ran(tmp_path)
    old = {"node": 1, "type": "observe", "title": "", "state": "finished", "count": 2}
    states = states_of(read_run(tmp_path), [old, {**old, "node": 2, "state": "dreaming"}])
    assert [state.nodes for state in states] == [{}, {}, {}, {1: NodeRun("finished", 2)}]


def test_after_some_steps_it_is_as_after_those_steps(tmp_path: Path) -> None:
    ran(tmp_path)
    replay, run = replay_in(tmp_path), read_run(tmp_path)

    assert replay.steps == 3
    assert [state.steps for state in replay.states] == [0, 1, 2, 3]
    assert [len(state.cards) for state in replay.states] == [0, 1, 2, 4]
    assert replay.states[1].cards == replay.states[3].cards[:1]
    assert replay.states[1].progress.seconds == pytest.approx(run.steps[0].timing.seconds)
    assert not replay.states[3].running


def test_the_events_are_those_of_the_run_but_for_notices(tmp_path: Path) -> None:
    events = ran(tmp_path)
    again = list(play_back(read_run(tmp_path)))
    assert [one.event for one in again] == [one.event for one in events if one.event != "notice"]
    assert [one.data for one in again if one.event == "step"] == [one.data for one in events if one.event == "step"]


# What is broken -----------------------------------------------------------------------------------------------------


def edited(folder: Path, **about: Any) -> None:
    file = folder / "run.json"
    values = {**json.loads(file.read_text()), **about}
    file.write_text(json.dumps({name: value for name, value in values.items() if value is not None}))


def test_a_killed_run_says_so_and_what_may_have_been_done(tmp_path: Path) -> None:
    ran(tmp_path)
    edited(tmp_path, outcome=None, seconds=None)
    with (tmp_path / "decisions.jsonl").open("a") as file:
        file.write(json.dumps({"index": 4, "tool": "press", "args": {"keys": "enter"}}) + "\n{torn")

    state = replay_in(tmp_path).states[-1]

    *_, flying, end = state.cards
    assert flying == StepCard(4, "", 'press(keys="enter")', sentence="Press enter")
    assert isinstance(end, EndCard)
    assert (state.status, end.tone, end.title, end.text.endswith(IN_FLIGHT)) == (
        "The run ended early",
        "error",
        "",
        True,
    )


def test_a_run_that_goes_on_is_shown_as_far_as_it_is(tmp_path: Path) -> None:
    ran(tmp_path)
    edited(tmp_path, outcome=None)
    with running(tmp_path):
        assert replay_in(tmp_path).states[-1].cards[-1] == NoticeCard(RUNNING)


def test_an_outcome_that_is_not_known_here_is_told(tmp_path: Path) -> None:
    ran(tmp_path)
    edited(tmp_path, outcome={"outcome": "dissolved"})
    end = replay_in(tmp_path).states[-1].cards[-1]
    assert isinstance(end, EndCard)
    assert "'dissolved'" in end.text


def test_a_journal_of_another_version_names_it(tmp_path: Path) -> None:
    ran(tmp_path, versions={"mark-i": "9.9"})
    (tmp_path / "steps.jsonl").write_text('{"index": 1, "dream": "blue"}\n')
    with pytest.raises(JournalError, match=r"line 1.*It was written by MARK-I 9\.9; this is "):
        replay_in(tmp_path)


def test_a_missing_or_changed_workflow_leaves_the_steps_readable(tmp_path: Path) -> None:
    ran(tmp_path, settings={"workflow": "gone.json"})
    gone = replay_in(tmp_path).states[-1]
    assert isinstance(gone.cards[0], NoticeCard)
    assert gone.cards[0].text.startswith("The workflow of this run cannot be drawn: ")
    assert (len(gone.cards), gone.workflow) == (5, None)

    edited(tmp_path, settings={"workflow": "react"})
    node = {"node": 77, "type": "observe", "title": "", "state": "finished", "count": 1, "steps": 1}
    (tmp_path / "nodes.jsonl").write_text(json.dumps(node) + "\n")
    assert read_nodes(tmp_path) == [node]
    changed = replay_in(tmp_path).states[-1]
    assert changed.cards[0] == NoticeCard("The workflow react has changed since this run; it is drawn as it is now.")


def test_an_image_that_is_gone_leaves_its_place_empty(tmp_path: Path) -> None:
    ran(tmp_path / "run")
    (card, *_) = replay_in(tmp_path / "run").states[-1].cards
    assert isinstance(card, StepCard)
    assert card.before
    assert (small := card.before.small())
    assert small.size == BLANK.size
    for image in (tmp_path / "run" / "frames").iterdir():
        image.unlink()
    assert (card.before.small(), card.before.large()) == (None, None)


def test_a_run_that_is_gone_or_goes_on_is_one_clear_line(tmp_path: Path) -> None:
    ran(tmp_path / "run")
    told: list[HistoryMessage] = []
    archive = ArchiveThread(tmp_path, told.append)
    archive.open("other")
    with running(tmp_path / "run"):
        archive.delete("run")
        gone, why, refused = told_by(archive, told, 3)

    assert gone == RunDeleted("other")
    assert why == HistoryFailed("The run other no longer exists: it was deleted.")
    assert refused == HistoryFailed("The run run is still running. Stop it first.")
    assert len(read_run(tmp_path / "run").steps) == 3


def test_a_run_is_deleted_and_the_others_stay(tmp_path: Path) -> None:
    for name in NAMES[:2]:
        ran(tmp_path / name)
    told: list[HistoryMessage] = []
    archive = ArchiveThread(tmp_path, told.append)
    archive.delete(NAMES[0])
    archive.list()
    deleted, listed = told_by(archive, told, 2)

    assert deleted == RunDeleted(NAMES[0])
    assert isinstance(listed, RunsListed)
    assert [row.run for row in listed.rows] == [NAMES[1]]


@pytest.mark.usefixtures("processes")
def test_a_report_is_written_as_by_the_command_and_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(tmp_path / "a run")
    browser, shown = tmp_path / "browser", tmp_path / "shown"
    browser.write_text(f'#!/bin/sh\necho "$1" > {shown}.part; mv {shown}.part {shown}\n')
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(browser))
    told: list[HistoryMessage] = []
    archive = ArchiveThread(tmp_path, told.append)
    archive.report("a run")
    archive.report("other")
    file = tmp_path / "a run" / "report.html"

    assert told_by(archive, told, 3) == [
        ReportWritten("a run", file),
        RunDeleted("other"),
        HistoryFailed("The run other no longer exists: it was deleted."),
    ]
    assert file.read_bytes() == report(tmp_path / "a run", NO_SECRETS)
    assert Control().until(shown.exists, 60.0)
    assert shown.read_text() == f"{file.as_uri()}\n"


@pytest.mark.usefixtures("processes")
def test_the_folder_of_a_run_is_opened_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(tmp_path / "run")
    monkeypatch.setenv("BROWSER", str(tmp_path / "none"))  # where nothing can open it, the person knows where it is
    told: list[HistoryMessage] = []
    archive = ArchiveThread(tmp_path, told.append)
    archive.show_folder("run")

    assert told_by(archive, told, 1) == [FolderShown("run", tmp_path / "run")]


@pytest.mark.usefixtures("processes")
def test_a_report_that_cannot_be_written_or_shown_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran(tmp_path / "run")
    monkeypatch.setenv("BROWSER", str(tmp_path / "none"))
    told: list[HistoryMessage] = []
    archive = ArchiveThread(tmp_path, told.append)
    archive.report("run")
    (first,) = told_by(archive, told, 1)
    assert first == ReportWritten("run", tmp_path / "run" / "report.html")

    (tmp_path / "run" / "report.html").unlink()
    (tmp_path / "run" / "report.html").mkdir()
    archive = ArchiveThread(tmp_path, told.append)
    archive.report("run")
    _, why = told_by(archive, told, 2)
    assert isinstance(why, HistoryFailed)
    assert "cannot be written: Is a directory; name a file. `mark-i runs report RUN --out FILE`" in why.message


# The list -----------------------------------------------------------------------------------------------------------


def test_a_run_in_one_line(tmp_path: Path) -> None:
    ran(tmp_path / NAMES[0])
    (tmp_path / NAMES[0] / "replies.jsonl").write_text(
        '{"index": 1, "text": "", "usage": {"input_tokens": 9, "output_tokens": 1, "cost_usd": 0.0123}}\n'
    )
    (row,) = rows_in(tmp_path)
    assert (row.goal, row.outcome, row.steps, row.time, row.cost) == (
        "Hold shift",
        "Done, but not verified",
        "3",
        row.time,
        "$0.0123",
    )
    assert row.told == f"It ran {row.when}: Done, but not verified."
    assert row.has("SHIFT hold")
    assert row.has("it is")
    assert not row.has("shift alt")


def test_what_cannot_be_read_is_listed_too(tmp_path: Path) -> None:
    (tmp_path / NAMES[0]).mkdir()
    (row,) = rows_in(tmp_path)
    assert (row.run, row.when, row.outcome, row.cost) == (NAMES[0], NAMES[0], "Unreadable", "")


@pytest.mark.parametrize(("outcome", "words"), [("killed", "Killed"), ("done", "Done"), ("dissolved", "dissolved")])
def test_an_outcome_in_the_list(outcome: str, words: str) -> None:
    assert row_of(Summary("one", outcome)).outcome == words


def test_a_row_shows_the_goal_that_its_outcome_is_of() -> None:
    """A goal that was refused, and answered with another one, was not done; a search still finds it."""
    row = row_of(Summary("one", "done", goal="stew instead of soup", changed_goal="press ctrl+s"))

    assert row.goal == "press ctrl+s"
    assert row.has("stew ctrl+s")


def test_a_time_that_is_none_is_left_as_it_stands() -> None:
    assert local("yesterday") == "yesterday"


# The pages ----------------------------------------------------------------------------------------------------------

ROWS = tuple(RunRow(name, "", f"goal {name[6:8]}", "Done", words=f"goal {name[6:8]}") for name in reversed(NAMES))
SHOWN = (RunState(steps=0), RunState(steps=1, cards=(StepCard(1),)), RunState(steps=2))
REPLAY = Replay(NAMES[0], "", "goal", Choices("offline"), SHOWN, follows=False, makes_skill=False)


def test_a_search_leaves_the_runs_that_have_its_words() -> None:
    past = browsed(PageChosen("Runs"), RunsListed(ROWS), RunsSearched("03 GOAL"))
    assert [row.run for row in past.found] == [NAMES[2]]
    assert browsed(RunsSearched(""), start=past).found == ROWS


def test_a_search_finds_how_and_when_a_run_ended() -> None:
    done, failed = (
        row_of(Summary(name, name, "", "2026-11-27T09:30:00+00:00", "water the plants")) for name in ("done", "failed")
    )
    assert (done.has("plants done"), failed.has("plants done")) == (True, False)
    assert done.has("2026-11-27")


def test_what_was_opened_is_told_until_something_else_is() -> None:
    opened = browsed(OpenRequested(NAMES[0]), RunOpened(REPLAY), FolderShown(NAMES[0], Path("/runs/one")))
    assert opened.folder == Path("/runs/one")
    assert browsed(FolderShown(NAMES[1], Path("/runs/two")), start=opened).folder == Path("/runs/one")
    assert browsed(ReportRequested(NAMES[0]), start=opened).folder is None
    assert browsed(RunClosed(), start=opened).folder is None


def test_a_run_is_opened_at_its_end_and_gone_through() -> None:
    past = browsed(OpenRequested(NAMES[0]), RunOpened(REPLAY))
    assert (past.step, past.view_state, past.opening) == (2, REPLAY.states[2], None)
    assert browsed(StepChosen(1), start=past).view_state == REPLAY.states[1]
    assert [browsed(StepChosen(to), start=past).step for to in (-5, 0, 9)] == [0, 0, 2]


def test_what_comes_for_a_run_that_was_left_is_too_late() -> None:
    left = browsed(OpenRequested(NAMES[0]), RunOpened(REPLAY), RunClosed())
    assert left == HistoryState()
    late = (StepChosen(1), RunOpened(REPLAY))
    assert browsed(*late, start=left) == left
    assert browsed(OpenRequested(NAMES[1]), RunOpened(REPLAY)).replay is None


def test_the_path_of_the_report_stays_until_the_run_is_left() -> None:
    opened = browsed(OpenRequested(NAMES[0]), RunOpened(REPLAY))
    asked = reduce_history(opened, ReportRequested(NAMES[0]))
    file = Path("report.html")
    assert asked.reporting == NAMES[0]
    assert reduce_history(asked, HistoryFailed("No room.")) == replace(opened, message="No room.")
    assert reduce_history(asked, ReportWritten(NAMES[0], file)) == replace(opened, report=file)
    assert browsed(ReportWritten(NAMES[0], file), RunClosed(), start=asked) == HistoryState()
    other = replace(REPLAY, run=NAMES[1])
    late = browsed(RunClosed(), OpenRequested(NAMES[1]), RunOpened(other), ReportWritten(NAMES[0], file), start=asked)
    assert (late.report, late.reporting) == (None, None)


def test_what_went_wrong_is_told_until_something_else_is_done() -> None:
    past = browsed(RunsListed(ROWS), OpenRequested(NAMES[1]), HistoryFailed("It is gone."))
    assert (past.message, past.opening, past.rows) == ("It is gone.", None, ROWS)
    assert browsed(RunsListed(ROWS), start=past).message == "It is gone."
    assert browsed(OpenRequested(NAMES[0]), start=past).message == ""


def test_what_could_not_be_done_with_a_run_that_went_on_is_forgotten_once_it_has_ended() -> None:
    going = (replace(ROWS[0], outcome=STATES["running"]), *ROWS[1:])
    past = browsed(RunsListed(going), HistoryFailed("The run is still running. Stop it first."))

    assert browsed(RunsListed((replace(going[0], steps="9"), *ROWS[1:])), start=past).message == past.message
    assert browsed(RunsListed(ROWS), start=past).message == ""


def test_deleting_a_run_needs_confirmation() -> None:
    asked = browsed(RunsListed(ROWS), DeleteRequested(NAMES[1]))
    assert (asked.confirming, asked.rows) == (NAMES[1], ROWS)
    for message in (DeleteRequested(None), RunsSearched("x"), PageChosen("Agent"), OpenRequested(NAMES[0])):
        assert reduce_history(asked, message).confirming is None
    assert [row.run for row in reduce_history(asked, RunDeleted(NAMES[1])).rows or ()] == [NAMES[2], NAMES[0]]


def test_a_run_stays_open_while_another_page_is_seen() -> None:
    past = browsed(PageChosen("Runs"), OpenRequested(NAMES[0]), RunOpened(REPLAY), StepChosen(1))
    assert browsed(PageChosen("Agent"), PageChosen("Runs"), start=past) == past


def test_a_run_of_a_skill_begins_anew_as_an_order_of_the_same_values(tmp_path: Path) -> None:
    folder, values = tmp_path / NAMES[0], {"text": 'He said "no", twice', "file": "/tmp/a.txt"}
    settings = {"skill": {"name": "letter", "values": values}, "virtual": "1024x768"}
    Journal(folder, {"goal": "type it", "brain": "skill:letter", "settings": settings}).close({"outcome": "done"})

    replay = replay_in(folder)

    assert replay.goal_anew == 'run letter with text "He said ""no"", twice", file "/tmp/a.txt"'
    assert (replay.goal, replay.chosen.brain, replay.chosen.virtual) == ("type it", "offline", True)


def test_the_goal_of_a_past_run_is_known_as_the_person_changed_it(tmp_path: Path) -> None:
    desktop = FakeDesktop(lambda inputs: Image.new("RGB", (320, 96), (len(inputs) * 40 % 256, 90, 120)))
    eyes, words, folder = Eyes(desktop, desktop.control), Words(), tmp_path / NAMES[0]
    goal = "press f1, press f2"
    journal = Journal(folder, {"goal": goal, "brain": "offline"})
    agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes, journal=journal, words=words)
    for event in agent.run(goal):
        if event.event == "step" and event.data["index"] == 1:
            words.say("press f3 instead of f2")

    assert replay_in(folder).goal_anew == "press f1\npress f3"
    about = json.loads((folder / "run.json").read_text())
    del about["outcome"]["goal"]  # as journals were before
    (folder / "run.json").write_text(json.dumps(about))
    assert replay_in(folder).goal_anew == goal
