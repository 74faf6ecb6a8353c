"""A benchmark of your own goals: a file gives the set-up of each, the goal, and the check that it was reached.

    [[task]]
    name = "note"
    setup = "mousepad note.txt &"
    goal = 'Wait until "note.txt" is shown, type "milk and bread", then press ctrl+s.'
    check = "grep -q 'milk and bread' note.txt"

Each attempt has its own empty folder and virtual desktop. `setup` and `check` are shell commands in that folder and on
that desktop; programs that `setup` leaves running end with the desktop. A goal is reached if `check` exits with 0,
whatever the agent says.
"""

import tempfile
import tomllib
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import RunConfig
from mark_i.bench.episodes import Episode, Play, acted
from mark_i.guard.policy import fault
from toolbelt.control import Control
from toolbelt.desktops import Desktop
from world_model import UsageError

COMMAND_MAX_S: Final = 60.0  # for a command of the file


class Task(BaseModel):
    """One goal. `setup` may be empty; `check` may not."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    goal: str = Field(min_length=1)
    check: str = Field(min_length=1)
    setup: str = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    task: tuple[Task, ...] = Field(min_length=1)


def read_tasks(file: Path) -> tuple[Task, ...]:
    """Read the tasks of a file.

    Raises:
        UsageError: It cannot be read, or something in it is wrong; the message says what and where.
    """
    try:
        found = _File.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))).task
    except OSError as error:
        raise UsageError(f"The tasks cannot be read: {file}: {error.strerror}.") from error
    except ValidationError as error:
        # The errors within tasks; all errors if there are none.
        wrong = [one for one in error.errors() if len(one["loc"]) > 1] or error.errors()
        told = "; ".join(map(fault, wrong))
        raise UsageError(f"The tasks in {file} are not right: {told}.") from error
    except ValueError as error:
        raise UsageError(f"{file} is not TOML: {error}.") from error
    names = [task.name for task in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(f"Each task in {file} needs its own name. These occur more than once: {', '.join(twice)}.")
    return found


def player(tasks: Sequence[Task], config: RunConfig, control: Control) -> Play:
    """Return a function that attempts a task, by its name, in a normal run with a journal and the guard."""
    named = {task.name: task for task in tasks}
    return lambda name, number: _episode(named[name], number, config, control)


def _episode(task: Task, number: int, config: RunConfig, control: Control) -> Episode:
    with (
        tempfile.TemporaryDirectory(prefix="mark-i-task-", ignore_cleanup_errors=True) as folder,
        chdir(folder),
        agent_for(task.goal, config, control) as (agent, journal),
    ):
        assert agent.desktop is not None  # noqa: S101 - the run has one
        if task.setup and (failure := _failure(agent.desktop, task.setup, control)):
            said = f"The set-up failed: {failure}."
            return Episode(task.name, number, task.goal, False, "not begun", said, 0.0, run=journal.name)  # noqa: FBT003
        told = acted(agent, task.goal)
        solved = _failure(agent.desktop, task.check, control) is None
        return Episode(task.name, number, solved=solved, **told)


def _failure(desktop: Desktop, command: str, control: Control) -> str | None:
    """Run a command, and return why it failed; None if it did not."""
    program = desktop.launch(["sh", "-c", command])
    if not control.until(lambda: not program.running(), COMMAND_MAX_S):
        return f"it did not end within {COMMAND_MAX_S:g} seconds; put an & after what keeps running"
    return program.failure()
