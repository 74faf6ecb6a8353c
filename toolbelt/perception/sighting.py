"""Sightings: where something is, and the look at the screen on which that was found."""

from dataclasses import dataclass

from toolbelt.ocr.text_match import Match
from world_model import Frame, Point, Region


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the screen.

    Attributes:
        began_s: when it began, as `time.monotonic` has it.
    """

    frame: Frame
    began_s: float


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place, and the look on which it was chosen: a click is refused where the screen shows something else by then.

    Attributes:
        look: None where nobody has looked yet; any screen will do then.
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
