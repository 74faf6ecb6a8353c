"""The mouse."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Final, Literal

from pydantic import Field

from toolbelt.desktops.base import Button, Direction
from toolbelt.desktops.buttons import not_there
from toolbelt.ocr.on_screen import what_is_there
from toolbelt.ocr.text_match import find
from toolbelt.parameters import Query
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.settling import QUIET_S
from toolbelt.perception.sighting import Sighting
from toolbelt.targeting.targets import Target, aimed, resolve
from toolbelt.tool import tool
from toolbelt.tools.held import Modifiers, held
from world_model import Place, Point, ToolFailure, message

DRAG_STEP_PX: Final = 8  # between two positions of a drag: toolkits see motion, and painting has no gaps
DRAG_START_PX: Final = 24  # after which any toolkit recognizes a drag, on a screen at 200 % too
SCROLL_MAX_S: Final = 120.0  # for a long page until its end
SCROLL_REACTION_S: Final = 0.5  # for a program to move what is scrolled; after that it is at its end
DRAG_REACTION_S: Final = 1.5  # for a program to show that something is dragged over it; a busy one is slow

Clicked = Annotated[Target, Field(description="Where to click.")]
PressedButton = Annotated[Button, Field(description="Which button.")]


class Mouse:
    """Clicks, drags and scrolls on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._desktop = eyes.desktop

    @tool(instead=["read_screen"], looks_once=True)
    def click(self, target: Clicked, holding: Modifiers | None = None) -> str:
        """Click with the left button, `holding` modifiers such as `ctrl+shift`."""
        return self._click(target, "left", 1, f"Clicked{_with(holding)}", holding)

    @tool(instead=["read_screen"], selects="word", looks_once=True)
    def double_click(self, target: Clicked) -> str:
        """Double-click."""
        return self._click(target, "left", 2, "Double-clicked")

    @tool(instead=["read_screen"], selects="line", looks_once=True, rare=True)
    def triple_click(self, target: Clicked) -> str:
        """Click three times, as to select a line."""
        return self._click(target, "left", 3, "Triple-clicked")

    @tool(instead=["read_screen"], opens_menu=True, looks_once=True)
    def right_click(self, target: Clicked) -> str:
        """Right-click, which often opens a menu."""
        return self._click(target, "right", 1, "Right-clicked")

    @tool(instead=["read_screen"], pastes=True, looks_once=True, rare=True)
    def middle_click(self, target: Clicked) -> str:
        """Click with the middle button.

        This opens a link in a new tab, or pastes.
        """
        return self._click(target, "middle", 1, "Middle-clicked")

    @tool(instead=["read_screen"], hovers=True, looks_once=True, unseen=True, idempotent=True, rare=True)
    def move(self, target: Annotated[Target, Field(description="Where to move it.")]) -> str:
        """Move the pointer over a target."""
        place = resolve(target, self._eyes).match
        self._go(place.point, "it is not over the target")
        return message("Moved the pointer to ", place.told, ".")

    @tool(instead=["mouse_down"], looks_once=True)
    def drag(
        self,
        start: Annotated[Target, Field(description="Where to press the button.")],
        *,
        via: Annotated[list[Target] | None, Field(description="Places to pass on the way.")] = None,
        end: Annotated[Target, Field(description="Where to release it.")],
        holding: Modifiers | None = None,
    ) -> str:  # in the order in which it gets there: the guard takes the last place for where it is dropped
        """Drag with the left button, `via` other places."""
        last = aimed(end, self._eyes, self._eyes.check)
        corners = [aimed(one, self._eyes, self._eyes.check) for one in via or ()]
        first = aimed(start, self._eyes, self._eyes.check)
        if first.point == last.point and not corners:
            raise ToolFailure(
                "INVALID_ARGS", "start and end are the same place.", ["Give another end, or use click."], ["click"]
            )
        self._go(first.point, "nothing was dragged")
        with held(self._desktop, holding):
            self._desktop.mouse_down("left")
            try:
                self._drag_along([first.point, *(corner.point for corner in corners), last.point])
                self._check_pointer(last.point, message("what was dragged from ", first.told, " was dropped there"))
            finally:
                self._desktop.mouse_up("left")
        passed = [part for corner in corners for part in (" via ", corner.told)]
        return message(f"Dragged{_with(holding)} from ", first.told, *passed, " to ", last.told, ".")

    @tool(holds_keys="down", pastes="middle", opens_menu="right", unseen=True, rare=True)
    def mouse_down(
        self,
        button: PressedButton = "left",
        target: Annotated[Target | None, Field(description="Where; by default where the pointer is.")] = None,
    ) -> str:
        """Press a mouse button and hold it down until `mouse_up`.

        It is pressed on a target, or where the pointer is.
        """
        if target is not None:
            place = aimed(target, self._eyes, self._eyes.check)
            self._go(place.point, "no button was pressed")
        self._eyes.permit(self._desktop.pointer())
        self._desktop.mouse_down(button)
        return message(f"The {button} mouse button is down at ", self._at(), ", until mouse_up or the end of the run.")

    @tool(holds_keys="up", unseen=True, idempotent=True, rare=True)
    def mouse_up(self, button: PressedButton = "left") -> str:
        """Release a mouse button."""
        self._desktop.mouse_up(button)
        return message(f"Let go of the {button} mouse button at ", self._at(), ".")

    @tool(seconds=SCROLL_MAX_S, instead=["press"], hovers=True, turns_wheel=True)
    def scroll(
        self,
        direction: Annotated[Direction, Field(description="Which way.")],
        amount: Annotated[int, Field(ge=1, le=100, description="Notches of the wheel.")] = 3,
        target: Annotated[Target | None, Field(description="Where; by default in the front window.")] = None,
        until: Annotated[
            Annotated[str, Field(min_length=1), Query] | Literal[True] | None,
            Field(description="A text to scroll to; true scrolls to the end."),
        ] = None,
    ) -> str:
        """Turn the mouse wheel over a target, or over the front window.

        `until` a text is seen; `true` is until the end.
        """
        over = resolve(target, self._eyes).point if target is not None else self._in_active_window()
        if over:
            self._go(over, "nothing was scrolled")
        if until is None:
            self._turn(direction, amount)
            return message(f"Scrolled {direction} by {amount} at ", self._at(), ".")
        text = until if isinstance(until, str) else None
        count = self._scroll_on(direction, amount, text)
        at_end = text is None or not self._is_seen(text)
        if text is not None and at_end:
            told = f'"{text}" did not come: it was scrolled {direction} by {count} to the end.'
            raise ToolFailure("TARGET_NOT_FOUND", told, [what_is_there(self._eyes.read(self._eyes.look()), text)])
        where = "to the end" if text is None else f'until "{text}" was there'
        return message(f"Scrolled {direction} by {count} at ", self._at(), f", {where}.")

    def _scroll_on(self, direction: Direction, amount: int, text: str | None) -> int:
        """Scroll until a text is seen, or nothing moves any more; return by how many notches."""
        count = 0
        while text is None or not self._is_seen(text):
            before, at = self._eyes.look(), self._desktop.pointer()
            under = [window.region for window in self._eyes.windows() if at in window.region]
            self._turn(direction, amount)
            frame = self._eyes.settle(before, SCROLL_REACTION_S).frame
            if not self._eyes.news(before, frame, under[-1] if under else None):
                break
            count += amount
        return count

    def _turn(self, direction: Direction, amount: int) -> None:
        self._eyes.permit(self._desktop.pointer())
        self._desktop.scroll(direction, amount)

    def _is_seen(self, text: str) -> bool:
        return bool(find(text, self._eyes.read(self._eyes.look())))

    def _click(self, target: Target, button: Button, count: int, did: str, holding: str | None = None) -> str:
        def click(sighting: Sighting) -> None:
            with held(self._desktop, holding):
                self._eyes.click(sighting, button, count)

        place = aimed(target, self._eyes, click)
        return message(did, " at " if place.region is None else " ", place.told, ".")

    def _at(self) -> Place:
        """Return where the pointer is, and so where the mouse acted."""
        at = self._desktop.pointer()
        return Place(at.x, at.y)

    def _go(self, to: Point, so: str) -> None:
        """Move the pointer or fail; `so` says what a failure means."""
        self._desktop.move(to)
        self._check_pointer(to, so)

    def _check_pointer(self, place: Point, so: str) -> None:
        """Check the pointer: a program may confine it to its window, and a person may move it."""
        at = self._desktop.pointer()
        if at != place:
            raise not_there(place, at, so)

    def _drag_along(self, path: list[Point]) -> None:
        """Move in short steps; wait until the program has recognized the drag, what is under it, and where it ends.

        A program draws what is dragged before it knows whether it can be dropped there: the slower it has been so
        far, the longer this may take. It may take several moves for one, so it is waited for at every corner.
        """
        legs, slowest_s = [list(_way(*leg)) for leg in pairwise(path)], 0.0
        near, legs[0] = legs[0][: DRAG_START_PX // DRAG_STEP_PX], legs[0][DRAG_START_PX // DRAG_STEP_PX :]
        for part in filter(None, (near, *legs[:-1], legs[-1][:-1], legs[-1][-1:])):
            before = self._eyes.look()
            for point in part:
                self._desktop.move(point)
            quiet_s = QUIET_S + 2 * slowest_s
            settled = self._eyes.settle(before, DRAG_REACTION_S, quiet=quiet_s)
            slowest_s = max(slowest_s, min(settled.ms / 1000 - quiet_s, DRAG_REACTION_S))

    def _in_active_window(self) -> Point | None:
        """Return where to scroll: the wheel scrolls what is under the pointer, but a person means the front window.

        None if the pointer is there already.
        """
        active = self._eyes.in_front()
        if active is None or self._desktop.pointer() in active.region:
            return None
        shown = max((active.region.intersection(one) for one in self._desktop.monitors), key=lambda part: part.area)
        return shown.center if shown.area else None


def _with(holding: str | None) -> str:
    return f" with {holding} held" if holding else ""


def _way(start: Point, end: Point) -> Iterator[Point]:
    """Yield the positions of a drag, without its start."""
    across, down = end.x - start.x, end.y - start.y
    steps = -(-max(abs(across), abs(down)) // DRAG_STEP_PX)
    for step in range(1, steps + 1):
        yield Point(start.x + round(across * step / steps), start.y + round(down * step / steps))
