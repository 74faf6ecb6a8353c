"""`mark-i stop`: stop runs from another terminal."""

from pathlib import Path
from typing import Final

import click

from mark_i.cli.completers import RUNS
from mark_i.cli.profile_option import profile_option
from mark_i.config.paths import runs_folder
from mark_i.runs.stop_file import stop_run, stop_starting
from mark_i.runs.store import find_run, going_on, summary
from toolbelt.control import Control
from world_model import MarkIError, UsageError

STOP_PATIENCE_S: Final = 20.0  # seconds for a run to release everything
START_S: Final = 1.0  # how long to wait for a run that is starting to have a name; it is stopped either way


@click.command()
@click.argument("run", required=False, shell_complete=RUNS)
@click.option("--all", "all_of_them", is_flag=True, help="Stop every running run of the profile.")
@profile_option
def stop(run: str | None, all_of_them: bool, profile: str) -> None:
    """Stop RUN, by default the newest one that is running, also in the window. It ends with exit code 130.

    Example: mark-i stop
    """
    if run and all_of_them:
        raise click.UsageError("Give RUN or --all, not both.")
    for folder in _meant(runs_folder(profile), run, all_of_them=all_of_them):
        if not stop_run(folder, STOP_PATIENCE_S):
            raise MarkIError(
                f"The run {folder.name} was asked to stop and is still running after {STOP_PATIENCE_S:.0f} s."
            )
        click.echo(f"The run {folder.name} is stopped.")


def _meant(runs: Path, run: str | None, *, all_of_them: bool) -> list[Path]:
    """Return the folders of the runs to stop.

    Raises:
        UsageError: None of them is running.
    """
    if run:
        folder = find_run(runs, run)
        about = summary(folder)
        if about.outcome != "running":
            raise UsageError(f"The run {folder.name} is not running: it ended as {about.outcome}.")
        return [folder]
    found = going_on(runs)
    if all_of_them or not found:
        stop_starting(runs)
    if not found:
        found = Control().until(lambda: going_on(runs), START_S) or []
    if not found:
        raise UsageError("No run is running.")
    return found if all_of_them else found[:1]
