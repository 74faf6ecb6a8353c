"""A look over the agent's shoulder: at its X display, through connections of its own. The agent waits for nobody."""

import contextlib
from dataclasses import dataclass

import cv2
import numpy as np
from mss import ScreenShotError
from numpy.typing import NDArray

from toolbelt.desktops.x11.connection import Connection, grabber
from world_model import DesktopError, Point, Size


@dataclass(frozen=True, slots=True)
class Sight:
    """What a display shows, made as small as was asked for.

    Attributes:
        pixels: red, green and blue.
        screen: how large the display is itself.
        pointer: where its mouse pointer is, in its own pixels.
    """

    pixels: NDArray[np.uint8]
    screen: Size
    pointer: Point


class Onlooker:
    """Looks at the X display `display`, from one thread, and touches nothing.

    Raises:
        DesktopError: there is no such display, or it went away.
    """

    def __init__(self, display: str) -> None:
        self._display = Connection(display)
        self._mss = grabber(display)
        self._seen: tuple[bytearray, Point, Size] | None = None

    def look(self, room: Size) -> Sight | None:
        """What is to be seen now, fitted into so many pixels; None where it is the same as last time."""
        try:
            whole = self._display.core.GetGeometry(self._display.root).reply()
            at = self._display.pointer()
            shot = self._mss.grab((0, 0, whole.width, whole.height))
        except (ScreenShotError, AssertionError) as error:  # mss asserts that it is connected
            raise DesktopError(f"The display went away. {error}".strip()) from error
        pointer = Point(at.root_x, at.root_y)
        if (shot.raw, pointer, room) == self._seen:
            return None
        self._seen = (shot.raw, pointer, room)
        screen = Size(whole.width, whole.height)
        pixels = np.frombuffer(shot.raw, np.uint8).reshape(shot.height, shot.width, 4)
        return Sight(_small(pixels, fitted(screen, room)), screen, pointer)

    def close(self) -> None:
        """Close the connections."""
        with contextlib.suppress(ScreenShotError, AssertionError):  # what is gone is closed
            self._mss.close()
        self._display.close()


def fitted(screen: Size, room: Size) -> Size:
    """As large as a screen can be shown in a room without being enlarged, or pressed out of its shape."""
    factor = min(1.0, room.width / screen.width, room.height / screen.height)
    return Size(max(1, round(screen.width * factor)), max(1, round(screen.height * factor)))


def _small(pixels: NDArray[np.uint8], size: Size) -> NDArray[np.uint8]:
    """Scaled first: then there is less to turn round."""
    scaled = cv2.resize(pixels, (size.width, size.height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGRA2RGB), np.uint8)
