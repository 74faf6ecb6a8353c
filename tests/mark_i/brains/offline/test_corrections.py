"""What the person says during a run changes what is left of it, and what its end is checked against."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from mark_i import AgentCore, FakeDesktop, Prompt, standard_toolbelt
from mark_i.brain import Reply, Word
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.instructions import NotUnderstood, Press, Type, parse_instructions
from mark_i.events import Event
from mark_i.human.words import Words
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.tools.people import People
from world_model import Action, Observation, Problem, Step, Thought, Timing

GOAL: Final = 'open the text editor, type "Hello", press enter, type "Bye" into Name, press ctrl+s'
HELLO, ENTER, BYE, SAVE = 'type "Hello"', "press enter", 'type "Bye" into Name', "press ctrl+s"


def remaining() -> Remaining:
    """What is left of the goal once the editor is open."""
    return Remaining([one for one in parse_instructions(GOAL) if not isinstance(one, NotUnderstood)], 1)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        # Less to do.
        ('don\'t type "Bye"', [HELLO, ENTER, SAVE]),
        ("Please do not type Bye.", [HELLO, ENTER, SAVE]),
        ("Don\u2019t type \u201cBye\u201d!", [HELLO, ENTER, SAVE]),
        ("skip typing Bye", [HELLO, ENTER, SAVE]),
        ("you don't need to press enter", [HELLO, BYE, SAVE]),
        ("no need to press enter", [HELLO, BYE, SAVE]),
        ("leave out step 4", [HELLO, ENTER, SAVE]),
        ("skip that", [ENTER, BYE, SAVE]),
        ("skip the last step", [HELLO, ENTER, BYE]),
        ("don't press enter or type Bye", [HELLO, SAVE]),
        ("don't type anything", [ENTER, SAVE]),
        ("skip the rest", []),
        ("no Bye please, we have said so", [HELLO, ENTER, SAVE]),
        ("drop the Bye line", [HELLO, ENTER, SAVE]),
        ('remove "Bye"', [HELLO, ENTER, SAVE]),
        ("stop after Bye", [HELLO, ENTER, BYE]),
        ("oh, skip that please", [ENTER, BYE, SAVE]),
        ("leave out Bye, thanks", [HELLO, ENTER, SAVE]),
        ("leave out Bye and at the end press f5", [HELLO, ENTER, SAVE, "press f5"]),
        # Something else.
        ('type "Later" instead of "Bye"', [HELLO, ENTER, 'type "Later"', SAVE]),
        ('no, type "Later" instead of Bye', [HELLO, ENTER, 'type "Later"', SAVE]),
        ("instead of Bye, type Later", [HELLO, ENTER, "type Later", SAVE]),
        ("instead of Bye type Later", [HELLO, ENTER, "type Later", SAVE]),
        ("instead of typing Bye write Later", [HELLO, ENTER, "write Later", SAVE]),
        ("don't type Bye but type Later", [HELLO, ENTER, "type Later", SAVE]),
        ("don't type Bye, type Later", [HELLO, ENTER, "type Later", SAVE]),
        ("use Later instead of Bye", [HELLO, ENTER, 'type "Later" into Name', SAVE]),
        ("not Bye but Later", [HELLO, ENTER, 'type "Later" into Name', SAVE]),
        ("not Bye, Later", [HELLO, ENTER, 'type "Later" into Name', SAVE]),
        ("Later, not Bye", [HELLO, ENTER, 'type "Later" into Name', SAVE]),
        ("change Bye to Later", [HELLO, ENTER, 'type "Later" into Name', SAVE]),
        ('type "Later" instead', ['type "Later"', ENTER, BYE, SAVE]),
        ("press f5 instead of ctrl+s", [HELLO, ENTER, BYE, "press f5"]),
        # More to do, at once or last.
        ("press f5", ["press f5", HELLO, ENTER, BYE, SAVE]),
        ("actually, press f5", ["press f5", HELLO, ENTER, BYE, SAVE]),
        ("wait 2 seconds", ["wait 2 seconds", HELLO, ENTER, BYE, SAVE]),
        ("then press f5", [HELLO, ENTER, BYE, SAVE, "press f5"]),
        ("at the end press f5", [HELLO, ENTER, BYE, SAVE, "press f5"]),
        ("close the text editor when you're done", [HELLO, ENTER, BYE, SAVE, "close the text editor"]),
        ("oh wait, press f5 first please", ["press f5", HELLO, ENTER, BYE, SAVE]),
        ("before you type Bye, press f5 first please", [HELLO, ENTER, "press f5", BYE, SAVE]),
        ("don't forget to press f5", [HELLO, ENTER, BYE, SAVE, "press f5"]),
        ('type "x" before "Bye"', [HELLO, ENTER, 'type "x"', BYE, SAVE]),
        ('before you write Bye, put "x" on its own line', [HELLO, ENTER, "press enter", 'type "x"', BYE, SAVE]),
        ('and put "x" after Bye', [HELLO, ENTER, BYE, 'type "x"', SAVE]),
        ('after "Hello" press enter and type "x"', [HELLO, "press enter", 'type "x"', ENTER, BYE, SAVE]),
        ('when you are done, please also add a line saying "x"', [HELLO, ENTER, BYE, "press enter", 'type "x"', SAVE]),
        ('just type "x" now and carry on', ['type "x"', HELLO, ENTER, BYE, SAVE]),
        ('swap Bye for "Later"', [HELLO, ENTER, 'type "Later" into Name', SAVE]),
        ('after Hello also type "x"', [HELLO, 'type "x"', ENTER, BYE, SAVE]),
        ("press f5 after Bye", [HELLO, ENTER, BYE, "press f5", SAVE]),
        ('type "what comes after Bye"', ['type "what comes after Bye"', HELLO, ENTER, BYE, SAVE]),
        ("thanks", [HELLO, ENTER, BYE, SAVE]),
        # A text that is to be typed says nothing of what is to be done.
        ('type "skip the rest"', ['type "skip the rest"', HELLO, ENTER, BYE, SAVE]),
        ('type "this instead of that"', ['type "this instead of that"', HELLO, ENTER, BYE, SAVE]),
        ('type "then press f5"', ['type "then press f5"', HELLO, ENTER, BYE, SAVE]),
    ],
)
def test_what_is_left_is_what_the_person_means(said: str, left: list[str]) -> None:
    assert [one.text for one in remaining().after(said).every[1:]] == left


@pytest.mark.parametrize("said", ['type "Later" instead of "Bye"', "don't type Bye but type Later"])
def test_what_a_correction_leaves_open_stays(said: str) -> None:
    assert {getattr(one, "into", None) for one in remaining().after(said).every} == {None, "Name"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("don't open the text editor", "it was done before"),
        ("don't type Goodbye", "it is neither in the text nor left to do"),
        ("type Later instead of Goodbye", "it is neither in the text nor left to do"),
        ("don't type", "it could mean"),
        ("make it nicer", "cannot start with"),
        ("then", "asks for nothing"),
    ],
)
def test_what_cannot_be_followed_says_why_and_changes_nothing(said: str, why: str) -> None:
    after = remaining().after(said)

    [(text, reason)] = after.unclear
    assert text == said
    assert why in reason
    assert after.every == remaining().every


def test_what_is_clear_of_a_word_is_done_and_the_rest_told() -> None:
    after = remaining().after("leave out Bye and at the end sing a song")

    assert [one.text for one in after.every[1:]] == [HELLO, ENTER, SAVE]
    assert [text for text, _ in after.unclear] == ["at the end sing a song"]


def test_a_typed_text_is_taken_back_letter_by_letter() -> None:
    before = replace(remaining(), done=2)

    assert [one.keys for one in before.after("undo that").every[2:3] if isinstance(one, Press)] == ["backspace"]
    assert [one.text for one in before.after("take that back").every[3:]] == [ENTER, BYE, SAVE]


@pytest.mark.parametrize(
    "said",
    [
        "take back Hello",
        "undo that, take back the Hello you just typed",
        "oh, delete the Hello please",
        "remove Hello that you typed",
        'erase "Hello" again',
    ],
)
def test_what_was_typed_last_is_taken_back_by_its_name(said: str) -> None:
    after = replace(remaining(), done=2).after(said)

    assert not after.unclear
    assert [one.text for one in after.every[3:]] == [ENTER, BYE, SAVE]
    assert [(one.keys, one.times) for one in after.every[2:3] if isinstance(one, Press)] == [("backspace", 5)]


@pytest.mark.parametrize("said", ["delete Bye", "remove the Bye please"])
def test_what_is_left_of_that_name_is_left_out_and_not_taken_back(said: str) -> None:
    twice = parse_instructions('type "Bye", type "Bye now"')
    after = Remaining([one for one in twice if not isinstance(one, NotUnderstood)], 0).after(said)
    assert "it could mean" in after.unclear[0][1]

    before = replace(remaining(), done=4)
    assert [one.text for one in remaining().after(said).every[1:]] == [HELLO, ENTER, SAVE]
    assert len(before.after(said).every) == len(before.every) + 1


def test_what_a_line_says_needs_no_quotes() -> None:
    every = remaining().after("then add a line that says PS: call me, and bring Tom").every

    assert [one.content for one in every if isinstance(one, Type)][-1] == "PS: call me, and bring Tom"
    assert [one.text for one in every[-3:]][::2] == ["press enter", SAVE]


def test_what_is_left_of_a_wait_belongs_to_that_wait() -> None:
    instructions = parse_instructions("wait 5 seconds, press f1, wait 5 seconds")
    before = Remaining([one for one in instructions if not isinstance(one, NotUnderstood)], 0)
    before.cut(2.0)

    assert [getattr(one, "left_s", None) for one in before.after("press f5").every] == [None, 2.0, None, None]
    assert [getattr(one, "left_s", None) for one in before.after("skip that").every] == [None, None]
    assert getattr(before.after("wait 9 seconds instead").every[0], "left_s", "") is None


def test_what_was_taken_back_is_counted_as_done() -> None:
    def done(index: int, tool: str, **args: object) -> Step:
        return Step(index, Thought(""), Action(tool, args), Observation(ok=True, text=""))

    typed = done(1, "type_text", text="Hello")
    past = [typed, done(2, "press", keys="backspace", times=5), done(3, "type_text", text="Bye")]
    said = (Word(2, "undo that"), Word(4, "then press f5"))
    prompt = Prompt("", 'type "Hello", type "Bye", press f2', "", past=lambda: tuple(past), said=said)

    reply = OfflineBrain().think(prompt)
    assert reply.notices == ("Still to do: press f2; press f5.",)
    assert [*json.loads(reply.text)["action"].values()] == ["press", {"keys": "f2"}]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("save it as food.txt, not list.txt", "food.txt"),
        ("save it as food.txt instead of list.txt", "food.txt"),
        ("save it as food.txt instead", "food.txt"),
        ("oh, and call the file food.txt", "food.txt"),
        ("list.txt is wrong", "list.txt"),
    ],
)
def test_a_file_gets_another_name(said: str, name: str) -> None:
    instructions = parse_instructions('type "eggs", save it as list.txt')
    every = [one for one in instructions if not isinstance(one, NotUnderstood)]
    after = Remaining(every, 1).after(said)
    assert [one.content for one in after.every if isinstance(one, Type)] == ["eggs", name]


TODO: Final = 'wait 12 seconds, type "Feed the cat", press enter, type "Post the letter", save it as notes/todo.txt'


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("the cat is already fed, so leave that out", ["wait 12 seconds", 'type "Post the letter"']),
        ("leave that out, the cat is already fed", ["wait 12 seconds", 'type "Post the letter"']),
        ("skip that, we have no time", ['type "Feed the cat"', "press enter", 'type "Post the letter"']),
        ("no need to wait any longer", ['type "Feed the cat"', "press enter", 'type "Post the letter"']),
    ],
)
def test_a_reason_says_what_that_is(said: str, left: list[str]) -> None:
    every = [one for one in parse_instructions(TODO) if not isinstance(one, NotUnderstood)]
    assert Remaining(every, 0).after(said).phrases()[:-1] == left


def test_what_is_not_named_is_not_left_out() -> None:
    every = [one for one in parse_instructions(TODO) if not isinstance(one, NotUnderstood)]
    assert Remaining(every, 0).after("the dog is already fed, so leave that out").unclear


@pytest.mark.parametrize(
    ("done", "said", "left"),
    [
        (4, "call it b.txt", ['save it as "notes/b.txt"'] * 3),  # the dialog is open
        (4, "don't save it", ["press esc"]),
        (6, "call it b.txt", ["save it as notes/todo.txt"]),
    ],
)
def test_a_file_that_is_being_saved_can_still_be_renamed(done: int, said: str, left: list[str]) -> None:
    every = [one for one in parse_instructions(TODO) if not isinstance(one, NotUnderstood)]
    after = Remaining(every, done + 1).after(said)
    assert [one.text for one in after.every[done + 1 :]] == left
    assert bool(after.unclear) is (done > 4)


def test_what_was_taken_back_is_no_part_of_the_goal() -> None:
    typed = Step(1, Thought(""), Action("type_text", {"text": "Friday at six"}), Observation(ok=True, text=""))
    said = (Word(2, "not Friday but Saturday"),)
    prompt = Prompt("", 'type "Friday at six", press f2', "", past=lambda: (typed,), said=said)

    told = json.loads(OfflineBrain().think(prompt).text)
    assert 'type "Saturday at six"' in told["goal"]
    assert 'type "Friday' not in told["goal"]
    assert told["from_start"] == 'type "Saturday at six"\npress f2'


def test_what_was_taken_back_is_forgotten_with_its_message() -> None:
    every = [one for one in parse_instructions('type "Hello", type "Bye"') if not isinstance(one, NotUnderstood)]
    after = Remaining(every, 1).after("undo that and sing a song")

    assert after.unclear
    assert not after.taken


@pytest.mark.parametrize(("said", "topics"), [("ok, press f5", []), ("thanks", []), ("what time is it", ["time"])])
def test_only_a_question_is_answered_at_the_end(said: str, topics: list[str]) -> None:
    assert [one.topic for one in remaining().after(said).talk] == topics


def test_a_part_of_a_message_that_replaces_something_does_so() -> None:
    every = parse_instructions('type "pasta", press enter, type "peas"')
    after = Remaining([one for one in every if not isinstance(one, NotUnderstood)], 0).after(
        "skip the peas and write rice instead of pasta"
    )
    assert [one.content for one in after.every if isinstance(one, Type)] == ["rice"]


def test_a_file_that_is_renamed_stays_in_its_folder() -> None:
    every = [one for one in parse_instructions(TODO) if not isinstance(one, NotUnderstood)]
    after = Remaining(every, 0).after("call the file list.txt")
    assert [one.content for one in after.every if isinstance(one, Type)][-1] == "notes/list.txt"


@pytest.mark.parametrize(
    ("typed", "said", "taken", "retyped"),
    [
        (
            "the party is on Friday at six.",
            "sorry, the party is on Saturday, not Friday",
            "Friday at six.",
            "Saturday at six.",
        ),
        ("the party is on on Friday.", 'write "on Friday" instead of "on on Friday"', "on on Friday.", "on Friday."),
        ("Dear Paul,", "undo that, it should say Dear Paula", "Dear Paul,", "Dear Paula,"),
    ],
)
def test_what_was_typed_last_is_typed_anew_from_where_it_was_wrong(
    typed: str, said: str, taken: str, retyped: str
) -> None:
    every = [one for one in parse_instructions(f'type "{typed}", press f5') if not isinstance(one, NotUnderstood)]
    after = Remaining(every, 1).after(said)

    assert not after.unclear
    assert [one.times for one in after.every[1:2] if isinstance(one, Press)] == [len(taken)]
    assert [one.content for one in after.every[2:] if isinstance(one, Type)] == [retyped]


def test_a_text_that_was_not_typed_last_is_not_taken_back() -> None:
    instructions = parse_instructions('type "eggs and milk", press enter, type "ham", press f5')
    before = Remaining([one for one in instructions if not isinstance(one, NotUnderstood)], 3)

    assert before.after("take back milk").unclear
    taken = before.after("take back ham")
    assert [(one.keys, one.times) for one in taken.every[3:] if isinstance(one, Press)] == [("backspace", 3), ("f5", 1)]
    assert len(replace(before, done=2).after('take back "milk"').every) == 4 + 1


def test_what_was_just_begun_may_be_meant_too() -> None:
    instructions = parse_instructions("wait 6 seconds, press f1, wait 9 seconds")
    before = Remaining([one for one in instructions if not isinstance(one, NotUnderstood)], 1)
    assert "begun before" in before.after("skip the wait").unclear[0][1]
    assert [one.text for one in before.after("skip wait 9 seconds").every] == ["wait 6 seconds", "press f1"]


def run(
    desktop: FakeDesktop | VirtualDesktop, goal: str, said: str, at: int = 1, answers: Sequence[str] = ()
) -> list[Event]:
    """The events of a run to which something is said after a step, and whose questions are answered."""
    words, eyes, told = Words(), Eyes(desktop, desktop.control), list[Event]()
    left = [*answers]
    toolbelt = standard_toolbelt(eyes, People(lambda _question: left.pop(0) if left else None))
    for event in AgentCore(OfflineBrain(), toolbelt, desktop, eyes=eyes, words=words).run(goal):
        told.append(event)
        if event.event == "step" and event.data["index"] == at:
            words.say(said)
    return told


def keys(said: str, at: int = 1, answers: Sequence[str] = ()) -> tuple[list[str], list[Event]]:
    desktop = FakeDesktop(lambda inputs: Image.new("RGB", (320, 240), (len(inputs) * 40 % 256, 90, 120)))
    told = run(desktop, "press f1, press f2, press f3, press f4", said, at, answers)
    return [str(args[0]) for name, *args in desktop.inputs if name == "press"], told


@pytest.mark.parametrize(
    ("said", "at", "pressed"),
    [
        ("don't press f3", 1, ["f1", "f2", "f4"]),
        ("don't press f3", 2, ["f1", "f2", "f4"]),
        ("press f9 instead of f4", 2, ["f1", "f2", "f3", "f9"]),
        ("then press f9", 1, ["f1", "f2", "f3", "f4", "f9"]),
        ("skip the rest", 1, ["f1"]),
    ],
)
def test_a_run_follows_what_is_said(said: str, at: int, pressed: list[str]) -> None:
    assert keys(said, at)[0] == pressed


def keys_at_the_end(said: str, answers: Sequence[str] = ()) -> tuple[list[str], Event]:
    """The keys of a run to which something is said while it ends, and how it ended."""
    desktop = FakeDesktop(lambda inputs: Image.new("RGB", (320, 240), (len(inputs) * 40 % 256, 90, 120)))
    words, eyes, left = Words(), Eyes(desktop, desktop.control), [*answers]
    toolbelt = standard_toolbelt(eyes, People(lambda _question: left.pop(0) if left else None))
    for event in AgentCore(OfflineBrain(), toolbelt, desktop, eyes=eyes, words=words).run("press f1, press f2"):
        if event.event == "action" and event.data["tool"] == "finish" and not words.all:
            words.say(said)
    return [str(args[0]) for name, *args in desktop.inputs if name == "press"], event


@pytest.mark.parametrize(
    ("said", "answers", "pressed", "outcome"),
    [
        ("thank you, that was quick", [], ["f1", "f2"], "done"),
        ("wow, that is exactly what I wanted", [], ["f1", "f2"], "done"),
        ("my boss is waiting for it", [], ["f1", "f2"], "done"),
        ("press f3", [], ["f1", "f2", "f3"], "done"),
        ("make it nicer", ["press f4"], ["f1", "f2", "f4"], "done"),
        ("make it nicer", ["go on"], ["f1", "f2"], "done_unverified"),
        ("make it nicer", [], ["f1", "f2"], "failed"),  # nobody answers
    ],
)
def test_a_word_while_the_run_ends_is_heard(said: str, answers: list[str], pressed: list[str], outcome: str) -> None:
    found, last = keys_at_the_end(said, answers)
    assert found == pressed
    assert last.outcome
    assert last.outcome.name == outcome


def test_a_word_after_the_last_instruction_is_asked_about_before_the_run_fails() -> None:
    pressed, told = keys("make it nicer", 4, ["press f9"])
    assert pressed[4:] == ["f9"]
    assert told[-1].data["outcome"] == "done"


@pytest.mark.parametrize("goal", ["looks great, thanks", "that is all"])
def test_a_goal_that_asks_for_nothing_does_not_fail(goal: str) -> None:
    assert json.loads(OfflineBrain().think(Prompt("", goal, "")).text)["action"]["tool"] == "finish"


def test_the_end_tells_what_became_of_the_goal() -> None:
    changed = keys("press f9 instead of f4", 2)[1]
    assert changed[-1].data["goal"].splitlines() == ["press f1", "press f2", "press f3", "press f9"]
    assert "goal" not in keys("go on", 2)[1][-1].data


@pytest.mark.parametrize(
    ("goal", "said", "pressed", "waits"),
    [
        ("press f1, wait 300 seconds, press f2", "skip the wait", ["f1", "f2"], 1),
        ("press f1, wait 300 seconds, press f2", "press f2 instead of wait 300 seconds", ["f1", "f2", "f2"], 1),
        ("press f1, wait 1 second, press f2", "then press f9", ["f1", "f2", "f9"], 2),
        ("press f1, wait 1 second, press f2", "press f9", ["f1", "f9", "f2"], 2),
    ],
)
def test_a_wait_ends_when_something_is_said_and_goes_on_where_it_was(
    goal: str, said: str, pressed: list[str], waits: int
) -> None:
    desktop = FakeDesktop(lambda inputs: Image.new("RGB", (320, 240), (len(inputs) * 40 % 256, 90, 120)))
    words, eyes = Words(), Eyes(desktop, desktop.control)
    agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes, words=words)
    for event in agent.run(goal):
        if event.event == "action" and event.data["index"] == 2:
            words.say(said)

    waited = [step for step in agent.world_model if step.action.tool == "wait"]
    assert [str(args[0]) for name, *args in desktop.inputs if name == "press"] == pressed
    assert len(waited) == waits
    cut = waited[0].observation.data["left_s"]
    assert 0 < cut <= waited[0].action.args["seconds"]
    assert [step.action.args["seconds"] for step in waited[1:]] == [cut] * (waits - 1)


def test_a_wait_that_was_cut_goes_on_with_what_is_left() -> None:
    def wait(left_s: float) -> Step:
        done = Observation(ok=True, text="", data={"left_s": left_s})
        return Step(1, Thought(""), Action("wait", {"seconds": 60}), done, timing=Timing(settle_ms=900))

    paused = Prompt("", "wait 60 seconds, press f5", "", past=lambda: (wait(7.5),))
    assert json.loads(OfflineBrain().think(paused).text)["action"]["args"] == {"seconds": 7.5}

    def reply(goal: str, *said: str) -> Reply:
        words = tuple(Word(2, text) for text in said)
        return OfflineBrain().think(Prompt("", goal, "", past=lambda: (wait(7.5),), said=words))

    def goes_on(goal: str, *said: str) -> list[object]:
        return [*json.loads(reply(goal, *said).text)["action"].values()]

    two = "wait 60 seconds, wait 50 seconds"
    assert reply(two, "then press f5").notices == ("Still to do: wait 8 more seconds; wait 50 seconds; press f5.",)
    assert goes_on(two, "thanks") == ["wait", {"seconds": 7.5}]
    assert goes_on(two, "skip wait 60 seconds") == ["wait", {"seconds": 49.1}]
    assert goes_on(two, "skip wait 60 seconds", "thanks") == ["wait", {"seconds": 49.1}]


@pytest.mark.parametrize("said", ["make it nicer", "don't press f1"])
def test_a_word_that_is_not_followed_is_asked_about_at_once_and_is_no_success(said: str) -> None:
    pressed, told = keys(said)

    assert pressed == ["f1", "f2", "f3", "f4"]  # nobody was there to answer
    asked = [event.data for event in told if event.event == "action"][1]
    assert asked["tool"] == "ask_user"
    assert said in asked["args"]["question"]
    assert "for example: leave out press f2. Or say" in asked["args"]["question"]
    outcome = told[-1].outcome
    assert outcome
    assert outcome.name == "failed"
    assert said in outcome.summary
    assert "pressed f4" in outcome.summary


@pytest.mark.parametrize(
    ("answers", "pressed", "ended"),
    [
        (["press f9"], ["f1", "f9", "f2", "f3", "f4"], "done"),
        (["don't press f3"], ["f1", "f2", "f4"], "done"),
        (["go on"], ["f1", "f2", "f3", "f4"], "done_unverified"),
        (["as you like", "skip the rest"], ["f1"], "done"),
        (["then press f9"], ["f1", "f9", "f2", "f3", "f4"], "done"),
        (["please stop"], ["f1"], "stopped"),
    ],
)
def test_the_answer_says_what_is_done_instead(answers: list[str], pressed: list[str], ended: str) -> None:
    done, told = keys("make it nicer", 1, answers)

    outcome = told[-1].outcome
    assert outcome
    assert (done, outcome.name) == (pressed, ended), outcome
    assert ('not followed: "make it nicer"' in outcome.summary) == (ended == "done_unverified")


@pytest.mark.parametrize(
    ("said", "written"), [('don\'t type "Bye"', "Hello"), ('type "Later" instead of "Bye"', "HelloLater")]
)
def test_the_end_is_checked_against_what_the_person_wanted_last(
    desktop: VirtualDesktop, control: Control, tmp_path: Path, said: str, written: str
) -> None:
    file = tmp_path / "letter.txt"
    file.touch()

    told = run(desktop, f'open mousepad with "{file}", type "Hello", type "Bye", press ctrl+s', said)

    assert file.read_text() == written
    outcome = told[-1].outcome
    assert outcome
    assert outcome.name == "done", outcome


def interrupted(*after: Step) -> str:
    """What a resumed run does next that was stopped while it pressed f2."""
    unknown = Observation(ok=False, text="", data={"interrupted": True}, error=Problem("TOOL_ERROR", "Interrupted."))
    pressed = Step(1, Thought(""), Action("press", {"keys": "f1"}), Observation(ok=True, text=""))
    past = (pressed, Step(2, Thought(""), Action("press", {"keys": "f2"}), unknown), *after)
    prompt = Prompt("", "press f1, press f2, press f3", "", past=lambda: past, said=(Word(2, "stop"),))
    action = json.loads(OfflineBrain().think(prompt).text)["action"]
    return str(action["args"].get("keys", action["tool"]))


@pytest.mark.parametrize(
    ("answer", "then"), [("yes", "wait"), ("no", "f2"), ("not yet", "f2"), ("go on", "ask_user"), ("", "fail")]
)
def test_what_a_stop_interrupted_is_asked_about_and_done_as_the_person_says(answer: str, then: str) -> None:
    told = Observation(ok=True, text="", data={"answer": answer})
    assert interrupted() == "ask_user"
    assert interrupted(Step(3, Thought(""), Action("ask_user", {}), told, note="came")) == then


@pytest.mark.parametrize("goal", ["go on", "please continue", "carry on"])
def test_a_run_that_nothing_came_before_cannot_go_on(goal: str) -> None:
    action = json.loads(OfflineBrain().think(Prompt("", goal, "")).text)["action"]
    assert action["tool"] == "fail"
    assert "no run to go on with" in action["args"]["reason"]


def test_a_run_says_what_is_still_to_do_and_how_a_question_can_be_answered() -> None:
    told = [event.data for event in keys("press f9 instead of f4", 1)[1] if event.event == "outlook"]
    assert [one["left"] for one in told] == [
        ["press f2", "press f3", "press f9"],
        ["press f3", "press f9"],
        ["press f9"],
        [],
    ]
    asked = [event.data for event in keys("make it nicer", 1, ["go on"])[1] if event.event == "outlook"]
    assert [one["choices"] for one in asked][:2] == [["Go on", "Stop"], []]
    assert not [event for event in keys("go on", 1)[1] if event.event == "outlook"]  # nothing was said that changes it


@pytest.mark.parametrize(
    ("said", "wanted"), [("change milk to oat milk", ["oat milk", "bread"]), ("delete the milk", ["bread"])]
)
def test_the_end_is_not_checked_against_what_was_taken_back(said: str, wanted: list[str]) -> None:
    def done(index: int, tool: str, **args: object) -> Step:
        return Step(index, Thought(""), Action(tool, args), Observation(ok=True, text=""))

    past = (done(1, "type_text", text="milk"), done(2, "press", keys="enter"), done(3, "type_text", text="bread"))
    goal = 'type "milk", press enter, type "bread", press ctrl+s'
    prompt = Prompt("", goal, "", past=lambda: past, said=(Word(4, said),))
    assert re.findall('"(.*?)"', json.loads(OfflineBrain().think(prompt).text)["goal"]) == wanted


NOTE = (
    'open the text editor, type "Monday: paint the fence", press enter, wait 10 seconds, '
    'type "Tuesday: mow the lawn", save it as week.txt'
)


@pytest.mark.parametrize(
    ("goal", "word", "left"),
    [
        (NOTE, "overwrite shopping.txt with it", "overwrite shopping.txt with it"),
        (NOTE, "and save over the old week.txt, that is fine", "save over the old week.txt"),
        (NOTE, "save it as week.txt and replace the old one", "save it as week.txt and replace the old one"),
        (NOTE.rpartition(",")[0], "overwrite shopping.txt with it", "overwrite shopping.txt with it"),
    ],
)
def test_half_a_text_replaces_no_file(goal: str, word: str, left: str) -> None:
    known = [one for one in parse_instructions(goal) if not isinstance(one, NotUnderstood)]
    changed = Remaining(known, 3, []).after(word)

    assert changed.left() == ["wait 10 seconds", 'type "Tuesday: mow the lawn"', left]
    assert not changed.unclear


@pytest.mark.parametrize(
    ("said", "answer", "pressed", "ended"),
    [
        ("change f3 to f6 and sing a song", "press f9 instead of f4", ["f1", "f2", "f3", "f9"], "done_unverified"),
        ("change f3 to f6 and sing a song", "change f3 to f6", ["f1", "f2", "f6", "f4"], "done"),
        ("change f3 to f6 and sing a song", "leave out f3", ["f1", "f2", "f4"], "done"),
        ("change f3 to f6 and sing a song", "forget what I said", ["f1", "f2", "f3", "f4"], "done"),
    ],
)
def test_an_answer_about_something_else_leaves_what_was_asked_about_open(
    said: str, answer: str, pressed: list[str], ended: str
) -> None:
    done, told = keys(said, 1, [answer])

    outcome = told[-1].outcome
    assert outcome
    assert (done, outcome.name) == (pressed, ended), outcome
    assert (f'not followed: "{said}"' in outcome.summary) == (ended == "done_unverified")
