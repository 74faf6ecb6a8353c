"""What the window shows, as values: no display is opened here."""

import dataclasses
import functools
import itertools
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, strategies as st
from PIL import Image

from gui.kit.texts import TEXT_CHARS, call_text, change_text, clock, fit_text, shorten
from gui.run.mends import mends_for
from gui.run.messages import (
    Answered,
    ClockTicked,
    ControlRequested,
    GoalMissing,
    ImagesReady,
    Message,
    RunHalted,
    RunRefused,
    RunReleased,
    RunStarted,
    Spoken,
    SpokenLate,
    StopRequested,
    WorkflowChosen,
    WorkflowUnreadable,
)
from gui.run.progress import PAUSED
from gui.run.requests import PendingQuestion
from gui.run.state import ENDINGS, EndCard, NodeRun, NoticeCard, PersonCard, RunState, StepCard
from gui.run.update import CAME_LATE, WAITS, reduce
from gui.run.workflow_graph import drawing_of
from mark_i import AgentCore, Event, FakeDesktop, ScriptedBrain, standard_toolbelt
from mark_i.events import OutcomeName
from mark_i.runs.step_images import FLATTEST, Shot, marked, marks_on, place_of, shots_of
from mark_i.workflows.running import Workflow
from tests.support import action
from toolbelt.perception.eyes import Eyes
from toolbelt.tools.files import Files
from world_model import Action, Frame, Journal, Observation, Place, Point, Problem, Region, ScreenChange, Step, Thought

BLANK = Image.new("RGB", (320, 96), "white")


def after(*messages: Message, start: RunState = RunState()) -> RunState:  # noqa: B008 - frozen
    return functools.reduce(reduce, messages, start)


def events(*replies: object) -> list[Event]:
    """The events of a real run with these replies, on a desktop that does not react."""
    desktop = FakeDesktop(lambda _inputs: BLANK)
    eyes = Eyes(desktop, desktop.control)
    agent = AgentCore(ScriptedBrain(replies), standard_toolbelt(eyes), desktop, eyes=eyes)
    return list(agent.run("something"))


def step(**observation: Any) -> Step:
    """A click on a text, and what came of it."""
    told: dict[str, Any] = {"ok": True, "text": 'Clicked "Save" at 120, 40.'} | observation
    return Step(1, Thought("Save it."), Action("click", {"target": "Save"}), Observation(**told))


def frame(width: int = 400, height: int = 200, origin: Point = Point(0, 0)) -> Frame:
    return Frame(np.zeros((height, width, 3), np.uint8), origin)


# A run --------------------------------------------------------------------------------------------------------------


def test_a_run_becomes_one_card_a_step_and_one_for_its_end() -> None:
    told = events(action("press", keys="shift"), action("click", target="Nothing"), action("finish", summary="It is."))

    state = after(RunStarted(), *told)

    press, click, finish, end = state.cards
    assert press == StepCard(
        1,
        "I use press.",
        'press(keys="shift")',
        ok=True,
        observation="Pressed shift.",
        change="Nothing changed on the screen.",
        seconds=press.seconds if isinstance(press, StepCard) else 0,
        sentence="Press shift",
    )
    assert isinstance(click, StepCard)
    assert (click.ok, click.code, click.observation) == (False, "TARGET_NOT_FOUND", '"Nothing" is not on the screen.')
    assert click.hints == "No text can be read on the screen."
    assert isinstance(finish, StepCard)
    assert end == EndCard("unverified", "Done, but not verified", "It is.")
    assert (state.status, state.tone, state.steps, state.limit) == ("Done, but not verified", "unverified", 3, 50)
    assert state.running  # until its desktop is given back


def test_why_a_run_failed_is_told_once() -> None:
    gives_up = {"thought": "It is locked.", "action": {"tool": "fail", "args": {"reason": "It is locked."}}}

    state = after(RunStarted(), *events(gives_up))

    last, end = state.cards
    assert isinstance(last, StepCard)
    assert (last.thought, last.sentence) == ("", "Give up")
    assert end == EndCard("failed", "Failed", "It is locked.")


