"""The mouse of one X11 display.

Buttons and motion go through XTEST, on the connection that grabs the server while a click is checked: input on another
connection, such as pyautogui's own, would block until the grab ends.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Final

import xcffib
from xcffib import xproto

from toolbelt.desktops.base import Button, Direction
from toolbelt.desktops.buttons import HoldingMouse, not_there
from toolbelt.desktops.x11 import windows
from toolbelt.desktops.x11.connection import BUTTON_PRESS, BUTTON_RELEASE, MOTION, Connection
from world_model import Point, ToolFailure

BUTTONS: Final = ("left", "middle", "right")  # X numbers them from 1
WHEEL: Final = {"up": 4, "down": 5, "left": 6, "right": 7}
HELD_BACK_MAX_S: Final = 0.5  # a window manager needs about 1 ms
BETWEEN_CLICKS_S: Final = 0.02  # with none, Chromium took 10 of 16 double clicks for single ones; with 1 ms, none


class X11Mouse(HoldingMouse):
    """Moves the pointer, clicks and turns the wheel.

    Buttons are named as programs see them; if a left-handed person has swapped them, they are swapped back.
    """

    def __init__(self, display: Connection) -> None:
        super().__init__()
        self._display = display

    def move(self, to: Point) -> None:
        """Move the pointer."""
        self._go(to)

    def click(self, at: Point, button: Button, count: int, still: Callable[[], bool] | None = None) -> bool:
        """Click `count` times in a row, exactly there or not at all, while no other program can act.

        `still` is called just before the first press; if it returns False, nothing is done.

        Raises:
            ToolFailure: The pointer does not get there.
        """
        self._refuse_if_held(button)
        own = self._own_name(button)
        with self._alone():
            if (there := self._go(at)) != at:
                raise not_there(at, there, "nothing was clicked")
            if still and not still():
                return False
            self._click(at, own)
            for _ in range(count - 1):
                time.sleep(BETWEEN_CLICKS_S)
                self._click(at, own)
        self._wait_until_up(button)
        return True

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Let the server carry out no other program's requests."""
        self._display.core.GrabServer()
        self._display.sync()  # the grab holds from here on
        try:
            yield
        finally:
            self._display.core.UngrabServer()
            self._display.flush()

    def _click(self, at: Point, own: str) -> None:
        with self._not_held_back():
            self._display.fake(MOTION, x=at.x, y=at.y)
            self._press(own)
        self._display.fake(MOTION, x=at.x, y=at.y)
        self._release(own)

    @contextlib.contextmanager
    def _not_held_back(self) -> Iterator[None]:
        """Deliver the press directly to the window in front.

        A window manager may grab each press to decide whether to raise a window, and replay it to whatever is there
        then. A press that we replay skips the grabs on that window and its parents.
        """
        window = windows.in_front(self._display)
        if not window or not self._grab(
            window
        ):  # a program that has grabbed the pointer, such as an open menu, gets the press anyway
            yield
            return
        try:
            self._display.core.AllowEvents(xproto.Allow.SyncPointer, xcffib.CurrentTime)  # as far as the press
            yield
            self._display.core.AllowEvents(xproto.Allow.ReplayPointer, xcffib.CurrentTime)
        finally:
            self._display.core.UngrabPointer(xcffib.CurrentTime)

    def _grab(self, window: int) -> bool:
        """Grab the pointer until the next press; return False if another program has it."""
        grab = self._display.core.GrabPointer(
            owner_events=False,
            grab_window=window,
            event_mask=xproto.EventMask.ButtonPress,
            pointer_mode=xproto.GrabMode.Sync,
            keyboard_mode=xproto.GrabMode.Async,
            confine_to=xcffib.NONE,
            cursor=xcffib.NONE,
            time=xcffib.CurrentTime,
        )
        return bool(grab.reply().status == xproto.GrabStatus.Success)

    def up(self, button: Button) -> None:
        """Release a button that is held."""
        super().up(button)
        self._wait_until_up(button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel at the position of the pointer."""
        own = self._own_number(WHEEL[direction])
        for _ in range(amount):
            self._display.fake(BUTTON_PRESS, own)
            self._display.fake(BUTTON_RELEASE, own)
        self._display.sync()

    def _wait_until_up(self, button: Button) -> None:
        """Wait until the click is processed: a window manager may grab it before the program gets it.

        Input that is sent meanwhile would go elsewhere or get lost.
        """
        bit, end = xproto.KeyButMask.Button1 << BUTTONS.index(button), time.monotonic() + HELD_BACK_MAX_S
        while self._display.pointer().mask & bit and time.monotonic() < end:
            pass  # each look is a round trip to the X server

    def _press(self, own: str) -> None:
        self._display.fake(BUTTON_PRESS, BUTTONS.index(own) + 1)
        self._display.sync()

    def _release(self, own: str) -> None:
        self._display.fake(BUTTON_RELEASE, BUTTONS.index(own) + 1)
        self._display.sync()

    def _go(self, to: Point) -> Point:
        """Move the pointer; return its position afterwards."""
        self._display.fake(MOTION, x=to.x, y=to.y)
        if (there := self._at()) == to:
            return there
        # Where X screens are joined to one desktop (Xinerama), such a move ends at the edge of the present one.
        self._display.core.WarpPointer(xcffib.NONE, self._display.root, 0, 0, 0, 0, to.x, to.y)
        self._display.fake(MOTION, x=to.x, y=to.y)
        return self._at()

    def _at(self) -> Point:
        pointer = self._display.pointer()
        return Point(pointer.root_x, pointer.root_y)

    def _own_name(self, button: Button) -> str:
        """Return the name of the physical button."""
        return BUTTONS[self._own_number(BUTTONS.index(button) + 1) - 1]

    def _own_number(self, meant: int) -> int:
        """Return the physical button that programs see as `meant`."""
        kind = WHEEL.values() if meant in WHEEL.values() else range(1, len(BUTTONS) + 1)
        numbered = enumerate(self._display.core.GetPointerMapping().reply().map, 1)
        own = next((number for number, counts_as in numbered if counts_as == meant and number in kind), None)
        if own is None:
            raise ToolFailure("TOOL_ERROR", f"No button of the mouse is mapped to button {meant} (see `xmodmap -pp`).")
        return own
