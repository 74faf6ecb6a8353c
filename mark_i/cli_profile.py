"""`--profile`, which most commands take."""

import click

from mark_i.cli_completing import PROFILES
from mark_i.folders import DEFAULT_PROFILE

profile_option = click.option(
    "--profile",
    metavar="NAME",
    default=DEFAULT_PROFILE,
    show_default=True,
    shell_complete=PROFILES,
    help="Whose settings, runs and tools.",
)