def test_the_status_says_what_goes_on() -> None:
    said = []
    state = after(RunStarted())
    for event in events(action("press", keys="shift"), action("finish", summary="It is.")):
        said.append(state.status)
        state = reduce(state, event)

    assert said == [
        "Starting",
        "Looking",
        "Thinking about step 1",
        "Thinking about step 1",
        "Acting: Press shift",
        "Acting: Press shift",
        "Thinking about step 2",
        "Thinking about step 2",
        "Acting: Finish",
        "Acting: Finish",
    ]


def test_a_card_appears_with_the_thought_and_grows() -> None:
    thought = Event("thought", 0.1, {"index": 1, "text": "Save it."})
    acted = Event("action", 0.2, {"index": 1, "tool": "press", "args": {"keys": "ctrl+s"}})

    first, then = after(RunStarted(), thought), after(RunStarted(), thought, acted)

    assert first.cards == (StepCard(1, "Save it."),)
    assert then.cards == (StepCard(1, "Save it.", 'press(keys="ctrl+s")', sentence="Press ctrl+s"),)


def test_late_pictures_find_their_card() -> None:
    told = events(action("press", keys="shift"), action("finish", summary="It is."))
    picture = Shot(Path("run"), "digest")

    state = after(RunStarted(), *told, ImagesReady(1, picture, None))

    card = state.cards[0]
    assert isinstance(card, StepCard)
    assert (card.before, card.after, card.pictured) == (picture, None, True)
    assert after(RunStarted(), ImagesReady(1, picture, None)).cards == ()


def test_no_step_and_no_frame_is_kept_in_the_state() -> None:
    state = after(RunStarted(), *events(action("press", keys="shift"), action("finish", summary="It is.")))

    values = [value for card in state.cards for value in dataclasses.astuple(card)]
    assert not [value for value in values if isinstance(value, Step | Frame)]


def test_the_card_of_the_end_says_where_the_files_are() -> None:
    saved = {"file": "a.txt", "path": "/home/ada/a.txt", "confirmed": True}
    state = after(RunStarted(), Event("ended", 1, {"outcome": "done", "summary": "Saved.", "evidence": [saved]}))

    [end] = state.cards
    assert isinstance(end, EndCard)
    assert end.evidence[-1] == "Folder: /home/ada"


def test_the_card_of_a_run_that_is_right_leaves_nothing_unverified() -> None:
    typed = {"confirmed": False, "reason": "Observation 2 is only what the agent typed itself."}
    evidence = [
        {"observation": 1, "confirmed": True, "shown": {"how": "opened", "texts": ["Editor"]}},
        {"observation": 2, **typed, "shown": {"how": "kept", "texts": ["/home/ada/a.txt"]}},
        {"observation": 3, **typed, "saved": "/home/ada/a.txt"},
    ]
    state = after(RunStarted(), Event("ended", 1, {"outcome": "done", "summary": "Saved.", "evidence": evidence}))

    [end] = state.cards
    assert isinstance(end, EndCard)
    assert end.evidence == ('Checked: the window "Editor" opened; the file /home/ada/a.txt has what step 2 typed.',)


@pytest.mark.parametrize("name", get_args(OutcomeName))
def test_every_outcome_has_its_words_and_its_tone(name: str) -> None:
    state = after(
        RunStarted(), Event("ended", 1, {"outcome": name, "summary": "So it is.", "evidence": [], "steps": 4})
    )

    mends = mends_for("") if name == "model_error" else ()
    assert state.cards == (EndCard(*ENDINGS[name], "So it is.", mends=mends),)
    assert (state.tone, state.status, state.steps) == (*ENDINGS[name], 4)


def test_only_done_looks_like_done() -> None:
    assert [name for name, (tone, _title) in ENDINGS.items() if tone == "done"] == ["done"]
    assert set(ENDINGS) == set(get_args(OutcomeName))


def test_a_notice_has_a_card_of_its_own() -> None:
    assert after(RunStarted(), Event("notice", 0, {"text": "No display."})).cards == (NoticeCard("No display."),)


def test_a_question_its_answer_and_what_comes_of_it_stand_in_their_order() -> None:
    asked = Event("notice", 0, {"text": "Which colour?", "question": True})
    observation = {"ok": True, "text": "red", "error": None, "screen": None}
    step = {"index": 1, "thought": "I ask.", "action": {"tool": "ask_user", "args": {"question": "Which colour?"}}}
    done = Event("step", 0, {**step, "observation": observation, "timing": {}})
    state = after(RunStarted(), asked, Answered("red"), done)

    assert state.cards[:2] == (NoticeCard("Which colour?", asks=True), PersonCard("red"))
    assert [one.observation for one in state.cards if isinstance(one, StepCard)] == [""]


