"""Sightings: where something is, and the look at the screen on which it was found."""

from dataclasses import dataclass

from toolbelt.ocr.text_match import Match
from world_model import Frame, Point, Region


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the screen.

    Attributes:
        began_s: when it began, in the time of `time.monotonic`.
    """

    frame: Frame
    began_s: float


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place, and the look on which it was chosen: a click is refused if something else is there by then.

    Attributes:
        look: None if there was no look yet; any screen will do then.
    """

    match: Match
    look: Look | None = None

    @property
    def point(self) -> Point:
        """Where to click."""
        return self.match.point

    @property
    def region(self) -> Region | None:
        """The box of what is there, unless a point was given."""
        return self.match.region
