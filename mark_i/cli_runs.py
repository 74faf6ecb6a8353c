"""`mark-i runs`: what was done, told again, gone on with or deleted."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any, get_args

import click

from mark_i.cli_config import profile_option
from mark_i.cli_parts import Commands, WithVirtual, debug_option, json_option, virtual_option
from mark_i.cli_setting import model_options
from mark_i.console import CONTROLS, fitted
from mark_i.folders import runs_folder
from mark_i.runs import Summary, delete, find_run, summaries, summary
from mark_i.terminal import resume
from world_model import Format, Run, Size, UsageError, call, read_run, told


@click.group(cls=Commands)
def runs() -> None:
    """What was done before. RUN is a run's name, the beginning of it, or last.

    Example: mark-i runs show last
    """


@runs.command("list")
@json_option
@profile_option
def list_runs(as_json: bool, profile: str) -> None:
    """Every run, newest first.

    Example: mark-i runs list
    """
    found = summaries(runs_folder(profile))
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found]))
        return
    if not found:
        click.echo("There are no runs yet. Start one: mark-i run GOAL")
        return
    click.echo(_row("Run", "Outcome", "Steps", "Time", "Brain"))
    for one in found:
        click.echo(_row(one.run, one.outcome, str(one.steps), _time(one.seconds), one.brain))
        if one.goal:
            click.echo(fitted(f"  {one.goal}"))


@runs.command("show")
@click.argument("run")
@click.option("--format", "form", type=click.Choice(get_args(Format)), default="text", show_default=True)
@profile_option
def show_run(run: str, form: Format, profile: str) -> None:
    """One run: its goal, what became of it, and every Thought, Action and Observation.

    Example: mark-i runs show last --format markdown
    """
    folder = find_run(runs_folder(profile), run)
    read, about = read_run(folder, images=False), summary(folder)
    if form == "json":
        click.echo(json.dumps(_values(read, about)))
        return
    line = "- **{}:** {}" if form == "markdown" else "{:11}{}"
    head = "\n".join(line.format(name, words) for name, words in _facts(read, about))
    click.echo(f"{head}\n\n{told(read.steps, form)}".rstrip().translate(CONTROLS))


@runs.command("delete")
@click.argument("run")
@click.option("--yes", is_flag=True, help="Do not ask.")
@profile_option
def delete_run(run: str, yes: bool, profile: str) -> None:
    """Delete one run for good, with its images.

    Example: mark-i runs delete 20260131-142530-9c04e1 --yes
    """
    folder = find_run(runs_folder(profile), run)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError(f"The run {folder.name} is not deleted: nobody is there to be asked. Say --yes.")
        click.confirm(f"Delete the run {folder.name} for good?", abort=True, err=True)
    delete(folder)
    click.echo(f"The run {folder.name} is deleted.")


@runs.command("resume", cls=WithVirtual)
@click.argument("run")
@virtual_option
@model_options
@json_option
@debug_option
def resume_run(run: str, virtual: Size | None, as_json: bool, debug: bool, **options: Any) -> int:
    """Go on with a run that was interrupted; the same as mark-i run --resume RUN.

    Example: mark-i runs resume last
    """
    return resume(run, options, virtual, as_json=as_json, debug=debug)


def _row(run: str, outcome: str, steps: str, time: str, brain: str) -> str:
    return fitted(f"{run:23}{outcome:16}{steps:>5}{time:>10}  {brain}".rstrip())


def _time(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f} s"


def _facts(run: Run, about: Summary) -> Iterator[tuple[str, str]]:
    """What is told of a run before its steps."""
    yield "Goal", about.goal
    yield "Outcome", f"{about.outcome}: {about.said}" if about.said else about.outcome
    yield "Run", about.run
    if about.started:
        yield "Started", _local(about.started)
    yield "Brain", about.brain
    yield "Steps", " in ".join(filter(None, (str(len(run.steps)), _time(about.seconds))))
    if run.in_flight:
        yield "In flight", f"{call(run.in_flight)}, which may have been carried out"
    yield "Folder", str(run.folder)


def _local(started: str) -> str:
    try:
        return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M:%S}"
    except ValueError:  # changed by hand
        return started


def _values(run: Run, about: Summary) -> dict[str, Any]:
    """Everything that the journal says, but for the images and what was sent to the brain: those are in its folder."""
    return {
        **asdict(about),
        "folder": str(run.folder),
        "about": run.about,
        "steps": [step.to_dict() for step in run.steps],
        "in_flight": run.in_flight.to_dict() if run.in_flight else None,
    }
