"""Runs that do a skill, and the skills that any other run can use."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.untaken import add_untaken
from mark_i.brain import Brain, follows_orders
from mark_i.brains.replay import ReplayBrain
from mark_i.plugins.tools import Plugins
from mark_i.skills.brain import SkillBrain
from mark_i.skills.calling_brain import CallingBrain
from mark_i.skills.calls import end_skill, resume_tool, skill_tool
from mark_i.skills.file import check_tools
from mark_i.skills.order_brain import OrderBrain
from mark_i.skills.skill import Skill
from mark_i.skills.store import stamp, usable
from toolbelt.belt import Toolbelt
from toolbelt.perception import Eyes
from world_model import UsageError

NO_MODEL: Final = "{brain} plans nothing by itself, so it repairs no skill. Leave out --brain, or name a model."


def for_skill(
    config: RunConfig, skill: Skill, values: Mapping[str, str], folder: Path, *, repairs: bool = False
) -> tuple[RunConfig, str]:
    """Return a RunConfig that does the skill, and the goal of the run.

    Args:
        config: what the run would be by itself.
        skill: with its placeholders.
        values: of its parameters.
        folder: of the skill.
        repairs: whether the brain of `config` is asked for what does not fit.

    Raises:
        UsageError: that brain plans nothing by itself.
    """
    if repairs and (follows_orders(config.brain) or isinstance(config.brain, ReplayBrain)):
        raise UsageError(NO_MODEL.format(brain=config.brain.name))
    done = SkillBrain(skill, values, folder)
    told = {"name": skill.name, "values": dict(values), "file": stamp(folder)}
    config = replace(config, reply=None, vision=None, workflow=None, recorded={**config.recorded, "skill": told})
    return (replace(config, skill=done) if repairs else replace(config, brain=done)), done.goal


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
    whole = config.brain if isinstance(config.brain, SkillBrain) else config.skill
    if whole:
        _load(plugins, toolbelt, say)
        check_tools(whole.skill, whole.folder, toolbelt)
    if whole is config.brain:
        return config.brain
    skills = _complete(config.profile, toolbelt, plugins, say)
    if whole:  # what it does is not to be done twice
        skills = [(skill, folder) for skill, folder in skills if folder != whole.folder]
    brain = OrderBrain(config.brain, skills) if skills and follows_orders(config.brain) else config.brain
    kept = [skill_tool(skill) for skill, _ in skills if skill.state == "kept"]
    names = {tool.name for tool in add_untaken(toolbelt, kept, "of a skill", say)}
    if not names and not whole:
        return brain
    own = {whole.skill.name} if whole else set()
    toolbelt.add(end_skill, resume_tool(sorted(names | own)))
    if isinstance(brain, ReplayBrain):  # it has the steps of skills, too
        return brain
    called = {skill.name: (skill, folder) for skill, folder in skills if skill.name in names}
    return CallingBrain(brain, called, lambda: eyes.desktop.region, whole)


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
