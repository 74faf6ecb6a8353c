"""`mark-i desktop`: virtual desktops that stay, for several runs in turn and for a person to look at."""

import json
import sys
from datetime import UTC, datetime
from typing import Any, Final

import click

from mark_i.assembly.kept_desktops import SIZE, Listed, end_lost, kept_named, listed, names_of, start_kept, stop_kept
from mark_i.cli.command_names import Commands
from mark_i.cli.completers import DESKTOPS
from mark_i.cli.console import fitted
from mark_i.cli.desktop_choice import option
from mark_i.cli.main import view_desktop
from mark_i.cli.options import json_option, stop_on_signals
from mark_i.cli.profile_option import profile_option
from mark_i.runs.store import local
from toolbelt.control import Control
from toolbelt.desktops import DEFAULT_SIZE, KeptDesktop
from world_model import DesktopError, MarkIError, Size, UsageError

POLL_S: Final = 0.2  # between two checks that the desktop and its VNC server are there
NONE: Final = "No desktop is open. Start one: mark-i desktop start"


@click.group(cls=Commands)
def desktop() -> None:
    """Start, list, view and stop virtual desktops that stay, with what is open on them, until you stop them.

    Example: mark-i desktop start work 1280x800
    """


@desktop.command()
@click.argument("name", required=False)
@click.argument("size", metavar="[WxH]", required=False)
@json_option
@profile_option
def start(name: str | None, size: str | None, as_json: bool, profile: str) -> None:
    """Start a desktop. Without a NAME it gets a short one, without a size 1920x1080.

    Example: mark-i desktop start work 1280x800
    """
    if name and not size and SIZE.fullmatch(name):
        name, size = None, name
    try:
        wanted = Size.parse(size) if size else DEFAULT_SIZE
    except ValueError as error:
        raise UsageError(f"{error}.") from error
    _tell_lost(profile)
    kept = start_kept(profile, name, wanted, Control())
    if as_json:
        click.echo(json.dumps({"name": kept.name, "size": str(kept.size), "display": kept.display}))
        return
    more = option(profile)
    click.echo(f"The desktop {kept.name} is open ({kept.size}).\n")
    for command, what in (
        (f"mark-i run --on {kept.name}{more} GOAL", "works on it"),
        (f"mark-i desktop view {kept.name}{more}", "shows it"),
        (f"mark-i desktop stop {kept.name}{more}", "ends it"),
    ):
        click.echo(f"  {command:40}  {what}")


@desktop.command("list")
@json_option
@profile_option
def list_desktops(as_json: bool, profile: str) -> None:
    """List the open desktops, who uses them, and the windows on them.

    Example: mark-i desktop list
    """
    _tell_lost(profile)
    found = listed(profile)
    if as_json:
        click.echo(json.dumps([_values(one) for one in found]))
        return
    if not found:
        click.echo(NONE)
        return
    width = max(7, *(len(one.desktop.name) for one in found)) + 2
    click.echo(f"{'Desktop':{width}}{'Size':11}{'Since':21}Used by")
    for one in found:
        used = f"the run {one.run}" if one.run else "somebody" if one.used else "nobody"
        click.echo(f"{one.desktop.name:{width}}{one.desktop.size!s:11}{local(_since(one)):21}{used}")
        for title in one.titles:
            click.echo(fitted(f"  {title}"))


@desktop.command()
@click.argument("name", required=False, shell_complete=DESKTOPS)
@click.option("--all", "all_of_them", is_flag=True, help="Stop every desktop of the profile.")
@profile_option
def stop(name: str | None, all_of_them: bool, profile: str) -> None:
    """Stop the desktop NAME: close its windows, give the programs time to save, then end everything on it.

    In a terminal it asks first if a window holds something unsaved. A question of a program such as "Save changes?" is
    left unanswered. A desktop that a run uses is not stopped: stop the run first.

    Example: mark-i desktop stop work
    """
    if bool(name) == all_of_them:
        raise click.UsageError("Give NAME or --all.")
    _ask_about_unsaved(profile, name)
    if all_of_them:
        _stop_all(profile)
    elif name:
        stop_kept(profile, name)
        _tell_stopped(name)


@desktop.command()
@click.argument("name", shell_complete=DESKTOPS)
@click.option("--vnc", is_flag=True, help="Serve it to a VNC viewer on this machine, until Ctrl-C; needs x11vnc.")
@profile_option
def view(name: str, vnc: bool, profile: str) -> int:
    """Show the desktop NAME in a window, with your mouse and keyboard on it.

    A run on it pauses when you use them. Closing the window leaves the desktop as it is.

    Example: mark-i desktop view work
    """
    kept = kept_named(profile, name)
    code = _serve(kept) if vnc else view_desktop(profile, kept)
    if not kept.is_open:
        click.echo(f"The desktop {name} has ended.")
    return code


def _ask_about_unsaved(profile: str, name: str | None) -> None:
    """Ask a person at a terminal whether to go on, if a window on the desktop, or on any, holds something unsaved."""
    if not (sys.stdin and sys.stdin.isatty()):
        return
    titles = [title for one in listed(profile) if name in {None, one.desktop.name} for title in one.unsaved]
    if titles:
        click.confirm(f"Not saved: {', '.join(titles)}. Stop anyway?", abort=True, err=True)


def _serve(kept: KeptDesktop) -> int:
    """Serve a desktop until it ends; Ctrl-C raises Halt.

    Raises:
        DesktopError: x11vnc is not installed, does not start, or has ended.
    """
    from toolbelt.desktops.virtual import VncServer  # noqa: PLC0415 - only on Linux

    control = Control()
    stop_on_signals(control)
    with VncServer(kept) as server:
        click.echo(f"Address: localhost:{server.port}\nPassword: {server.password}\nCtrl-C ends this, not the desktop.")
        while server.is_running and kept.is_open:
            control.wait(POLL_S)
    if kept.is_open:
        raise DesktopError("x11vnc has ended.")
    return 0


def _stop_all(profile: str) -> None:
    """Stop every desktop; one that cannot be stopped keeps none of the others.

    Raises:
        MarkIError: some could not be stopped; the message says why.
    """
    _tell_lost(profile)
    names, failed = names_of(profile), list[MarkIError]()
    for name in names:
        try:
            stop_kept(profile, name)
        except MarkIError as error:
            failed.append(error)
        else:
            _tell_stopped(name)
    if failed:
        raise type(failed[0])(" ".join(map(str, failed)))
    if not names:
        click.echo(NONE)


def _tell_stopped(name: str) -> None:
    click.echo(f"The desktop {name} is stopped.")


def _tell_lost(profile: str) -> None:
    """End what is left of lost desktops, and print a line for each."""
    for line in end_lost(profile):
        click.echo(line, err=True)


def _since(one: Listed) -> str:
    return datetime.fromtimestamp(one.desktop.since_s, UTC).isoformat(timespec="seconds")


def _values(one: Listed) -> dict[str, Any]:
    return {
        "name": one.desktop.name,
        "size": str(one.desktop.size),
        "display": one.desktop.display,
        "since": _since(one),
        "used": one.used,
        "run": one.run,
        "windows": one.titles,
    }
