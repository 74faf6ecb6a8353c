"""A run that was stopped, or has failed, can be gone on with, changed and undone, and nothing is done twice."""

import json
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any, Final

import pytest
from PIL import Image

from mark_i import AgentCore, Prompt, standard_toolbelt
from mark_i.brain import PastRun, Word
from mark_i.brains.offline.acting import call_for
from mark_i.brains.offline.brain import DISMISSED, OfflineBrain
from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.following import Past, read_goal
from mark_i.brains.offline.hearing import hear
from mark_i.brains.offline.instructions import Check, DialogClosed, Instruction, NotUnderstood, Talk
from mark_i.brains.offline.past_goals import known
from mark_i.brains.offline.seen import ASKED_ANEW, CAME, LOOKED
from mark_i.brains.offline.stopped import Stopped
from mark_i.runs.follow_up import goals_done
from tests.mark_i.brains.offline.plans import begun, written
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop, Input
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.tools.people import People
from world_model import Action, Journal, Observation, Problem, Step, Thought, WorldModel, read_run

BUSY_S: Final = 1.5  # longer than programs are waited for where something may be missed
LIST: Final = (
    'open the text editor, type "milk", press enter, type "bread", press enter, type "salt", save it as list.txt'
)
NOTE: Final = 'open mousepad, type "milk", press enter, type "bread and butter", press enter, type "salt"'


def stopped(done: int, goal: str = LIST) -> Stopped:
    """What a run has done that was stopped after so many instructions."""
    return Stopped(tuple(begun(done, goal).every), done)


def text_after(said: str, *before: Past) -> str:
    """The text once a goal is carried out."""
    every = list[Instruction]()
    for at, goal in enumerate([*before, said]):
        if isinstance(goal, Stopped):
            every += goal.every[: goal.done]
        else:
            given = read_goal(goal, before[:at])
            assert not [one for one in given if isinstance(one, NotUnderstood)], given
            every += [one for one in given if not isinstance(one, NotUnderstood | Check | Talk)]
    return written(Remaining(every, 0)).replace("\n", ", ")


@pytest.mark.parametrize("done", range(10))
@pytest.mark.parametrize(
    "said",
    [
        "go on",
        "continue",
        "carry on where you stopped",
        "please carry on from where you left off",
        "finish it",
        "ok, finish the job",
        "pick up where you left off",
        "do the rest",
        "now do the rest please",
        "resume the run",
        "go ahead with the rest",
        "keep going",
        "finish what you started",
        "do what is left",
    ],
)
def test_what_is_left_is_done_and_nothing_twice(said: str, done: int) -> None:
    given = [one for one in read_goal(said, [stopped(done)]) if not isinstance(one, Check)]

    assert given == [*stopped(done).every[min(done, 6) :]]  # a save is begun again


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("change milk to oat milk", "oat milk, bread"),
        ("remove the milk", "bread"),
        ("add eggs", "milk, bread, eggs"),
        ("undo that", ""),
        ("put it back how it was", ""),
        ("go on, but change salt to pepper", "milk, bread, pepper"),
        ("change milk to oat milk and go on", "oat milk, bread, salt"),
    ],
)
def test_what_was_typed_before_a_stop_is_known(said: str, text: str) -> None:
    assert text_after(said, stopped(4)) == text


def test_a_run_that_was_stopped_goes_on_after_a_change() -> None:
    assert text_after("go on", stopped(4), "change milk to oat milk") == "oat milk, bread, salt"
    assert text_after("undo that", "open the text editor", stopped(5), "change milk to oat milk") == "milk, bread, "


@pytest.mark.parametrize("between", ["press f5", "undo that", "go on", 'open the calculator, type "1"'])
def test_a_run_goes_on_only_as_long_as_its_text_alone_was_changed(between: str) -> None:
    given = read_goal("go on", [stopped(4), between])

    assert any(isinstance(one, NotUnderstood) for one in given)


def test_a_line_that_is_half_typed_goes_on_only_as_it_is() -> None:
    half = stopped(3, 'open the text editor, type "milk", press enter, type "bre", type "ad", save it as a.txt')
    half = Stopped(half.every, 4)

    assert text_after("go on", half, "change milk to oat milk") == "oat milk, bread"
    assert any(isinstance(one, NotUnderstood) for one in read_goal("go on", [half, "add eggs"]))


