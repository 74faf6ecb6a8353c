"""Runs that do a skill, and the skills that any other run can use."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.untaken import add_untaken
from mark_i.brain import Brain, follows_orders
from mark_i.brains.replay import ReplayBrain
from mark_i.plugins.tools import Plugins
from mark_i.skills.brain import SkillBrain
from mark_i.skills.calling_brain import CallingBrain
from mark_i.skills.calls import end_skill, skill_tool
from mark_i.skills.file import check_tools
from mark_i.skills.order_brain import OrderBrain
from mark_i.skills.skill import Skill
from mark_i.skills.store import usable
from toolbelt.belt import Toolbelt
from toolbelt.perception import Eyes
from world_model import UsageError


def for_skill(config: RunConfig, skill: Skill, values: Mapping[str, str], folder: Path) -> tuple[RunConfig, str]:
    """Return a RunConfig whose brain does the skill, and the goal of the run."""
    brain = SkillBrain(skill, values, folder)
    kept = {**config.recorded, "skill": {"name": skill.name, "values": dict(values)}}
    return replace(config, brain=brain, reply=None, vision=None, workflow=None, recorded=kept), brain.goal


def with_skills(
    config: RunConfig, toolbelt: Toolbelt, plugins: Plugins, eyes: Eyes | None, say: Callable[[str], None]
) -> Brain:
    """Return the brain of a run with the skills of the profile, and add a tool for each skill that is kept.

    Args:
        config: of the run.
        toolbelt: gets the tools.
        plugins: may have tools that a skill uses.
        eyes: see the desktop; without one no skill can be done.
        say: receives what is wrong with a skill.

    Raises:
        UsageError: the run does a skill with a tool that it does not have.
    """
    if eyes is None:
        return config.brain
    if isinstance(config.brain, SkillBrain):
        _load(plugins, toolbelt, say)
        check_tools(config.brain.skill, config.brain.folder, toolbelt)
        return config.brain
    skills = _complete(config.profile, toolbelt, plugins, say)
    brain = OrderBrain(config.brain, skills) if skills and follows_orders(config.brain) else config.brain
    kept = [skill_tool(skill) for skill, _ in skills if skill.state == "kept"]
    names = {tool.name for tool in add_untaken(toolbelt, kept, "of a skill", say)}
    if not names:
        return brain
    toolbelt.add(end_skill)
    if isinstance(brain, ReplayBrain):  # it has the steps of skills, too
        return brain
    called = {skill.name: (skill, folder) for skill, folder in skills if skill.name in names}
    return CallingBrain(brain, called, lambda: eyes.desktop.region)


def _complete(
    profile: str, toolbelt: Toolbelt, plugins: Plugins, say: Callable[[str], None]
) -> list[tuple[Skill, Path]]:
    """Return the skills of a profile whose tools the run has, and say what is wrong with the others."""
    found, faults = usable(profile)
    complete = []
    if found:
        _load(plugins, toolbelt, say)
    for skill, folder in found:
        try:
            check_tools(skill, folder, toolbelt)
            complete.append((skill, folder))
        except UsageError as error:
            faults.append(str(error))
    for fault in faults:
        say(fault)
    return complete


def _load(plugins: Plugins, toolbelt: Toolbelt, say: Callable[[str], None]) -> None:
    """Add the tools of plugins now: a run does so before its first thought."""
    for complaint in plugins.refresh(toolbelt):
        say(complaint)
