"""Asking the user: at a real terminal, through events, and with nobody there."""

import os
import pty
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from mark_i import (
    Action,
    AgentCore,
    Control,
    Limits,
    Observation,
    Oversight,
    ScriptedBrain,
    Toolbelt,
    standard_toolbelt,
)
from mark_i.budget import Budget
from mark_i.guard import Approval
from mark_i.human.person import WORDS, Answers, approval_question
from tests.support import Run, action, events, script
from toolbelt.tools.people import People, Said
from world_model import Halt, Region

ROOT: Final = Path(__file__).parents[3]
WAIT: Final = 120.0  # seconds, generous
ASK: Final = Action("ask_user", {"question": "Which colour?"})


def asked(ask: Callable[[str], Said | None], control: Control | None = None) -> Observation:
    return Toolbelt(People(ask)).call(ASK, control or Control()).observation


@pytest.mark.parametrize("answer", ["blue", "  blue, 今日は\u200b 🎉 ", "a\nb"])
def test_the_answer_is_returned_as_given(answer: str) -> None:
    questions: list[str] = []

    def ask(question: str) -> str:
        questions.append(question)
        return answer

    seen = asked(ask)
    assert seen.text == answer
    assert seen.data == {"answer": answer}
    assert questions == ["Which colour?"]


def test_an_empty_answer_is_an_answer() -> None:
    seen = asked(lambda _: "")
    assert seen.ok
    assert seen.text == "The user gave an empty answer."
    assert seen.data == {"answer": ""}


def test_a_run_continues_if_nobody_can_answer() -> None:
    brain = ScriptedBrain([action("ask_user", question="Which colour?"), action("fail", reason="No colour is known.")])
    agent = AgentCore(brain, standard_toolbelt(None, People(lambda _: None)))
    outcome = agent.execute_command("paint it")
    error = agent.world_model[1].observation.error
    assert error is not None
    assert (error.code, error.message) == ("DENIED", "Nobody is there to answer.")
    assert "Continue without" in error.hints[0]
    assert (outcome.name, outcome.summary) == ("failed", "No colour is known.")


def test_a_question_is_needed() -> None:
    seen = Toolbelt(People(lambda _: "yes")).call(Action("ask_user", {"question": ""}), Control()).observation
    assert seen.error is not None
    assert seen.error.code == "INVALID_ARGS"


def test_the_time_for_an_answer_does_not_count(control: Control) -> None:
    limit = 3.0

    def ask(_question: str) -> str:
        with control.asking():
            control.wait(2 * limit)
        return "blue"

    brain = ScriptedBrain([action("ask_user", question="Which colour?"), action("fail", reason="It was asked for.")])
    agent = AgentCore(
        brain,
        standard_toolbelt(None, People(ask)),
        limits=Limits(Budget(seconds=limit)),
        oversight=Oversight(control=control),
    )
    outcome = agent.execute_command("paint it")
    assert agent.world_model[1].observation.text == "blue"
    assert (outcome.name, outcome.summary) == ("failed", "It was asked for.")


# Approvals

LEGEND = "[y]es / [n]o / [a]lways in this run / something else to do instead"


@pytest.mark.parametrize(
    ("approval", "question"),
    [
        (
            Approval(Action("click", {"target": "Delete"}), "danger", "It deletes files.", Region(290, 190, 20, 20)),
            f'Click on "Delete" at 300, 200? It deletes files. {LEGEND}',
        ),
        (
            Approval(Action("press", {"keys": "delete"}), "danger", "It deletes files.", window="Files"),
            f"Press delete in Files? It deletes files. {LEGEND}",
        ),
        (
            Approval(Action("write_file", {"path": "a.txt", "text": "x"}), "write", "It writes."),
            f'write_file(path="a.txt", text="x")\nWrite the file a.txt? It writes. {LEGEND}',
        ),
        (
            Approval(Action("run_command", {"program": "rm", "args": ["-rf", "x" * 200]}), "danger", "It runs."),
            f'run_command(program="rm", args=["-rf", "{"x" * 200}"])\nRun the command rm? It runs. {LEGEND}',
        ),
    ],
)
def test_an_approval_is_one_question_and_hides_nothing(approval: Approval, question: str) -> None:
    assert approval_question(approval) == question


