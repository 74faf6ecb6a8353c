"""The mouse of one X11 display.

Buttons and motion go through XTEST, on the connection that holds the server while a click is checked: input through
another connection, such as pyautogui's own, would wait for that to end.
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
ANOTHER: Final = "Only {nth} of {count} clicks went to {at.x}, {at.y}: then another window came there, or it went."


class X11Mouse(HoldingMouse):
    """Moves the pointer, clicks and turns the wheel.

    Buttons are meant as programs see them, so those of a left-handed person, who has swapped them, are swapped back.
    """

    def __init__(self, display: Connection) -> None:
        super().__init__()
        self._display = display

    def move(self, to: Point) -> None:
        """Move the pointer."""
        self._go(to)

    def click(self, at: Point, button: Button, count: int, still: Callable[[], bool] | None = None) -> bool:
        """Click `count` times in a row, there or nowhere.

        `still` is asked in the moment before, in which no program can do anything; where it says no, nothing is done.

        Raises:
            ToolFailure: the pointer does not get there, or another window has come under it after the first click.
        """
        self._refuse_if_held(button)
        own = self._own_name(button)
        if (there := self._go(at)) != at:
            raise not_there(at, there, "nothing was clicked")
        window = self._under_pointer()
        for nth in range(count):
            if not self._press_if(still, at, own):
                if nth:
                    raise ToolFailure("STALE_TARGET", ANOTHER.format(at=at, nth=nth, count=count), ["Look again."])
                return False
            self._display.fake(MOTION, x=at.x, y=at.y)
            self._let_go(own)
            self._wait_until_up(button)
            still = still and (lambda: self._under_pointer() == window)
        return True

    def _under_pointer(self) -> int:
        """The child of the root that the pointer is in, 0 where there is none."""
        return int(self._display.pointer().child)

    def _press_if(self, still: Callable[[], bool] | None, at: Point, own: str) -> bool:
        if still is None:
            self._press_at(at, own)
            return True
        self._display.core.GrabServer()
        self._display.sync()  # from now on
        try:
            if pressed := still():
                with self._not_held_back():
                    self._press_at(at, own)
        finally:
            self._display.core.UngrabServer()
            self._display.flush()
        return pressed

    @contextlib.contextmanager
    def _not_held_back(self) -> Iterator[None]:
        """A press goes straight to the window in front.

        A window manager may hold each press back, to see whether it has to do something with that window, and lets it
        go to what is there then. A press that is replayed passes over what was asked for at that window and above it.
        """
        window = windows.in_front(self._display)
        if not window or not self._grab(window):  # one who has the pointer, as a menu does, gets the press anyway
            yield
            return
        try:
            self._display.core.AllowEvents(xproto.Allow.SyncPointer, xcffib.CurrentTime)  # as far as the press
            yield
            self._display.core.AllowEvents(xproto.Allow.ReplayPointer, xcffib.CurrentTime)
        finally:
            self._display.core.UngrabPointer(xcffib.CurrentTime)

    def _grab(self, window: int) -> bool:
        """Take the pointer until the next press; whether it was to be had."""
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
        """Let go of a button that is held."""
        super().up(button)
        self._wait_until_up(button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel where the pointer is."""
        own = self._own_number(WHEEL[direction])
        for _ in range(amount):
            self._display.fake(BUTTON_PRESS, own)
            self._display.fake(BUTTON_RELEASE, own)
        self._display.sync()

    def _wait_until_up(self, button: Button) -> None:
        """Wait until the click is through; a window manager may hold it back, to look at it before the program does.

        What is sent while it does so happens at another place, or not at all.
        """
        bit, end = xproto.KeyButMask.Button1 << BUTTONS.index(button), time.monotonic() + HELD_BACK_MAX_S
        while self._display.pointer().mask & bit and time.monotonic() < end:
            pass  # each look is a round trip to the X server

    def _press_at(self, at: Point, own: str) -> None:
        self._display.fake(MOTION, x=at.x, y=at.y)
        self._press(own)

    def _press(self, own: str) -> None:
        self._display.fake(BUTTON_PRESS, BUTTONS.index(own) + 1)
        self._display.sync()

    def _let_go(self, own: str) -> None:
        self._display.fake(BUTTON_RELEASE, BUTTONS.index(own) + 1)
        self._display.sync()

    def _go(self, to: Point) -> Point:
        """Move the pointer; gives back where it is then."""
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
        """What the button is called where nothing is swapped."""
        return BUTTONS[self._own_number(BUTTONS.index(button) + 1) - 1]

    def _own_number(self, meant: int) -> int:
        """The button that programs are told of as `meant`."""
        kind = WHEEL.values() if meant in WHEEL.values() else range(1, len(BUTTONS) + 1)
        numbered = enumerate(self._display.core.GetPointerMapping().reply().map, 1)
        own = next((number for number, counts_as in numbered if counts_as == meant and number in kind), None)
        if own is None:
            raise ToolFailure(
                "TOOL_ERROR", f"No button of the mouse counts as button {meant} here (see `xmodmap -pp`)."
            )
        return own
