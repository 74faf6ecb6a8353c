"""What a run is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mark_i.brain import Brain
from mark_i.budget import Budget
from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.events import Style
from mark_i.guard.policy import DEFAULT, Policy
from mark_i.guard.secrets import NO_SECRETS, Secrets
from mark_i.prompts.builder import MAX_OBSERVATION_CHARS
from mark_i.workflows.running import Workflow
from toolbelt.desktops import Hotkey
from toolbelt.perception import NO_MASKS, Masks
from world_model import Run, Size


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What a run is made of.

    Attributes:
        brain: plans; `reply` writes the final words and `vision` describes the screen, where they are given.
        virtual: the size of the virtual desktop, None for the user's own.
        screen: whether there is a desktop at all.
        longest: characters of one observation in a prompt.
        earlier: questions and answers of the same session.
        profile: whose runs and tools.
        resumed: the run that is gone on with.
        session: the conversation that this run is a part of.
        tavily_key: for searching the web with Tavily.
        masks: what the agent neither sees nor touches.
        tools_off: the names of tools that it does not have.
        hotkey: stops the run, wherever the focus is.
        idle: seconds without a person's hand after which a run that they took over goes on; None for when it is told.
        notices: what the person is told at the start.
        workflow: one that takes the place of the loop.
        iterations: how often its loops may run, where a person said so.
        secrets: what it may type by its name and must not tell.
        policy: what is allowed, asked for and denied.
        yes: whoever would be asked has agreed beforehand.
        watched: whether repeats are told and stopped; a brain that only follows orders is never watched.
        servers: whether it has the tools of the profile's MCP servers.
        preview: the person wants to see each action before it is done.
        recorded: more settings that a run needs that is gone on with.
    """

    brain: Brain
    virtual: Size | None = None
    screen: bool = True
    budget: Budget = field(default_factory=Budget)
    style: Style = "default"
    reply: Brain | None = None
    vision: Brain | None = None
    longest: int = MAX_OBSERVATION_CHARS
    earlier: tuple[tuple[str, str], ...] = ()
    profile: str = DEFAULT_PROFILE
    resumed: Run | None = None
    session: str | None = None
    tavily_key: str | None = None
    masks: Masks = NO_MASKS
    tools_off: tuple[str, ...] = ()
    hotkey: Hotkey | None = None
    idle: float | None = None
    notices: tuple[str, ...] = ()
    workflow: Workflow | None = None
    iterations: int | None = None
    secrets: Secrets = NO_SECRETS
    policy: Policy = DEFAULT
    yes: bool = False
    watched: bool = True
    servers: bool = True
    preview: bool = False
    recorded: Mapping[str, Any] = field(default_factory=dict)