def test_what_is_said_to_a_paused_run_counts_later() -> None:
    paused = after(RunStarted(), Event("paused", 0, {}))
    assert reduce(paused, Spoken("write bananas")).status == "Paused: what you said counts once you resume (F6)"
    assert "next step" in reduce(after(RunStarted()), Spoken("write bananas")).status


def test_an_event_unknown_to_this_window_changes_nothing() -> None:
    state = after(RunStarted())
    assert reduce(state, Event("telepathy", 1.0, {"mood": "good"})) == state


def test_a_paused_run_says_so() -> None:
    assert after(RunStarted(), Event("paused", 1)).status == PAUSED
    assert after(RunStarted(), Event("paused", 1), Event("resumed", 2)).status == "Looking"


# Stops and errors ---------------------------------------------------------------------------------------------------


def test_while_it_is_being_stopped_nothing_else_is_said() -> None:
    state = after(RunStarted(), StopRequested(), Event("thinking", 1, {"index": 2}))
    assert state.status == "Stopping"

    state = after(Event("ended", 2, {"outcome": "stopped", "summary": "", "evidence": []}), RunReleased(), start=state)
    assert (state.status, state.running, state.stopping) == ("Stopped", False, False)


def test_a_stop_before_the_first_step_is_a_stop() -> None:
    state = after(RunStarted(), StopRequested(), RunHalted(), RunReleased())
    assert (state.status, state.tone, state.running) == ("Stopped", "stopped", False)


@pytest.mark.parametrize(
    ("messages", "title"),
    [
        ([], "The run did not start"),
        ([Event("run_started", 0, {"max_steps": 30})], "The run ended early"),
    ],
)
def test_what_was_refused_is_one_clear_line(messages: Sequence[Message], title: str) -> None:
    state = after(RunStarted(), *messages, RunRefused("There is no brain named 'x'."), RunReleased())

    assert state.cards == (EndCard("error", "", "There is no brain named 'x'."),)
    assert (state.status, state.running) == (title, False)


def test_a_bug_is_called_one() -> None:
    assert after(RunStarted(), RunRefused("KeyError: 'x'", bug=True)).status == "Something went wrong inside MARK-I"


def test_after_the_outcome_neither_time_nor_a_stop_changes_it() -> None:
    ended = after(RunStarted(), ClockTicked(3), Event("ended", 3, {"outcome": "done", "summary": "", "evidence": []}))

    assert after(ClockTicked(9), StopRequested(), RunHalted(), RunRefused("late"), start=ended) == ended


def test_a_second_run_starts_from_nothing() -> None:
    first = after(RunStarted(), ClockTicked(9), *events(action("finish", summary="It is.")), RunReleased())
    assert after(RunStarted(), start=first) == after(RunStarted())


def test_without_a_goal_it_says_what_is_missing() -> None:
    assert after(GoalMissing()) == RunState(tone="unverified", status="Enter a goal first")


PLAIN: list[Message] = [
    *(Event("thinking", 0, {"index": index}) for index in (1, 2)),
    *(Event("thought", 0, {"index": index, "text": "So."}) for index in (1, 2)),
    *(Event("action", 0, {"index": index, "tool": "press", "args": {}}) for index in (1, 2)),
    *(ImagesReady(index, None, None) for index in (1, 2)),
    *(
        Event("notice", 0, {"text": "Oh."}),
        ClockTicked(1.5),
        StopRequested(),
        RunHalted(),
        RunRefused("No."),
        RunReleased(),
        GoalMissing(),
    ),
    *(
        Event("paused", 0),
        Event("resumed", 0),
        ControlRequested("pause"),
        ControlRequested("resume"),
        ControlRequested("step"),
    ),
]


@given(st.lists(st.sampled_from(PLAIN), max_size=30))
def test_a_message_changes_at_most_the_card_that_it_names(messages: list[Message]) -> None:
    state = after(RunStarted())
    for message in messages:
        newer = reduce(state, message)
        assert len(newer.cards) - len(state.cards) in (0, 1)
        differ = [place for place, card in enumerate(newer.cards) if card not in state.cards[place : place + 1]]
        assert len(differ) <= 1
        state = newer


