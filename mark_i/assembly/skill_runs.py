"""Runs that do a skill, and the skills that any other run can use."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mark_i.assembly.run_config import RunConfig
from mark_i.brain import Brain, follows_orders
from mark_i.brains.replay import ReplayBrain
from mark_i.skills.brain import SkillBrain
from mark_i.skills.calling_brain import CallingBrain
from mark_i.skills.calls import end_skill, skill_tool
from mark_i.skills.order_brain import OrderBrain
from mark_i.skills.skill import Skill
from mark_i.skills.store import usable
from toolbelt.belt import Toolbelt
from toolbelt.perception import Eyes
from toolbelt.tool import Tool


def for_skill(config: RunConfig, skill: Skill, values: Mapping[str, str], folder: Path) -> tuple[RunConfig, str]:
    """Return a RunConfig whose brain does the skill, and the goal of the run."""
    brain = SkillBrain(skill, values, folder)
    kept = {**config.recorded, "skill": {"name": skill.name, "values": dict(values)}}
    return replace(config, brain=brain, reply=None, vision=None, workflow=None, recorded=kept), brain.goal


def with_skills(config: RunConfig, toolbelt: Toolbelt, eyes: Eyes | None, say: Callable[[str], None]) -> Brain:
    """Return the brain of a run with the skills of the profile, and add a tool for each skill that is kept.

    Args:
        config: of the run.
        toolbelt: gets the tools.
        eyes: see the desktop; without one no skill can be done.
        say: receives what is wrong with a skill.
    """
    if eyes is None or isinstance(config.brain, ReplayBrain | SkillBrain):
        return config.brain
    skills, faults = usable(config.profile)
    for fault in faults:
        say(fault)
    brain = OrderBrain(config.brain, skills) if skills and follows_orders(config.brain) else config.brain
    kept = [skill_tool(skill) for skill, _ in skills if skill.state == "kept"]
    names = {tool.name for tool in add_untaken(toolbelt, kept, "of a skill", say)}
    if not names:
        return brain
    toolbelt.add(end_skill)
    called = {skill.name: (skill, folder) for skill, folder in skills if skill.name in names}
    return CallingBrain(brain, called, lambda: eyes.desktop.region)


def add_untaken(toolbelt: Toolbelt, tools: Sequence[Tool], origin: str, say: Callable[[str], None]) -> list[Tool]:
    """Add tools, and return them, except those whose names are taken."""
    added = []
    for tool in tools:
        if toolbelt.known(tool.name):
            say(f"The tool {tool.name} {origin} is left out: there is another one of that name.")
        else:
            toolbelt.add(tool)
            added.append(tool)
    return added
