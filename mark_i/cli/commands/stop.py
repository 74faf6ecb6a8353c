"""`mark-i stop`: stop runs from another terminal."""

from pathlib import Path
from typing import Final

import click

from mark_i.cli.completers import RUNS
from mark_i.cli.profile_option import profile_option
from mark_i.config.paths import runs_folder, watches_folder
from mark_i.runs.stop_file import stop_run, stop_starting
from mark_i.runs.store import find_run, going_on, summary
from toolbelt.control import Control
from world_model import MarkIError, UsageError

STOP_PATIENCE_S: Final = 20.0  # seconds for a run to release everything
START_S: Final = 1.0  # how long to wait for a run that is starting to have a name; it is stopped either way


@click.command()
@click.argument("run", required=False, shell_complete=RUNS)
@click.option("--all", "all_of_them", is_flag=True, help="Stop every running run and watch of the profile.")
@profile_option
def stop(run: str | None, all_of_them: bool, profile: str) -> None:
    """Stop RUN, by default the newest one that is running, also in the window, else a watch. Its exit code is 130.

    Example: mark-i stop
    """
    if run and all_of_them:
        raise click.UsageError("Give RUN or --all, not both.")
    runs, watches = runs_folder(profile), watches_folder(profile)
    for folder in [_named(runs, run)] if run else _going_on(runs, watches, all_of_them=all_of_them):
        what = "watch" if folder.parent == watches else "run"
        if not stop_run(folder, STOP_PATIENCE_S):
            raise MarkIError(
                f"The {what} {folder.name} was asked to stop and is still running after {STOP_PATIENCE_S:.0f} s."
            )
        click.echo(f"The {what} {folder.name} is stopped.")


def _named(runs: Path, run: str) -> Path:
    """Return the folder of a run.

    Raises:
        UsageError: it is not running.
    """
    folder = find_run(runs, run)
    about = summary(folder)
    if about.outcome != "running":
        raise UsageError(f"The run {folder.name} is not running: it ended as {about.outcome}.")
    return folder


def _going_on(runs: Path, watches: Path, *, all_of_them: bool) -> list[Path]:
    """Return the folders of what to stop; what acts comes before what only looks.

    Raises:
        UsageError: nothing is running.
    """

    def found() -> list[Path]:
        return [*going_on(runs), *going_on(watches)]

    running = found()
    if all_of_them or not running:
        stop_starting(runs)
        stop_starting(watches)
    running = running or Control().until(found, START_S) or []
    if not running:
        raise UsageError("No run is running.")
    return running if all_of_them else running[:1]