# A workflow ---------------------------------------------------------------------------------------------------------


def node(number: int, state: str, count: int = 0) -> Event:
    return Event("node", 0, {"node": number, "type": "observe", "title": "", "state": state, "count": count})


def lit(state: RunState) -> list[int]:
    return [one for one, run in state.nodes.items() if run.status == "started"]


def test_the_lit_node_follows_the_events_of_a_run() -> None:
    graph = drawing_of("react")
    agent = AgentCore(
        ScriptedBrain([action("list_files", path="."), {"thought": "I know it.", "answer": "Nothing."}]),
        standard_toolbelt(None, Files([Path.cwd()])),
        workflow=Workflow("react", graph.graph).run,
    )
    state, seen = after(WorkflowChosen(graph), RunStarted()), []
    for event in agent.run("Tell what is in the folder"):
        state = reduce(state, event)
        seen.append(lit(state))

    assert all(len(now) <= 1 for now in seen), "one at a time"
    ran = [one for one, _ in itertools.groupby(now[0] for now in seen if now)]
    assert ran == [1, 2, *([3, 4, 5, 6, 7, 8] * 2), 9, 10]
    assert state.nodes == {one: NodeRun("finished", 2 if one in range(3, 9) else 1) for one in range(1, 11)}
    assert state.workflow == graph


def test_a_node_that_is_passed_by_keeps_how_often_it_ran() -> None:
    state = after(RunStarted(), node(1, "started", 1), node(1, "finished", 1), node(1, "skipped"), node(2, "skipped"))
    assert state.nodes == {1: NodeRun("skipped", 1), 2: NodeRun("skipped", 0)}


@pytest.mark.parametrize(
    "end", [RunHalted(), RunRefused("No."), Event("ended", 1, {"outcome": "stopped", "summary": "", "evidence": []})]
)
def test_where_a_run_breaks_off_no_node_stays_lit(end: Message) -> None:
    state = after(RunStarted(), node(1, "started", 1), node(1, "finished", 1), node(2, "started", 3), end)
    assert state.nodes == {1: NodeRun("finished", 1), 2: NodeRun("broken", 3)}


def test_a_chosen_workflow_stays_but_its_counts_are_reset() -> None:
    graph = drawing_of("loop")
    state = after(WorkflowChosen(graph), RunStarted(), node(1, "started", 1), RunReleased(), RunStarted())
    assert (state.workflow, state.nodes) == (graph, {})
    assert after(WorkflowChosen(None), start=state).workflow is None


def test_an_unreadable_workflow_is_one_line_and_the_log_stays() -> None:
    ended = after(RunStarted(), Event("notice", 0, {"text": "Oh."}), RunHalted(), RunReleased())
    state = after(WorkflowChosen(drawing_of("loop")), WorkflowUnreadable("There is no workflow 'lop'."), start=ended)
    assert (state.status, state.tone, state.workflow) == ("There is no workflow 'lop'.", "error", None)
    assert state.cards == ended.cards


# Words --------------------------------------------------------------------------------------------------------------


def test_an_action_reads_as_code() -> None:
    assert call_text({"tool": "type_text", "args": {"text": 'a "ü"', "enter": True}}) == (
        r'type_text(text="a \"ü\"", enter=true)'
    )


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (7.9, "0:07"), (760, "12:40"), (3723, "1:02:03")])
def test_a_time_reads_as_on_a_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text


@given(st.text())
def test_a_short_text_is_left_as_it_is(text: str) -> None:
    assert shorten(text) == text


def test_a_long_text_says_how_much_is_missing() -> None:
    assert shorten("a" * (TEXT_CHARS + 1200)) == "a" * TEXT_CHARS + " … (1,200 more characters)"


def test_half_a_character_can_be_drawn() -> None:
    assert shorten("a\ud800b") == "a?b"


def test_a_change_names_what_came_and_went() -> None:
    screen = ScreenChange(changed=True, settled=False, appeared=("Save As", "x" * 70), vanished=tuple("abcdefgh"))
    assert change_text(screen.to_dict()) == (
        f"Appeared: Save As · {'x' * 60}…\nDisappeared: a · b · c · d · e · f and 2 more\nThe screen is still moving."
    )
    assert change_text(ScreenChange(changed=True).to_dict()) == "The screen changed."
    assert change_text(None) == ""


