"""Motion: what moves on a screen by itself, such as a caret, a clock, a spinner or a video. It is never news."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Final

from world_model import Region, Size

CARET_MAX_PX: Final = Size(3, 48)  # the largest caret
CARET_MIN_HEIGHT_PX: Final = 8
BLINK_MAX_S: Final = 1.3  # every caret blinks at least this often
BEATS_MIN: Final = 6  # quick changes in a row that make a place animated
BEATS_KEPT: Final = 50  # per place
BEATS_SPAN_MIN_S: Final = 0.5  # how long they must last together; a menu has slid in by then
BEAT_MAX_S: Final = 0.25  # between two quick changes
TICKS_MIN: Final = 4  # changes at whole seconds that make a place a clock
TICK_TOLERANCE_S: Final = 0.035  # a look sees a tick a little late
IDLE_CHANGES_MIN: Final = 2  # changes without an action that make a small place move by itself
IDLE_AREA_MAX_PX2: Final = 5000  # of such a place; a larger change may be a page that loads late, in parts
REST_S: Final = 1.5  # after so long without an action or a change, a place is at rest
PLACE_GAP_MAX_PX: Final = 16  # between two changes of one place; a moving thing may leave its old place
PLACE_GROWTH_MAX: Final = 10  # the area of a place to that of one of its changes: a spinner is not the window around it
CHANGE_AREA_MIN_PX2: Final = 500  # a smaller change counts as this large: the seconds are smaller than the clock
FORGET_AFTER_S: Final = 30.0  # a place that did not change for so long


@dataclass(slots=True)
class _Place:
    """One place on the screen.

    Attributes:
        last: when it last changed.
        changes: how often it changed.
        beats: when it changed, without the first change after each action, which the action may have caused.
        ticks: when it last changed, for any reason.
        idle: how often it changed while no action ran.
        fresh: whether it has not changed since the last action.
        asked: whether its first change followed an action.
        known: whether it has moved by itself since it last rested; a place that pauses must not grow.
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
    """Learns where the screen moves by itself: what changes again and again, or while no action runs."""

    def __init__(self) -> None:
        self._places: list[_Place] = []
        self._acting = False
        self._carets: frozenset[Region] = frozenset()  # those that blinked at the time of the last action
        self._way: frozenset[Region] = frozenset()  # the two places between which a caret moved

    def settled(self) -> None:
        """Note that the screen has reacted to the action."""
        self._acting = False

    def acted(self) -> None:
        """Note that an action starts."""
        self._acting = True
        carets = [place for place in self._places if _is_caret(place.region)]
        last = max((place.last for place in carets), default=0.0)
        self._carets = frozenset(place.region for place in carets if last - place.last <= BLINK_MAX_S) or self._carets
        for place in self._places:
            place.fresh = True
            if not place.animated:  # what the wheel scrolls again and again does not move by itself
                place.beats.clear()

    def rested(self, since: float, now: float) -> None:
        """Note that no action ran since a time: a place that did not change for long is at rest."""
        for place in self._places:
            if now - max(since, place.last) >= REST_S:
                place.idle = 0
                place.beats.clear()
                place.known = False

    def note(self, regions: Iterable[Region], at: float, *, idle: bool = False) -> None:
        """Note regions that changed at a time in seconds; `idle` says that no action was running."""
        self._places = [place for place in self._places if at - place.last <= FORGET_AFTER_S]
        regions = list(regions)
        carets = frozenset(filter(_is_caret, regions))
        if self._acting and len(carets) == 2 and not carets <= self._carets:  # noqa: PLR2004 - it moved from one to the other
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
        """Return the changes that are more than a place that moves by itself, or a blinking caret.

        Args:
            regions: the changes.
            animated: whether to include constant motion, such as a progress bar or a spinner.
            moved: whether to include a caret where none blinked at the last action, or one that moves back from there.
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
    """Whether a change is of that place, not something that covers it, or text that is written beside a caret."""
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
