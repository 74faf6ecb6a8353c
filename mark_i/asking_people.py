"""Putting the agent's questions to a person at the terminal, or to a program that speaks for one."""

import select
import sys
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final

from rich.console import Console
from rich.text import Text

from mark_i.events import Event
from toolbelt.control import Control

POLL: Final = 0.1  # seconds between two looks at whether the run was stopped


def ask_on_terminal(console: Console, control: Control, question: str) -> str | None:
    """Print the question and read one line; None where standard input is no terminal, or was ended with Ctrl-D.

    Raises:
        Halt: the run was stopped.
    """
    if not sys.stdin or not sys.stdin.isatty():
        return None
    console.print(Text.assemble("\n", ("Question", "bold"), "  ", question, "\n> "), end="")
    # A thread that hangs in `readline` would take the first line typed after the run, and keep the program from ending.
    while not select.select([sys.stdin], [], [], POLL)[0]:
        control.check()
    line = sys.stdin.readline()
    return line.removesuffix("\n") if line else None


class Answers:
    """Questions as events, and their answers from whoever reads those. One that comes early is for the next question.

    Args:
        tell: takes the `notice` of a question.
        control: a stop ends the wait.
    """

    def __init__(self, tell: Callable[[Event], None], control: Control) -> None:
        self._tell = tell
        self._control = control
        self._began = time.monotonic()
        self._given: SimpleQueue[str | None] = SimpleQueue()

    def give(self, answer: str) -> None:
        """Answer the question that waits, or the next one."""
        self._given.put(answer)

    def end(self) -> None:
        """Nobody is there any more: what was not answered until now never will be."""
        self._given.put(None)

    def ask(self, question: str) -> str | None:
        """Put a question, and wait; None where nobody is there.

        Raises:
            Halt: the run was stopped.
        """
        self._tell(Event("notice", time.monotonic() - self._began, {"text": question, "question": True}))
        while True:
            try:
                answer = self._given.get(timeout=POLL)
            except Empty:
                self._control.check()
                continue
            if answer is None:
                self.end()  # for the next question, too
            return answer