# Pictures -----------------------------------------------------------------------------------------------------------


def test_a_step_is_ringed_where_it_began() -> None:
    drag = Observation(ok=True, text="Dragged.", places=(Place(1, 2, "Milk", "option"), Place(3, 4)))
    assert place_of(Step(1, Thought(""), Action("any", {}), drag)) == Point(1, 2)


def test_where_nothing_was_done_there_is_no_place() -> None:
    assert place_of(step(ok=False, text="", error=Problem("STALE_TARGET", "It moved."))) is None


def kept(folder: Path, *steps: Step) -> Path:
    """The folder of a run in which the images of these steps are."""
    journal = Journal(folder / "run", {})
    for one in steps:
        journal.add(one)
    journal.close({"outcome": "done"})
    return journal.folder


def test_pictures_are_small_and_marked_and_can_be_large(tmp_path: Path) -> None:
    change = ScreenChange(changed=True, regions=(Region(-1900, 20, 60, 30),))
    seen = frame(1920, 1080, Point(-1920, 0))
    place = Action("click", {"target": {"x": -960, "y": 540}})
    told = Observation(ok=True, text="", screen=change, places=(Place(-960, 540),))
    done = Step(1, Thought(""), place, told, before=seen, after=seen)

    before, changed = shots_of(done, kept(tmp_path, done))

    assert before
    assert changed
    assert (before.point, before.regions, changed.point, changed.regions) == (
        Point(-960, 540),
        (),
        None,
        change.regions,
    )
    small, large, large_changed = before.small(), before.large(), changed.large()
    assert small
    assert large
    assert large_changed
    assert (small.size, large.size) == ((512, 288), (1920, 1080))
    assert np.asarray(small).any()
    assert not np.asarray(small.crop((0, 0, 200, 288))).any()  # the ring is in the middle
    assert np.asarray(large.crop((900, 480, 1020, 600))).any()
    assert np.asarray(large_changed.crop((15, 15, 85, 55))).any()
    assert not np.asarray(large_changed.crop((200, 200, 1920, 1080))).any()


def test_a_small_picture_shows_the_window_in_front_and_what_is_marked(tmp_path: Path) -> None:
    pixels = np.zeros((1080, 1920, 3), np.uint8)
    pixels[200:500, 100:700] = 255  # the window
    seen = Frame(pixels)
    change = ScreenChange(
        changed=True,
        regions=(Region(1500, 300, 40, 40),),
        front_before=Region(100, 200, 600, 300),
        front_after=Region(100, 200, 600, 300),
    )
    told = Observation(ok=True, text="", screen=change)
    done = Step(1, Thought(""), Action("press", {"keys": "f10"}), told, before=seen, after=seen)
    before, changed = shots_of(done, kept(tmp_path, done))
    assert before
    assert changed

    small, small_changed, large = before.small(), changed.small(), before.large()

    assert small
    assert small_changed
    assert large
    assert (small.size, small_changed.size, large.size) == ((512, 275), (512, 205), (1920, 1080))
    assert np.asarray(small).mean() > 190  # a crop of 648x348 around the window
    assert 20 < np.asarray(small_changed).mean() < 100  # the place that changed is further on, and framed
    assert np.asarray(small_changed.crop((480, 0, 512, 205))).any()


screens = st.builds(
    Region, st.integers(-2000, 50), st.integers(-2000, 50), st.integers(300, 2000), st.integers(200, 1200)
)
boxes = st.builds(
    Region, st.integers(-2100, 2100), st.integers(-2100, 1300), st.integers(1, 2500), st.integers(1, 1500)
)


@given(
    screens,
    boxes,
    st.none() | st.builds(Point, st.integers(-2000, 2000), st.integers(-2000, 1300)),
    st.lists(boxes, max_size=3),
)
def test_a_crop_holds_all_that_is_on_the_screen_and_is_no_strip(
    screen: Region, window: Region, point: Point | None, changed: list[Region]
) -> None:
    part = Shot(Path(), "", point, tuple(changed), window)._crop(screen)

    assert part.intersection(screen) == part
    assert part.width >= min(part.height, screen.width)
    assert part.height >= min(round(FLATTEST * part.width), screen.height)
    for one in (window, *changed, *([Region(point.x, point.y, 1, 1)] if point else [])):
        if window.overlaps(screen) and one.overlaps(screen):
            assert one.intersection(screen).intersection(part) == one.intersection(screen)


