"""What a run is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mark_i.assembly.desktops import SharedDesktop
from mark_i.brain import DEFAULT_AHEAD, Brain
from mark_i.budget import Budget
from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.events import Style
from mark_i.guard.policy import DEFAULT, Policy
from mark_i.guard.secrets import NO_SECRETS, Secrets
from mark_i.prompts.builder import MAX_OBSERVATION_CHARS
from mark_i.workflows.running import Workflow
from toolbelt.desktops import Hotkey
from toolbelt.perception import NO_MASKS, Masks
from toolbelt.result_schema import ResultSchema
from world_model import Run, Size

if TYPE_CHECKING:
    from mark_i.skills.brain import SkillBrain  # slow to load


@dataclass(frozen=True, slots=True)
class RunConfig:
    """What a run is made of.

    Attributes:
        brain: plans each step.
        virtual: the size of the virtual desktop; None for the user's own.
        on: the name of the kept desktop; None for another one.
        shared: the virtual desktop that runs of this process use in turn; None for a new one.
        screen: whether there is a desktop at all.
        reply: writes the final words; None if the planner's stay.
        vision: describes the screen for a planner that cannot see.
        longest: characters of one observation in a prompt.
        ahead: how many actions of a reply are carried out at most.
        earlier: questions and answers of the same session.
        profile: its runs and tools are used.
        resumed: the run to resume.
        session: the conversation that this run belongs to.
        continues: the run that it follows on.
        attached: files of the person's that the run gets copies of.
        tavily_key: for searching the web with Tavily.
        masks: the regions that the agent neither sees nor touches.
        tools_off: the names of the tools that are switched off.
        hotkey: stops the run, wherever the focus is.
        idle: seconds without user input after which a run that a person took over resumes; None for only on request.
        notices: messages for the person at the start.
        workflow: replaces the loop; None for the loop itself.
        iterations: how often its loops may run; None for its own limit.
        secrets: what the agent may type by its name and must not reveal.
        policy: what is allowed, asked for and denied.
        yes: whether every approval is given in advance.
        watched: whether repeated actions are reported and stopped; never for a brain that follows orders.
        servers: whether it has the tools of the profile's MCP servers.
        preview: whether the person sees each action before it is carried out.
        skill: does the skill that the run is for, of which the brain is asked what does not fit; None for another run.
        schema: what its result must fit; None if words are enough.
        looks: whether it ends before anything is done, so that its desktop is only looked at.
        recorded: further settings that a resumed run needs.
        started: when the program was started for this run, in seconds of `time.time()`, since when a stop counts; None
            for a run that begins at once.
    """

    brain: Brain
    virtual: Size | None = None
    on: str | None = None
    shared: SharedDesktop | None = None
    screen: bool = True
    budget: Budget = field(default_factory=Budget)
    style: Style = "default"
    reply: Brain | None = None
    vision: Brain | None = None
    longest: int = MAX_OBSERVATION_CHARS
    ahead: int = DEFAULT_AHEAD
    earlier: tuple[tuple[str, str], ...] = ()
    profile: str = DEFAULT_PROFILE
    resumed: Run | None = None
    session: str | None = None
    continues: str | None = None
    attached: tuple[Path, ...] = ()
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
    skill: "SkillBrain | None" = None
    schema: ResultSchema | None = None
    looks: bool = False
    recorded: Mapping[str, Any] = field(default_factory=dict)
    started: float | None = None
