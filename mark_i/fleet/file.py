"""A fleet file: the goals or skills of many runs, each with the rows of a table, and how the results are checked.

    [defaults]
    brain = "offline"

    [[task]]
    name = "note"
    goal = 'open mousepad, type "{text}" and save it as "{name}.txt"'
    rows = "notes.csv"
    check = "grep -qx {text} {name}.txt"
    tries = 2

`setup` and `check` are shell commands, in which a column stands quoted for the shell.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from mark_i.assembly.schema_choice import schema_in
from mark_i.skills import Skill, rows_of, skill_named, values_for
from mark_i.toml_faults import first_fault, line_of
from toolbelt.desktops import DEFAULT_SIZE
from world_model import Size, UsageError, file_fault

NAME_MAX_CHARS: Final = 60  # of a task: it becomes a part of paths
COLUMN: Final = re.compile(r"\{(\w+)\}")


def _sized(value: str) -> str:
    Size.parse(value)
    return value


Sized = Annotated[str, AfterValidator(_sized)]


class Limits(BaseModel):
    """Limits, with the names of `mark-i run`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False)


class Defaults(Limits):
    """What holds for every task that says nothing else."""

    brain: str | None = Field(default=None, min_length=1)
    base_url: str | None = Field(default=None, min_length=1)
    size: Sized = str(DEFAULT_SIZE)
    max_steps: int | None = Field(default=None, ge=1)
    tries: int = Field(default=1, ge=1)
    result_schema: str | None = Field(default=None, min_length=1, alias="schema")  # pydantic has a `schema` of its own


class Task(Defaults):
    """One goal, or one skill; without a check it is reached if its run ends as done."""

    name: str = Field(min_length=1, max_length=NAME_MAX_CHARS)
    goal: str | None = Field(default=None, min_length=1)
    skill: str | None = Field(default=None, min_length=1)
    setup: str = ""
    check: str = ""
    rows: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _goal_or_skill(self) -> Self:
        if (self.goal is None) == (self.skill is None):
            raise ValueError("give it a goal or a skill")
        if self.skill and self.result_schema:
            raise ValueError("a skill writes no result, so it cannot have a schema")
        return self


