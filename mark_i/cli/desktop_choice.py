"""Which desktop a run works on: `--virtual`, `--keep` and `--on`."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import click

from mark_i.assembly.desktops import desktop_for
from mark_i.assembly.kept_desktops import kept_named, names_of, start_kept
from mark_i.assembly.resolve import recorded
from mark_i.assembly.run_config import RunConfig
from mark_i.cli.completers import DESKTOPS
from mark_i.cli.run_options import recorded_size
from mark_i.cli.telling import Telling
from mark_i.config.paths import DEFAULT_PROFILE
from toolbelt.control import Control
from world_model import Run, Size, UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
STAYS: Final = (
    "The desktop {0} stays open. To go on: mark-i run --on {0}{1} GOAL. To end it: mark-i desktop stop {0}{1}"
)

keep_option = click.option("--keep", is_flag=True, help="Leave the virtual desktop open at the end, for --on.")
on_option = click.option(
    "--on", metavar="DESKTOP", shell_complete=DESKTOPS, help="Use this virtual desktop; see `mark-i desktop list`."
)


@dataclass(frozen=True, slots=True)
class DesktopChoice:
    """What the options say.

    Attributes:
        virtual: the size of a new virtual desktop; None for the user's own.
        keep: whether the new virtual desktop stays open.
        on: the name of the kept desktop to use; None for another one.

    Raises:
        UsageError: they contradict each other.
    """

    virtual: Size | None = None
    keep: bool = False
    on: str | None = None

    def __post_init__(self) -> None:
        if self.on is not None and self.virtual:
            raise UsageError(f"--on uses the desktop {self.on}; leave out --virtual, which makes a new one.")
        if self.on is not None and self.keep:
            raise UsageError(f"The desktop {self.on} stays open anyway; leave out --keep.")

    def like(self, size: Size | None) -> "DesktopChoice":
        """Return the choice of a resumed run whose virtual desktop had that size."""
        return self if self.virtual or self.on is not None else replace(self, virtual=size)

    def after(self, run: Run, profile: str) -> "DesktopChoice":
        """Return the choice of a follow-up: the desktop of the run before if that is kept, else one of its size."""
        name = recorded(run).get("on")
        if name in names_of(profile) and not (self.virtual or self.keep or self.on):
            return replace(self, on=name)
        return self.like(recorded_size(run))


@contextlib.contextmanager
def placed(config: RunConfig, choice: DesktopChoice, telling: Telling) -> Iterator[RunConfig]:
    """Choose the desktop of a run; one that is to stay is started, and at the end the user is told how to use it.

    Raises:
        UsageError: only a virtual desktop can be kept, or there is none of that name.
        DesktopError: the desktop is gone, or does not start.
    """
    if not config.screen:
        if choice.keep or choice.on is not None:
            raise UsageError("The run has no screen; leave out --keep and --on.")
        yield config
        return
    if choice.on is not None:
        yield replace(config, on=choice.on, virtual=kept_named(config.profile, choice.on).size)
        return
    size, notice = desktop_for(choice.virtual)
    config = replace(config, virtual=size, notices=(*config.notices, *filter(None, [notice])))
    if not choice.keep:
        yield config
        return
    if size is None:
        raise UsageError("Only a virtual desktop can be kept: add --virtual, or leave out --keep.")
    kept = start_kept(config.profile, None, size, Control())
    told = STAYS.format(kept.name, option(config.profile))
    try:
        yield replace(config, on=kept.name, notices=(*config.notices, *([told] if telling.as_json else [])))
    finally:
        click.echo(told, err=telling.is_read)


def option(profile: str) -> str:
    """Return the option for a profile in a command that is shown, after a blank; empty for the usual one."""
    return "" if profile == DEFAULT_PROFILE else f" --profile {profile}"
