"""The mouse."""

from typing import Annotated

from pydantic import Field

from toolbelt.desktop import Button, Direction
from toolbelt.eyes import Eyes
from toolbelt.targets import Target, resolve
from toolbelt.tool import tool


class Mouse:
    """Clicks and turns the wheel on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._desktop = eyes.desktop

    @tool
    def click(self, target: Target) -> str:
        """Click with the left button on a point or on a text on the screen."""
        return self._click(target, "left", 1, "Clicked")

    @tool
    def double_click(self, target: Target) -> str:
        """Double-click with the left button on a point or on a text on the screen."""
        return self._click(target, "left", 2, "Double-clicked")

    @tool
    def right_click(self, target: Target) -> str:
        """Click with the right button on a point or on a text on the screen; this often opens a menu."""
        return self._click(target, "right", 1, "Right-clicked")

    @tool
    def scroll(
        self, direction: Direction, amount: Annotated[int, Field(ge=1, le=100)] = 3, target: Target | None = None
    ) -> str:
        """Turn the mouse wheel by `amount` notches over a target, or over the window in front."""
        if target is not None:
            self._desktop.move(resolve(target, self._eyes).point)
        else:
            self._move_over_active_window()
        self._desktop.scroll(direction, amount)
        at = self._desktop.pointer()
        return f"Scrolled {direction} by {amount} at {at.x}, {at.y}."

    def _click(self, target: Target, button: Button, count: int, did: str) -> str:
        place = resolve(target, self._eyes)
        self._desktop.click(place.point, button, count)
        if place.region is None:
            return f"{did} at {place.name}."
        return f'{did} "{place.name}" at {place.point.x}, {place.point.y}.'

    def _move_over_active_window(self) -> None:
        """The wheel turns what is under the pointer, but a person means what is in front."""
        active = next((window for window in self._desktop.windows() if window.active), None)
        if active and self._desktop.pointer() not in active.region:
            self._desktop.move(active.region.intersection(self._desktop.region).center)
