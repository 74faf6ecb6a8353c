"""Put an agent together: the one place where brain, desktop, tools and journal meet."""

import contextlib
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.assembly.desktops import OwnDesktop, opened
from mark_i.assembly.kept_desktops import borrowed
from mark_i.assembly.run_config import RunConfig
from mark_i.assembly.untaken import add_untaken
from mark_i.brain import Brain, follows_orders
from mark_i.brains.replay import ReplayBrain
from mark_i.catalog import builtin_tool
from mark_i.config.api_keys import Keys
from mark_i.config.paths import (
    desktops_folder,
    make_private,
    new_run,
    nodes_folder,
    profile_folder,
    runs_folder,
    servers_file,
    settings_file,
    skills_folder,
    tools_folder,
)
from mark_i.config.portal_token import PortalToken
from mark_i.control_words import control_word
from mark_i.guard.risk import Guard
from mark_i.human.person import Nobody, Person, decision
from mark_i.human.pointed_at import place_told
from mark_i.human.takeover_watch import UNWATCHED, Watcher, watched
from mark_i.human.words import Words
from mark_i.loop.foresight import Foresight
from mark_i.loop.parts import Limits, Models, Oversight
from mark_i.plugins.mcp_servers import tools_of_servers
from mark_i.plugins.tools import Plugins
from mark_i.runs.attachments import attach, attached
from mark_i.runs.stop_file import reachable
from mark_i.runs.store import begun, running, spent, summaries
from mark_i.runs.tracing import traced
from mark_i.startup_check import our_version
from mark_i.workflows.format.limits import LIMIT_KEY
from mark_i.workflows.nodes.surroundings import Earlier
from mark_i.workflows.running import Workflow
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktops import Desktop
from toolbelt.ocr import warm_up
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tools import Files, Memory, People, Python, Said, Web, bare_place, think
from world_model import (
    Action,
    Journal,
    Observation,
    Point,
    Problem,
    Run,
    Step,
    Thought,
    WorldModel,
    read_run,
)

OWN_SEEN: Final = "This desktop tells nobody where windows are, so the agent sees MARK-I's own too: keep them away."
OF_SKILL: Final = "The skill does that step by step; you are asked for what does not fit."
NOBODY: Final = Nobody()
INTERRUPTED: Final = Problem(
    "TOOL_ERROR",
    "The run was interrupted here: nobody knows whether this was carried out.",
    ("Look at what is there before you do it again.",),
)


@contextlib.contextmanager
def agent_for(  # noqa: PLR0913, PLR0917 - who takes part
    goal: str,
    config: RunConfig,
    control: Control,
    person: Person = NOBODY,
    watcher: Watcher = UNWATCHED,
    words: Words | None = None,
) -> Iterator[tuple[AgentCore, Path]]:
    """Make an agent with its desktop for one run, and the folder of its journal.

    Args:
        goal: what the person wants.
        config: what the run is made of.
        control: pauses and stops the run.
        person: who can be asked.
        watcher: receives what happens besides the run.
        words: what the person says while it runs; by default only what comes from other processes.

    Raises:
        UsageError: the run to resume is still running.
        DesktopError: there is no desktop.
        JournalError: the run's folder cannot be written.
    """
    folder = config.resumed.folder if config.resumed else runs_folder(config.profile) / new_run()
    make_private(profile_folder(config.profile))
    with contextlib.ExitStack() as stack:
        spans = stack.enter_context(traced(folder.name, watcher.warn or watcher.say))
        if not config.resumed:
            stack.enter_context(begun(folder))
        stack.enter_context(running(folder))
        attach(config.attached, folder / "work")
        words = words or Words()
        stack.enter_context(reachable(folder, control, config.started or time.time(), words.say))
        resumed = read_run(folder, images=False) if config.resumed else None  # it may have gone on in between
        if resumed:
            words.recall(resumed.words, len(resumed.steps) + (_lost(resumed) is not None))
        desktop = stack.enter_context(run_desktop(config, control, folder.name, watcher)) if config.screen else None
        clean = config.secrets.redacted
        about = _about(goal, config, desktop)
        eyes = Eyes(desktop, control, config.masks) if desktop else None
        if eyes:
            warm_up()
        if desktop and config.masks.own and not desktop.knows_windows:
            watcher.say(OWN_SEEN)
        toolbelt = stack.enter_context(tools_for(eyes, control, folder / "work", config, person.ask))
        if config.servers:
            others = stack.enter_context(tools_of_servers(servers_file(config.profile), folder, watcher.say))
            add_untaken(toolbelt, others, "of an MCP server", watcher.say)
        plugins = Plugins(tools_folder(config.profile))
        brain = _with_skills(config, toolbelt, plugins, eyes, watcher.say)
        journal = Journal.reopen(folder, clean) if resumed else Journal(folder, about, clean=clean)
        journal.tell(spans)
        if desktop:
            own = config.virtual is None and config.on is None
            stack.enter_context(watched(desktop, control, watcher, config.hotkey, config.idle, own=own))
        planner = _planner(brain, config, toolbelt, eyes)
        yield _core(config, planner, desktop, eyes, toolbelt, plugins, control, journal, resumed, person, words), folder


