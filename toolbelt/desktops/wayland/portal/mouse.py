"""The mouse of a session of the portal; what it holds is released when the session ends."""

import time
from collections.abc import Iterator, Sequence
from typing import Final

from toolbelt.desktops.base import Button, Direction
from toolbelt.desktops.buttons import HoldingMouse
from toolbelt.desktops.wayland.mouse import BETWEEN_CLICKS_S, BUTTONS
from toolbelt.desktops.wayland.portal.screen import Screen
from toolbelt.desktops.wayland.portal.session import Session
from toolbelt.desktops.wayland.portal.traits import Traits
from world_model import Point, Region, ToolFailure

_RELEASED, _PRESSED = 0, 1
_TURNS: Final[dict[Direction, tuple[int, int]]] = {"up": (0, -1), "down": (0, 1), "left": (1, -1), "right": (1, 1)}


class PortalMouse(HoldingMouse):
    """Moves the pointer, clicks and turns the wheel.

    Args:
        session: the permission.
        screen: what is shown.
        traits: what the portal does.
        monitors: where they are, if one picture shows several.

    Attributes:
        at: where the pointer was sent last: nobody tells where it is. None before the first time.
    """

    def __init__(self, session: Session, screen: Screen, traits: Traits, monitors: Sequence[Region] = ()) -> None:
        super().__init__()
        self._session, self._screen, self._traits, self._monitors = session, screen, traits, monitors
        self.at: Point | None = None

    @staticmethod
    def wake(session: Session) -> None:
        """Make a session have a mouse that has none yet: programs need a moment to listen to it."""
        session.send("NotifyPointerMotion", "dd", 0.0, 0.0)

    def move(self, to: Point) -> None:
        """Move the pointer to the middle of a pixel; nearer to what is on a monitor if that pixel is on none."""
        for place in self._way(to):
            stream, x, y = self._screen.stream_at(place)
            self._session.send("NotifyPointerMotionAbsolute", "udd", stream.node, x, y)
        self.at = to

    def _way(self, to: Point) -> Iterator[Point]:
        """Return where the pointer is sent: through a barrier between monitors to the middle of the one that is meant.

        The person may have taken it to another one since, but hardly while the agent holds a button; what is dragged
        must not go there by way of the middle. From where there is no monitor, it would end anywhere.
        """
        if len(self._monitors) > 1:
            monitor = next((one for one in self._monitors if to in one), None)
            if monitor is None:
                told = f"No monitor shows ({to.x}, {to.y}); the pointer was not moved."
                raise ToolFailure("INVALID_ARGS", told, ["Choose a place on a monitor."])
            if not (self._held and self.at and self.at in monitor):
                yield from [monitor.center] * self._traits.pulls
        yield to

    def click(self, at: Point, button: Button, count: int) -> None:
        """Click `count` times in a row."""
        self._refuse_if_held(button)
        self.move(at)
        for number in range(count):
            if number:
                time.sleep(BETWEEN_CLICKS_S)
            self._press(button)
            self._release(button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel at the position of the pointer."""
        axis, sign = _TURNS[direction]
        for _ in range(amount):
            self._session.send("NotifyPointerAxisDiscrete", "ui", axis, sign * self._traits.wheel)

    def _own_name(self, button: Button) -> str:
        return button

    def _press(self, own: str) -> None:
        self._session.send("NotifyPointerButton", "iu", BUTTONS[own], _PRESSED)

    def _release(self, own: str) -> None:
        self._session.send("NotifyPointerButton", "iu", BUTTONS[own], _RELEASED)
