"""The thread that captures the agent's screen for the live view. No Tk here."""

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw

from world_model import DesktopError, Point, Size

if TYPE_CHECKING:
    from toolbelt.desktops.x11 import ScreenView

PERIOD_S: Final = 0.1  # between two captures
POINTER: Final = ((0, 0), (0, 16), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12))  # the outline of an arrow
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@dataclass(frozen=True, slots=True)
class LiveFrame:
    """An image of the screen with its pointer drawn, and the size of the screen itself."""

    picture: Image.Image
    screen: Size


class ScreenWatcher:
    """Watches a virtual desktop while its image is visible; reports only what is new."""

    def __init__(self, display: str) -> None:
        self._display = display
        self._changed = threading.Condition()
        self._room: Size | None = None
        self._scale = 1.0
        self._newest: LiveFrame | None = None
        self._closed = False
        threading.Thread(target=self._work, name="watcher", daemon=True).start()

    def show(self, room: Size | None, scale: float = 1.0) -> None:
        """Capture images of at most this size, with the pointer at this scale; None: capture nothing."""
        with self._changed:
            if (room, scale) != (self._room, self._scale):
                self._room, self._scale = room, scale
                self._changed.notify()

    def newest(self) -> LiveFrame | None:
        """Take the newest image; None if there is no new one."""
        with self._changed:
            look, self._newest = self._newest, None
            return look

    def close(self) -> None:
        """Capture nothing more."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _work(self) -> None:
        from toolbelt.desktops.x11 import Spectator  # noqa: PLC0415 - X11's, as the virtual desktop is

        with contextlib.suppress(DesktopError), contextlib.closing(Spectator(self._display)) as onlooker:
            while room := self._wanted():
                if sight := onlooker.look(room):
                    look = LiveFrame(with_pointer(sight, self._scale), sight.screen)
                    with self._changed:
                        self._newest = look
                with self._changed:
                    self._changed.wait(PERIOD_S)

    def _wanted(self) -> Size | None:
        """Wait until images are wanted, and return their size; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._room or self._closed)
            return None if self._closed else self._room


def with_pointer(sight: "ScreenView", scale: float) -> Image.Image:
    """Draw the pointer, as large as a person's own however small the image is."""
    image = Image.fromarray(sight.pixels)
    factor = image.width / sight.screen.width
    at = Point(round(sight.pointer.x * factor), round(sight.pointer.y * factor))
    draw = ImageDraw.Draw(image)
    draw.polygon(_placed(POINTER, at, scale), fill=WHITE, outline=BLACK, width=max(1, round(scale)))
    return image


def _placed(shape: Sequence[tuple[int, int]], at: Point, scale: float) -> list[tuple[float, float]]:
    return [(at.x + x * scale, at.y + y * scale) for x, y in shape]