@pytest.mark.parametrize(
    ("said", "choice"),
    [("y", "once"), ("YES", "once"), ("once", "once"), ("a", "run"), ("always", "run"), ("run", "run"), ("r", "run"),
     ("n", "no"), ("no", "no"), ("", "no")],
)  # fmt: skip
def test_short_answers_are_known(said: str, choice: str) -> None:
    assert WORDS[said.casefold()] == choice


# Through events


class Reader:
    """Somebody who reads the questions, and may answer each at once."""

    def __init__(self, *answers: str) -> None:
        self.control = Control()
        self.questions: list[str] = []
        self.asked = threading.Event()
        self.answers = Answers(self.read, self.control)
        self._replies = list(answers)

    def read(self, question: str) -> None:
        self.questions.append(question)
        self.asked.set()
        if self._replies:
            self.answers.give(self._replies.pop(0))


def test_a_question_is_sent_and_its_answer_returned() -> None:
    reader = Reader("blue", "red")
    assert [asked(reader.answers.ask).text for _ in range(2)] == ["blue", "red"]
    assert reader.questions == ["Which colour?"] * 2


def test_a_question_is_a_notice_of_the_run_by_its_clock(mark_i: Run, tmp_path: Path) -> None:
    brain = script(tmp_path / "b.jsonl", action("ask_user", question="Which colour?"), action("fail", reason="enough"))
    done = mark_i("ask", "paint it", "--brain", brain, "--json", input='{"answer": "blue"}\n')
    told = events(done.stdout)
    assert [one["text"] for one in told if one["event"] == "notice" and one.get("question")] == ["Which colour?"]
    assert [one["t"] for one in told] == sorted(one["t"] for one in told)


def test_an_early_answer_does_not_count_at_a_terminal() -> None:
    answers = Answers(lambda _: None, Control(), early=False)
    answers.give("blue")
    answers.decide("run")
    answers.end()
    assert answers.ask("Which colour?") is None
    assert answers.approve(Approval(Action("click", {}), "danger", "It deletes.")) is None

    answers = Answers(lambda _: answers.give("green"), Control(), early=False)
    answers.give("blue")
    assert answers.ask("Which colour?") == "green"


def test_an_early_answer_is_for_the_next_question() -> None:
    reader = Reader()
    reader.answers.give("blue")
    reader.answers.give("red")
    reader.answers.end()
    assert [asked(reader.answers.ask).text for _ in range(2)] == ["blue", "red"]
    assert [asked(reader.answers.ask).ok for _ in range(2)] == [False, False]


def test_an_answer_is_waited_for() -> None:
    reader = Reader()

    def answer() -> None:
        reader.asked.wait(WAIT)
        reader.answers.give("late, but here")

    person = threading.Thread(target=answer)
    person.start()
    assert asked(reader.answers.ask).text == "late, but here"
    person.join()


def test_a_person_who_leaves_counts_as_nobody() -> None:
    reader = Reader()

    def leave() -> None:
        reader.asked.wait(WAIT)
        reader.answers.end()

    person = threading.Thread(target=leave)
    person.start()
    seen = asked(reader.answers.ask)
    person.join()
    assert seen.error is not None
    assert seen.error.code == "DENIED"


def test_a_stop_ends_the_wait_and_takes_no_later_answer() -> None:
    reader = Reader()

    def stop() -> None:
        reader.asked.wait(WAIT)
        reader.control.stop()

    before = set(threading.enumerate())
    person = threading.Thread(target=stop)
    person.start()
    with pytest.raises(Halt):
        asked(reader.answers.ask, reader.control)
    person.join()
    for thread in set(threading.enumerate()) - before:
        thread.join(WAIT)
        assert not thread.is_alive(), "somebody still waits for the answer"


# At a terminal