class FleetFile(BaseModel):
    """The whole file; `budget` limits all of its runs together."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    defaults: Defaults = Defaults()
    budget: Limits = Limits()
    task: tuple[Task, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Job:
    """One run of a fleet.

    Attributes:
        id: unlike that of any other job, and the name of its folder.
        row: of the table, from 1; 0 without one.
        number: of the try, from 1.
        goal: None for a skill.
        values: of the parameters of a skill.
        setup: and `check`: shell commands, with the values of the row.
        schema: that its result must fit, as JSON; None if words are enough.
    """

    id: str
    task: str
    row: int
    number: int
    goal: str | None
    skill: str | None
    values: Mapping[str, str]
    setup: str
    check: str
    size: str
    brain: str | None
    base_url: str | None
    max_steps: int | None
    max_seconds: float | None
    max_tokens: int | None
    max_cost: float | None
    schema: str | None = None

    @property
    def title(self) -> str:
        """What a person calls it: `note, row 2, try 1`."""
        return ", ".join([self.task, *([f"row {self.row}"] if self.row else []), f"try {self.number}"])


def read_file(file: Path) -> FleetFile:
    """Read a fleet file.

    Raises:
        UsageError: it cannot be read, or something in it is wrong; the message names the line and what is wanted.
    """
    try:
        text = file.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file} is not valid TOML: {error}.") from error
    try:
        given = data.get("defaults", {})
        tasks = data.get("task")
        if isinstance(given, dict) and isinstance(tasks, list):
            tasks = [given | one if isinstance(one, dict) else one for one in tasks]
        found = FleetFile.model_validate({**data, **({"task": tasks} if tasks is not None else {})})
    except ValidationError as error:
        line = line_of(text, error.errors()[0]["loc"])
        raise UsageError(f"{file}, line {line}, {first_fault(error, FleetFile)}.") from error
    names = [task.name for task in found.task]
    for number, name in enumerate(names):
        if name in names[:number]:
            line = line_of(text, ("task", number, "name"))
            raise UsageError(f"{file}, line {line}, another task has the name {name!r}, too.")
    return found


def jobs_of(found: FleetFile, file: Path, profile: str) -> tuple[Job, ...]:
    """Return the runs of a fleet file: for each task those of its rows, and of each of those the tries.

    Args:
        found: what stands in the file.
        file: in whose folder the tables and schemas are.
        profile: has the skills.

    Raises:
        UsageError: a table, a schema or a skill is missing, or does not fit the task.
    """
    found_jobs: list[Job] = []
    for index, task in enumerate(found.task, 1):
        try:
            schema, rows = _schema(task, file), [*_rows(task, file)]
            jobs = [
                _job(task, index, row, number, values, profile)
                for row, values in rows
                for number in range(1, task.tries + 1)
            ]
        except UsageError as error:
            raise UsageError(f"{file}, the task {task.name!r}: {error}") from error
        found_jobs += [replace(job, schema=schema) for job in jobs]
    return tuple(found_jobs)


def _schema(task: Task, file: Path) -> str | None:
    if task.result_schema is None:
        return None
    return schema_in(file.parent / Path(task.result_schema).expanduser()).text


def _rows(task: Task, file: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    if task.rows is None:
        yield 0, {}
        return
    rows = rows_of(file.parent / Path(task.rows).expanduser())
    named = {name for text in (task.goal, task.setup, task.check) for name in COLUMN.findall(text or "")}
    if missing := sorted(named - rows[0].keys()):
        raise UsageError(f"it names {{{missing[0]}}}, and {task.rows} has the columns {', '.join(rows[0])}.")
    yield from enumerate(rows, 1)


def _job(task: Task, index: int, row: int, number: int, values: Mapping[str, str], profile: str) -> Job:  # noqa: PLR0913, PLR0917 - what makes a job
    goal = task.goal
    if goal is not None and values:
        goal = COLUMN.sub(lambda match: values[match[1]], goal)
    slug = re.sub(r"[^A-Za-z0-9]+", "-", task.name).strip("-").lower()
    return Job(
        "-".join(filter(None, [f"{index:03}", slug, f"row{row}" if row else "", f"try{number}"])),
        task.name,
        row,
        number,
        goal,
        task.skill,
        _values(task.skill, values, profile) if task.skill else {},
        _command(task.setup, values),
        _command(task.check, values),
        task.size,
        task.brain,
        task.base_url,
        task.max_steps,
        task.max_seconds,
        task.max_tokens,
        task.max_cost,
    )


def _values(name: str, row: Mapping[str, str], profile: str) -> dict[str, str]:
    """Return the values of a skill's parameters: those of the row, and the others as they are in its run."""
    skill: Skill = skill_named(profile, name)[0]
    parameters = {one.name for one in skill.parameters}
    if row and not parameters & row.keys():
        there = ", ".join(sorted(parameters)) or "none"
        raise UsageError(f"No column of the table is a parameter of the skill {name}, which has: {there}.")
    return values_for(skill, {key: value for key, value in row.items() if key in parameters})


def _command(command: str, values: Mapping[str, str]) -> str:
    """Return a shell command with the values of a row, each as one word of the shell.

    Raises:
        UsageError: a column stands within quotes, which would end there.
    """
    if not values:
        return command
    for match in COLUMN.finditer(command):
        if _is_quoted(command[: match.start()]):
            raise UsageError(f"In {command!r}, write {match[0]} without quotes around it: it is quoted already.")
    return COLUMN.sub(lambda match: shlex.quote(values[match[1]]), command)


def _is_quoted(before: str) -> bool:
    """Whether what follows on a part of a shell command stands within quotes."""
    inside = ""
    for sign in re.sub(r"\\.", "", before):
        if sign in "\"'" and inside in {"", sign}:
            inside = "" if inside else sign
    return bool(inside)
