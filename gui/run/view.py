"""Where a run works, and how a person follows it there: from the log, in a live view, or past a strip. Pure values."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Place = Literal["", "virtual", "this"]
View = Literal["Log", "Live"]


@dataclass(frozen=True, slots=True)
class DesktopReady:
    """The run has its desktop; `display` is that of a virtual one, and nothing for the person's own."""

    display: str


@dataclass(frozen=True, slots=True)
class TabChosen:
    """The person wants to see the log, or the agent's screen."""

    view: View


@dataclass(frozen=True, slots=True)
class TakeoverRequested:
    """The person wants mouse and keyboard of the virtual desktop."""


@dataclass(frozen=True, slots=True)
class BarExpanded:
    """The person wants the window instead of the strip, or the strip again."""

    wide: bool


ViewMessage: TypeAlias = DesktopReady | TabChosen | TakeoverRequested | BarExpanded


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

    place: Place = ""
    display: str = ""
    view: View | None = None
    taking: bool = False
    wide: bool = False


def view_of_next_run(view: ViewState) -> ViewState:
    """For the next run, which is followed as the last was."""
    return ViewState(view=view.view)


def update_view(view: ViewState, message: ViewMessage) -> ViewState:
    """After what a person did, or when the desktop is there."""
    match message:
        case DesktopReady():
            return replace(view, place="virtual" if message.display else "this", display=message.display)
        case TabChosen():
            return replace(view, view=message.view)
        case TakeoverRequested() if view.place == "virtual":
            return replace(view, taking=True, view="Live")
        case BarExpanded():
            return replace(view, wide=message.wide)
    return view
