"""Which desktop a run works on: `--virtual`, `--keep` and `--on`."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

import click

from mark_i.assembly.desktops import desktop_for
from mark_i.assembly.kept_desktops import kept_named, names_of, start_kept, stop_kept
from mark_i.assembly.resolve import recorded
from mark_i.assembly.run_config import RunConfig
from mark_i.cli.completers import DESKTOPS
from mark_i.cli.main import require_view
from mark_i.cli.run_options import recorded_size
from mark_i.cli.telling import Telling
from mark_i.config.paths import DEFAULT_PROFILE
from toolbelt.control import Control
from toolbelt.desktops import DEFAULT_SIZE, KeptDesktop
from world_model import DesktopError, Run, Size, UsageError

Command = TypeVar("Command", bound=Callable[..., Any])
STAYS: Final = (
    "The desktop {0} stays open. To go on: mark-i run --on {0}{1} GOAL. To end it: mark-i desktop stop {0}{1}"
)

keep_option = click.option("--keep", is_flag=True, help="Leave the virtual desktop open at the end, for --on.")
on_option = click.option(
    "--on", metavar="DESKTOP", shell_complete=DESKTOPS, help="Use this virtual desktop; see `mark-i desktop list`."
)

watch_option = click.option("--watch", is_flag=True, help="Show the virtual desktop in a window while the run goes on.")


@dataclass(frozen=True, slots=True)
class DesktopChoice:
    """What the options say.

    Attributes:
        virtual: the size of a new virtual desktop; None for the user's own.
        keep: whether the new virtual desktop stays open.
        on: the name of the kept desktop to use; None for another one.
        watch: whether the person sees the virtual desktop in a window.

    Raises:
        UsageError: they contradict each other.
    """

    virtual: Size | None = None
    keep: bool = False
    on: str | None = None
    watch: bool = False

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
        if name in names_of(profile) and not (self.virtual or self.on):
            return replace(self, on=name, keep=False)  # it stays anyway
        return self.like(recorded_size(run))


@contextlib.contextmanager
def placed(config: RunConfig, choice: DesktopChoice, telling: Telling) -> Iterator[RunConfig]:
    """Choose the desktop of a run; one that is to stay is started, and at the end the user is told how to use it.

    With `--watch` the desktop is a virtual one, and nothing is started unless a window can show it.

    Raises:
        UsageError: only a virtual desktop can be kept, or there is none of that name.
        DesktopError: the desktop is gone, or does not start.
    """
    if not config.screen:
        if choice.keep or choice.on is not None or choice.watch:
            raise UsageError("The run has no screen; leave out --keep, --on and --watch.")
        yield config
        return
    if choice.watch:
        require_view()
    if choice.on is not None:
        kept = kept_named(config.profile, choice.on)
        if choice.watch:
            _show(kept, config.profile)
        yield replace(config, on=kept.name, virtual=kept.size)
        return
    size, notice = desktop_for(choice.virtual or (DEFAULT_SIZE if choice.watch else None))
    config = replace(config, virtual=size, notices=(*config.notices, *filter(None, [notice])))
    if not (choice.keep or choice.watch):
        yield config
        return
    if size is None:
        raise UsageError("Only a virtual desktop can be kept: add --virtual, or leave out --keep.")
    with _started(config, size, choice, telling) as config:
        yield config


@contextlib.contextmanager
def _started(config: RunConfig, size: Size, choice: DesktopChoice, telling: Telling) -> Iterator[RunConfig]:
    """Start a desktop that a window can show, and end it with the run unless it is to stay."""
    kept = start_kept(config.profile, None, size, Control(), owned=not choice.keep)
    told = STAYS.format(kept.name, option(config.profile))
    notices = [told] if choice.keep and telling.as_json else []
    try:
        if choice.watch:
            _show(kept, config.profile)
        yield replace(config, on=kept.name, notices=(*config.notices, *notices))
    finally:
        if choice.keep:
            click.echo(told, err=telling.is_read)
        else:
            with contextlib.suppress(DesktopError, UsageError):  # it has ended by itself, and the run has told of that
                stop_kept(config.profile, kept.name)


def _show(kept: KeptDesktop, profile: str) -> None:
    """Show a desktop in a window of a process of its own, which ends with the desktop or when the person closes it."""
    command = [sys.executable, "-m", "mark_i", "desktop", "view", kept.name, "--profile", profile]
    # In a session of its own, since Ctrl-C in the terminal is for the run.
    window = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)  # noqa: S603 - ourselves
    threading.Thread(target=window.wait, name="window", daemon=True).start()  # once it ends, it leaves no zombie


def option(profile: str) -> str:
    """Return the option for a profile in a command that is shown, after a blank; empty for the usual one."""
    return "" if profile == DEFAULT_PROFILE else f" --profile {profile}"
