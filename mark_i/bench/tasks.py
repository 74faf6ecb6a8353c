"""Goals of one's own in numbers: a file says what is set up, what the goal is, and how to tell that it was reached.

    [[task]]
    name = "note"
    setup = "mousepad note.txt &"
    goal = 'Wait until "note.txt" is shown, type "milk and bread", then press ctrl+s.'
    check = "grep -q 'milk and bread' note.txt"

Each try has an empty folder and a virtual desktop of its own. `setup` and `check` are commands of a shell in that
folder and on that desktop; what `setup` leaves running is ended with the desktop. A goal is reached where `check` ends
with 0, whatever the agent says of it.
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

COMMAND: Final = 60.0  # seconds for a command of the file


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
    """The tasks of a file.

    Raises:
        UsageError: it cannot be read, or something in it is wrong; the message says what and where.
    """
    try:
        found = _File.model_validate(tomllib.loads(file.read_text(encoding="utf-8"))).task
    except OSError as error:
        raise UsageError(f"The tasks cannot be read: {file}: {error.strerror}.") from error
    except ValidationError as error:
        wrong = [one for one in error.errors() if len(one["loc"]) > 1] or error.errors()  # where a task is, all of them
        told = "; ".join(map(fault, wrong))
        raise UsageError(f"The tasks in {file} are not right: {told}.") from error
    except ValueError as error:
        raise UsageError(f"The tasks in {file} are no TOML: {error}.") from error
    names = [task.name for task in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UsageError(f"The tasks in {file} have one name twice: {', '.join(twice)}.")
    return found


def player(tasks: Sequence[Task], config: RunConfig, control: Control) -> Play:
    """What tries a task once, by its name; each try is a run like any other, with a journal and the guard."""
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
    """Why a command failed, or None."""
    program = desktop.launch(["sh", "-c", command])
    if not control.until(lambda: not program.running(), COMMAND):
        return f"it was not over after {COMMAND:g} seconds; end what goes on with an &"
    return program.failure()