def test_where_the_window_is_unknown_the_whole_screen_is_shown() -> None:
    screen = Region(0, 0, 1920, 1080)
    assert Shot(Path(), "")._crop(screen) == screen
    assert Shot(Path(), "", window=Region(5000, 0, 10, 10))._crop(screen) == screen


def test_a_step_without_a_desktop_has_no_pictures() -> None:
    assert shots_of(step(), Path("run")) == (None, None)


pixels = st.integers(-50, 500)
regions = st.builds(Region, pixels, pixels, st.integers(1, 500), st.integers(1, 500))


@given(st.builds(Point, pixels, pixels), st.lists(regions, max_size=4))
def test_marks_that_reach_outside_are_clipped(point: Point, parts: list[Region]) -> None:
    seen = marks_on(frame().region, point, parts)

    assert seen.point in (point, None)
    assert all(part.intersection(Region(0, 0, 400, 200)) == part for part in seen.regions)
    assert marked(Image.new("RGB", (200, 100)), seen.scaled(0.5)).size == (200, 100)


# The door -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("processes")
def test_importing_the_window_opens_no_display() -> None:
    assert "DISPLAY" not in os.environ  # to open one would be an error
    done = subprocess.run(
        [sys.executable, "-c", "import gui.window"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("text", "room", "seen"),
    [
        ("Click here.", 11, "Click here."),
        ("Click here.", 10, "Click her…"),
        ("Click here.", 7, "Click…"),
        ("Click", 0, "…"),
    ],
)
def test_a_text_ends_with_dots_where_there_is_no_room_for_it(text: str, room: int, seen: str) -> None:
    assert fit_text(text, len, room) == seen


def test_a_word_to_a_paused_run_is_marked_as_heard_until_it_is_followed() -> None:
    said = after(Spoken("write bananas"), Spoken("and pears"), start=after(RunStarted(), ControlRequested("pause")))
    assert said.cards == (PersonCard("write bananas", WAITS), PersonCard("and pears", WAITS))
    heard = reduce(said, Event("said", 1, {"text": "write bananas", "index": 2}))
    assert heard.cards == (PersonCard("write bananas"), PersonCard("and pears", WAITS))
    ended = Event("ended", 2, {"outcome": "stopped", "summary": "", "evidence": []})
    assert reduce(heard, ended).cards[:2] == (PersonCard("write bananas"), PersonCard("and pears"))
    assert after(RunStarted(), Spoken("write bananas")).cards == (PersonCard("write bananas"),)


def outlook(left: list[str], choices: list[str]) -> Event:
    return Event("outlook", 0.1, {"left": left, "choices": choices})


def test_a_question_has_the_short_answers_that_come_with_it() -> None:
    question = Event("notice", 0.2, {"text": "Was it done?", "question": True})
    asked = after(RunStarted(), outlook(["press f2"], ["Yes", "No"]), question)
    assert asked.pending == PendingQuestion("Was it done?", ("Yes", "No"))
    assert after(Answered("Yes"), start=asked).pending is None
    assert after(outlook([], []), question, start=asked).pending == PendingQuestion("Was it done?")


def test_what_is_still_to_do_is_known_until_it_is_done() -> None:
    state = after(RunStarted(), outlook(["press f2", "press f3"], []))
    assert state.left == ("press f2", "press f3")
    assert after(outlook(["press f3"], []), start=state).left == ("press f3",)
    assert after(RunReleased(), RunStarted(), start=state).left == ()


def test_what_is_said_too_late_is_kept_for_the_next_goal_and_told_there() -> None:
    over = Event("ended", 1, {"outcome": "done", "summary": "", "evidence": [], "unheard": ["Paint it green"]})
    state = after(RunStarted("Paint"), over, SpokenLate("Then blue"), SpokenLate("stop"))
    assert (state.late, state.ended) == (("Paint it green", "Then blue"), True)
    stopping = after(RunStarted("Paint"), StopRequested(), SpokenLate("go on"))
    assert stopping.stopping
    assert stopping.late == ("go on",)
    begun = after(RunReleased(), RunStarted("Then blue", follow_up=True, late=True), start=state)
    assert begun.late == ()
    assert begun.cards[-2:] == (NoticeCard(CAME_LATE), PersonCard("Then blue"))
