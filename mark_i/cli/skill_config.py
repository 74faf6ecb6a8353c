"""The RunConfig of a run that does a skill, and the options that it is made from."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from mark_i.assembly.options import run_config_of
from mark_i.assembly.resolve import recorded
from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.skill_runs import for_skill
from mark_i.cli.run_options import ABOVE_0
from mark_i.skills.brain import PREFIX
from mark_i.skills.skill import values_for
from mark_i.skills.store import skill_named
from world_model import Run, UsageError

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--policy", metavar="FILE", help="The file of rules that allow, ask or deny; see docs/safety.md."),
    click.option("--yes", is_flag=True, help="Approve every action in advance. What a policy denies stays denied."),
    click.option("--max-seconds", type=ABOVE_0, metavar="S", help="Limit the time of each replay, in seconds."),
)
set_option = click.option("--set", "given", multiple=True, metavar="NAME=VALUE", help="The value of a parameter.")


def oversight_options(command: Command) -> Command:
    """Add what limits a skill to a command, which takes them as `**options`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def assignments(given: Sequence[str]) -> dict[str, str]:
    """Return the values that were given with `--set`, by their names.

    Raises:
        UsageError: one of them is no NAME=VALUE.
    """
    values = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise UsageError(f"--set wants NAME=VALUE, not {one!r}.")
        values[name.strip()] = value
    return values


def skill_config(profile: str, brain: str | None = None, base_url: str | None = None, **options: Any) -> RunConfig:
    """Return the RunConfig for a skill, which needs no model; with a brain, that is asked where a step does not fit."""
    given = {"profile": profile, **options, "brain": brain or "offline", "base_url": base_url, "max_steps": None}
    return run_config_of(given)


def resumed_config(options: dict[str, Any], run: Run) -> RunConfig:
    """Return the RunConfig of a run that is resumed; if it did a skill, it does that on.

    Raises:
        UsageError: the skill is gone, has changed so that its values do not fit, or another brain is asked for.
    """
    match recorded(run).get("skill"):
        case {"name": str(name), "values": dict(values)}:
            alone = str(run.about.get("brain")).startswith(PREFIX)
            if alone and options.get("brain"):
                raise UsageError("The run does a skill, which needs no model; leave out --brain.")
            skill, folder = skill_named(options["profile"], name)
            config = run_config_of({**options, "brain": "offline"} if alone else options, run)
            return for_skill(config, skill, values_for(skill, values), folder, repairs=not alone)[0]
    return run_config_of(options, run)