RUN: Final = """
import sys
from rich.console import Console
from mark_i import AgentCore, Control, Oversight, ScriptedBrain, standard_toolbelt
import signal
from mark_i.human.person import AtTheTerminal
from mark_i.human.words import Words
from mark_i.cli.options import stop_on_signals
from toolbelt.tools.people import People, Said
control, words = Control(), Words()
stop_on_signals(control)
signal.signal(signal.SIGUSR1, lambda *_: words.say("the green one"))
question = {"thought": "", "action": {"tool": "ask_user", "args": {"question": "Which [bold]colour[/], Zoë?"}}}
brain = ScriptedBrain([question, question, {"thought": "", "action": {"tool": "fail", "args": {"reason": "no paint"}}}])
people = People(AtTheTerminal(Console(), control, words).ask)
agent = AgentCore(brain, standard_toolbelt(None, people), oversight=Oversight(control=control))
outcome = agent.execute_command("paint it")
for step in agent.world_model:
    seen = step.observation
    print("SEEN", ascii(seen.data), seen.error and seen.error.code)
print("ENDED", outcome.name)
"""


class Terminal:
    """The run on a terminal of its own, and a person who reads and types."""

    def __init__(self) -> None:
        self.keyboard, screen = pty.openpty()
        self.shown = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUN],
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "TERM": "xterm"},
            stdin=screen,
            stdout=screen,
            stderr=screen,
        )
        os.close(screen)

    def until(self, text: str, times: int = 1) -> None:
        while self.shown.count(text) < times:
            piece = self._read()
            assert piece, f"The terminal was left: {self.shown}"
            self.shown += piece

    def rest(self) -> str:
        while piece := self._read():
            self.shown += piece
        self.process.wait(WAIT)
        return self.shown

    def type(self, text: str) -> None:
        os.write(self.keyboard, text.encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)

    def _read(self) -> str:
        try:
            return os.read(self.keyboard, 4096).decode()
        except OSError:  # so ends a terminal that nobody has open any more
            return ""


@pytest.fixture
def terminal(processes: None) -> Iterator[Terminal]:
    with closing(Terminal()) as opened:
        yield opened


def test_a_question_is_answered_at_the_terminal(terminal: Terminal) -> None:
    terminal.until("\n> ")
    assert "Which [bold]colour[/], Zoë?" in terminal.shown
    terminal.type("Blue, Zoë 🎉\n")
    terminal.until("\n> ", 2)
    terminal.type("\n")
    shown = terminal.rest()
    assert "SEEN {'answer': 'Blue, Zo\\xeb \\U0001f389'} None" in shown
    assert "SEEN {'answer': ''} None" in shown
    assert "ENDED failed" in shown
    assert terminal.process.returncode == 0


def test_what_is_said_elsewhere_answers_the_question_at_the_terminal(terminal: Terminal) -> None:
    terminal.until("\n> ")
    terminal.process.send_signal(signal.SIGUSR1)
    terminal.until("\n> ", 2)
    terminal.type("red\n")
    shown = terminal.rest()
    assert "> the green one" in shown
    assert "SEEN {'answer': 'the green one'} None" in shown
    assert "SEEN {'answer': 'red'} None" in shown


def test_the_end_of_input_at_the_terminal_is_nobody(terminal: Terminal) -> None:
    terminal.until("\n> ")
    terminal.type("\x04")
    terminal.until("\n> ", 2)
    terminal.type("red\n")
    shown = terminal.rest()
    assert "SEEN None DENIED" in shown
    assert "SEEN {'answer': 'red'} None" in shown


def test_a_stop_at_the_terminal_ends_question_and_program(terminal: Terminal) -> None:
    terminal.until("\n> ")
    terminal.process.send_signal(signal.SIGINT)
    shown = terminal.rest()
    assert "ENDED stopped" in shown
    assert "Fatal" not in shown
    assert terminal.process.returncode == 0


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("given", ["blue\n", ""])
def test_without_a_terminal_nobody_is_there(given: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", RUN], cwd=ROOT, input=given, capture_output=True, text=True, check=False, timeout=WAIT
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("SEEN None DENIED") == 2
    assert "Which" not in ran.stdout