@pytest.mark.parametrize(
    ("said", "text", "file"),
    [
        ("change salt to pepper", "milk, bread, pepper", "list.txt"),
        ("it is called list2, not list", "milk, bread, salt", "list2.txt"),
        ("the file isn't called list.txt, it's called food.txt", "milk, bread, salt", "food.txt"),
    ],
)
def test_what_is_left_is_changed_and_done_once_that_is_said(said: str, text: str, file: str) -> None:
    assert read_goal(said, [stopped(4)]) == (Talk(said, "noted"),)

    assert text_after("go on", stopped(4), said) == text
    assert isinstance(last := read_goal("go on", [stopped(4), said])[-1], DialogClosed)
    assert last.file == file


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ('click "Bar" instead', ['click "Bar"', 'type "bread"']),
        ("it is called Bar, not Foo", ['click "Bar"', 'type "bread"']),
        ("skip the Foo", ['type "bread"']),
    ],
)
def test_a_failed_run_goes_on_once_what_failed_is_put_right(said: str, left: list[str]) -> None:
    goal = 'open the text editor, type "milk", click "Foo", type "bread"'
    failed = replace(stopped(2, goal), has_failed=True)

    given = [one.text for one in read_goal(said, [failed]) if not isinstance(one, Check)]
    again = read_goal("go on", [failed, said])

    assert given == left
    assert any(isinstance(one, NotUnderstood) for one in again)


def test_the_end_of_a_failed_run_does_none_of_its_instructions() -> None:
    goal = 'open the text editor, type "milk", click "Foo", type "bread"'
    every = begun(0, goal).every
    failing = Observation(ok=False, text="", error=Problem("TARGET_NOT_FOUND", '"Foo" is not on the screen.'))
    end = Step(4, Thought(""), Action("fail", {"reason": "No."}), Observation(ok=True, text=""))
    steps = (*steps_of(every[:2]), Step(3, Thought(""), Action("click", {"target": "Foo"}), failing), end)

    [run] = known([PastRun(goal, steps)])

    assert run == Stopped(tuple(every), 2, has_failed=True)


def test_a_failed_run_begins_again_with_what_failed() -> None:
    goal = 'open the text editor, type "milk", click "Foo", type "bread"'

    given = [one for one in read_goal("go on", [stopped(2, goal)]) if not isinstance(one, Check)]
    assert [one.text for one in given] == ['click "Foo"', 'type "bread"']


@pytest.mark.parametrize(
    ("held", "answer", "then"),
    [
        ("milk\nbread an", None, {"text": "d butter"}),
        ("milk\nbread ", None, {"text": "and butter"}),
        ("milk\nbread", None, {"text": " and butter"}),
        ("milk\n", None, {"text": "bread and butter"}),
        ("milk\nbread and butter", None, "wait"),
        ("before\nmilk\nbread and", None, {"text": " butter"}),
        ("milk\nbraed", None, "ask_user"),
        (None, None, "ask_user"),
        ("milk\nbraed", "bread", {"text": " and butter"}),
        (None, '"bread an"', {"text": "d butter"}),
        (None, "all", "wait"),
        (None, "nothing", {"text": "bread and butter"}),
        (None, "butter", "ask_user"),
        (None, "", "fail"),
    ],
)
def test_only_what_is_left_of_a_text_is_typed(held: str | None, answer: str | None, then: object) -> None:
    action = resumed(*looked(held, answer))

    assert then in {action["tool"], json.dumps(action["args"])} if isinstance(then, str) else then == action["args"]


@pytest.mark.parametrize(("held", "then"), [("milk", {"keys": "enter"}), ("milk\n", {"seconds": 0.01})])
def test_a_key_is_pressed_only_if_it_was_not(held: str, then: dict[str, Any]) -> None:
    assert resumed(*looked(held), done=2)["args"] == then


@pytest.mark.parametrize(
    ("said", "done", "in_flight", "told"),
    [
        (
            "change milk to stew",
            2,
            None,
            'was begun and not finished, so the text is incomplete. Still to do: type "stew".',
        ),
        ("change milk to stew", 1, "press", 'Still to do: take back "milk"; type "stew".'),
        ("change milk to stew", 9, None, ""),
        ("change milk to stew", 1, None, ""),
        ("press f5", 0, "press", ""),
        ("open mousepad", 0, "open_app", ""),
        ("write it anew in verse", 0, "type_text", ""),
        ('type "milk", press enter, type "tea"', 1, None, 'The text is incomplete. Still to do: type "tea".'),
        ('type "milk", save it as a.txt', 1, "press", ""),
    ],
)
def test_a_text_that_a_stop_leaves_incomplete_is_told(said: str, done: int, in_flight: str | None, told: str) -> None:
    before = 'open mousepad, type "milk"'
    every = [one for one in read_goal(said, [before]) if not isinstance(one, NotUnderstood | Talk)]
    steps = steps_of(every[:done])

    left = OfflineBrain((before,)).left_undone(PastRun(said, steps, (), Action(in_flight, {}) if in_flight else None))

    assert told in left
    assert left.endswith('To finish it, say "go on".') if told else not left


