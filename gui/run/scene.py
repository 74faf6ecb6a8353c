"""Where a run works, and how a person follows it there: from the log, in a live view, or past a strip. Pure values."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Place = Literal["", "virtual", "this"]
View = Literal["Log", "Live"]


@dataclass(frozen=True, slots=True)
class Seated:
    """The run has its desktop; `display` is that of a virtual one, and nothing for the person's own."""

    display: str


@dataclass(frozen=True, slots=True)
class ViewChosen:
    """The person wants to see the log, or the agent's screen."""

    view: View


@dataclass(frozen=True, slots=True)
class HandAsked:
    """The person wants mouse and keyboard of the virtual desktop."""


@dataclass(frozen=True, slots=True)
class Unfolded:
    """The person wants the window instead of the strip, or the strip again."""

    wide: bool


SceneMessage: TypeAlias = Seated | ViewChosen | HandAsked | Unfolded


@dataclass(frozen=True, slots=True)
class Scene:
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


def renewed(scene: Scene) -> Scene:
    """For the next run, which is followed as the last was."""
    return Scene(view=scene.view)


def staged(scene: Scene, message: SceneMessage) -> Scene:
    """After what a person did, or when the desktop is there."""
    match message:
        case Seated():
            return replace(scene, place="virtual" if message.display else "this", display=message.display)
        case ViewChosen():
            return replace(scene, view=message.view)
        case HandAsked() if scene.place == "virtual":
            return replace(scene, taking=True, view="Live")
        case Unfolded():
            return replace(scene, wide=message.wide)
    return scene
