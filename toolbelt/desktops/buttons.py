"""Held mouse buttons, common to all systems, and the failure of a pointer that does not reach its target."""

from abc import ABC, abstractmethod

from toolbelt.desktops.base import Button
from world_model import Point, ToolFailure, message


class HoldingMouse(ABC):
    """A mouse that knows which buttons it holds."""

    def __init__(self) -> None:
        self._held: dict[Button, str] = {}  # as the system names them, so that the button that was pressed is released

    def down(self, button: Button) -> None:
        """Press a button and hold it."""
        self._refuse_if_held(button)
        own = self._own_name(button)
        self._held[button] = own
        self._press(own)

    def up(self, button: Button) -> None:
        """Release a button that is held."""
        if button not in self._held:
            held = f"Down is {' and '.join(self._held)}." if self._held else "None is."
            raise ToolFailure("NO_CHANGE", f"The {button} mouse button was not put down with mouse_down.", [held])
        self._release(self._held[button])
        del self._held[button]

    def release(self) -> None:
        """Release every button that is held."""
        for button in [*reversed(self._held)]:
            self.up(button)

    def _refuse_if_held(self, button: Button) -> None:
        if button in self._held:
            raise ToolFailure("NO_CHANGE", f"The {button} mouse button is down already.", ["Let it go with mouse_up."])

    @abstractmethod
    def _own_name(self, button: Button) -> str:
        """Return the system's name for the button that programs see as this one."""

    @abstractmethod
    def _press(self, own: str) -> None:
        """Press a button, given the system's name for it."""

    @abstractmethod
    def _release(self, own: str) -> None:
        """Release a button, given the system's name for it."""


def not_there(sent: Point, at: Point, so: str) -> ToolFailure:
    """Return the failure of a pointer that did not reach its target; `so` says what that means for the action."""
    return ToolFailure(
        "NO_CHANGE",
        message("The pointer was sent to ", sent, " and stays at ", at, ": ", so, "."),
        ["A program or a person holds it, or no monitor shows that place."],
    )
