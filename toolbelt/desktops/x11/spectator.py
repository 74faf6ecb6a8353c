"""Watches the agent's X display, through connections of its own, so the agent never waits for it."""

import contextlib
from dataclasses import dataclass

import cv2
import numpy as np
from mss import ScreenShotError
from numpy.typing import NDArray

from toolbelt.desktops.x11.connection import Connection, grabber
from world_model import DesktopError, Point, Size


@dataclass(frozen=True, slots=True)
class ScreenView:
    """What a display shows, scaled down.

    Attributes:
        pixels: Red, green and blue.
        screen: The size of the display.
        pointer: The position of its mouse pointer, in pixels of the display.
    """

    pixels: NDArray[np.uint8]
    screen: Size
    pointer: Point


class Spectator:
    """Watches the X display `display`, from one thread, without changing anything.

    Raises:
        DesktopError: The display does not exist, or it went away.
    """

    def __init__(self, display: str) -> None:
        self._display = Connection(display)
        self._mss = grabber(display)
        self._seen: tuple[bytearray, Point, Size] | None = None

    def look(self, room: Size) -> ScreenView | None:
        """Return what the display shows, fitted into `room`, or None if nothing has changed."""
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
        return ScreenView(_small(pixels, fitted(screen, room)), screen, pointer)

    def close(self) -> None:
        """Close the connections."""
        with contextlib.suppress(ScreenShotError, AssertionError):  # the display is gone
            self._mss.close()
        self._display.close()


def fitted(screen: Size, room: Size) -> Size:
    """Return the largest size for a screen within `room` that keeps its shape and does not enlarge it."""
    factor = min(1.0, room.width / screen.width, room.height / screen.height)
    return Size(max(1, round(screen.width * factor)), max(1, round(screen.height * factor)))


def _small(pixels: NDArray[np.uint8], size: Size) -> NDArray[np.uint8]:
    """Scale the pixels down, then convert them: the other order converts more pixels."""
    scaled = cv2.resize(pixels, (size.width, size.height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(scaled, cv2.COLOR_BGRA2RGB), np.uint8)
