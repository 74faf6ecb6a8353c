"""`mark-i say`: a word to a run that is going on."""

from typing import Final

import click

from mark_i.cli.completers import RUNS
from mark_i.cli.profile_option import profile_option
from mark_i.config.paths import runs_folder
from mark_i.runs.inbox import leave_word
from mark_i.runs.store import find_run, going_on, summary
from world_model import MarkIError, UsageError

HEARD_MAX_S: Final = 10.0  # for a run to take a word, on a busy machine


@click.command()
@click.argument("text")
@click.option("--run", "run", metavar="RUN", shell_complete=RUNS, help="The run; by default the newest one that runs.")
@profile_option
def say(text: str, run: str | None, profile: str) -> None:
    """Say TEXT to a run that is going on: its next step knows it, and the goal may change by it.

    Example: mark-i say "no, the other file"
    """
    if not text.strip():
        raise click.UsageError("Say something.")
    runs = runs_folder(profile)
    found = [find_run(runs, run)] if run else going_on(runs)[:1]
    if not found:
        raise UsageError('No run is running. To go on where the last one ended: mark-i run "..." --continue')
    [folder] = found
    outcome = summary(folder).outcome
    if outcome != "running":
        raise UsageError(f"The run {folder.name} is not running: it ended as {outcome}.")
    if not leave_word(folder, text, HEARD_MAX_S):
        raise MarkIError(f"The run {folder.name} did not take it: it has ended, or hangs.")
    click.echo(f"The run {folder.name} heard it.")
