"""`mark-i run` and `mark-i ask`: one goal or one question, and the exit code of its outcome."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from mark_i.assembly.conversation import following
from mark_i.assembly.options import run_config_of
from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.schema_choice import schema_in, with_schema
from mark_i.cli.completers import RUNS
from mark_i.cli.desktop_choice import DesktopChoice, keep_option, on_option, placed, watch_option
from mark_i.cli.options import WithVirtual, virtual_option
from mark_i.cli.run_options import model_options, recorded_size
from mark_i.cli.runner import carry_out, resume
from mark_i.cli.telling import Telling, telling_options
from mark_i.config.paths import runs_folder
from mark_i.config.settings import load
from mark_i.runs.attachments import checked
from mark_i.runs.follow_up import continued
from mark_i.runs.sessions import Session
from world_model import Size

NEW_DESKTOP: Final = (
    "The virtual desktop is a new one: without --keep, that of the run before was closed with its programs."
)

# What a run that is resumed cannot be given
NOT_RESUMED: Final = {
    "goal": "--resume keeps the goal of the run; leave GOAL out.",
    "before": "--resume goes on with the run itself; leave out --continue.",
    # Its decision would be in the journal of the run, and count as done when that is resumed.
    "dry_run": "--dry-run shows the first action of a new run; leave out --resume.",
    "files": "--resume keeps the files of the run; leave out --attach.",
    "schema": "--resume keeps the schema of the run; leave out --schema.",
}

attach_option = click.option(
    "--attach",
    "files",
    multiple=True,
    type=click.Path(),
    help="A file that the run gets a copy of and may read; can be repeated.",
)

schema_option = click.option(
    "--schema",
    metavar="FILE",
    type=click.Path(),
    help="A JSON Schema: the answer is JSON that fits it, on standard output; the log goes to standard error.",
)


@click.command(cls=WithVirtual)
@click.argument("goal", required=False)
@virtual_option
@keep_option
@on_option
@watch_option
@model_options
@click.option(
    "--resume",
    "resumed",
    metavar="RUN",
    shell_complete=RUNS,
    help="Resume an interrupted run; `last` is the newest.",
)
@click.option(
    "--continue",
    "before",
    is_flag=False,
    flag_value="last",
    metavar="[RUN]",
    shell_complete=RUNS,
    help="Follow up on a run, by default the newest: what was asked, said and done there is known.",
)
@attach_option
@schema_option
@click.option("--dry-run", is_flag=True, help="Draw the first action on an image of the screen, and do nothing.")
@telling_options
def run(
    goal: str | None,
    virtual: Size | None,
    keep: bool,
    on: str | None,
    watch: bool,
    resumed: str | None,
    before: str | None,
    files: tuple[str, ...],
    schema: str | None,
    dry_run: bool,
    telling: Telling,
    **options: Any,
) -> int:
    """Reach GOAL. Without --brain, the model used last plans, or one whose key is there, or the offline brain.

    Example: mark-i run --virtual --brain offline 'open xterm, type "date" and press enter'
    """
    choice = DesktopChoice(virtual, keep, on, watch)
    if resumed:
        _check_alone(goal=goal, before=before, dry_run=dry_run, files=files, schema=schema)
        return resume(resumed, options, choice, telling)
    if before and not goal and " " in before:  # no run has such a name: it is the goal
        goal, before = before, "last"
    if not goal or not goal.strip():
        raise click.UsageError("Give a goal.")
    if dry_run and telling.quiet:
        raise click.UsageError("--dry-run tells of an action, and --quiet only of the answer; leave one of them out.")
    config = replace(run_config_of(options), preview=dry_run, looks=dry_run, attached=checked(files))
    if before:
        config, choice = _following(config, choice, before)
    if schema:
        config, telling = _with_result(config, telling, schema)
    with placed(config, choice, telling) as config:
        return carry_out(goal, config, telling).outcome.exit_code


def _with_result(config: RunConfig, telling: Telling, schema: str) -> tuple[RunConfig, Telling]:
    """Return what a run is made of whose result fits the schema in a file, and how it is told."""
    return with_schema(config, schema_in(Path(schema))), replace(telling, result=True)


def _check_alone(**given: object) -> None:
    """Refuse what does not go with --resume.

    Raises:
        click.UsageError: something of it was given.
    """
    for name, refusal in NOT_RESUMED.items():
        if given[name]:
            raise click.UsageError(refusal)


def _following(config: RunConfig, choice: DesktopChoice, before: str) -> tuple[RunConfig, DesktopChoice]:
    """Return what a follow-up on the run `before` is made of, and where it works."""
    earlier = continued(runs_folder(config.profile), before)
    choice, config = choice.after(earlier, config.profile), following(config, earlier)
    if choice.on is None and choice.virtual and recorded_size(earlier):
        config = replace(config, notices=(*config.notices, NEW_DESKTOP))
    return config, choice


@click.command()
@click.argument("question", required=False)
@click.option("--session", metavar="ID", help="Continue a conversation: its earlier questions and answers are known.")
@click.option("--reset", is_flag=True, help="Forget the conversation; QUESTION may be left out.")
@attach_option
@schema_option
@model_options
@telling_options
def ask(
    question: str | None,
    session: str | None,
    reset: bool,
    files: tuple[str, ...],
    schema: str | None,
    telling: Telling,
    **options: Any,
) -> int:
    """Answer QUESTION without a screen, with the tools for files, Python and the web.

    Example: mark-i ask --session trip 'which of the files in notes/ mention Lisbon?'
    """
    if reset and not session:
        raise click.UsageError("--reset forgets a session; name it with --session.")
    conversation = Session(options["profile"], session) if session else None
    if question is None and conversation and reset:
        conversation.clear()
        click.echo(f"The session {session} is forgotten.", err=telling.is_read)
        return 0
    if not question or not question.strip():
        raise click.UsageError("Give a question.")
    if conversation and reset:
        conversation.clear()
    earlier = conversation.pairs() if conversation else ()
    workflow = options["workflow"] or load(options["profile"]).workflow or (None if schema else "ask")
    config = run_config_of(options | {"workflow": workflow})
    if schema:
        config, telling = _with_result(config, telling, schema)
    config = replace(config, screen=False, earlier=earlier, session=session, attached=checked(files))
    outcome = carry_out(question, config, telling).outcome
    if conversation:
        conversation.note(config.secrets.redacted(question), outcome)
    return outcome.exit_code
