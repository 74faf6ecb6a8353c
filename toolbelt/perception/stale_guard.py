"""The stale-target guard: a click goes only where what was chosen still is."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from toolbelt.desktops.base import Button, SeenPlace, around
from toolbelt.perception.observer import Observer
from toolbelt.perception.row_shift import row_at, row_moved
from toolbelt.perception.settling import CONTROL_MAX_PX, LOOK_INTERVAL_S, QUIET_S, REACTION_S, SETTLE_MAX_S
from toolbelt.perception.sighting import Sighting
from world_model import Frame, Point, Region, ToolFailure, message

HOVER_FADE_MAX_S: Final = 0.4  # how long a control may take to highlight; on web pages it fades in
LIT_MAX_S: Final = 3 * SETTLE_MAX_S  # how long a slow program may take to show the same highlight twice


class StaleGuard:
    """Clicks on one desktop."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._desktop = observer.desktop
        self._aside: Point | None = None  # where the pointer was before it went to the last place
        self._clicked: tuple[Point | None, float] = None, 0.0  # where the last click was, and when

    def check(self, sighting: Sighting) -> Frame:
        """Return the screen as it is now, if the place is still the one that was chosen.

        Raises:
            ToolFailure: `STALE_TARGET` if something else is there now, or its row has moved.
        """
        place, now = sighting.point, self._observer.look()
        before = sighting.look.frame if sighting.look else None
        if before and (self._news_at(place, before, now) or self._is_another_row(before, now, place)):
            raise _stale(place)
        return now

    def click(self, sighting: Sighting, button: Button, count: int) -> Frame:
        """Click on a place, if it is still the one that was chosen.

        A program may highlight what is under the pointer. That is not a reaction to the click, nor another place. A
        tooltip that covers the place goes when the pointer goes, and comes later than the click that comes with it.

        Returns:
            The screen with the pointer there, before the button went down.

        Raises:
            ToolFailure: `STALE_TARGET` as for `check`, or if the place never stops changing.
        """
        place, chosen = sighting.point, self.check(sighting)
        chosen_s = sighting.look.began_s if sighting.look else float("inf")
        before, start, came_s = chosen, self._desktop.pointer(), chosen_s
        if start != place:
            self._aside = start
            self._point(place, place, before)
        elif place == self._clicked[0]:
            came_s = min(chosen_s, self._clicked[1])  # what came under a pointer that rests may be a tooltip
        end_s = time.monotonic() + SETTLE_MAX_S
        while time.monotonic() < end_s:  # what moves there by itself pauses between two frames
            aimed = self._observer.look()
            if self._is_covered(place, before, aimed):
                if start == place:
                    break
                before, start, end_s = self._lit(place, before, start), place, time.monotonic() + SETTLE_MAX_S
                continue
            if self._press(place, came_s, button, count):
                return aimed
            self._observer.control.wait(LOOK_INTERVAL_S)
            if self._observer.look() is not aimed:
                continue
            if self._aside is None:  # it rests, so that another window is there
                break
            press = partial(self._press, place, chosen_s, button, count)
            if self._press_uncovered(place, self._aside, chosen, press):
                return chosen
        raise _stale(place)

    def _press_uncovered(self, place: Point, aside: Point, chosen: Frame, press: Callable[[], bool]) -> bool:
        """Press where it looks as it was chosen once the pointer has gone `aside`, or has come back; say whether.

        A tooltip goes with the pointer. A window that came under the pointer is lit by it: that comes back with it.
        """
        looks = self._observer.look
        for to in (aside, place):
            self._point(to, place, chosen)
            if not self._news_at(place, chosen, looks()) and press():
                return True
        self._point(aside, place, chosen)
        is_back = self._observer.control.until(lambda: not self._news_at(place, chosen, looks()), SETTLE_MAX_S)
        return bool(is_back) and press()

    def _press(self, place: Point, came_s: float, button: Button, count: int) -> bool:
        """Click on a place as it looked last, unless a window came there after `came_s`; say whether that was done."""
        self._observer.permit(place)
        if not self._desktop.click(place, button, count, SeenPlace(self._observer.unmasked, came_s)):
            return False
        self._clicked = place, time.monotonic()
        return True

    def _lit(self, place: Point, before: Frame, start: Point) -> Frame:
        """Return the screen with all that lights up because the pointer is at a place.

        What is higher than a control may be a large highlight, or have come over the place. Only the pointer's own
        effect goes when the pointer goes back to `start`, and comes again with it.

        Raises:
            ToolFailure: `STALE_TARGET` if something else changed there.
        """
        lit, end_s = before, time.monotonic() + LIT_MAX_S
        while time.monotonic() < end_s:  # a slow program stands still halfway, and is then seen with half its light
            lit = self._rested(place, lit, time.monotonic() + REACTION_S, SETTLE_MAX_S)
            self._point(start, place, before)
            if not self._looks_like(place, before):
                break
            self._point(place, place, before)
            if self._looks_like(place, lit):
                return lit
        raise _stale(place)

    def _looks_like(self, place: Point, like: Frame) -> bool:
        """Wait until a place looks as it did, but for what is no higher than a control."""
        return bool(
            self._observer.control.until(lambda: not self._is_covered(place, like, self._observer.look()), SETTLE_MAX_S)
        )

    def _point(self, to: Point, place: Point, before: Frame) -> None:
        """Move the pointer, and wait until `place` has reacted."""
        self._observer.motion.acted()  # what reacts to the pointer does not move by itself
        moved_s = time.monotonic()
        self._desktop.move(to)
        self._desktop.attend(SETTLE_MAX_S)
        self._rested(place, before, moved_s, HOVER_FADE_MAX_S)

    def _rested(self, place: Point, before: Frame, moved_s: float, max_s: float) -> Frame:
        """Wait until the hover highlight is done: a later change would count as a reaction to the click."""
        frame, until_s = before, moved_s + QUIET_S
        while True:
            newer = self._observer.look()
            if self._news_at(place, frame, newer):
                until_s = max(until_s, time.monotonic() + 2 * QUIET_S)  # a highlight that fades in is slower
            frame = newer
            if time.monotonic() >= min(until_s, moved_s + max_s):
                return frame
            self._observer.control.wait(LOOK_INTERVAL_S)

    def _is_covered(self, place: Point, before: Frame, after: Frame) -> bool:
        """Whether what is new at a place is higher than a control."""
        return any(one.height > CONTROL_MAX_PX for one in self._news_at(place, before, after))

    def _news_at(self, place: Point, before: Frame, after: Frame) -> list[Region]:
        """Return what is new at a place, as far as a control reaches: a window's border is not its content."""
        at = around(place)
        if np.array_equal(before.crop(at), after.crop(at)):
            return []
        part = at.grown(CONTROL_MAX_PX).intersection(after.region)
        return self._observer.news(before.part(part), after.part(part), at)

    def _is_another_row(self, before: Frame, now: Frame, place: Point) -> bool:
        return any(row_moved(before, now, place, one) for one in self._observer.news(before, now, row_at(place, now)))


def _stale(place: Point) -> ToolFailure:
    told = message("What is at ", place, " has changed since it was chosen: nothing was clicked.")
    return ToolFailure("STALE_TARGET", told, ["Look at the screen as it is now, and choose again."])
