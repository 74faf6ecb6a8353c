"""The command line: the composition root, which alone reads settings, environment and signals."""

import contextlib
import errno
import io
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.shell_completion import CompletionItem

from mark_i.cli.command_names import Commands
from mark_i.cli.invocation import Invocation
from mark_i.cli.profile_option import profile_option
from mark_i.startup_check import versions
from world_model import DesktopError, Halt, MarkIError, ModelError, UsageError

if TYPE_CHECKING:
    from mark_i.events import OutcomeName
    from toolbelt.desktops import KeptDesktop

# The module of each command, and its line in `--help`, which loads no module.
ELSEWHERE: Final = {
    "ask": ("mark_i.cli.commands.run", "Answer a question without a screen."),
    "bench": ("mark_i.cli.commands.bench", "Measure the promised figures on this machine."),
    "completion": ("mark_i.cli.commands.completion", "Print a completion script for a shell."),
    "config": ("mark_i.cli.commands.config", "Show and change the settings of a profile."),
    "demo": ("mark_i.cli.commands.demo", "Watch the agent write a letter in a real text editor."),
    "desktop": ("mark_i.cli.commands.desktop", "Start, list, view and stop virtual desktops that stay."),
    "doctor": ("mark_i.cli.commands.doctor", "Check what works here, and what to do about the rest."),
    "fleet": ("mark_i.cli.commands.fleet", "Run many goals on many virtual desktops."),
    "mcp": ("mark_i.cli.commands.mcp", "Serve the tools and the agent to another program over MCP."),
    "run": ("mark_i.cli.commands.run", "Reach a goal on a desktop."),
    "runs": ("mark_i.cli.commands.runs", "List, show, do again, replay, resume and delete runs."),
    "say": ("mark_i.cli.commands.say", "Say something to a run that is going on."),
    "skill": ("mark_i.cli.commands.skill", "Make skills from runs, and do them again without a model."),
    "stop": ("mark_i.cli.commands.stop", "Stop a run from another terminal."),
    "tools": ("mark_i.cli.commands.tools", "List and try the agent's tools."),
    "watch": ("mark_i.cli.commands.watch", "Do a skill each time that something is seen, or at intervals."),
    "workflow": ("mark_i.cli.commands.workflow", "List, draw, check and run workflows."),
}
OUTCOMES: Final[tuple[tuple[type[MarkIError], "OutcomeName"], ...]] = (
    (ModelError, "model_error"),
    (DesktopError, "desktop_error"),
)
NAME: Final = "mark-i"


def start(started: float) -> None:
    """Run the command line and exit with its code.

    It does not wait for threads: after a stop, one may still be inside a model call or reading the screen.

    Args:
        started: when the program was started, in seconds of `time.time()`; commands find it in their context.
    """
    _mend_streams()
    code = _main(started)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):  # the reader closed the pipe
            stream.flush()
    os._exit(code)


def _mend_streams() -> None:
    """Replace closed standard streams, and print a question mark for what an encoding cannot hold."""
    nowhere = Path(os.devnull)
    sys.stdin = sys.stdin or nowhere.open(encoding="utf-8")
    sys.stdout = sys.stdout or nowhere.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or nowhere.open("w", encoding="utf-8")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _main(started: float) -> int:
    try:
        _check_folder()
        return int(program.main(prog_name=NAME, standalone_mode=False, obj=Invocation(started)) or 0)
    except (click.Abort, KeyboardInterrupt, Halt):
        return _code("stopped")
    except (click.ClickException, MarkIError) as error:
        message, code = _complaint(error)
        click.echo(f"mark-i: {message}", err=True)
        return code
    except SystemExit as error:  # from click, after completing a word or if the reader closed the pipe
        return _code("stopped") if error.code else 0
    except BrokenPipeError:
        return _code("stopped")
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EIO}:  # a full disk, or a closed terminal
            raise
        with contextlib.suppress(OSError):
            click.echo(f"mark-i: The output cannot be written: {error.strerror}.", err=True)
        return _code("failed")


def _code(outcome: "OutcomeName") -> int:
    from mark_i.events import EXIT_CODES  # noqa: PLC0415 - help must not load it

    return EXIT_CODES[outcome]


def _check_folder() -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError("The current folder no longer exists. Change to another one.") from error


