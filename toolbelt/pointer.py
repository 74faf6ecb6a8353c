"""The hand on the mouse, on one X11 display. Pyautogui moves and clicks; each of its calls takes well under 1 ms."""

import contextlib
import importlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from Xlib import X
from Xlib.display import Display

from toolbelt.buttons import HoldingMouse, not_there, quick_pyautogui
from toolbelt.desktop import Button, Direction
from toolbelt.xdisplay import quiet_xlib
from world_model import Point, ToolFailure

BUTTONS: Final = ("left", "middle", "right")  # X numbers them from 1
WHEEL: Final = {"up": 4, "down": 5, "left": 6, "right": 7}
HELD_BACK_CAP: Final = 0.5  # seconds; a window manager needs about 1 ms
_POINTING: Final = threading.Lock()


class X11Mouse(HoldingMouse):
    """Moves the pointer, clicks and turns the wheel.

    Buttons are meant as programs see them, so those of a left-handed person, who has swapped them, are swapped back.
    """

    def __init__(self, display: Display) -> None:
        super().__init__(_pyautogui())
        self._display = display

    def move(self, to: Point) -> None:
        """Move the pointer."""
        with self._pointing() as mouse:
            self._go(mouse, to)

    def click(self, at: Point, button: Button, count: int, still: Callable[[], bool] | None = None) -> bool:
        """Click `count` times in a row, there or nowhere.

        `still` is asked in the moment before, in which no program can do anything; where it says no, nothing is done.
        """
        self._refuse_if_held(button)
        own = self._own_name(button)
        with self._pointing() as mouse:
            if (there := self._go(mouse, at)) != at:
                raise not_there(at, there, "nothing was clicked")
            if still and not self._press_if(still, mouse, at, own):
                return False
            for nth in range(count):
                if nth or not still:
                    mouse.mouseDown(at.x, at.y, button=own)
                mouse.mouseUp(at.x, at.y, button=own)
                self._wait_until_up(button)
        return True

    def _press_if(self, still: Callable[[], bool], mouse: Any, at: Point, own: str) -> bool:  # noqa: ANN401
        self._display.grab_server()
        try:
            if pressed := still():
                mouse.mouseDown(at.x, at.y, button=own)
        finally:
            self._display.ungrab_server()
            self._display.flush()
        return pressed

    def up(self, button: Button) -> None:
        """Let go of a button that is held."""
        super().up(button)
        self._wait_until_up(button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel where the pointer is."""
        own = self._own_number(WHEEL[direction])
        with self._pointing() as mouse:
            turn = mouse.vscroll if own in (WHEEL["up"], WHEEL["down"]) else mouse.hscroll
            turn(amount if own in (WHEEL["up"], WHEEL["right"]) else -amount)

    def _wait_until_up(self, button: Button) -> None:
        """Wait until the click is through; a window manager may hold it back, to look at it before the program does.

        What is sent while it does so happens at another place, or not at all.
        """
        bit, end = X.Button1Mask << BUTTONS.index(button), time.monotonic() + HELD_BACK_CAP
        while self._display.screen().root.query_pointer().mask & bit and time.monotonic() < end:
            pass  # each look is a word with the X server

    def _go(self, mouse: Any, to: Point) -> Point:  # noqa: ANN401 - pyautogui ships no types
        """Move the pointer; gives back where it is then."""
        mouse.moveTo(to.x, to.y)
        if mouse.position() != (to.x, to.y):
            # Where X screens are joined to one desktop (Xinerama), such a move ends at the edge of the present one.
            self._display.screen().root.warp_pointer(to.x, to.y)
            mouse.moveTo(to.x, to.y)
        return Point(*mouse.position())

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
    """Pyautogui, without the display that it opens when it is imported: each desktop has its own."""
    first = "pyautogui" not in sys.modules
    with quiet_xlib():
        pyautogui = quick_pyautogui()
    if first:
        _pyautogui_x11()._display.close()  # noqa: SLF001 - it has no other door
    return pyautogui


def _pyautogui_x11() -> Any:  # noqa: ANN401
    return importlib.import_module("pyautogui._pyautogui_x11")
