"""Where a run works, and how a person follows it there: from the log, in a live view, or past a strip. Pure values."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

DesktopKind = Literal["", "virtual", "own"]
Tab = Literal["Log", "Live"]


@dataclass(frozen=True, slots=True)
class DesktopReady:
    """The run has its desktop; `display` is that of a virtual one, and nothing for the person's own."""

    display: str


@dataclass(frozen=True, slots=True)
class TabChosen:
    """The person wants to see the log, or the agent's screen."""

    tab: Tab


@dataclass(frozen=True, slots=True)
class TakeoverRequested:
    """The person wants mouse and keyboard of the virtual desktop."""


@dataclass(frozen=True, slots=True)
class BarToggled:
    """The person wants the window instead of the strip, or the strip again."""

    expanded: bool


ViewMessage: TypeAlias = DesktopReady | TabChosen | TakeoverRequested | BarToggled


@dataclass(frozen=True, slots=True)
class ViewState:
    """One run's.

    Attributes:
        place: where it works, nothing as long as it has no desktop.
        display: of the virtual desktop.
        view: what the person chose to see of a virtual one; None where they chose nothing yet.
        taking: they want mouse and keyboard of it, and have them as soon as the run waits.
        wide: on their own desktop they want to see the window in spite of the run.
    """

    desktop: DesktopKind = ""
    display: str = ""
    tab: Tab | None = None
    taking_over: bool = False
    expanded: bool = False


def view_of_next_run(view: ViewState) -> ViewState:
    """For the next run, which is followed as the last was."""
    return ViewState(tab=view.tab)


def update_view(view: ViewState, message: ViewMessage) -> ViewState:
    """After what a person did, or when the desktop is there."""
    match message:
        case DesktopReady():
            return replace(view, desktop="virtual" if message.display else "own", display=message.display)
        case TabChosen():
            return replace(view, tab=message.tab)
        case TakeoverRequested() if view.desktop == "virtual":
            return replace(view, taking_over=True, tab="Live")
        case BarToggled():
            return replace(view, expanded=message.expanded)
    return view
