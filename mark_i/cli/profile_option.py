"""The option `--profile`, which most commands take."""

import click

from mark_i.cli.completers import PROFILES
from mark_i.config.paths import DEFAULT_PROFILE

profile_option = click.option(
    "--profile",
    metavar="NAME",
    default=DEFAULT_PROFILE,
    show_default=True,
    shell_complete=PROFILES,
    help="The profile: its settings, runs and tools.",
)
