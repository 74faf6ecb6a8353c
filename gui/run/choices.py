"""What is chosen for a run besides its goal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args

from mark_i.events import Style
from mark_i.skills import order_of

OFFLINE: Final = "offline"  # the brain that does a skill which is ordered in words


@dataclass(frozen=True, slots=True)
class Choices:
    """What is chosen for a run; no workflow is the plain loop.

    Attributes:
        virtual: whether the agent gets a desktop of its own.
    """

    brain: str
    workflow: str | None = None
    style: Style = "default"
    virtual: bool = True


def recorded_choices(about: Mapping[str, Any]) -> Choices:
    """Read what a past run was made of from its journal, which may have been changed by hand."""
    settings = about.get("settings")
    settings = settings if isinstance(settings, Mapping) else {}
    workflow, style = settings.get("workflow"), settings.get("style")
    return Choices(
        OFFLINE if order_of(settings) else str(settings.get("brain") or about.get("brain") or ""),
        workflow if isinstance(workflow, str) else None,
        next((one for one in get_args(Style) if one == style), "default"),
        virtual=bool(settings.get("virtual")),
    )
