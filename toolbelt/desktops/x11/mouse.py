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

from toolbelt.desktops.base import Button, Direction
from toolbelt.desktops.buttons import HoldingMouse, not_there, quick_pyautogui
from toolbelt.desktops.x11 import windows
from toolbelt.desktops.x11.connection import quiet_xlib
from world_model import Point, ToolFailure

BUTTONS: Final = ("left", "middle", "right")  # X numbers them from 1
WHEEL: Final = {"up": 4, "down": 5, "left": 6, "right": 7}
HELD_BACK_CAP: Final = 0.5  # seconds; a window manager needs about 1 ms
ANOTHER: Final = "Only {nth} of {count} clicks went to {at.x}, {at.y}: then another window came there, or it went."
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

        Raises:
            ToolFailure: the pointer does not get there, or another window has come under it after the first click.
        """
        self._refuse_if_held(button)
        own = self._own_name(button)
        with self._pointing() as mouse:
            if (there := self._go(mouse, at)) != at:
                raise not_there(at, there, "nothing was clicked")
            window = self._under_pointer()
            for nth in range(count):
                if not self._press(mouse, at, own, still):
                    if nth:
                        raise ToolFailure("STALE_TARGET", ANOTHER.format(at=at, nth=nth, count=count), ["Look again."])
                    return False
                mouse.mouseUp(at.x, at.y, button=own)
                self._wait_until_up(button)
                still = still and (lambda: self._under_pointer() == window)
        return True

    def _under_pointer(self) -> int:
        """The child of the root that the pointer is in, 0 where there is none."""
        child = self._display.screen().root.query_pointer().child
        return child.id if child else 0

    def _press(self, mouse: Any, at: Point, own: str, still: Callable[[], bool] | None) -> bool:  # noqa: ANN401
        if still is None:
            mouse.mouseDown(at.x, at.y, button=own)
            return True
        self._display.grab_server()
        self._display.sync()  # from now on
        try:
            if pressed := still():
                with self._not_held_back():
                    mouse.mouseDown(at.x, at.y, button=own)
        finally:
            self._display.ungrab_server()
            self._display.flush()
        return pressed

    @contextlib.contextmanager
    def _not_held_back(self) -> Iterator[None]:
        """A press goes straight to the window in front.

        A window manager may hold each press back, to see whether it has to do something with that window, and lets it
        go to what is there then. A press that is replayed passes over what was asked for at that window and above it.
        """
        window = windows.in_front(self._display)
        taken = window and window.grab_pointer(
            owner_events=False,
            event_mask=X.ButtonPressMask,
            pointer_mode=X.GrabModeSync,
            keyboard_mode=X.GrabModeAsync,
            confine_to=X.NONE,
            cursor=X.NONE,
            time=X.CurrentTime,
        )
        if taken != X.GrabSuccess:  # one who has the pointer, as a menu does, gets the press anyway
            yield
            return
        try:
            self._display.allow_events(X.SyncPointer, X.CurrentTime)  # as far as the press
            yield
            self._display.allow_events(X.ReplayPointer, X.CurrentTime)
        finally:
            self._display.ungrab_pointer(X.CurrentTime)

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
