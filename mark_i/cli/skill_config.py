"""The RunConfig of a run that is resumed, which may do a skill."""

from typing import Any

from mark_i.assembly.resolve import recorded
from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.skill_runs import for_skill
from mark_i.cli.run_options import run_config_of
from mark_i.skills.skill import values_for
from mark_i.skills.store import skill_named
from world_model import Run, UsageError


def resumed_config(options: dict[str, Any], run: Run) -> RunConfig:
    """Return the RunConfig of a run that is resumed; if it did a skill, it does that on.

    Raises:
        UsageError: the skill is gone, has changed so that its values do not fit, or another brain is asked for.
    """
    match recorded(run).get("skill"):
        case {"name": str(name), "values": dict(values)}:
            if options.get("brain"):
                raise UsageError("The run does a skill, which needs no model; leave out --brain.")
            skill, folder = skill_named(options["profile"], name)
            config = run_config_of({**options, "brain": "offline"}, run)
            return for_skill(config, skill, values_for(skill, values), folder)[0]
    return run_config_of(options, run)