@contextlib.contextmanager
def run_desktop(config: RunConfig, control: Control, run: str, watcher: Watcher = UNWATCHED) -> Iterator[Desktop]:
    """Open the desktop of a run; a kept one is used by no other run meanwhile."""
    with contextlib.ExitStack() as stack:
        kept = stack.enter_context(borrowed(config.profile, config.on, run)) if config.on else None
        own = OwnDesktop(PortalToken(config.profile), watcher.warn or watcher.say, config.looks)
        yield stack.enter_context(opened(config.virtual, control, kept, config.shared, own))


def _core(  # noqa: PLR0913, PLR0917 - the parts of an agent
    config: RunConfig,
    planner: Brain,
    desktop: Desktop | None,
    eyes: Eyes | None,
    toolbelt: Toolbelt,
    plugins: Plugins,
    control: Control,
    journal: Journal,
    resumed: Run | None,
    person: Person,
    words: Words,
) -> AgentCore:
    return AgentCore(
        Models(planner, reply=config.reply, vision=config.vision),
        toolbelt,
        desktop,
        _remembered(resumed, journal),
        limits=Limits(config.budget, spent(journal.folder) if resumed else None, config.longest),
        oversight=Oversight(
            Guard(config.policy, follows_orders(config.brain), config.yes, config.preview),
            partial(decision, person, _place(eyes)),
            config.secrets,
            control,
            config.watched,
        ),
        eyes=eyes,
        journal=journal,
        style=config.style,
        earlier=(*config.earlier, *([(config.skill.order, OF_SKILL)] if config.skill else [])),
        words=words,
        folders=(Path.cwd(), journal.folder / "work"),
        attached=attached(journal.folder / "work"),
        refresh=partial(plugins.refresh, toolbelt),
        workflow=_prepared(config.workflow, config, person).run if config.workflow else None,
        schema=config.schema,
    )


def _with_skills(
    config: RunConfig, toolbelt: Toolbelt, plugins: Plugins, eyes: Eyes | None, say: Callable[[str], None]
) -> Brain:
    """Return the brain with the skills of the profile; a run loads nothing for them if there are none."""
    if "skill" not in config.recorded and not skills_folder(config.profile).exists():
        return config.brain
    from mark_i.assembly.skill_runs import with_skills  # noqa: PLC0415 - slow to load

    return with_skills(config, toolbelt, plugins, eyes, say)


def _planner(brain: Brain, config: RunConfig, toolbelt: Toolbelt, eyes: Eyes | None) -> Brain:
    """Return the brain that plans; one that may plan ahead is checked before each planned action.

    What only does what the goal says sees nothing ahead, and a replayed run has a reply for each of its steps.
    """
    if config.ahead == 1 or follows_orders(brain) or isinstance(brain, ReplayBrain):
        return brain
    return Foresight(brain, config.ahead, toolbelt, eyes)


def _prepared(workflow: Workflow, config: RunConfig, person: Person) -> Workflow:
    """Return the workflow with what its nodes need from the run and the profile."""
    context = {
        "session": config.session,
        "history": config.earlier,
        "settings": dict(config.recorded),
        "profile": config.profile,
        "person": person is not NOBODY,
        "desktop": config.screen,
        LIMIT_KEY: config.iterations,
    }
    memory = Memory(profile_folder(config.profile) / "memory.sqlite")
    runs = partial(_earlier, config.profile)
    return replace(workflow, context=context, secrets=config.secrets.values, keep=memory.remember, runs=runs)


