"""The mouse of a Wayland session (wlr-virtual-pointer): a device of our own beside the person's.

The buttons that it holds stay down if this process is killed, unlike keys: `releaser.py` releases them.
"""

import contextlib
import time
from pathlib import Path
from typing import Final

from toolbelt.desktops.base import Button, Direction
from toolbelt.desktops.buttons import HoldingMouse
from toolbelt.desktops.wayland.protocols import INTERFACES, POINTERS, SEAT
from toolbelt.desktops.wayland.screen import Layout
from toolbelt.desktops.wayland.wire import Wire
from world_model import Point

BUTTONS: Final[dict[str, int]] = {"left": 0x110, "right": 0x111, "middle": 0x112}  # as Linux numbers them
BETWEEN_CLICKS_S: Final = 0.02
_RELEASED, _PRESSED = 0, 1
_WHEEL: Final = 0  # the source of a turn
_NOTCH: Final = 15.0  # what a wheel says of one notch, in logical units
_TURNS: Final[dict[Direction, tuple[int, int]]] = {"up": (0, -1), "down": (0, 1), "left": (1, -1), "right": (1, 1)}


def now_ms() -> int:
    """Return the time as input events have it."""
    return int(time.monotonic() * 1000) & 0xFFFFFFFF


class WaylandMouse(HoldingMouse):
    """Moves the pointer, clicks and turns the wheel.

    Attributes:
        at: where the pointer was sent last: nobody tells where it is. None before the first time.
    """

    def __init__(self, wire: Wire) -> None:
        super().__init__()
        self._wire = wire
        self._pointer = wire.bind(POINTERS).send("create_virtual_pointer", wire.bind(SEAT))
        self.at: Point | None = None

    def move(self, to: Point, layout: Layout) -> None:
        """Move the pointer to the middle of a pixel; nearer to what is on a monitor if that pixel is on none."""
        whole = layout.whole
        x, y = 2 * (to.x - whole.x) + 1, 2 * (to.y - whole.y) + 1
        self._pointer.send("motion_absolute", now_ms(), max(0, x), max(0, y), 2 * whole.width, 2 * whole.height)
        self._frame()
        self.at = to

    def click(self, at: Point, layout: Layout, button: Button, count: int) -> None:
        """Click `count` times in a row."""
        self._refuse_if_held(button)
        self.move(at, layout)
        for number in range(count):
            if number:
                time.sleep(BETWEEN_CLICKS_S)
            self._press(button)
            self._release(button)

    def scroll(self, direction: Direction, amount: int) -> None:
        """Turn the wheel at the position of the pointer."""
        axis, sign = _TURNS[direction]
        for _ in range(amount):
            self._pointer.send("axis_source", _WHEEL)
            self._pointer.send("axis_discrete", now_ms(), axis, sign * _NOTCH, sign)
            self._frame()

    def let_go(self) -> None:
        """Release every button, whoever pressed it."""
        for name in BUTTONS:
            self._release(name)

    def _own_name(self, button: Button) -> str:
        return button

    def _press(self, own: str) -> None:
        self._pointer.send("button", now_ms(), BUTTONS[own], _PRESSED)
        self._frame()

    def _release(self, own: str) -> None:
        self._pointer.send("button", now_ms(), BUTTONS[own], _RELEASED)
        self._frame()

    def _frame(self) -> None:
        self._pointer.send("frame")
        self._wire.roundtrip()


def release(display: str) -> None:
    """Release the buttons of a process that was killed."""
    with contextlib.closing(Wire(Path(display), INTERFACES)) as wire:
        WaylandMouse(wire).let_go()
