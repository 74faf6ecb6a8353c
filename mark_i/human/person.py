"""The person at a run: at the terminal, or a program or a window that speaks for one. Or nobody."""

import select
import sys
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Final, Protocol, TypeVar

from rich.console import Console
from rich.text import Text

from mark_i.guard.guard import Answer, Approval, Choice
from mark_i.printable import CONTROLS
from toolbelt.control import Control
from toolbelt.tools import Pointed, Said, in_words
from world_model import Point

T = TypeVar("T")
GLANCE: Final = 0.05  # seconds between two looks at whether Enter was pressed
POLL: Final = 0.1  # seconds between two looks at whether the run was stopped
CHOICES: Final = "(yes, run for the rest of this run, no, or what to do instead)"
WORDS: Final[Mapping[str, Choice]] = {
    **dict.fromkeys(("y", "yes", "once"), "once"),
    **dict.fromkeys(("r", "run"), "run"),
    **dict.fromkeys(("", "n", "no"), "no"),
}


class Person(Protocol):
    """Who can be asked."""

    def ask(self, question: str) -> Said | None:
        """Put a question, and wait; None where nobody is there.

        Raises:
            Halt: the run was stopped.
        """

    def approve(self, asked: Approval) -> Answer | None:
        """Ask whether an action may be done, and wait; None where nobody is there. The event has told it already.

        Raises:
            Halt: the run was stopped.
        """


class Nobody:
    """A run without a person."""

    def ask(self, _question: str) -> str | None:
        """None."""
        return None

    def approve(self, _asked: Approval) -> Answer | None:
        """None."""
        return None


class AtTheTerminal:
    """A person who reads the log and types lines; nobody where standard input is no terminal."""

    def __init__(self, console: Console, control: Control) -> None:
        self._console = console
        self._control = control

    def ask(self, question: str) -> str | None:
        """Print the question and read one line; None where standard input was ended with Ctrl-D."""
        return self._line("Question", question)

    def approve(self, asked: Approval) -> Answer | None:
        """Print why, and read the decision; any other words are a no, and what to do instead."""
        line = self._line("May I?", f"{asked.why} {CHOICES}")
        if line is None:
            return None
        said = line.strip()
        return Answer(WORDS.get(said.casefold(), "no"), "" if said.casefold() in WORDS else said)

    def _line(self, title: str, text: str) -> str | None:
        if not sys.stdin or not sys.stdin.isatty():
            return None
        self._console.print(Text.assemble("\n", (title, "bold"), "  ", text.translate(CONTROLS), "\n> "), end="")
        # A thread that hangs in `readline` would take the first line typed after the run, and keep the program alive.
        while not select.select([sys.stdin], [], [], POLL)[0]:
            self._control.check()
        line = sys.stdin.readline()
        return line.removesuffix("\n") if line else None


def awaited(come: "SimpleQueue[T]", control: Control) -> T:
    """The next one that comes.

    Raises:
        Halt: the run was stopped.
    """
    while True:
        try:
            return come.get(timeout=POLL)
        except Empty:
            control.check()


def resume_on_enter(control: Control) -> None:
    """Enter on the terminal lets a run go on that is paused; comes back when it is paused no more, or was stopped."""
    while control.held(GLANCE):
        if select.select([sys.stdin], [], [], 0)[0]:
            if not sys.stdin.readline():
                return  # Ctrl-D: nobody will press Enter any more
            control.resume()


def decision(person: Person, tell: Callable[[Point], str], asked: Approval) -> Answer | None:
    """What a person decides; where they pointed is in words for the agent then, which `tell` finds."""
    answer = person.approve(asked)
    if answer is None or answer.at is None:
        return answer
    return Answer(answer.choice, in_words(Pointed(answer.instead, answer.at), tell))


class Answers:
    """Answers from whoever reads the questions. One that comes early is for the next question.

    Args:
        tell: takes a question.
        control: a stop ends the wait.
    """

    def __init__(self, tell: Callable[[str], None], control: Control) -> None:
        self._tell = tell
        self._control = control
        self._given: SimpleQueue[Said | None] = SimpleQueue()
        self._decided: SimpleQueue[Answer | None] = SimpleQueue()
        self._ended = False

    @property
    def ended(self) -> bool:
        """Whether nobody is there any more."""
        return self._ended

    def give(self, answer: str, at: Point | None = None) -> None:
        """Answer the question that waits, or the next one, in words or by pointing at a place of the desktop."""
        self._given.put(Pointed(answer, at) if at else answer)

    def decide(self, choice: Choice, instead: str = "", at: Point | None = None) -> None:
        """Say whether the action that waits, or the next one that has to be asked about, may be done."""
        self._decided.put(Answer(choice, instead.strip(), at))

    def end(self) -> None:
        """Nobody is there any more: what was not answered until now never will be."""
        self._ended = True
        self._given.put(None)
        self._decided.put(None)

    def ask(self, question: str) -> Said | None:
        """Put a question, and wait; None where nobody is there.

        Raises:
            Halt: the run was stopped.
        """
        self._tell(question)
        return self._next(self._given)

    def approve(self, _asked: Approval) -> Answer | None:
        """Wait for the decision; its event was told."""
        return self._next(self._decided)

    def _next(self, come: "SimpleQueue[T]") -> T:
        answer = awaited(come, self._control)
        if answer is None:
            come.put(answer)  # for the next question, too
        return answer