# How click names the types of numbers, and what a person calls them
NUMBERS: Final = {"valid integer range": "whole number", "valid float range": "number"}


def _complaint(error: click.ClickException | MarkIError) -> tuple[str, int]:
    """Return the error as one line, and the exit code."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            return f"Give a command.\n\n{error.format_message()}", error.exit_code
        case click.UsageError(ctx=click.Context() as context):
            told = error.format_message()
            for name, said in NUMBERS.items():
                told = told.replace(name, said)
            ended = told if told.endswith((".", "?")) else f"{told}."
            return f"{ended} See {context.command_path} --help.", error.exit_code
        case click.ClickException():
            return error.format_message(), error.exit_code
        case UsageError():
            return str(error), 2
        case _:
            return str(error), _code(next((name for kind, name in OUTCOMES if isinstance(error, kind)), "failed"))


class Program(Commands):
    """Commands that load when they are used, so that help and the window start without the agent."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A library that ends the program has failed: only a person stops a run."""
        try:
            return super().invoke(ctx)
        except SystemExit as error:
            raise MarkIError(f"A library ended the program: {' '.join(str(error).split())}") from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in order."""
        return sorted((*super().list_commands(ctx), *ELSEWHERE))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name."""
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(ELSEWHERE[cmd_name][0]), cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete commands, without loading them, and options."""
        begun = [CompletionItem(name, help=about) for name, about in self._told() if name.startswith(incomplete)]
        return [*begun, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as in its parent
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(self._told())

    def _told(self) -> list[tuple[str, str]]:
        """Return each command with its line of help."""
        own = {name: command.get_short_help_str() for name, command in self.commands.items()}
        return sorted((own | {name: about for name, (_, about) in ELSEWHERE.items()}).items())


def _tell_versions(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        about = versions()
        click.echo(f"{NAME}, version {about.pop(NAME)}")
        for name, version in about.items():
            click.echo(f"  {name:24}{version}")
        context.exit()


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_tell_versions,
    help="Show the versions that a bug report needs.",
)  # fmt: skip
def program() -> None:
    """MARK-I is a desktop agent: it looks at the screen, thinks, acts, and looks again until your goal is reached.

    Example: mark-i run --virtual 'open the text editor, type "hello", press ctrl+s'
    """


@program.command()
@click.option("--install", is_flag=True, help="Put the window into the menu of your desktop instead (Linux).")
@click.option("--uninstall", is_flag=True, help="Take it out of the menu again.")
@profile_option
def gui(profile: str, install: bool, uninstall: bool) -> int:
    """Open the window.

    Example: mark-i gui
    """
    _require_window()
    if install or uninstall:
        return _change_menu(profile, install=install, uninstall=uninstall)
    from gui.window import open_window  # noqa: PLC0415 - only what opens a window loads Tk

    return int(open_window(profile) or 0)


def view_desktop(profile: str, kept: "KeptDesktop") -> int:
    """Open a window that shows a kept desktop, and return the exit code.

    Raises:
        UsageError: what the window needs is not installed.
        DesktopError: there is no display for the window, or the desktop is gone.
    """
    _require_window()
    from gui.desktop_window import show_desktop  # noqa: PLC0415 - see above

    return show_desktop(profile, kept)


def require_view() -> None:
    """Check that `view_desktop` can open its window.

    Raises:
        UsageError: what the window needs is not installed.
        DesktopError: there is no display for it.
    """
    _require_window()
    from gui.desktop_window import require_display  # noqa: PLC0415 - see above

    require_display()


def _change_menu(profile: str, *, install: bool, uninstall: bool) -> int:
    from gui.menu_entry import install_entry, remove_entry  # noqa: PLC0415 - see above

    if install and uninstall:
        raise click.UsageError("Give --install or --uninstall.")
    if install:
        click.echo(f"The window is in the menu: {install_entry(profile)}\nmark-i gui --uninstall takes it out again.")
    else:
        click.echo("The window is out of the menu." if remove_entry(profile) else "The window is not in the menu.")
    return 0


def _require_window() -> None:
    from mark_i.extras import NEEDS_TK, has_tk, require  # noqa: PLC0415 - help must not load it

    require("window")
    if not has_tk():
        raise UsageError(f"The window {NEEDS_TK}")
