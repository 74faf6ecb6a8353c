"""What the mice of all systems have in common: pyautogui, which buttons are held, and what is said of them."""

import contextlib
import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from toolbelt.desktops.base import Button
from world_model import Point, ToolFailure


class HoldingMouse(ABC):
    """Presses buttons, and knows which it holds.

    Args:
        pyautogui: the module, as `quick_pyautogui` gives it.
    """

    def __init__(self, pyautogui: Any) -> None:  # noqa: ANN401 - it ships no types
        self._pyautogui = pyautogui
        self._held: dict[Button, str] = {}  # as pyautogui names them, so that what is let go is what was pressed

    def down(self, button: Button) -> None:
        """Press a button and keep it down."""
        self._refuse_if_held(button)
        own = self._own_name(button)
        with self._pointing() as mouse:
            self._held[button] = own
            mouse.mouseDown(button=own)

    def up(self, button: Button) -> None:
        """Let go of a button that is held."""
        if button not in self._held:
            held = f"Down is {' and '.join(self._held)}." if self._held else "None is."
            raise ToolFailure("NO_CHANGE", f"The {button} mouse button was not put down with mouse_down.", [held])
        with self._pointing() as mouse:
            mouse.mouseUp(button=self._held[button])
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
        """What pyautogui calls the button that programs take for this one."""

    @contextlib.contextmanager
    def _pointing(self) -> Iterator[Any]:
        """Pyautogui, for a moment."""
        yield self._pyautogui


def not_there(sent: Point, at: Point, so: str) -> ToolFailure:
    """The pointer did not get to where it was sent; `so` says what that means for what was to be done there."""
    return ToolFailure(
        "NO_CHANGE",
        f"The pointer was sent to {sent.x}, {sent.y} and stays at {at.x}, {at.y}: {so}.",
        ["A program or a person holds it, or no monitor shows that place."],
    )


def quick_pyautogui() -> Any:  # noqa: ANN401
    """Pyautogui, without its pauses, and without its fail-safe.

    The fail-safe raises an `Exception`, which a tool can swallow, and fires in a corner that the agent itself went to.
    """
    pyautogui: Any = importlib.import_module("pyautogui")
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui
