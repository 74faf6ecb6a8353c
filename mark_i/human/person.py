"""The person at a run: at the terminal, or behind a program or the window. Or nobody."""

import select
import sys
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import Any, Final, Protocol, TypeVar

from rich.console import Console
from rich.text import Text

from mark_i.guard.risk import Answer, Approval, Choice
from mark_i.human.words import Words
from mark_i.printable import CONTROLS
from mark_i.wording import action_call, action_sentence, says_all
from toolbelt.control import Control
from toolbelt.tools import Pointed, Said, in_words
from world_model import Point

termios: ModuleType | None
try:
    import termios
except ImportError:  # on Windows, where there is no terminal of this kind
    termios = None

T = TypeVar("T")
ENTER_POLL_S: Final = 0.05
STOP_POLL_S: Final = 0.1
ANSWERS: Final = "[y]es / [n]o / [a]lways in this run / something else to do instead"
WORDS: Final[Mapping[str, Choice]] = {
    **dict.fromkeys(("y", "yes", "once"), "once"),
    **dict.fromkeys(("a", "always", "r", "run"), "run"),
    **dict.fromkeys(("", "n", "no"), "no"),
}


class Person(Protocol):
    """Somebody who can be asked."""

    def ask(self, question: str) -> Said | None:
        """Ask a question and wait for the answer; None if nobody is there.

        Raises:
            Halt: the run was stopped.
        """

    def approve(self, asked: Approval) -> Answer | None:
        """Ask for approval of an action, whose event was already sent; None if nobody is there.

        Raises:
            Halt: the run was stopped.
        """


class Nobody:
    """A run without a person."""

    def ask(self, _question: str) -> str | None:
        """Return None."""
        return None

    def approve(self, _asked: Approval) -> Answer | None:
        """Return None."""
        return None


class AtTheTerminal:
    """A person who reads the log and types; nobody if standard input is not a terminal.

    Args:
        console: where questions are printed.
        control: a stop ends the wait.
        words: what the person says from elsewhere, which answers a question, too, but approves nothing.
    """

    def __init__(self, console: Console, control: Control, words: Words) -> None:
        self._console = console
        self._control = control
        self._words = words

    def ask(self, question: str) -> str | None:
        """Print the question and read one line; None after Ctrl-D."""
        with self._words.answering() as said:
            return self._line(Text.assemble(("Question", "bold"), f"  {question.translate(CONTROLS)}"), said)

    def approve(self, asked: Approval) -> Answer | None:
        """Print the question and read the decision; any other words mean no, and say what to do instead."""
        line = self._line(Text(approval_question(asked).translate(CONTROLS), "bold"))
        if line is None:
            return None
        said = line.strip()
        return Answer(WORDS.get(said.casefold(), "no"), "" if said.casefold() in WORDS else said)

    def _line(self, question: Text, said: "SimpleQueue[str] | None" = None) -> str | None:
        if not sys.stdin or not sys.stdin.isatty():
            return None
        forget_typed_ahead()
        self._console.print(Text.assemble("\n", question, "\n> "), end="")
        # A thread blocked in `readline` would swallow the first line typed after the run and keep the program alive.
        while not select.select([sys.stdin], [], [], STOP_POLL_S)[0]:
            self._control.check()
            if said and not said.empty():
                answer = said.get()
                self._console.print(Text(answer.translate(CONTROLS)))
                return answer
        line = sys.stdin.readline()
        return line.removesuffix("\n") if line else None


def approval_question(asked: Approval) -> str:
    """Ask for approval in one line, below the action as the model gave it if the question does not say all of it."""
    action, place = asked.action, asked.place.center if asked.place else None
    at = f"{place.x}, {place.y}" if place else ""
    exact = "" if says_all(action.tool, action.args) else f"{action_call(action.tool, action.args)}\n"
    sentence = action_sentence(action.tool, action.args, asked.window, at)
    return f"{exact}{sentence}? {asked.why} {ANSWERS}"


def forget_typed_ahead() -> None:
    """Forget what was typed at the terminal before a question: whoever typed it may be the agent."""
    if termios is not None and sys.stdin and sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def awaited(come: "SimpleQueue[T]", control: Control) -> T:
    """Wait for the next item in the queue.

    Raises:
        Halt: the run was stopped.
    """
    while True:
        try:
            return come.get(timeout=STOP_POLL_S)
        except Empty:
            control.check()


def resume_on_enter(control: Control) -> None:
    """Resume a paused run when Enter is pressed in the terminal; return once it is resumed or stopped.

    Call `forget_typed_ahead` before the person is told of the pause.
    """
    while control.still_paused(ENTER_POLL_S):
        if select.select([sys.stdin], [], [], 0)[0]:
            if not sys.stdin.readline():
                return  # Ctrl-D: Enter cannot be pressed any more
            control.resume()


def decision(person: Person, tell: Callable[[Point], str], asked: Approval) -> Answer | None:
    """Ask for a decision; a place that the person pointed at is described in words by `tell`."""
    answer = person.approve(asked)
    if answer is None or answer.at is None:
        return answer
    return Answer(answer.choice, in_words(Pointed(answer.instead, answer.at), tell))


class Answers:
    """Answers from whoever reads the questions.

    Args:
        tell: receives each question.
        control: a stop ends the wait.
        early: whether an answer that came before its question counts. At a terminal it does not: the agent may have
            typed it.
    """

    def __init__(self, tell: Callable[[str], None], control: Control, *, early: bool = True) -> None:
        self._tell = tell
        self._early = early
        self._control = control
        self._given: SimpleQueue[Said | None] = SimpleQueue()
        self._decided: SimpleQueue[Answer | None] = SimpleQueue()
        self._ended = False

    @property
    def ended(self) -> bool:
        """Whether the person has left."""
        return self._ended

    def give(self, answer: str, at: Point | None = None) -> None:
        """Answer the current or the next question, in words or with a place on the desktop."""
        self._given.put(Pointed(answer, at) if at else answer)

    def decide(self, choice: Choice, instead: str = "", at: Point | None = None) -> None:
        """Decide about the current or the next action that needs approval."""
        self._decided.put(Answer(choice, instead.strip(), at))

    def end(self) -> None:
        """Note that the person has left: open questions stay unanswered."""
        self._ended = True
        self._given.put(None)
        self._decided.put(None)

    def ask(self, question: str) -> Said | None:
        """Ask a question and wait for the answer; None if nobody is there.

        Raises:
            Halt: the run was stopped.
        """
        self._forget(self._given)
        self._tell(question)
        return self._next(self._given)

    def approve(self, _asked: Approval) -> Answer | None:
        """Wait for the decision; the event was already sent."""
        self._forget(self._decided)
        return self._next(self._decided)

    def _forget(self, come: "SimpleQueue[Any]") -> None:
        """Forget what came before the question, if that does not count."""
        if self._early:
            return
        while not come.empty():
            come.get()
        if self._ended:
            come.put(None)

    def _next(self, come: "SimpleQueue[T]") -> T:
        answer = awaited(come, self._control)
        if answer is None:
            come.put(answer)  # also for the next question
        return answer
