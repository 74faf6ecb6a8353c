"""A desktop without a display, for tests, demos and tutorials: a function draws frames, and input is recorded."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from toolbelt.control import Control
from toolbelt.desktops.accessibility.nodes import WindowTree
from toolbelt.desktops.activity import Activity
from toolbelt.desktops.base import Button, Direction, InputWatcher, SeenPlace, Window
from toolbelt.desktops.hotkey import Hotkey
from world_model import Frame, Point, Region

Input = tuple[str, *tuple[object, ...]]  # ("click", Point(3, 4), "left", 1), ("type", "hello"), ...
Draw = Callable[[Sequence[Input]], Image.Image]


class FakeApplication:
    """A program that is not really started."""

    def failure(self) -> str | None:
        """Return None: it never fails."""
        return None

    def running(self) -> bool:
        """Return True: it never ends."""
        return True


class FakeListener:
    """Hears nothing: only the agent uses a fake desktop."""

    has_hotkey = False

    def close(self) -> None:
        """Do nothing."""


@dataclass(slots=True)
class FakeDesktop:
    """Shows what `draw` makes of the input so far, and keeps that input in `inputs`.

    `FakeDesktop(lambda inputs: picture_2 if inputs else picture_1)` is a screen that changes at the first input.
    `layout` holds the region of each monitor if there are several, or if the desktop begins left of or above 0, 0.
    """

    draw: Draw
    control: Control = field(default_factory=Control)
    inputs: list[Input] = field(default_factory=list)
    name: str = "fake"
    clipboard: str | None = None
    layout: tuple[Region, ...] = ()
    has_wayland: bool = False
    knows_windows: bool = True

    @property
    def region(self) -> Region:
        """The region that `draw` fills."""
        width, height = self.draw(self.inputs).size
        return Region(*self._origin, width, height)

    @property
    def monitors(self) -> tuple[Region, ...]:
        """The monitors of `layout`, or else one that shows everything."""
        return self.layout or (self.region,)

    def grab(self) -> Frame:
        """Return what `draw` draws now."""
        return Frame(np.asarray(self.draw(self.inputs).convert("RGB")), Point(*self._origin))

    def pointer(self) -> Point:
        """Return the point of the last input."""
        points = [part for done in self.inputs for part in done if isinstance(part, Point)]
        return points[-1] if points else Point(0, 0)

    @property
    def _origin(self) -> tuple[int, int]:
        return min((one.x for one in self.layout), default=0), min((one.y for one in self.layout), default=0)

    def _take(self, *done: object) -> None:
        self.control.check()
        name, *rest = done
        self.inputs.append((str(name), *rest))

    def move(self, to: Point) -> None:
        """Record the input."""
        self._take("move", to)

    def click(self, at: Point, button: Button = "left", count: int = 1, seen: SeenPlace | None = None) -> bool:
        """Record the input, if the place still looks as it was seen."""
        if seen and not seen.still(at, self.grab()):
            return False
        self._take("click", at, button, count)
        return True

    def mouse_down(self, button: Button) -> None:
        """Record the input."""
        self._take("mouse_down", button)

    def mouse_up(self, button: Button) -> None:
        """Record the input, even after a stop."""
        self.inputs.append(("mouse_up", button))

    def scroll(self, direction: Direction, amount: int) -> None:
        """Record the input."""
        self._take("scroll", direction, amount)

    def type(self, text: str, front: int | None = None) -> int:  # noqa: ARG002 - it has no windows
        """Record the input."""
        self._take("type", text)
        return len(text)

    def press(self, keys: str, seconds: float = 0.0) -> None:
        """Record the input, with the seconds if there are any, without waiting."""
        self._take("press", keys, *([seconds] if seconds else []))

    def key_down(self, key: str) -> None:
        """Record the input."""
        self._take("key_down", key)

    def key_up(self, key: str) -> None:
        """Record the input, even after a stop."""
        self.inputs.append(("key_up", key))

    def attend(self, seconds: float) -> bool:  # noqa: ARG002 - no program has to read input
        """Return True at once."""
        return True

    def front(self) -> int | None:
        """Return None, as there are no windows."""
        return None

    def windows(self) -> list[Window]:
        """Return no windows: a fake desktop has no window manager."""
        return []

    def close_window(self, window: Window) -> None:
        """Record the input."""
        self._take("close_window", window)

    def focus_window(self, window: Window) -> None:
        """Record the input."""
        self._take("focus_window", window)

    def place_window(self, window: Window, region: Region) -> None:
        """Record the input."""
        self._take("place_window", window, region)

    def read_clipboard(self) -> str | None:
        """Return what was written to it."""
        return self.clipboard

    def copies(self) -> int:
        """Return how often something was written to the clipboard."""
        return sum(name == "write_clipboard" for name, *_ in self.inputs)

    def write_clipboard(self, text: str) -> None:
        """Record the input and keep the text."""
        self._take("write_clipboard", text)
        self.clipboard = text

    def launch(self, command: Sequence[str]) -> FakeApplication:
        """Record the command; nothing is started."""
        self._take("launch", *command)
        return FakeApplication()

    def activity(self) -> Activity:
        """Return nothing: no program is really started."""
        return Activity()

    def trees(self, pids: Sequence[int], seconds: float) -> tuple[WindowTree, ...]:  # noqa: ARG002 - nobody is asked
        """Return nothing: no program is really started."""
        return ()

    @property
    def unheard(self) -> str:
        """Return nothing: nobody is asked."""
        return ""

    def release(self) -> None:
        """Record the input, even after a stop."""
        self.inputs.append(("release",))

    def listen(self, watcher: InputWatcher, hotkey: Hotkey | None = None) -> FakeListener:
        """Return a listener that hears nothing."""
        del watcher, hotkey
        return FakeListener()

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
