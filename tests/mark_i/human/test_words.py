"""What the person says during a run: it is on disk at once, stands in the next prompt, and may change what is done."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import Image

from mark_i import AgentCore, FakeDesktop, Prompt, Reply, standard_toolbelt
from mark_i.brain import Brain, Space
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.control_words import control_word
from mark_i.events import Event
from mark_i.guard.policy import DEFAULT
from mark_i.guard.risk import Approval, Guard
from mark_i.human.words import Words
from mark_i.loop.foresight import Foresight
from mark_i.loop.parts import Models, Oversight
from mark_i.runs.follow_up import exchanges
from tests.support import Run, action, events, script
from toolbelt.perception import Eyes
from world_model import Journal, read_run

WORD: Final = "No, the other file"
ADDRESS: Final = "https://other.example/report"
CHECKOUT: Final = Path(__file__).parents[3]


class Spoken:
    """A brain to which somebody speaks while it thinks."""

    name, sight, stateless = "spoken", 0, False
    space: Space = "pixels"

    def __init__(self, *replies: Mapping[str, Any], does: Mapping[int, Callable[[], object]]) -> None:
        self.replies, self.does, self.prompts = replies, does, list[Prompt]()

    def think(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        self.does.get(len(self.prompts), lambda: None)()
        return Reply(json.dumps(self.replies[len(self.prompts) - 1]))


def plain_desktop() -> FakeDesktop:
    return FakeDesktop(lambda inputs: Image.new("RGB", (320, 240), (len(inputs) * 40 % 256, 90, 120)))


def run(brain: Brain | Models, words: Words, goal: str = "Press keys", **more: Any) -> tuple[list[Event], FakeDesktop]:
    desktop = plain_desktop()
    eyes = Eyes(desktop, desktop.control)
    toolbelt = standard_toolbelt(eyes)
    agent = AgentCore(brain, toolbelt, desktop, eyes=eyes, words=words, **more)
    return list(agent.run(goal)), desktop


def keys(desktop: FakeDesktop) -> list[Any]:
    return [args[0] for name, *args in desktop.inputs if name == "press"]


def test_what_was_decided_before_a_word_is_not_done(tmp_path: Path) -> None:
    words = Words()
    on_disk = list[Any]()
    folder = tmp_path / "run"

    def speak() -> None:
        words.say(WORD)
        on_disk.extend(read_run(folder).words)

    brain = Spoken(
        action("press", keys="f1"),
        action("press", keys="f2"),
        action("press", keys="f3"),
        action("fail", reason="Enough."),
        does={2: speak},
    )

    told, desktop = run(brain, words, journal=Journal(folder, {"goal": "Press keys"}))

    assert keys(desktop) == ["f1", "f3"]
    assert [(one["index"], one["text"]) for one in on_disk] == [(2, WORD)], "before the call was over"
    assert [WORD in one.text for one in brain.prompts] == [False, False, True, True]
    assert [event.data for event in told if event.event == "said"] == [{"index": 2, "text": WORD}]


def test_a_plan_is_left_for_a_word() -> None:
    words = Words()
    planned = {**action("press", keys="f1"), "then": [action("press", keys="f2"), action("press", keys="f3")]}
    planner = Spoken(planned, action("press", keys="f9"), action("fail", reason="Enough."), does={})
    told, desktop = list[Event](), plain_desktop()
    eyes = Eyes(desktop, desktop.control)
    toolbelt = standard_toolbelt(eyes)
    agent = AgentCore(Foresight(planner, 5, toolbelt, eyes), toolbelt, desktop, eyes=eyes, words=words)

    for event in agent.run("Press keys"):
        told.append(event)
        if event.event == "step" and event.data["index"] == 1:
            words.say(WORD)

    assert keys(desktop) == ["f1", "f9"]
    assert any(WORD in str(event.data.get("text")) for event in told if event.event == "notice")


@pytest.mark.parametrize("spoken", [False, True])
def test_what_was_said_counts_as_given_by_the_person(*, spoken: bool) -> None:
    words, asked = Words(), list[Approval]()
    if spoken:
        words.say(f"Use {ADDRESS}")
    brain = Spoken(action("type_text", text=ADDRESS), action("fail", reason="Enough."), does={})

    run(brain, words, oversight=Oversight(guard=Guard(DEFAULT), approve=asked.append))

    assert bool(asked) is not spoken


def test_a_new_instruction_is_done_next_offline() -> None:
    words = Words()
    desktop = plain_desktop()
    eyes = Eyes(desktop, desktop.control)
    agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes, words=words)

    for event in agent.run("press f1, press f2, press f3"):
        if event.event == "step" and event.data["index"] == 1:
            words.say("press f9")
            words.say("make it nicer")
        last = event

    assert keys(desktop) == ["f1", "f9", "f2", "f3"]
    assert last.outcome
    assert "make it nicer" in last.outcome.summary


@pytest.mark.parametrize(
    ("pause", "resume"),
    [
        ("Hold on!", "go on"),
        ("wait, please", "Continue"),
        ("Moment mal", "weiter"),
        ("hold on, the phone is ringing", "okay, go ahead"),
        ("one moment, I need to look", "never mind, just go on"),
    ],
)
def test_a_word_lets_a_run_wait_and_go_on(pause: str, resume: str) -> None:
    words = Words()
    brain = Spoken(
        action("press", keys="f1"),
        action("press", keys="f2"),
        action("fail", reason="x"),
        does={1: lambda: words.say(pause)},
    )
    seen = list[str]()
    desktop = plain_desktop()
    eyes = Eyes(desktop, desktop.control)
    for event in AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, words=words).run("Press keys"):
        seen.append(event.event)
        if event.event == "paused":
            assert keys(desktop) == ["f1"]
            words.say(resume)

    assert keys(desktop) == ["f1", "f2"]
    assert seen.count("paused") == 1
    assert words.all == ()  # there is nothing in it for the brain


@pytest.mark.parametrize(
    "said", ["ok, go on, but press f9 first", "press f9 and carry on", "Continue. Also press f9 now, please"]
)
def test_a_paused_run_goes_on_with_what_is_said_besides(said: str) -> None:
    words, desktop = Words(), plain_desktop()
    eyes = Eyes(desktop, desktop.control)
    agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes, words=words)
    for event in agent.run("press f1, press f2"):
        if event.event == "step" and event.data["index"] == 1:
            words.say("hold on")
        if event.event == "paused":
            words.say(said)

    assert keys(desktop) == ["f1", "f9", "f2"]


@pytest.mark.parametrize(
    "word",
    [
        "wait, she wants it in blue",
        "hold on, the title should be blue",
        "wait, I want it in blue",
        "Wait, I meant brown bread",
        "hold on, that is the wrong bread",
        "one moment, she is allergic to nuts",
        "go on, I meant the other one",
    ],
)
def test_a_wish_is_heard_though_it_begins_like_a_pause(word: str) -> None:
    words = Words()
    words.say(word)
    assert [one.text for one in words.all] == [word]
    assert control_word(word) is None


def test_what_is_said_while_an_action_goes_on_is_done_after_it() -> None:
    words, said = Words(), list[str]()

    def shown(inputs: Sequence[Any]) -> Image.Image:
        if inputs and not said:
            said.append("press f9")
            words.say(said[0])
        return Image.new("RGB", (320, 240), (len(inputs) * 40 % 256, 90, 120))

    desktop = FakeDesktop(shown)
    eyes = Eyes(desktop, desktop.control)
    agent = AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes, words=words)
    heard = [event.data["index"] for event in agent.run("press f1, press f2") if event.event == "said"]

    assert keys(desktop) == ["f1", "f9", "f2"]
    assert heard == [2]


@pytest.mark.parametrize(
    "word",
    [
        "stop",
        "Stop!",
        "Never mind.",
        "That's enough",
        "Hör auf!",
        "停止",
        "Stop it, please!",
        "no! cancel that",
        "stop, that's enough for today",
        "STOP! stop all, he just called me",
    ],
)
def test_a_word_that_asks_only_for_the_end_stops_the_run(word: str) -> None:
    words = Words()
    brain = Spoken(*[action("press", keys=key) for key in ("f1", "f2")], does={2: lambda: words.say(word)})

    ran, desktop = run(brain, words)

    assert ran[-1].data["outcome"] == "stopped"
    assert keys(desktop) == ["f1"]
    assert [one.text for one in words.all] == [word]


@pytest.mark.parametrize("word", ["stop the music", "cancel the order", "do not stop", "stop, write it in blue"])
def test_a_word_that_asks_for_more_stops_nothing(word: str) -> None:
    words = Words()
    brain = Spoken(
        action("press", keys="f1"), *[action("fail", reason="Enough.")] * 2, does={1: lambda: words.say(word)}
    )

    assert run(brain, words)[0][-1].data["outcome"] != "stopped"


def test_a_word_after_the_last_step_is_told_at_the_end(tmp_path: Path) -> None:
    words = Words()
    journal = Journal(tmp_path / "run", {"goal": "Press keys"})
    brain = Spoken(action("press", keys="f1"), action("finish", summary="That is all."), does={})
    writer = Spoken({"answer": "All is done."}, does={1: lambda: words.say(WORD)})

    told, _ = run(Models(brain, reply=writer), words, journal=journal)

    assert (told[-1].data["outcome"], told[-1].data["unheard"]) == ("done_unverified", [WORD])
    assert "goal" not in told[-1].data
    assert not words.say("Is anybody there?")  # nobody hears it, and nothing breaks
    assert not words.say("go on")
    assert exchanges(read_run(tmp_path / "run"))[0][0] == "Press keys"  # it is the next goal


@pytest.mark.parametrize(
    ("brain", "goal"),
    [
        (OfflineBrain(), "press f1\npress f3"),
        (Spoken(*[action("press", keys="f1")] * 2, does={}), "press f1, press f2\npress f3 instead of f2"),
    ],
)
@pytest.mark.parametrize("more", [(), ("stop",)])
def test_a_stop_leaves_the_goal_with_what_no_step_has_heard(brain: Brain, goal: str, more: Sequence[str]) -> None:
    words, desktop = Words(), plain_desktop()
    eyes = Eyes(desktop, desktop.control)
    agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, words=words)
    for event in agent.run("press f1, press f2"):
        if event.event == "step":
            for text in ("press f3 instead of f2", *more):
                words.say(text)
            desktop.control.stop()
        last = event

    assert (last.data["outcome"], last.data["goal"]) == ("stopped", goal)
    assert "unheard" not in last.data


def test_a_resumed_run_knows_what_was_said_and_keeps_it_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run", {"goal": "Press keys"})
    before, after = Words(), Words()
    before.begin(journal, lambda: 3, str)
    before.say(WORD)
    journal.close({"outcome": None})

    after.recall(read_run(tmp_path / "run").words, 9)
    again = Journal.reopen(tmp_path / "run")
    after.begin(again, lambda: 4, str)
    again.close({"outcome": None})

    assert [(word.index, word.text) for word in after.take()] == [(3, WORD)]
    assert len(read_run(tmp_path / "run").words) == 1


@pytest.mark.parametrize("way", ["input", "command"])
def test_a_run_is_spoken_to_from_outside(mark_i: Run, tmp_path: Path, way: str) -> None:
    brain = script(tmp_path / "b.jsonl", action("wait", seconds=0.1), *[action("wait", seconds=600)] * 40)
    command = [sys.executable, "-m", "mark_i", "run", "wait", "--brain", brain, "--virtual", "320x240", "--json"]
    told, said = [], None
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT) as process:
        assert process.stdout
        assert process.stdin
        for line in process.stdout:
            told.append(json.loads(line))
            if (told[-1]["event"], told[-1].get("index")) == ("step", 1):
                if way == "input":
                    process.stdin.write(json.dumps({"say": WORD}) + "\n")
                    process.stdin.flush()
                else:
                    said = mark_i("say", WORD)
            if told[-1]["event"] == "said":
                process.stdin.write('{"command": "stop"}\n')
                process.stdin.flush()

    assert [event["text"] for event in told if event["event"] == "said"] == [WORD], said
    assert said is None or (said.returncode, said.stdout) == (0, f"The run {told[0]['run']} heard it.\n")


def test_a_word_to_no_run_is_one_line(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "b.jsonl", {"answer": "Two."})
    ended = events(mark_i("ask", "how many?", "--brain", brain, "--json").stdout)[-1]["run"]

    for arguments, why in (
        (("hello",), "No run is running"),
        (("hello", "--run", ended), "is not running"),
        ((" ",), "Say"),
    ):
        refused = mark_i("say", *arguments)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert why in refused.stderr


def test_what_is_said_while_a_question_is_open_answers_it_and_is_no_word() -> None:
    words = Words()
    with words.answering() as answers:
        assert words.say("the green one")
        assert answers.get() == "the green one"
        assert words.say("too late")
    assert words.say("and save it")

    assert [word.text for word in words.take()] == ["too late", "and save it"]


def test_a_stop_is_no_answer() -> None:
    words = Words()
    with words.answering() as answers:
        words.say("stop")

        assert answers.empty()
