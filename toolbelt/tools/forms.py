"""Forms: choosing options of a dropdown or a list, and ticking checkboxes."""

import functools
from collections.abc import Callable
from functools import partial
from typing import Annotated, Final

from pydantic import Field

from toolbelt.desktops.accessibility.nodes import State
from toolbelt.desktops.base import Direction
from toolbelt.elements.element import Element
from toolbelt.elements.thresholds import THRESHOLDS
from toolbelt.ocr.lines import Line
from toolbelt.ocr.on_screen import what_is_there
from toolbelt.ocr.text_match import Match, find_entries
from toolbelt.parameters import Chosen
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.settling import CLICK_REACTION_S, REACTION_S
from toolbelt.perception.sighting import Sighting
from toolbelt.targeting.descriptions import box_at, is_ticked
from toolbelt.targeting.targets import Target, TextTarget, aimed, hit, only, resolve
from toolbelt.tool import ToolResult, tool
from toolbelt.tools.held import held
from world_model import CHECKABLE, Frame, Region, ToolFailure, message

NOTCHES_AT_A_TIME: Final = 1  # of the wheel, so that a short list skips no option
STATED: Final = frozenset[State]({"checked", "unchecked"})
MAX_TURNS: Final = 100  # of the wheel in each direction
MAX_GAP_PX: Final = 40  # between a dropdown and its list, and between its options
DIRECTIONS: Final[tuple[Direction, ...]] = ("down", "up")


