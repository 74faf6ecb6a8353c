"""`mark-i watch`: do a skill each time that something is seen on the screen, or at intervals."""

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import click

from mark_i.assembly.lookout import wanted
from mark_i.assembly.skill_runs import for_skill
from mark_i.assembly.watching import Watch, check_desktop, do_when_due
from mark_i.cli.completers import SKILLS
from mark_i.cli.desktop_choice import DesktopChoice, on_option, option, placed
from mark_i.cli.invocation import started
from mark_i.cli.options import WithVirtual, stopped_on_signals, virtual_option
from mark_i.cli.profile_option import profile_option
from mark_i.cli.runner import carry_out
from mark_i.cli.skill_config import assignments, oversight_options, set_option, skill_config
from mark_i.cli.telling import LOGGED
from mark_i.skills.skill import Skill, values_for
from mark_i.skills.store import skill_named
from world_model import Size, UsageError

DURATION: Final = re.compile(r"(\d{1,9})\s*([smhd])")
SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
LONGEST_S: Final = 365 * SECONDS["d"]
WANTS: Final = "A time is written as 30s, 10m, 2h or 1d, and is at most 365d, not {!r}"
DRAFT: Final = "The skill {0} is a draft, and nobody sees to it here. Check it first: mark-i skill check {0}{1}"
LACKS: Final = "The skill {} needs a value for {}, since nobody can be asked: --set {}=VALUE; {!r} in its run."
NEW: Final = "Nothing comes to be on a new virtual desktop: watch one that is kept, with --on, or leave out WHAT."


def _seconds(_context: click.Context, _parameter: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    written = DURATION.fullmatch(value.strip())
    seconds = int(written[1]) * SECONDS[written[2]] if written else 0
    if not 0 < seconds <= LONGEST_S:
        raise click.BadParameter(WANTS.format(value))
    return float(seconds)


@click.command(cls=WithVirtual)
@click.argument("what", required=False)
@click.option("--do", "name", required=True, metavar="SKILL", shell_complete=SKILLS, help="The skill to do.")
@set_option
@click.option(
    "--every",
    metavar="TIME",
    callback=_seconds,
    help="Repeat it, with at least this time from one run to the next: 30s, 10m, 2h or 1d.",
)
@virtual_option
@on_option
@oversight_options
@profile_option
def watch(
    what: str | None,
    name: str,
    given: tuple[str, ...],
    every: float | None,
    virtual: Size | None,
    on: str | None,
    **options: Any,
) -> int:
    """Do the skill SKILL once WHAT comes to be on the screen: a text, or the path of a picture.

    With --every it goes on: WHAT must be gone and come again. Without WHAT, the skill is done now and at that interval.
    A run that does not end as done ends the watch, with the exit code of the run.

    Example: mark-i watch "New order" --do order --set person=Ada --every 1m
    """
    if what is None and every is None:
        raise click.UsageError("Give WHAT to watch for, or --every, or both.")
    if what is not None and virtual:
        raise UsageError(NEW)
    profile, choice = options["profile"], DesktopChoice(virtual, on=on)
    found, folder = skill_named(profile, name)
    values = _values(found, assignments(given), profile)
    watched = Watch(wanted(what) if what is not None else None, every)
    config = replace(skill_config(**options), on=on, started=started())
    if watched.what:
        check_desktop(kept=on is not None)
    stop = stopped_on_signals()

    def run() -> int:
        doing, goal = for_skill(config, found, values, folder)
        with placed(replace(doing, started=time.time()), choice, LOGGED) as there:
            return carry_out(goal, there, LOGGED, stop).outcome.exit_code

    return do_when_due(watched, config, stop, run, click.echo)


def _values(found: Skill, given: Mapping[str, str], profile: str) -> dict[str, str]:
    """Return a value for every parameter of a skill that nobody sees to.

    Raises:
        UsageError: it is a draft, or a value is missing or is not of its type.
    """
    if found.state == "draft":
        raise UsageError(DRAFT.format(found.name, option(profile)))
    values = values_for(found, given)
    for one in found.parameters:
        if one.name not in given:
            raise UsageError(LACKS.format(found.name, one.name, one.name, one.example))
    return values
