"""The command line: the composition root, where settings, environment and signals are read."""

import contextlib
import errno
import io
import os
import sys
from pathlib import Path
from typing import Final

import click

from mark_i.agent import MAX_STEPS
from mark_i.brains import brain_named
from mark_i.cli_parts import Commands, WithVirtual, json_option, virtual_option
from mark_i.cli_tools import tools
from mark_i.compose import Setting, desktop_for, our_version
from mark_i.events import EXIT_CODES
from mark_i.terminal import carry_out
from toolbelt.desktop import DEFAULT_SIZE
from world_model import DesktopError, Halt, MarkIError, ModelError, Size, UsageError

CODES: Final = (
    (UsageError, 2),
    (ModelError, EXIT_CODES["model_error"]),
    (DesktopError, EXIT_CODES["desktop_error"]),
)
KEY: Final = "GEMINI_API_KEY"


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
    """One that was closed becomes an empty one, and what cannot be written in its encoding a question mark."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _main() -> int:
    try:
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
@click.argument("goal")
@click.option("--brain", metavar="B[:MODEL]", help="gemini[:MODEL], offline or scripted:FILE.")
@click.option("--base-url", metavar="URL", help="Where the model is reached, if not at its maker's.")
@virtual_option
@click.option("--max-steps", type=click.IntRange(min=1), default=MAX_STEPS, show_default=True, help="Stop after these.")
@json_option
@click.option("--debug", is_flag=True, help="Keep the scratchpad in the run's folder and print it at the end.")
def run(
    goal: str, brain: str | None, base_url: str | None, virtual: Size | None, max_steps: int, as_json: bool, debug: bool
) -> int:
    """Reach GOAL. Without --brain it is gemini where GEMINI_API_KEY is set, and otherwise offline.

    Example: mark-i run --virtual --brain offline 'open xterm, type "date" and press enter'
    """
    key = os.environ.get(KEY)
    thinker = brain_named(brain or ("gemini" if key else "offline"), base_url=base_url, key=key)
    size, notice = desktop_for(virtual)
    return carry_out(goal, Setting(thinker, size, max_steps), notice, as_json=as_json, debug=debug).exit_code


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


program.add_command(tools)
