"""Runs Python code in a separate process."""

import json
import re
import sys
import threading
import uuid
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from toolbelt.control import Control
from toolbelt.parameters import Runs
from toolbelt.tool import tool
from toolbelt.tools.sandbox import python_worker
from toolbelt.tools.sandbox.limited_process import DEFAULT_S, ENDED, MAX_S, Child, allowed, environment, how_it_ended
from world_model import ToolFailure

MEMORY_BYTES: Final = 1_000_000_000
LOST: Final = "All definitions are lost; the next call starts a new Python."
NEW: Final = "A new Python was started: the definitions of the previous one are lost."


class Python:
    """Runs Python code for one run, and keeps its definitions from one call to the next.

    The code runs in a separate process that can be ended at any time, with a small part of our environment and with
    limits. That keeps accidents small. It is not a sandbox: the code may use every file and every network that the user
    may. Linux only, see `process_warden`.

    Args:
        control: a stop ends the process at once.
        folder: the working folder and home of the code.
        seconds: the time limit of one call.
        memory: the memory limit of the process, in bytes.
    """

    def __init__(
        self, control: Control, folder: Path, *, seconds: float = DEFAULT_S, memory: int = MEMORY_BYTES
    ) -> None:
        self._control = control
        self._folder = folder.absolute()
        self._seconds = allowed(seconds)
        self._memory = memory
        self._child: Child | None = None
        self._lost = False
        self._one_at_a_time = threading.Lock()

    @tool(risk="danger", seconds=MAX_S + 30)
    def python_repl(self, code: Annotated[str, Runs, Field(description="Definitions stay for the next call.")]) -> str:
        """Run Python code; return what it prints and its last value.

        Definitions stay for the next call.
        """
        with self._one_at_a_time:
            child, news = self._ready()
            outcome, exit_code = self._run(child, code)
            said = child.said
        if outcome == "done":
            return "\n".join([*news, said.text() or "It ran and printed nothing."])
        told = f"The code failed: {said.last_words()}"
        if outcome == ENDED:
            told = f"Python ended with {how_it_ended(exit_code)}: {said.last_words()}"
            news.append(LOST)
        if outcome == "memory":
            news.append(f"It may have {self._memory / 1e6:,.0f} MB: use less at a time, and delete what is not needed.")
        raise ToolFailure("TOOL_ERROR", told, news)

    def close(self) -> None:
        """End the process and all that it started."""
        with self._one_at_a_time:
            self._end()

    def _ready(self) -> tuple[Child, list[str]]:
        """Return the process, and what the agent has to know about it."""
        if self._child and not self._child.running:
            self._end()
        if self._child:
            return self._child, []
        command = [sys.executable, "-I", python_worker.__file__]
        self._child = Child(command, self._folder, environment(self._folder), memory=self._memory, listens=True)
        news = [NEW] if self._lost else []
        self._lost = False
        return self._child, news

    def _run(self, child: Child, code: Annotated[str, Runs]) -> tuple[str, int]:
        """Return the outcome and, if the process has ended, its exit code."""
        mark = uuid.uuid4().hex
        request = json.dumps({"code": code, "mark": mark}).encode() + b"\n"
        answer = re.compile(f"{mark}(done|failed|memory)\n".encode())
        outcome, exit_code = ENDED, 0
        try:
            outcome = child.talk(self._control, self._seconds, request, answer)
        except TimeoutError:
            told = f"The code still ran after {self._seconds:g} s and was ended: {child.said.last_words()}"
            raise ToolFailure("TIMEOUT", told, [LOST]) from None
        finally:
            if outcome == ENDED:  # on its own, after the time limit, or on a stop
                exit_code = self._end()
        return outcome, exit_code

    def _end(self) -> int:
        if self._child is None:
            return 0
        ended, self._child, self._lost = self._child, None, True
        return ended.end()
