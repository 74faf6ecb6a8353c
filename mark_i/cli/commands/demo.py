"""`mark-i demo`: watch the agent at work."""

import click

from mark_i.cli.demo import show
from mark_i.cli.desktop_choice import DesktopChoice, keep_option
from mark_i.cli.options import WithVirtual, json_option, virtual_option
from mark_i.cli.telling import Telling
from toolbelt.desktops import DEFAULT_SIZE
from world_model import Size


@click.command(cls=WithVirtual)
@click.option("--live", is_flag=True, help="Use your own desktop, after asking you.")
@virtual_option
@keep_option
@json_option
def demo(live: bool, virtual: Size | None, keep: bool, as_json: bool) -> int:
    """Watch the agent write and save a file in a real text editor, offline.

    Example: mark-i demo
    """
    if live and keep:
        raise click.UsageError("Only a virtual desktop can be kept: leave out --live or --keep.")
    return show(DesktopChoice(None if live else virtual or DEFAULT_SIZE, keep), Telling(as_json))
