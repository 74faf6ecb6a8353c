"""Which mouse buttons are held, on all systems alike, and what is said of a pointer that does not get there."""

from abc import ABC, abstractmethod

from toolbelt.desktops.base import Button
from world_model import Point, ToolFailure, message


class HoldingMouse(ABC):
    """Presses buttons, and knows which it holds."""

    def __init__(self) -> None:
        self._held: dict[Button, str] = {}  # as the system names them, so that what is let go is what was pressed

    def down(self, button: Button) -> None:
        """Press a button and keep it down."""
        self._refuse_if_held(button)
        own = self._own_name(button)
        self._held[button] = own
        self._press(own)

    def up(self, button: Button) -> None:
        """Let go of a button that is held."""
        if button not in self._held:
            held = f"Down is {' and '.join(self._held)}." if self._held else "None is."
            raise ToolFailure("NO_CHANGE", f"The {button} mouse button was not put down with mouse_down.", [held])
        self._let_go(self._held[button])
        del self._held[button]

    def release(self) -> None:
        """Let go of every button that is held."""
        for button in [*reversed(self._held)]:
            self.up(button)

    def _refuse_if_held(self, button: Button) -> None:
        if button in self._held:
            raise ToolFailure("NO_CHANGE", f"The {button} mouse button is down already.", ["Let it go with mouse_up."])

    @abstractmethod
    def _own_name(self, button: Button) -> str:
        """What the system calls the button that programs take for this one."""

    @abstractmethod
    def _press(self, own: str) -> None:
        """Press a button, by the system's name for it."""

    @abstractmethod
    def _let_go(self, own: str) -> None:
        """Let go of a button, by the system's name for it."""


def not_there(sent: Point, at: Point, so: str) -> ToolFailure:
    """The pointer did not get to where it was sent; `so` says what that means for what was to be done there."""
    return ToolFailure(
        "NO_CHANGE",
        message("The pointer was sent to ", sent, " and stays at ", at, ": ", so, "."),
        ["A program or a person holds it, or no monitor shows that place."],
    )
