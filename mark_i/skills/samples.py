"""The screen as a person saw it before and after what they did, with what programs said of it."""

from collections import deque
from dataclasses import dataclass
from typing import Final

from mark_i.skills.gestures import Gesture
from toolbelt.desktops import Window
from toolbelt.elements import ROLES, Element, said_of
from toolbelt.ocr import changed_regions
from toolbelt.perception import Heard
from world_model import FIELDS, Frame, Point, Region

KEPT: Final = 16


@dataclass(frozen=True, slots=True)
class Sample:
    """The screen at one time.

    Attributes:
        taken_s: when all of this was known first, in the time of `time.monotonic`.
        copies: how often programs had put something on the clipboard.
        calm: whether it was at rest.
        heard: what programs said last; None if they had said nothing yet.
        is_news: whether they said it of this screen, and not of an earlier one.
    """

    taken_s: float
    frame: Frame
    windows: tuple[Window, ...]
    copies: int = 0
    calm: bool = False
    heard: Heard | None = None
    is_news: bool = False

    def control_at(self, place: Point) -> Element | None:
        """Return the smallest control at a place, as its program says, or said while it looked as it does here."""
        controls = elements_of(self.heard) if self.heard else ()
        there = [one for one in controls if place in one.region and one.role not in {"text", "listbox"}]
        found = min(there, key=lambda one: one.region.area, default=None)
        return found if found and (self.is_news or self._looks_as_heard(found.region)) else None

    def _looks_as_heard(self, region: Region) -> bool:
        return self.heard is not None and not any(
            one.overlaps(region) for one in changed_regions(self.heard.frame, self.frame)
        )

    def window_of(self, gesture: Gesture) -> Window | None:
        """Return the window that gets a gesture."""
        shown = [one for one in self.windows if not one.minimized and not one.ours]
        if gesture.places:
            return next((one for one in reversed(shown) if gesture.places[0] in one.region), None)
        return next((one for one in shown if one.active), None)


class Samples:
    """The newest samples."""

    def __init__(self) -> None:
        self._kept: deque[Sample] = deque(maxlen=KEPT)

    @property
    def newest(self) -> Sample | None:
        """The newest; None before the first."""
        return self._kept[-1] if self._kept else None

    def add(self, sample: Sample) -> None:
        """Add one."""
        self._kept.append(sample)

    def at(self, when_s: float) -> Sample:
        """Return the screen at a time; the oldest that is kept if it was earlier."""
        return next((one for one in reversed(self._kept) if one.taken_s <= when_s), self._kept[0])


class TypedField:
    """The field that a text goes into, as far as programs say: whether it is one for a password, above all.

    Args:
        begun_s: when the text began; what programs said before may be of another field.
        clicked: the field that was clicked right before it; None if none was.
    """

    def __init__(self, begun_s: float, clicked: Element | None) -> None:
        self._begun_s = begun_s
        self._clicked = Said(clicked.text, "secret" in clicked.states) if clicked else None
        self._seen: list[tuple[float, Said]] = []
        self._last: Heard | None = None

    @property
    def is_judged(self) -> bool:
        """Whether a program has said it since the text began."""
        return bool(self._seen)

    def note(self, heard: Heard, now_s: float) -> bool:
        """Note which field has the focus, unless programs were asked too early; whether it is the first for a password.

        What programs said is noted once it is known here: all of it is of the time before that.
        """
        active = {one.pid for one in heard.windows if one.active}
        nodes = [node for tree in heard.trees if tree.pid in active for node in tree.nodes]
        fields = [one for one in nodes if "focused" in one.states and ROLES.get(one.role) in FIELDS]
        if fields and heard.asked_s > self._begun_s and heard is not self._last:
            self._last = heard
            labels = [one.text for one in elements_of(heard) if "focused" in one.states]
            name = next(iter((*filter(None, labels), fields[-1].name)))
            said = Said(name, "secret" in fields[-1].states)
            is_news = said.is_secret and not any(one.is_secret for _, one in self._seen)
            self._seen.append((now_s, said))
            return is_news
        return False

    def until(self, ended_s: float) -> "Said | None":
        """Return the field, as it was known before the next thing was done; None if nobody said what it is."""
        known = [self._clicked, *(said for at_s, said in self._seen if at_s <= ended_s)]
        found = [one for one in known if one is not None]
        return next((one for one in found if one.is_secret), found[-1] if found else None)


@dataclass(frozen=True, slots=True)
class Said:
    """A field that a text is typed into: its name, and whether it is for a password."""

    name: str
    is_secret: bool


def elements_of(heard: Heard) -> tuple[Element, ...]:
    """Return what programs said is on the screen."""
    return said_of(heard.trees, heard.windows, ()).elements
