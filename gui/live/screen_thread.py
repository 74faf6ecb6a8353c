"""The thread that looks at the agent's screen for the live view and makes pictures of what it sees. No Tk here."""

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw

from world_model import DesktopError, Point, Size

if TYPE_CHECKING:
    from toolbelt.desktops.x11 import Sight

PERIOD: Final = 0.1  # seconds between two looks
ARROW: Final = ((0, 0), (0, 16), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12))
WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@dataclass(frozen=True, slots=True)
class LiveFrame:
    """A picture of the screen with its pointer drawn, and how large the screen is itself."""

    picture: Image.Image
    screen: Size


class ScreenWatcher:
    """Looks at a virtual desktop for as long as somebody does, and tells only of what is new."""

    def __init__(self, display: str) -> None:
        self._display = display
        self._changed = threading.Condition()
        self._room: Size | None = None
        self._scale = 1.0
        self._newest: LiveFrame | None = None
        self._closed = False
        threading.Thread(target=self._work, name="watcher", daemon=True).start()

    def show(self, room: Size | None, scale: float = 1.0) -> None:
        """Look, and make a picture of at most so many pixels, its pointer so large; None: nobody looks."""
        with self._changed:
            if (room, scale) != (self._room, self._scale):
                self._room, self._scale = room, scale
                self._changed.notify()

    def newest(self) -> LiveFrame | None:
        """The newest picture, once."""
        with self._changed:
            look, self._newest = self._newest, None
            return look

    def close(self) -> None:
        """No more looks."""
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _work(self) -> None:
        from toolbelt.desktops.x11 import Onlooker  # noqa: PLC0415 - X11's, as the virtual desktop is

        with contextlib.suppress(DesktopError), contextlib.closing(Onlooker(self._display)) as onlooker:
            while room := self._wanted():
                if sight := onlooker.look(room):
                    look = LiveFrame(with_pointer(sight, self._scale), sight.screen)
                    with self._changed:
                        self._newest = look
                with self._changed:
                    self._changed.wait(PERIOD)

    def _wanted(self) -> Size | None:
        """How large a picture is wanted; waits while none is, and gives None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._room or self._closed)
            return None if self._closed else self._room


def with_pointer(sight: "Sight", scale: float) -> Image.Image:
    """The picture with the pointer drawn, as large as a person's own, however small the picture is."""
    image = Image.fromarray(sight.pixels)
    factor = image.width / sight.screen.width
    at = Point(round(sight.pointer.x * factor), round(sight.pointer.y * factor))
    draw = ImageDraw.Draw(image)
    draw.polygon(_placed(ARROW, at, scale), fill=WHITE, outline=BLACK, width=max(1, round(scale)))
    return image


def _placed(shape: Sequence[tuple[int, int]], at: Point, scale: float) -> list[tuple[float, float]]:
    return [(at.x + x * scale, at.y + y * scale) for x, y in shape]
