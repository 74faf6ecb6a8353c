"""`mark-i runs`: list, show, do again, replay, resume and delete runs."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import click
from rich.console import Console

from mark_i.cli.command_names import Commands
from mark_i.cli.completers import RUNS
from mark_i.cli.console import Log, fitted, write_json
from mark_i.cli.desktop_choice import DesktopChoice, keep_option, on_option
from mark_i.cli.options import WithVirtual, json_option, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.cli.run_options import model_options
from mark_i.cli.runner import again, resume
from mark_i.cli.telling import Telling, telling_options
from mark_i.config.api_keys import Keys
from mark_i.config.paths import runs_folder
from mark_i.events import Event
from mark_i.printable import CONTROLS
from mark_i.report.film import write_film
from mark_i.report.page import write_report
from mark_i.runs.account import account, seconds_text
from mark_i.runs.playback import play_back, why_no_outcome
from mark_i.runs.regression import Checked, change_text, recheck
from mark_i.runs.store import by_version, delete, find_run, is_running, summaries
from world_model import Format, Size, UsageError, read_nodes, read_run


@click.group(cls=Commands)
def runs() -> None:
    """List, show, do again, replay, resume and delete runs. RUN is a run's name, the beginning of it, or last.

    Example: mark-i runs show last
    """


@runs.command("list")
@json_option
@profile_option
def list_runs(as_json: bool, profile: str) -> None:
    """List every run, newest first.

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
        click.echo(_row(one.run, one.outcome, str(one.steps), seconds_text(one.seconds), one.brain))
        if one.worked_on:
            click.echo(fitted(f"  {one.worked_on}"))


@runs.command("show")
@click.argument("run", shell_complete=RUNS)
@click.option(
    "--format", "form", type=click.Choice(get_args(Format)), default="text", show_default=True, help="How to print it."
)
@profile_option
def show_run(run: str, form: Format, profile: str) -> None:
    """Show one run: its goal, its outcome, and every Thought, Action and Observation.

    Example: mark-i runs show last --format markdown
    """
    folder = find_run(runs_folder(profile), run)
    click.echo(account(folder, form))


@runs.command("report")
@click.argument("run")
@click.option("--out", metavar="FILE", help="The file to write; by default report.html in the run's folder.")
@click.option("--film", metavar="FILE", help="Write a film instead: a new file that ends in .mp4, .webp or .gif.")
@profile_option
def report_run(run: str, out: str | None, film: str | None, profile: str) -> None:
    """Write one run as a single HTML file, which loads nothing, or as a film.

    It shows every step with its images, what was sent to the models, times and tokens. Secrets are left out. Each
    image is in it once, at most 1280 pixels wide and about 40 kB: 500 steps take about a minute and 25 MB, and twice as
    much if the model was sent images.

    A film shows each step with the pointer and the thought, as Play does in the HTML file. Ten steps take about a
    second and 300 kB as .mp4 (AV1).

    Example: mark-i runs report last --film run.mp4
    """
    folder, secrets = find_run(runs_folder(profile), run), Keys(profile).secrets()
    if film is not None:
        write_film(folder, secrets, Path(film))
        click.echo(f"Film: {film}")
        if out is None:
            return
    click.echo(f"Report: {write_report(folder, secrets, Path(out) if out else None)}")


@runs.command("replay")
@click.argument("run")
@click.option("--check", is_flag=True, help="Test the replies and screens of the run against today's code.")
@json_option
@profile_option
def replay_run(run: str, check: bool, as_json: bool, profile: str) -> int:
    """Print one run again, as it was printed while it ran.

    With --check, today's code reads the recorded replies of the model, and looks for the clicked places on the recorded
    screens. It uses only the journal. The exit code is 0 if everything is the same, and 1 if a decision changed, a
    place moved, or nothing could be checked.

    Example: mark-i runs replay last --check
    """
    folder = find_run(runs_folder(profile), run)
    if check:
        return _tell_check(recheck(folder, Keys(profile).secrets()), as_json=as_json)
    with by_version(folder):
        events = list(play_back(past := read_run(folder, images=False), read_nodes(folder)))
    if events[-1].event != "ended":
        text = why_no_outcome(past, running=is_running(folder))
        events.append(Event("notice", events[-1].t, {"text": text}))
    tell = write_json if as_json else Log(Console(highlight=False), past=True).write
    for event in events:
        tell(event)
    return 0


@runs.command("delete")
@click.argument("run", shell_complete=RUNS)
@click.option("--yes", is_flag=True, help="Delete without asking.")
@profile_option
def delete_run(run: str, yes: bool, profile: str) -> None:
    """Delete one run for good, with its images.

    Example: mark-i runs delete 20260131-142530-9c04e1 --yes
    """
    folder = find_run(runs_folder(profile), run)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError(f"The run {folder.name} is not deleted: there is nobody to ask. Use --yes.")
        click.confirm(f"Delete the run {folder.name} for good?", abort=True, err=True)
    delete(folder)
    click.echo(f"The run {folder.name} is deleted.")


@runs.command("resume", cls=WithVirtual)
@click.argument("run", shell_complete=RUNS)
@virtual_option
@keep_option
@on_option
@model_options
@telling_options
def resume_run(run: str, virtual: Size | None, keep: bool, on: str | None, telling: Telling, **options: Any) -> int:
    """Resume an interrupted run; the same as mark-i run --resume RUN.

    Example: mark-i runs resume last
    """
    return resume(run, options, DesktopChoice(virtual, keep, on), telling)


@runs.command("again", cls=WithVirtual)
@click.argument("run", shell_complete=RUNS)
@virtual_option
@keep_option
@on_option
@model_options
@telling_options
def again_run(run: str, virtual: Size | None, keep: bool, on: str | None, telling: Telling, **options: Any) -> int:
    """Reach the goal of one run again, with its model and settings.

    Example: mark-i runs again last
    """
    return again(run, options, DesktopChoice(virtual, keep, on), telling)


def _tell_check(checked: Checked, *, as_json: bool) -> int:
    """Print the result of a check, and return the exit code."""
    code = int(bool(checked.changes) or not checked.steps)
    if as_json:
        click.echo(json.dumps(asdict(checked)))
        return code
    for change in checked.changes:
        click.echo(change_text(change).translate(CONTROLS))
    if checked.unseen:
        listed = ", ".join(map(str, checked.unseen))
        click.echo(f"Not checked, because their images are missing from the run's folder: {listed}.")
    found = f"Steps checked: {checked.steps}. Changes: {len(checked.changes) or 'none'}."
    click.echo(found if checked.steps else "Nothing could be checked.")
    return code


def _row(run: str, outcome: str, steps: str, time: str, brain: str) -> str:
    return fitted(f"{run:23}{outcome:16}{steps:>5}{time:>10}  {brain}".rstrip())
