"""What moves on a screen by itself: a caret, a clock, a spinner, a video. It is no news, and nothing waits for it."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Final

from world_model import Region, Size

CARET_MAX_PX: Final = Size(3, 48)  # pixels that a caret has at most
CARET_MIN_HEIGHT_PX: Final = 8
BLINK_MAX_S: Final = 1.3  # every caret blinks within that
BEATS_MIN: Final = 6  # quick changes in a row by which a place is animated
BEATS_KEPT: Final = 50  # of each place
BEATS_SPAN_MIN_S: Final = 0.5  # that they take together: a menu that slides in is there by then
BEAT_MAX_S: Final = 0.25  # between two of them
TICKS_MIN: Final = 4  # changes, whole seconds apart, by which a place is a clock
TICK_TOLERANCE_S: Final = 0.035  # a tick is seen only at the next look
IDLE_CHANGES_MIN: Final = 2  # by which a small place moves by itself, with no action carried out
IDLE_AREA_MAX_PX2: Final = 5000  # of such a place: a page may appear in parts, and late
REST_S: Final = 1.5  # without an action or a change, after which a place has come to rest
PLACE_GAP_MAX_PX: Final = 16  # between two changes of one place; what moves may leave its old place
PLACE_GROWTH_MAX: Final = 10  # of a place to one of its changes: a spinner is not the window around it
CHANGE_AREA_MIN_PX2: Final = 500  # a clock's seconds are less than the clock
FORGET_AFTER_S: Final = 30.0  # without a change


@dataclass(slots=True)
class _Place:
    """One place on the screen.

    Attributes:
        last: when it changed last.
        changes: how often it did.
        beats: when it changed, but for the first time after each action, which may have brought that about.
        ticks: when it changed last, whatever the reason.
        idle: how often it changed while nothing was done.
        fresh: whether it did not change since the last action.
        asked: whether it changed first on an action.
        known: whether it moved by itself since it rested last: a pause of it lets nothing else become a part of it.
    """

    region: Region
    last: float = 0.0
    changes: int = 0
    beats: deque[float] = field(default_factory=lambda: deque(maxlen=BEATS_KEPT))
    ticks: deque[float] = field(default_factory=lambda: deque(maxlen=TICKS_MIN))
    idle: int = 0
    fresh: bool = True
    asked: bool = False
    known: bool = False

    @property
    def moves_by_itself(self) -> bool:
        return (
            self.animated or self._ticking or (self.idle >= IDLE_CHANGES_MIN and self.region.area <= IDLE_AREA_MAX_PX2)
        )

    @property
    def animated(self) -> bool:
        pauses = [later - earlier for earlier, later in pairwise(self.beats)]
        quick = list(takewhile(lambda pause: pause <= BEAT_MAX_S, reversed(pauses)))
        return len(quick) >= BEATS_MIN and sum(quick) >= BEATS_SPAN_MIN_S

    @property
    def _ticking(self) -> bool:
        pauses = [later - earlier for earlier, later in pairwise(self.ticks)]
        return len(self.ticks) == TICKS_MIN and all(
            round(one) and abs(one - round(one)) <= TICK_TOLERANCE_S for one in pauses
        )


class Motion:
    """Learns where the screen moves by itself: from what changes again and again, or while nothing is done."""

    def __init__(self) -> None:
        self._places: list[_Place] = []
        self._acting = False
        self._carets: frozenset[Region] = frozenset()  # those that blinked when something was done
        self._way: frozenset[Region] = frozenset()  # the two places between which a caret went

    def settled(self) -> None:
        """What was done has shown."""
        self._acting = False

    def acted(self) -> None:
        """Something is done now."""
        self._acting = True
        carets = [place for place in self._places if _is_caret(place.region)]
        last = max((place.last for place in carets), default=0.0)
        self._carets = frozenset(place.region for place in carets if last - place.last <= BLINK_MAX_S) or self._carets
        for place in self._places:
            place.fresh = True
            if not place.animated:  # what is turned again and again with the wheel does not move by itself
                place.beats.clear()

    def rested(self, since: float, now: float) -> None:
        """Nothing was done since then: what has not moved for long has come to rest."""
        for place in self._places:
            if now - max(since, place.last) >= REST_S:
                place.idle = 0
                place.beats.clear()
                place.known = False

    def note(self, regions: Iterable[Region], at: float, *, idle: bool = False) -> None:
        """Places that changed, at that time in seconds; `idle`: while nothing was done."""
        self._places = [place for place in self._places if at - place.last <= FORGET_AFTER_S]
        regions = list(regions)
        carets = frozenset(filter(_is_caret, regions))
        if self._acting and len(carets) == 2 and not carets <= self._carets:  # noqa: PLR2004 - it went from one to the other
            self._way = carets
        for region in regions:
            place = self._place(region)
            place.region, place.last, place.changes = place.region.union(region), at, place.changes + 1
            place.ticks.append(at)
            place.idle += idle
            if idle or not place.fresh:
                place.beats.append(at)
            place.fresh = place.fresh and idle
            place.known = place.known or place.moves_by_itself

    def news(self, regions: Iterable[Region], *, animated: bool = False, moved: bool = False) -> list[Region]:
        """Those of the changes that are more than a part that moves by itself, or a caret that blinks.

        `animated`: what moves all the time counts too, as a bar or a spinner does that tells of work.
        `moved`: so does a caret where none blinked when something was done, or one that goes back from there.
        """
        regions = list(regions)
        carets = [region for region in regions if moved and _is_caret(region)]
        come = [region for region in carets if region not in self._carets]
        if not come and self._way and self._way <= frozenset(carets):
            come = carets
        quiet = [place for place in self._places if not (animated and place.animated) and place.region not in come]
        return [region for region in regions if not any(_covers(place, region) for place in quiet)]

    def _place(self, region: Region) -> _Place:
        for place in self._places:
            if _is_same(place, region):
                return place
        self._places.append(place := _Place(region, fresh=self._acting, asked=self._acting))
        return place


def _is_same(place: _Place, region: Region) -> bool:
    """Whether it is that place that changed, and not something that comes over it, or is written beside a caret."""
    if _is_caret(region) or _is_caret(place.region):
        return place.region == region
    if place.known:
        return _is_within(region, place)
    near = place.region.overlaps(region.grown(PLACE_GAP_MAX_PX))
    return near and place.region.area <= PLACE_GROWTH_MAX * max(region.area, CHANGE_AREA_MIN_PX2)


def _covers(place: _Place, region: Region) -> bool:
    if _is_caret(place.region):
        return place.region == region and (place.changes > 1 or not place.asked)
    return place.moves_by_itself and _is_within(region, place)


def _is_within(region: Region, place: _Place) -> bool:
    return region.intersection(place.region.grown(PLACE_GAP_MAX_PX)) == region


def _is_caret(region: Region) -> bool:
    return region.width <= CARET_MAX_PX.width and CARET_MIN_HEIGHT_PX <= region.height <= CARET_MAX_PX.height
