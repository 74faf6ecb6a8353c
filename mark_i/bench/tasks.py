"""A benchmark of your own goals, from a fleet file: each try in its own empty folder, on its own virtual desktop.

A goal is reached if its `check` exits with 0, whatever the agent says.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from mark_i.assembly.run_config import RunConfig
from mark_i.bench.episodes import Episode, Play
from mark_i.fleet.attempt import attempt
from mark_i.fleet.file import Job, jobs_of, read_file
from toolbelt.control import Control
from world_model import UsageError


def read_tasks(file: Path, profile: str) -> tuple[Job, ...]:
    """Read the goals of a fleet file, one for each row of a table; how often each is tried is not the file's matter.

    Raises:
        UsageError: It cannot be read, something in it is wrong, or a task has no goal or no check.
    """
    found = read_file(file)
    for task in found.task:
        if task.goal is None or not task.check:
            raise UsageError(f"{file}: the task {task.name!r} needs a goal and a check to be measured.")
    once = found.model_copy(update={"task": tuple(task.model_copy(update={"tries": 1}) for task in found.task)})
    return jobs_of(once, file, profile)


def name_of(job: Job) -> str:
    """Return what a goal is called in the table."""
    return f"{job.task} row {job.row}" if job.row else job.task


def player(jobs: Sequence[Job], config: RunConfig, control: Control) -> Play:
    """Return a function that attempts a goal, by its name, in a normal run with a journal and the guard."""
    named = {name_of(job): job for job in jobs}
    return lambda name, number: _episode(named[name], number, config, control)


def _episode(job: Job, number: int, config: RunConfig, control: Control) -> Episode:
    assert job.goal is not None  # noqa: S101 - checked when the file was read
    with tempfile.TemporaryDirectory(prefix="mark-i-task-", ignore_cleanup_errors=True) as folder:
        made = attempt(job.goal, job.setup, job.check, config, control, Path(folder))
    return Episode(name_of(job), number, **asdict(made))