def _earlier(profile: str) -> list[Earlier]:
    """Return the runs that reached their goal, newest first."""
    done = (run for run in summaries(runs_folder(profile)) if run.outcome == "done")
    return [{"goal": run.goal, "answer": run.said, "run": run.run} for run in done]


def _remembered(resumed: Run | None, journal: Journal) -> WorldModel:
    """Return the steps so far. An interrupted action becomes a step that says so, and is never repeated."""
    world_model = WorldModel()
    if resumed is None:
        return world_model
    for step in resumed.steps:
        world_model.remember(step)
    if lost := _lost(resumed):
        seen = Observation(ok=False, text="", data={"interrupted": True}, error=INTERRUPTED)
        step = Step(len(world_model) + 1, Thought(""), lost, seen)
        journal.add(step)
        world_model.remember(step)
    return world_model


def _lost(resumed: Run) -> Action | None:
    """Return the action within which a run ended, if it may have had an effect."""
    return resumed.in_flight if resumed.in_flight and may_have_acted(resumed.in_flight) else None


@contextlib.contextmanager
def tools_for(
    eyes: Eyes | None,
    control: Control,
    work: Path,
    config: RunConfig,
    ask: Callable[[str], Said | None] = NOBODY.ask,
) -> Iterator[Toolbelt]:
    """Make the built-in tools of a run. Files are used in the current folder and in `work`, Python's own folder."""
    profile = config.profile
    # Whoever can write to these decides what runs next.
    policy = [Path(config.recorded["policy"]).expanduser()] if config.recorded.get("policy") else []
    ours = [
        tools_folder(profile),
        nodes_folder(profile),
        skills_folder(profile),
        settings_file(profile),
        servers_file(profile),
    ]
    closed = [*policy, *ours, desktops_folder(profile), Keys(profile).file]

    def asked(question: str) -> Said | None:
        with control.asking():
            said = ask(question)
        stops = isinstance(said, str) and control_word(said) == "stop"
        if stops and follows_orders(config.brain):  # it offers that; the run asks again once it is resumed
            control.stop()
            control.check()
        return said

    with contextlib.closing(Python(control, work)) as python:
        toolbelt = standard_toolbelt(
            eyes,
            Files([Path.cwd(), work], closed=closed),
            python,
            Web(control, config.tavily_key, private=True),  # the guard knows which sites the person named
            People(asked, _place(eyes)),
            Memory(profile_folder(profile) / "memory.sqlite"),
            *(() if eyes else (think,)),  # on a desktop every action has a thought already, and a step costs a look
        )
        toolbelt.switch_off(config.tools_off)
        yield toolbelt


def _place(eyes: Eyes | None) -> Callable[[Point], str]:
    """Return how a place that a person pointed at is described to the agent."""
    return partial(place_told, eyes=eyes) if eyes else bare_place


def may_have_acted(action: Action) -> bool:
    """Whether an interrupted action may have had an effect; looking and ending the run have none."""
    tool = builtin_tool(action.tool)
    return tool is None or tool.risk != "look"


def _about(goal: str, config: RunConfig, desktop: Desktop | None) -> dict[str, Any]:
    return {
        "goal": goal,
        "brain": config.brain.name,
        "sees": {"sight": config.brain.sight, "space": config.brain.space},
        "desktop": desktop.name if desktop else None,
        "settings": {
            "budget": asdict(config.budget),
            "style": config.style,
            "virtual": str(config.virtual) if config.virtual else None,
            "folder": str(Path.cwd()),
            "session": config.session,
            "continues": config.continues,
            "on": config.on,
            "iterations": config.iterations,
            "observation_chars": config.longest,
            "ahead": config.ahead,
            "reply_brain": config.reply.name if config.reply else None,
            "vision_brain": config.vision.name if config.vision else None,
            "schema": config.schema.schema if config.schema else None,
            **config.recorded,
        },
        "versions": {"mark-i": our_version(), "python": platform.python_version(), "system": platform.platform()},
    }
