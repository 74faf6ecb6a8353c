"""Putting an agent together: the one place where brain, desktop, tools and journal meet."""

import contextlib
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from PIL import Image

from mark_i.agent import AgentCore
from mark_i.brain import Brain
from mark_i.brains.offline import OfflineBrain
from mark_i.budget import Budget
from mark_i.events import Style
from mark_i.folders import DEFAULT_PROFILE, new_run, profile_folder, runs_folder, settings_file, tools_folder
from mark_i.plugins import Plugins
from mark_i.prompting import LONGEST
from mark_i.runs import running
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktop import DEFAULT_SIZE, Desktop, live_display, native_system, on_wayland
from toolbelt.eyes import Eyes
from toolbelt.fake import FakeDesktop
from toolbelt.masks import NO_MASKS, Masks
from toolbelt.recognizing import warm_up
from toolbelt.standard import standard_toolbelt
from toolbelt.tools.files import Files
from toolbelt.tools.memory import Memory
from toolbelt.tools.people import People
from toolbelt.tools.python import Python
from toolbelt.tools.web import Web
from world_model import (
    Action,
    DesktopError,
    Journal,
    Observation,
    Problem,
    Run,
    Size,
    Step,
    Thought,
    WorldModel,
    read_run,
)

NO_DISPLAY: Final = "There is no display here"
WAYLAND: Final = "Under Wayland no program may look at the whole screen or use the mouse for you"
INTERRUPTED: Final = Problem(
    "TOOL_ERROR",
    "The run was interrupted here: nobody knows whether this was carried out.",
    ("Look at what is there before you do it again.",),
)


