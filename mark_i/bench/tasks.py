"""A benchmark of your own goals, from a fleet file: it is a fleet whose goals are all checked.

A goal is reached if its `check` exits with 0, whatever the agent says.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mark_i.fleet.file import FleetFile, read_file
from world_model import UsageError


def read_tasks(file: Path, given: Mapping[str, Any]) -> FleetFile:
    """Read the goals of a fleet file.

    Args:
        file: what to read.
        given: what holds for every task whatever the file says, by the keys of a task; None is as in the file.

    Raises:
        UsageError: It cannot be read, something in it is wrong, or a task has no goal or no check.
    """
    found = read_file(file)
    for task in found.task:
        if task.goal is None or not task.check:
            raise UsageError(f"{file}: the task {task.name!r} needs a goal and a check to be measured.")
    told = {name: value for name, value in given.items() if value is not None}
    return found.model_copy(update={"task": tuple(task.model_copy(update=told) for task in found.task)})
