"""The screen of a session of the portal: the newest picture that PipeWire has brought of each monitor."""

import contextlib
import importlib
import os
import time
from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from toolbelt.desktops.wayland.portal.session import Check, Session, Stream
from toolbelt.desktops.wayland.screen import Layout, Monitor
from world_model import DesktopError, Frame, Point

FIRST_MAX_S: Final = 15.0  # for the first picture of a monitor
ANEW_S: Final = 0.3  # without one, until the pictures are started anew; twice as long each time
_POLL_S: Final = 0.005
CHANGED: Final = "The monitors have changed since you allowed the agent to use this desktop. Run again."
SCALED: Final = (
    "A monitor that you shared is scaled, and portals disagree about where a point on it is. Set its scale to 100 % in "
    "the settings of your displays, or let the agent use a virtual desktop."
)
Pixels = NDArray[np.uint8]


class Screen:
    """What the monitors show that the person shared.

    Raises:
        DesktopError: PipeWire brings no pictures.
    """

    def __init__(self, session: Session, check: Check) -> None:
        self._session = session
        self._frame = Frame(np.zeros((0, 0, 3), np.uint8))
        self._shots = list[Pixels]()
        self._captures = list[Any]()
        with contextlib.ExitStack() as failed:
            failed.callback(self.close)
            for stream in session.streams:
                self._captures.append(self._capture(stream))
            first = [self._first(number, check) for number in range(len(self._captures))]
            failed.pop_all()
        monitors = [_monitor(one, shot) for one, shot in zip(session.streams, first, strict=True)]
        self.layout = Layout.of(monitors)
        self._sizes = [shot.shape for shot in first]

    def grab(self) -> Frame:
        """Return what all monitors show now; the same frame again if nothing has changed."""
        new = self.look()
        if len(new) != len(self._shots) or not all(map(np.array_equal, new, self._shots)):
            self._shots, self._frame = new, self._joined(new)
        return self._frame

    def look(self) -> list[Pixels]:
        """Return what each monitor shows.

        Raises:
            DesktopError: The permission has ended, the screen is locked, or monitors are not as they were.
        """
        self._session.look()
        shots = [shot for one in self._captures if (shot := _newest(one)) is not None]
        if [shot.shape for shot in shots] != self._sizes:
            raise DesktopError(CHANGED)
        return shots

    def close(self) -> None:
        """Stop the pictures."""
        for capture in self._captures:
            capture.stop()

    def stream_at(self, at: Point) -> tuple[Stream, float, float]:
        """Return the monitor that shows a place, or the nearest one, and the place on it in logical units."""
        scale = self.layout.scale
        x, y = (at.x + 0.5) / scale, (at.y + 0.5) / scale
        edge = 0.5 / scale  # the middle of its last pixel

        def on(monitor: Monitor) -> tuple[float, float]:
            return (
                min(max(x - monitor.x, edge), monitor.width - edge),
                min(max(y - monitor.y, edge), monitor.height - edge),
            )

        def away(number: int) -> float:
            monitor = self.layout.monitors[number]
            near_x, near_y = on(monitor)
            return abs(monitor.x + near_x - x) + abs(monitor.y + near_y - y)

        nearest = min(range(len(self.layout.monitors)), key=away)
        return self._session.streams[nearest], *on(self.layout.monitors[nearest])

    def _capture(self, stream: Stream) -> Any:  # noqa: ANN401 - the library has no types
        """Start the pictures of a monitor, on a connection of their own."""
        library: Any = importlib.import_module("pipewire_capture")
        file = self._session.open_pipewire()
        try:
            capture = library.CaptureStream(file, stream.node, stream.width, stream.height, 0.0)
        finally:
            os.close(file)
        capture.start()
        return capture

    def _first(self, number: int, check: Check) -> Pixels:
        """Wait for the first picture of a monitor.

        A compositor sends one when the pictures start, and then only what changes. If that one is lost, as happens
        while PipeWire still prepares, it sends another to who starts them anew.
        """
        end, tries_s = time.monotonic() + FIRST_MAX_S, ANEW_S
        while True:
            until = time.monotonic() + tries_s
            while not (capture := self._captures[number]).window_invalid and time.monotonic() < min(until, end):
                if (shot := _newest(capture)) is not None:
                    return shot
                check()
                time.sleep(_POLL_S)
            if time.monotonic() > end:
                why = f": {capture.error}" if capture.error else ""
                raise DesktopError(f"PipeWire brought no picture of the screen in {FIRST_MAX_S:g} s{why}. Run again.")
            capture.stop()
            self._captures[number] = self._capture(self._session.streams[number])
            tries_s *= 2

    def _joined(self, shots: list[Pixels]) -> Frame:
        whole = self.layout.whole
        canvas = np.zeros((whole.height, whole.width, 3), np.uint8)
        for monitor, shot in zip(self.layout.monitors, shots, strict=True):
            place = self.layout.region_of(monitor)
            rgb = np.asarray(cv2.cvtColor(shot, cv2.COLOR_BGRA2RGB), np.uint8)
            scaled = (
                rgb
                if rgb.shape[:2] == (place.height, place.width)
                else np.asarray(cv2.resize(rgb, (place.width, place.height)), np.uint8)
            )
            canvas[place.y - whole.y : place.bottom - whole.y, place.x - whole.x : place.right - whole.x] = scaled
        return Frame(canvas, Point(whole.x, whole.y), time.time())


def refuse_scaled(monitors: Sequence[Monitor]) -> None:
    """Refuse to use the mouse where a logical unit of a monitor is not a pixel.

    A portal wants logical units, and takes no point beyond them. That of GNOME 48 counts pixels all the same: at 200 %,
    what is sent reaches a quarter of the screen, at the wrong places.

    Raises:
        DesktopError: There is such a monitor.
    """
    if any(one.pixels != (one.width, one.height) for one in monitors):
        raise DesktopError(SCALED)


def _newest(capture: Any) -> Pixels | None:  # noqa: ANN401 - the library has no types
    if capture.window_invalid:
        why = f": {capture.error}" if capture.error else ""
        raise DesktopError(f"The session does not show its screen any more{why}. Run again to be asked.")
    shot = capture.get_frame()
    return None if shot is None else np.asarray(shot, np.uint8)


def _monitor(stream: Stream, shot: Pixels) -> Monitor:
    """Return a monitor; where its size is not told, a logical unit is a pixel."""
    height, width = shot.shape[:2]
    return Monitor(
        str(stream.node), stream.x, stream.y, stream.width or width, stream.height or height, (width, height)
    )