def _nobody(_question: str) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Setting:
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
    """

    brain: Brain
    virtual: Size | None = None
    screen: bool = True
    budget: Budget = field(default_factory=Budget)
    style: Style = "default"
    reply: Brain | None = None
    vision: Brain | None = None
    longest: int = LONGEST
    earlier: tuple[tuple[str, str], ...] = ()
    profile: str = DEFAULT_PROFILE
    resumed: Run | None = None
    session: str | None = None
    tavily_key: str | None = None
    masks: Masks = NO_MASKS


def desktop_for(virtual: Size | None) -> tuple[Size | None, str | None]:
    """The desktop to use, and what to tell the user where that is not what they asked for."""
    if virtual is not None or native_system() or live_display():
        return virtual, None
    reason = WAYLAND if on_wayland() else NO_DISPLAY
    return DEFAULT_SIZE, f"{reason}, so the agent works on a virtual desktop ({DEFAULT_SIZE})."


@contextlib.contextmanager
def opened(virtual: Size | None, control: Control) -> Iterator[Desktop]:
    """A desktop, given back at the end.

    Raises:
        DesktopError: it cannot be had; the message says what to do.
    """
    desktop: Desktop
    if system := native_system():
        if virtual is not None:
            raise DesktopError(f"There is no virtual desktop on {system}: leave out `--virtual`.")
        from toolbelt.native import NativeDesktop  # noqa: PLC0415

        desktop = NativeDesktop(control)
    elif virtual is not None:
        from toolbelt.virtual import VirtualDesktop  # noqa: PLC0415

        desktop = VirtualDesktop(virtual, control)
    else:
        from toolbelt.live import LiveDesktop  # noqa: PLC0415

        desktop = LiveDesktop(live_display() or "", control)
    with contextlib.closing(desktop):
        yield desktop


@contextlib.contextmanager
def agent_for(
    goal: str, setting: Setting, control: Control, ask: Callable[[str], str | None] = _nobody
) -> Iterator[tuple[AgentCore, Path]]:
    """An agent with a desktop of its own for one run, and the folder of its journal.

    Args:
        goal: what the person wants.
        setting: what the run is made of.
        control: the person's hand on it.
        ask: puts a question to the person, and waits; None where nobody is there.

    Raises:
        UsageError: the run that is to be gone on with still goes on.
        DesktopError: there is no desktop to be had.
        JournalError: the run's folder cannot be written.
    """
    folder = setting.resumed.folder if setting.resumed else runs_folder(setting.profile) / new_run()
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(folder))
        resumed = read_run(folder, images=False) if setting.resumed else None  # it may have gone on in between
        desktop = stack.enter_context(opened(setting.virtual, control)) if setting.screen else None
        journal = Journal.reopen(folder) if resumed else Journal(folder, _about(goal, setting, desktop))
        eyes = Eyes(desktop, control, setting.masks) if desktop else None
        if eyes:
            warm_up()
        toolbelt = stack.enter_context(tools_for(eyes, control, folder / "work", setting, ask))
        plugins = Plugins(tools_folder(setting.profile))
        agent = AgentCore(
            setting.brain,
            toolbelt,
            desktop,
            _remembered(resumed, journal),
            eyes=eyes,
            control=control,
            journal=journal,
            budget=setting.budget,
            reply=setting.reply,
            vision=setting.vision,
            style=setting.style,
            earlier=setting.earlier,
            longest=setting.longest,
            watched=not isinstance(setting.brain, OfflineBrain),
            folders=(Path.cwd(), folder / "work"),
            refresh=partial(plugins.refresh, toolbelt),
        )
        yield agent, folder


def _remembered(resumed: Run | None, journal: Journal) -> WorldModel:
    """What is known from before. An action without a result becomes a step that says so, and is never done again."""
    world_model = WorldModel()
    if resumed is None:
        return world_model
    for step in resumed.steps:
        world_model.remember(step)
    if resumed.in_flight and may_have_acted(resumed.in_flight):
        seen = Observation(ok=False, text="", error=INTERRUPTED)
        step = Step(len(world_model) + 1, Thought(""), resumed.in_flight, seen)
        journal.add(step)
        world_model.remember(step)
    return world_model


@contextlib.contextmanager
def tools_for(
    eyes: Eyes | None,
    control: Control,
    work: Path,
    setting: Setting,
    ask: Callable[[str], str | None] = _nobody,
) -> Iterator[Toolbelt]:
    """The built-in tools of a run. Files are used in the current folder and in `work`, which is Python's own."""
    profile = setting.profile
    ours = [tools_folder(profile), settings_file(profile)]  # who may write there decides what is run next
    with contextlib.closing(Python(control, work)) as python:
        yield standard_toolbelt(
            eyes,
            Files([Path.cwd(), work], closed=ours),
            python,
            Web(control, setting.tavily_key, private=True),  # as the person's own browser could
            People(ask),
            Memory(profile_folder(profile) / "memory.sqlite"),
        )


def may_have_acted(action: Action) -> bool:
    """Whether an action that was interrupted may have left something behind; looking, and saying the end, does not."""
    toolbelt = toolbelt_without_desktop()
    return action.tool not in toolbelt or toolbelt[action.tool].risk != "look"


def toolbelt_without_desktop() -> Toolbelt:
    """The built-in tools, to be told of and not to be used."""
    control = Control()
    eyes = Eyes(FakeDesktop(lambda _inputs: Image.new("RGB", (1, 1)), control), control)
    with tools_for(eyes, control, Path.cwd(), Setting(OfflineBrain())) as toolbelt:
        return toolbelt


def our_version() -> str:
    """The installed version of MARK-I."""
    try:
        return version("mark-i")
    except PackageNotFoundError:
        return "not installed"


def _about(goal: str, setting: Setting, desktop: Desktop | None) -> dict[str, Any]:
    return {
        "goal": goal,
        "brain": setting.brain.name,
        "desktop": desktop.name if desktop else None,
        "settings": {
            "budget": asdict(setting.budget),
            "style": setting.style,
            "virtual": str(setting.virtual) if setting.virtual else None,
            "folder": str(Path.cwd()),
            "session": setting.session,
            "observation_chars": setting.longest,
            "reply_brain": setting.reply.name if setting.reply else None,
            "vision_brain": setting.vision.name if setting.vision else None,
        },
        "versions": {"mark-i": our_version(), "python": platform.python_version(), "system": platform.platform()},
    }
