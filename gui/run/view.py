"""Where a run works, and how a person watches it: in the log, a live view, or past a compact bar. Pure values."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

DesktopKind = Literal["", "virtual", "own"]
Tab = Literal["Log", "Live"]


@dataclass(frozen=True, slots=True)
class DesktopReady:
    """The run has its desktop; `display` is that of a virtual one, and empty for the person's own."""

    display: str


@dataclass(frozen=True, slots=True)
class TabChosen:
    """The person chose the log or the agent's screen."""

    tab: Tab


@dataclass(frozen=True, slots=True)
class TakeoverRequested:
    """The person wants mouse and keyboard of the virtual desktop."""


@dataclass(frozen=True, slots=True)
class BarToggled:
    """The person wants the window instead of the compact bar, or the bar again."""

    expanded: bool


ViewMessage: TypeAlias = DesktopReady | TabChosen | TakeoverRequested | BarToggled


@dataclass(frozen=True, slots=True)
class ViewState:
    """How one run is watched.

    Attributes:
        desktop: where it works; empty until it has a desktop.
        display: of the virtual desktop.
        tab: the person's choice for a virtual desktop; None until they choose.
        tab_after: their choice once the run has ended, when the log says what came of it.
        taking_over: they asked for its mouse and keyboard, and have them once the run is paused.
        expanded: on their own desktop, they want to see the window during the run.
    """

    desktop: DesktopKind = ""
    display: str = ""
    tab: Tab | None = None
    tab_after: Tab | None = None
    taking_over: bool = False
    expanded: bool = False


def view_of_next_run(view: ViewState, *, follow_up: bool) -> ViewState:
    """Keep what carries over to the next run; the desktop of a follow-up is most likely the same."""
    return ViewState(tab=view.tab, display=view.display if follow_up else "")


def update_view(view: ViewState, message: ViewMessage, *, active: bool = True) -> ViewState:
    """Return the view after a message, while a run is `active` or after it."""
    match message:
        case DesktopReady():
            return replace(view, desktop="virtual" if message.display else "own", display=message.display)
        case TabChosen():
            return replace(view, tab=message.tab) if active else replace(view, tab_after=message.tab)
        case TakeoverRequested() if view.desktop == "virtual":
            return replace(view, taking_over=True, tab="Live")
        case BarToggled():
            return replace(view, expanded=message.expanded)
    return view