class Forms:
    """Operates dropdowns, lists, checkboxes and radio buttons on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._desktop = eyes.desktop

    @tool(seconds=120, instead=["click"])
    def select(
        self,
        options: Annotated[list[str], Field(min_length=1, description="The texts of the options."), Chosen],
        target: Annotated[
            Target | None, Field(description="The dropdown or the list; by default the only dropdown.")
        ] = None,
    ) -> str:
        """Choose an option of a dropdown, or several of a list."""
        target = TextTarget(text=target, role="combobox") if isinstance(target, str) else target
        target = target or TextTarget(role="combobox")
        place = resolve(target, self._eyes).match
        region = place.region or Region(place.point.x, place.point.y, 1, 1)
        if region.height > THRESHOLDS.one_line_max_height_px:
            for option in options:
                self._choose(option, lambda _: region, also=option != options[0])
        elif len(options) > 1:
            raise ToolFailure("INVALID_ARGS", "Only one option of a dropdown can be chosen.")
        else:
            closed = self._open(target, region)
            self._choose(options[0], self._unfolding(closed, region), apart=region)
        named = ", ".join(f'"{option}"' for option in options)
        return message(f"Selected {named} in ", place.told, ".")

    @tool(instead=["click"], idempotent=True)
    def tick(
        self,
        target: Annotated[Target, Field(description="The checkbox or the radio button.")],
        off: Annotated[bool, Field(description="Untick it.")] = False,  # noqa: FBT002 - called by name
    ) -> ToolResult:
        """Tick a checkbox or a radio button, or with `off` untick it."""
        if isinstance(target, str | TextTarget):
            described = TextTarget(text=target) if isinstance(target, str) else target
            role = described.role if described.role in CHECKABLE else "checkbox"
            target = described.model_copy(update={"role": role})
        place = resolve(target, self._eyes).match
        frame = self._eyes.look()
        box = box_at(place, self._eyes.elements(frame))
        if box is None:
            told = message("There is no checkbox or radio button at ", place.point, ".")
            raise ToolFailure("TARGET_NOT_FOUND", told, ["If it looks unusual, use click."])
        if self._is_ticked(box, frame) is not off:
            told = message("Not ticked" if off else "Ticked", " already: ", place.told, ".")
            return ToolResult(told, {"ticked": not off})
        aimed(target, self._eyes, self._eyes.click)
        done, look = self._eyes.watch(lambda now: self._now_ticked(place, box, now) is not off, CLICK_REACTION_S)
        if not done and box_at(place, self._eyes.elements(look.frame)):
            told = message(place.told, f" was clicked, and its box does not look {'unticked' if off else 'ticked'}.")
            raise ToolFailure("NO_CHANGE", told, ["It may be disabled, or need something else to be done first."])
        return ToolResult(message("Unticked " if off else "Ticked ", place.told, "."), {"ticked": not off})

    @staticmethod
    def _is_ticked(box: Element, frame: Frame) -> bool:
        """Whether a box is ticked, as its program says, or as it looks."""
        known = STATED & box.states
        return "checked" in known if known else is_ticked(frame, box.region)

    def _now_ticked(self, place: Match, box: Element, frame: Frame) -> bool:
        """Whether a box that was clicked is ticked on a later frame."""
        now = box_at(place, self._eyes.elements(frame)) if box.said else None
        return self._is_ticked(now, frame) if now else is_ticked(frame, box.region)

    def _open(self, target: Target, control: Region) -> Frame:
        """Open a dropdown with a click; return the screen before the click."""
        before: list[Frame] = []

        def click(at: Sighting) -> None:
            before.append(self._eyes.look())
            self._eyes.click(at)

        aimed(target, self._eyes, click)
        closed = before[-1]
        if not self._eyes.news(closed, self._eyes.settle(closed).frame):
            raise ToolFailure("NO_CHANGE", "The dropdown was clicked, and no list appeared.")
        self._eyes.watch(lambda frame: _near(control, self._eyes.news(closed, frame)), CLICK_REACTION_S)
        return closed

    def _unfolding(self, closed: Frame, control: Region) -> Callable[[Frame], Region]:
        """Return a function that finds the options of a dropdown that is opening.

        They are where something has changed next to it so far, since a list may open slowly. If nothing has changed
        next to it, they are where something has changed elsewhere, even if that looks like an animation.
        """
        entries: list[Region] = []

        def where(frame: Frame) -> Region:
            news = self._eyes.news(closed, frame, animated=bool(entries))
            entries.extend(_near(entries[0] if entries else control, news) or ([] if entries else news))
            entries[:] = [functools.reduce(Region.union, entries)] if entries else []
            return entries[0] if entries else control

        return where

    def _choose(
        self, option: str, within: Callable[[Frame], Region], *, also: bool = False, apart: Region | None = None
    ) -> None:
        """Scroll to an option and click it; not in the region `apart`, which shows the current option.

        `also` keeps the options that are already chosen.
        """
        before = self._eyes.look()
        hit(partial(self._scrolled_to, option, within, apart), partial(self._click, also=also))
        self._eyes.settle(before)

    def _click(self, at: Sighting, *, also: bool) -> None:
        with held(self._desktop, "ctrl" if also else None):  # not earlier: ctrl and the wheel would zoom
            self._eyes.click(at)

    def _scrolled_to(self, option: str, within: Callable[[Frame], Region], apart: Region | None) -> Sighting:
        frame = self._eyes.show()
        lines = self._lines(frame, within(frame), apart)
        for direction in DIRECTIONS:
            for _ in range(MAX_TURNS):
                if places := find_entries(option, lines):
                    return Sighting(only(option, places), self._eyes.as_shown())
                self._desktop.move(within(frame).center)
                self._desktop.scroll(direction, NOTCHES_AT_A_TIME)
                self._eyes.settle(frame, REACTION_S)
                before, frame = frame, self._eyes.show()
                lines = self._lines(frame, within(frame), apart)
                if not self._eyes.news(before, frame, within(frame), animated=True):
                    break
        raise ToolFailure("TARGET_NOT_FOUND", f'"{option}" is not in the list.', [what_is_there(lines, option)])

    def _lines(self, frame: Frame, within: Region, apart: Region | None) -> tuple[Line, ...]:
        lines = (line for line in self._eyes.read(frame) if line.region.center in within)
        return tuple(line for line in lines if apart is None or line.region.center not in apart)


def _near(place: Region, news: list[Region]) -> list[Region]:
    """Return the new regions near a place, or near another such region; not those within the place."""
    rest = [one for one in news if one.intersection(place) != one]
    near = [place]
    while more := [
        one for one in rest if one not in near and any(one.overlaps(other.grown(MAX_GAP_PX)) for other in near)
    ]:
        near += more
    return near[1:]
