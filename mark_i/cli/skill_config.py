"""The RunConfig of a run that does a skill, new or resumed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mark_i.assembly.resolve import recorded
from mark_i.assembly.run_config import RunConfig
from mark_i.cli.run_options import run_config_of
from mark_i.skills.brain import SkillBrain
from mark_i.skills.skill import Skill, values_for
from mark_i.skills.store import skill_named
from world_model import Run, UsageError


def for_skill(config: RunConfig, skill: Skill, values: Mapping[str, str], folder: Path) -> tuple[RunConfig, str]:
    """Return a RunConfig whose brain does the skill, and the goal of the run."""
    brain = SkillBrain(skill, values, folder)
    kept = {**config.recorded, "skill": {"name": skill.name, "values": dict(values)}}
    return replace(config, brain=brain, reply=None, vision=None, workflow=None, recorded=kept), brain.goal


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
