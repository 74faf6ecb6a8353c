"""The command line: the composition root, where settings, environment and signals are read."""

import contextlib
import errno
import io
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from mark_i.cli_bench import bench
from mark_i.cli_config import config
from mark_i.cli_parts import Commands, WithVirtual, debug_option, json_option, virtual_option
from mark_i.cli_runs import runs
from mark_i.cli_setting import model_options, setting_of
from mark_i.cli_tools import tools
from mark_i.compose import desktop_for, our_version
from mark_i.events import EXIT_CODES
from mark_i.sessions import Session
from mark_i.terminal import carry_out, resume
from toolbelt.desktop import DEFAULT_SIZE
from world_model import DesktopError, Halt, MarkIError, ModelError, Size, UsageError

CODES: Final = (
    (UsageError, 2),
    (ModelError, EXIT_CODES["model_error"]),
    (DesktopError, EXIT_CODES["desktop_error"]),
)


def start() -> None:
    """Run the command line, and leave with the right exit code.

    Leaves without waiting for threads: after a stop one may still be inside a model call or a read of the screen.
    """
    _mend_streams()
    code = _main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # the reader has gone, which is its right
            stream.flush()
    os._exit(code)


def _mend_streams() -> None:
    """One that was closed becomes an empty one, and what is no character in its encoding a question mark."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _main() -> int:
    try:
        _check_folder()
        return int(program.main(standalone_mode=False) or 0)
    except (click.Abort, KeyboardInterrupt, Halt):
        return EXIT_CODES["stopped"]
    except (click.ClickException, MarkIError) as error:
        message, code = _complaint(error)
        click.echo(f"mark-i: {message}", err=True)
        return code
    except (BrokenPipeError, SystemExit):  # the reader of our output has gone; click makes a SystemExit of that
        return EXIT_CODES["stopped"]
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        click.echo(f"mark-i: The output cannot be written: {error.strerror}.", err=True)
        return EXIT_CODES["failed"]


def _check_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError("The current folder is not there any more. Go to another one.") from error


def _complaint(error: click.ClickException | MarkIError) -> tuple[str, int]:
    """One line, and the exit code."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            return f"Say what to do.\n\n{error.format_message()}", error.exit_code
        case click.UsageError(ctx=click.Context() as context):
            return f"{error.format_message().rstrip('.')}. See {context.command_path} --help.", error.exit_code
        case click.ClickException():
            return error.format_message(), error.exit_code
        case _:
            return str(error), next((code for kind, code in CODES if isinstance(error, kind)), 1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(our_version(), prog_name="mark-i")
def program() -> None:
    """MARK-I: give it a goal in plain words; it looks at the screen, thinks, acts, and looks again.

    Example: mark-i run --virtual 'open the text editor, type "hello", press ctrl+s'
    """


@program.command(cls=WithVirtual)
@click.argument("goal", required=False)
@virtual_option
@model_options
@click.option(
    "--resume", "resumed", metavar="RUN", help="Go on with a run that was interrupted; `last` for the newest."
)
@json_option
@debug_option
def run(goal: str | None, virtual: Size | None, resumed: str | None, as_json: bool, debug: bool, **options: Any) -> int:
    """Reach GOAL. Without --brain it is gemini where GEMINI_API_KEY is set, and otherwise offline.

    Example: mark-i run --virtual --brain offline 'open xterm, type "date" and press enter'
    """
    if resumed:
        if goal:
            raise click.UsageError("--resume goes on with the goal that the run has; leave GOAL out.")
        return resume(resumed, options, virtual, as_json=as_json, debug=debug)
    if not goal or not goal.strip():
        raise click.UsageError("Say what the goal is.")
    setting = setting_of(options)
    size, notice = desktop_for(virtual)
    return carry_out(goal, replace(setting, virtual=size), notice, as_json=as_json, debug=debug).outcome.exit_code


@program.command()
@click.argument("question")
@click.option("--session", metavar="ID", help="Go on with a conversation: what was asked and answered in it is known.")
@click.option("--reset", is_flag=True, help="Forget what was asked and answered in the session.")
@model_options
@json_option
@debug_option
def ask(question: str, session: str | None, reset: bool, as_json: bool, debug: bool, **options: Any) -> int:
    """Answer QUESTION without a screen, with the tools for files, Python and the web.

    Example: mark-i ask --session trip 'which of the files in notes/ speak of Lisbon?'
    """
    if not question.strip():
        raise click.UsageError("Say what the question is.")
    if reset and not session:
        raise click.UsageError("--reset forgets a session: say which with --session.")
    conversation = Session(options["profile"], session) if session else None
    if conversation and reset:
        conversation.clear()
    earlier = conversation.pairs() if conversation else ()
    setting = replace(setting_of(options), screen=False, earlier=earlier, session=session)
    outcome = carry_out(question, setting, as_json=as_json, debug=debug).outcome
    if conversation:
        conversation.note(question, outcome)
    return outcome.exit_code


@program.command(cls=WithVirtual)
@click.option("--live", is_flag=True, help="On your own desktop, after asking.")
@virtual_option
@json_option
def demo(live: bool, virtual: Size | None, as_json: bool) -> int:
    """Watch the agent write and save a file in a real text editor, offline.

    Example: mark-i demo
    """
    from mark_i.demo import show  # noqa: PLC0415 - a command loads only what it needs

    return show(None if live else virtual or DEFAULT_SIZE, as_json=as_json)


@program.command()
def gui() -> int:
    """Open the window.

    Example: mark-i gui
    """
    from gui.window import open_window  # noqa: PLC0415 - the one place that loads Tk

    return int(open_window() or 0)


for command in (tools, runs, config, bench):
    program.add_command(command)
