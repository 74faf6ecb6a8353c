"""Putting an agent together: the one place where brain, desktop, tools and journal meet."""

import contextlib
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from PIL import Image

from mark_i.agent import MAX_STEPS, AgentCore
from mark_i.brain import Brain
from mark_i.folders import new_run, runs_folder
from toolbelt.belt import Toolbelt
from toolbelt.control import Control
from toolbelt.desktop import DEFAULT_SIZE, Desktop, live_display, on_wayland
from toolbelt.eyes import Eyes
from toolbelt.fake import FakeDesktop
from toolbelt.reading import warm_up
from toolbelt.standard import standard_toolbelt
from world_model import Journal, Size

NO_DISPLAY: Final = "There is no display here"
WAYLAND: Final = "Under Wayland no program may look at the whole screen or use the mouse for you"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run is made of; `virtual` is the size of the virtual desktop, None for the user's own."""

    brain: Brain
    virtual: Size | None = None
    max_steps: int = MAX_STEPS
    runs: Path = field(default_factory=runs_folder)


def desktop_for(virtual: Size | None) -> tuple[Size | None, str | None]:
    """The desktop to use, and what to tell the user where that is not what they asked for."""
    if virtual is not None or live_display():
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
    if virtual is not None:
        from toolbelt.virtual import VirtualDesktop  # noqa: PLC0415

        desktop = VirtualDesktop(virtual, control)
    else:
        from toolbelt.live import LiveDesktop  # noqa: PLC0415

        desktop = LiveDesktop(live_display() or "", control)
    with contextlib.closing(desktop):
        yield desktop


@contextlib.contextmanager
def agent_for(goal: str, setting: Setting, control: Control) -> Iterator[tuple[AgentCore, Path]]:
    """An agent with a desktop of its own for one run, and the folder of its journal."""
    with opened(setting.virtual, control) as desktop:
        journal = Journal(setting.runs / new_run(), _about(goal, setting, desktop))
        eyes = Eyes(desktop, control)
        warm_up()
        agent = AgentCore(
            setting.brain,
            standard_toolbelt(eyes),
            desktop,
            eyes=eyes,
            control=control,
            journal=journal,
            max_steps=setting.max_steps,
        )
        yield agent, journal.folder


def toolbelt_without_desktop() -> Toolbelt:
    """The built-in tools, to be told of and not to be used."""
    control = Control()
    return standard_toolbelt(Eyes(FakeDesktop(lambda _inputs: Image.new("RGB", (1, 1)), control), control))


def our_version() -> str:
    """The installed version of MARK-I."""
    try:
        return version("mark-i")
    except PackageNotFoundError:
        return "not installed"


def _about(goal: str, setting: Setting, desktop: Desktop) -> dict[str, object]:
    return {
        "goal": goal,
        "brain": setting.brain.name,
        "desktop": desktop.name,
        "settings": {"max_steps": setting.max_steps},
        "versions": {"mark-i": our_version(), "python": platform.python_version(), "system": platform.platform()},
    }
