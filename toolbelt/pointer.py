"""The hand on the mouse, on one X11 display. Pyautogui moves and clicks; each of its calls takes well under 1 ms."""

import contextlib
import importlib
import sys
import threading
from collections.abc import Iterator
from typing import Any, Final

from Xlib.display import Display

from toolbelt.desktop import Button, Direction
from toolbelt.xdisplay import quiet_xlib
from world_model import Point, ToolFailure

BUTTONS: Final = ("left", "middle", "right")  # X numbers them from 1
WHEEL: Final = {"up": 4, "down": 5, "left": 6, "right": 7}
_POINTING: Final = threading.Lock()


class X11Mouse:
    """Moves the pointer, clicks and turns the wheel.

    Buttons are meant as programs see them, so those of a left-handed person, who has swapped them, are swapped back.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._pyautogui = _pyautogui()
        self._held: list[Button] = []

    def move(self, to: Point) -> None:
        """Move the pointer."""
        with self._pointing() as mouse:
            mouse.moveTo(to.x, to.y)

    def click(self, at: Point, button: Button, count: int) -> None:
        """Click `count` times in a row."""
        self._refuse_if_held(button)
        with self._pointing() as mouse:
            mouse.click(at.x, at.y, clicks=count, button=self._own_name(button))

    def down(self, button: Button) -> None:
        """Press a button and keep it down."""
        self._refuse_if_held(button)
        with self._pointing() as mouse:
            self._held.append(button)
            mouse.mouseDown(button=self._own_name(button))

    def up(self, button: Button) -> None:
        """Let go of a button that is held."""
        if button not in self._held:
            held = f"Down is {' and '.join(self._held)}." if self._held else "None is."
            raise ToolFailure("NO_CHANGE", f"The {button} mouse button was not put down with mouse_down.", [held])
        with self._pointing() as mouse:
            mouse.mouseUp(button=self._own_name(button))
            self._held.remove(button)

    def release(self) -> None:
        """Let go of every button that is held."""
        while self._held:
            self.up(self._held[-1])

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel where the pointer is."""
        own = self._own_number(WHEEL[direction])
        with self._pointing() as mouse:
            turn = mouse.vscroll if own in (WHEEL["up"], WHEEL["down"]) else mouse.hscroll
            turn(amount if own in (WHEEL["up"], WHEEL["right"]) else -amount)

    def _refuse_if_held(self, button: Button) -> None:
        if button in self._held:
            raise ToolFailure("NO_CHANGE", f"The {button} mouse button is down already.", ["Let it go with mouse_up."])

    def _own_name(self, button: Button) -> str:
        """What the button is called where nothing is swapped."""
        return BUTTONS[self._own_number(BUTTONS.index(button) + 1) - 1]

    def _own_number(self, meant: int) -> int:
        """The button that programs are told of as `meant`."""
        kind = WHEEL.values() if meant in WHEEL.values() else range(1, len(BUTTONS) + 1)
        numbered = enumerate(self._display.get_pointer_mapping(), 1)
        own = next((number for number, counts_as in numbered if counts_as == meant and number in kind), None)
        if own is None:
            raise ToolFailure(
                "TOOL_ERROR", f"No button of the mouse counts as button {meant} here (see `xmodmap -pp`)."
            )
        return own

    @contextlib.contextmanager
    def _pointing(self) -> Iterator[Any]:
        """Pyautogui, speaking to this display: it has room for one, and a process may work on several."""
        with _POINTING:
            _pyautogui_x11()._display = self._display  # noqa: SLF001 - it has no other door
            yield self._pyautogui


def _pyautogui() -> Any:  # noqa: ANN401 - pyautogui ships no types
    """Pyautogui, without its pauses, and without its fail-safe.

    The fail-safe raises an `Exception`, which a tool can swallow, and fires in a corner that the agent itself went to.
    """
    first = "pyautogui" not in sys.modules
    with quiet_xlib():
        pyautogui: Any = importlib.import_module("pyautogui")
    if first:
        _pyautogui_x11()._display.close()  # noqa: SLF001 - it opens one when it is imported; each desktop has its own
    pyautogui.PAUSE = 0
    pyautogui.FAILSAFE = False
    return pyautogui


def _pyautogui_x11() -> Any:  # noqa: ANN401
    return importlib.import_module("pyautogui._pyautogui_x11")