def test_a_run_that_is_stopped_while_it_types_says_so() -> None:
    control = Control()
    desktop = FakeDesktop(lambda inputs: stop_at(inputs, control), control)
    eyes = Eyes(desktop, control)
    agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes)

    ended = [*agent.run('type "soup", press enter, type "stew and bread"')][-1].data

    assert ended["outcome"] == "stopped"
    assert ended["summary"] == (
        'The run was stopped. The text is incomplete. Still to do: type "soup"; type "stew and bread". '
        'To finish it, say "go on".'
    )


def steps_of(every: Sequence[Instruction]) -> tuple[Step, ...]:
    """The steps that carried some instructions out."""
    calls = [call for one in every if (call := call_for(one, ()))]
    seen = Observation(ok=True, text="")
    return tuple(Step(at, Thought(""), Action(*call), seen) for at, call in enumerate(calls, 1))


def stop_at(inputs: Sequence[Input], control: Control) -> Image.Image:
    """Stop the run once something was typed."""
    if inputs:
        control.stop()
    return Image.new("RGB", (320, 96), "white")


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("go on and save it", ["typed", "ctrl+s"]),
        ("sorry, go on with it and save it", ["typed", "ctrl+s"]),
        ("oops, carry on, then save", ["typed", "ctrl+s"]),
        ("save it and go on", ["ctrl+s", "typed"]),
        ("sorry, go on", ["typed"]),
        ("go on and close it", ["typed", "close it"]),
    ],
)
def test_what_is_said_after_to_go_on_is_done_at_the_end(said: str, then: list[str]) -> None:
    goal = 'open the text editor, type "milk", press enter, type "soup"'
    expected = [{"typed": 'type "soup"'}.get(one, one) for one in then]

    given = [one for one in read_goal(said, [stopped(3, goal)]) if not isinstance(one, Check)]
    assert [getattr(one, "keys", one.text) for one in given] == expected

    heard = hear(
        begun(0, goal), Prompt("", goal, "", past=lambda: steps_of(begun(0, goal).every[:3]), said=(Word(4, said),))
    )
    assert not heard.unclear
    assert [getattr(one, "keys", one.text) for one in heard.remaining.every[3:]] == expected


def looked(held: str | None, answer: str | None = None) -> list[Step]:
    """The look at the focused field, and what the person said of it."""
    rows = [] if held is None else [{"role": "textbox", "value": held, "states": ["focused"]}]
    seen = Step(1, Thought(""), Action("marks", {}), Observation(ok=True, text="", data=rows), note=LOOKED)
    told = Observation(ok=True, text="", data={"answer": answer})
    asked = Step(1, Thought(""), Action("ask_user", {"question": "How much?"}), told, note=CAME)
    return [seen] if answer is None else [seen, asked]


def resumed(*after: Step, done: int = 3) -> dict[str, Any]:
    """What a resumed run does next."""
    actions = [
        Action("open_app", {"name": "mousepad"}),
        Action("type_text", {"text": "milk"}),
        Action("press", {"keys": "enter"}),
        Action("type_text", {"text": "bread and butter"}),
    ]
    unknown = Observation(ok=False, text="", data={"interrupted": True}, error=Problem("TOOL_ERROR", "Interrupted."))
    seen = [*[Observation(ok=True, text="")] * done, unknown]
    past = [Step(at, Thought(""), *one) for at, one in enumerate(zip(actions, seen, strict=False), start=1)]
    every = (*past, *after)
    action: dict[str, Any] = json.loads(OfflineBrain().think(Prompt("", NOTE, "", past=lambda: every)).text)["action"]
    return action


def test_a_text_whose_extent_is_unknown_is_only_asked_about_where_that_matters() -> None:
    run = PastRun(NOTE, (), in_flight=Action("open_app", {"name": "mousepad"}))
    brain = OfflineBrain.following([run])

    assert json.loads(brain.think(Prompt("", "press f5", "")).text)["action"]["tool"] == "press"
    assert json.loads(brain.think(Prompt("", "go on", "")).text)["action"]["tool"] == "ask_user"


def test_what_no_run_can_tell_is_not_told_of_those_before_it() -> None:
    brain = OfflineBrain.following([LIST, PastRun("write a poem", (), in_flight=Action("type_text", {"text": "Oh"}))])

    action = json.loads(brain.think(Prompt("", "change milk to oat milk", "")).text)["action"]
    assert action["tool"] == "fail"


@pytest.mark.parametrize("before", [[], ["towels, my dear"]])
def test_a_question_that_is_dismissed_is_not_asked_again(before: list[str]) -> None:
    told = [Observation(ok=True, text="", data={"answer": answer}) for answer in (*before, "")]
    asked = [
        Step(at, Thought(""), Action("ask_user", {"question": "Other words?"}), one, note=ASKED_ANEW)
        for at, one in enumerate(told, start=1)
    ]
    reply = OfflineBrain.following([LIST]).think(Prompt("", "towels", "", past=lambda: tuple(asked)))

    assert json.loads(reply.text)["action"] == {"tool": "fail", "args": {"reason": DISMISSED}}


def typed_in_part(desktop: VirtualDesktop, folder: Path) -> tuple[Step, ...]:
    """Let a run type a part of a text, and write the journal of one that was stopped there."""
    eyes = Eyes(desktop, desktop.control)
    begin = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes)
    assert [*begin.run('open mousepad, type "milk", press enter, type "bread an"')][-1].data["outcome"] == "done"
    steps = [replace(one, before=None, after=None) for one in begin.world_model.last(5)[:3]]
    journal = Journal(folder, {"goal": NOTE})
    for step in steps:
        journal.add(step)
    journal.decided(4, Action("type_text", {"text": "bread and butter"}))
    journal.close({"outcome": "stopped"})
    return tuple(steps)


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("goals", "text"),
    [
        (("carry on where you stopped",), "milk\nbread and butter\nsalt"),
        (("change milk to oat milk", "go on"), "oat milk\nbread and butter\nsalt"),
        (("put it back how it was",), ""),
        (("add eggs", "remove the milk"), "bread an\neggs"),
    ],
)
def test_a_text_that_was_being_typed_is_gone_on_with_and_changed(
    desktop: VirtualDesktop, tmp_path: Path, goals: Sequence[str], text: str
) -> None:
    typed_in_part(desktop, tmp_path / "0")
    eyes, file = Eyes(desktop, desktop.control), tmp_path / "note.txt"

    for at, goal in enumerate([*goals, f"save it as {file}"]):
        brain = OfflineBrain.following(goals_done(read_run(tmp_path / str(at))))
        journal = Journal(tmp_path / str(at + 1), {"goal": goal, "settings": {"continues": str(at)}})
        agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, journal=journal)
        ended = [*agent.run(goal)][-1].data
        assert ended["outcome"].startswith("done"), ended["summary"]

    assert file.read_text().rstrip("\n") == text


@pytest.mark.usefixtures("patience")
def test_a_resumed_run_types_what_is_left(desktop: VirtualDesktop, tmp_path: Path) -> None:
    steps, eyes = typed_in_part(desktop, tmp_path / "0"), Eyes(desktop, desktop.control)
    unknown = Observation(ok=False, text="", data={"interrupted": True}, error=Problem("TOOL_ERROR", "Interrupted."))
    past = WorldModel()
    for step in (*steps, Step(4, Thought(""), Action("type_text", {"text": "bread and butter"}), unknown)):
        past.remember(step)
    toolbelt = standard_toolbelt(eyes, People(pytest.fail))

    ended = [*AgentCore(OfflineBrain(), toolbelt, desktop, eyes=eyes, world_model=past).run(NOTE)][-1].data

    assert ended["outcome"].startswith("done"), ended["summary"]
    value = [one.value for one in eyes.every_element(eyes.show()) if "focused" in one.states]
    assert value == ["milk\nbread and butter\nsalt"]


@pytest.mark.usefixtures("patience")
def test_a_run_that_has_failed_is_corrected_and_gone_on_with(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes, file = Eyes(desktop, desktop.control), tmp_path / "food.txt"
    goals = (
        f'open mousepad, type "5 tables", press enter, type "salt", click "Zebra", save it as {tmp_path}/list.txt',
        'change "tables" to "chairs"',
        "it is called food, not list",
        "skip the Zebra",
    )

    outcomes = list[str]()
    for at, goal in enumerate(goals):
        before = goals_done(read_run(tmp_path / str(at - 1))) if at else ()
        journal = Journal(tmp_path / str(at), {"goal": goal, "settings": {"continues": str(at - 1)} if at else {}})
        agent = AgentCore(OfflineBrain.following(before), standard_toolbelt(eyes), desktop, eyes=eyes, journal=journal)
        outcomes.append([*agent.run(goal)][-1].data["outcome"].split("_")[0])

    assert outcomes == ["failed", "done", "done", "done"]
    assert file.read_text().rstrip("\n") == "5 chairs\nsalt"


@pytest.mark.usefixtures("patience")
def test_what_came_is_seen_though_its_program_is_busy_for_a_moment(desktop: VirtualDesktop, tmp_path: Path) -> None:
    typed_in_part(desktop, tmp_path)
    [pid] = {one.pid for one in desktop.windows() if one.pid}
    eyes = Eyes(desktop, desktop.control)
    agent = AgentCore(
        OfflineBrain.following(goals_done(read_run(tmp_path))), standard_toolbelt(eyes), desktop, eyes=eyes
    )

    os.kill(pid, signal.SIGSTOP)
    Timer(BUSY_S, os.kill, (pid, signal.SIGCONT)).start()
    [*_, ended] = agent.run("carry on where you stopped")

    assert ended.data["outcome"].startswith("done"), ended.data["summary"]
