"""The screen of a Wayland session: its monitors, and what they show (wlr-screencopy).

The desktop is measured in pixels of its sharpest monitor: what another one shows is scaled up to them, so that
neighbouring monitors stay neighbours. The compositor has a unit of its own, the logical one; `Layout` knows both.
"""

import mmap
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from toolbelt.desktops.wayland.protocols import OUTPUT, SCREENCOPY, SHM, XDG_OUTPUTS
from toolbelt.desktops.wayland.wire import Remote, Wire
from world_model import DesktopError, Frame, Point, Region

_CURRENT: Final = 1  # the flag of a monitor's mode that is in use
_UPSIDE_DOWN: Final = 1  # the flag of a picture that begins with its lowest row
_FLIPPED: Final = 4  # transforms from here on mirror the picture first
_TURNS: Final[Mapping[int, int]] = {
    1: cv2.ROTATE_90_CLOCKWISE,
    2: cv2.ROTATE_180,
    3: cv2.ROTATE_90_COUNTERCLOCKWISE,
}
# The formats of a pixel as wl_shm names them, with the bytes of one and the conversion to RGB.
_FORMATS: Final[Mapping[int, tuple[int, int | None]]] = {
    0: (4, cv2.COLOR_BGRA2RGB),  # ARGB8888
    1: (4, cv2.COLOR_BGRA2RGB),  # XRGB8888
    0x34324241: (4, cv2.COLOR_RGBA2RGB),  # ABGR8888
    0x34324258: (4, cv2.COLOR_RGBA2RGB),  # XBGR8888
    0x34324752: (3, cv2.COLOR_BGR2RGB),  # RGB888
    0x34324742: (3, None),  # BGR888
}
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Monitor:
    """A monitor: its place in logical units, and its number of pixels as a person sees them."""

    name: str
    x: int
    y: int
    width: int
    height: int
    pixels: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where monitors are; `scale` is the number of pixels of the desktop in a logical unit."""

    monitors: tuple[Monitor, ...]
    scale: float

    @classmethod
    def of(cls, monitors: Sequence[Monitor]) -> "Layout":
        """Return the layout whose pixels are those of the sharpest monitor."""
        return cls(tuple(monitors), max((one.pixels[0] / one.width for one in monitors), default=1.0))

    def region_of(self, monitor: Monitor) -> Region:
        """Return what a monitor covers of the desktop."""
        return self.region(monitor.x, monitor.y, monitor.width, monitor.height)

    def region(self, x: float, y: float, width: float, height: float) -> Region:
        """Return the region of the desktop that has these logical edges."""
        left, top = round(x * self.scale), round(y * self.scale)
        return Region(left, top, round((x + width) * self.scale) - left, round((y + height) * self.scale) - top)

    @property
    def whole(self) -> Region:
        """The bounding box of all monitors."""
        every = [self.region_of(one) for one in self.monitors]
        left, top = min(one.x for one in every), min(one.y for one in every)
        return Region(left, top, max(one.right for one in every) - left, max(one.bottom for one in every) - top)


def monitors_of(wire: Wire) -> list[Monitor]:
    """Return the monitors of a session, on a connection that nobody else reads.

    Raises:
        DesktopError: The compositor does not say where they are.
    """
    places = wire.bind(XDG_OUTPUTS)
    outputs = [_Output(wire.bind(OUTPUT, number), places) for number, _ in wire.globals.get(OUTPUT, [])]
    wire.roundtrip()
    return [one.monitor for one in outputs if one.is_known]


class Screen:
    """Knows the monitors and captures them, on a connection that nobody else reads.

    Raises:
        DesktopError: The compositor does not offer what is needed, or has no monitor.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._shm, self._screencopy = wire.bind(SHM), wire.bind(SCREENCOPY)
        self._places = wire.bind(XDG_OUTPUTS)
        self._outputs: dict[int, _Output] = {}  # by the number under which they are offered
        self._buffer: _Buffer | None = None
        self._shot, self._frame = list[Pixels](), Frame(np.zeros((0, 0, 3), np.uint8))
        self.layout = Layout((), 1.0)
        self.refresh()

    def refresh(self) -> None:
        """Learn which monitors there are now."""
        self._wire.roundtrip()
        offered = {number for number, _ in self._wire.globals.get(OUTPUT, [])}
        for number in self._outputs.keys() - offered:
            del self._outputs[number]
        for number in offered - self._outputs.keys():
            self._outputs[number] = _Output(self._wire.bind(OUTPUT, number), self._places)
        if offered - {number for number, one in self._outputs.items() if one.is_known}:
            self._wire.roundtrip()
        monitors = [one.monitor for one in self._outputs.values() if one.is_known]
        if not monitors:
            raise DesktopError("The Wayland session has no monitor that is on.")
        self.layout = Layout.of(monitors)

    def grab(self) -> Frame:
        """Capture all monitors, without the pointer; the same frame again if nothing has changed."""
        self.refresh()
        whole = self.layout.whole
        outputs = [one for one in self._outputs.values() if one.is_known]
        shots = [self._captured("capture_output", one) for one in outputs]
        if whole != self._frame.region or not _are_equal(shots, self._shot):
            canvas = np.zeros((whole.height, whole.width, 3), np.uint8)
            for one, shot in zip(outputs, shots, strict=True):
                place = self.layout.region_of(one.monitor)
                scaled = np.asarray(cv2.resize(shot, (place.width, place.height)), np.uint8)
                canvas[place.y - whole.y : place.bottom - whole.y, place.x - whole.x : place.right - whole.x] = scaled
            self._shot, self._frame = shots, Frame(canvas, Point(whole.x, whole.y), time.time())
        return self._frame

    def _captured(self, request: str, output: "_Output") -> Pixels:
        """Return what a monitor shows, upright."""
        heard: dict[str, tuple[Any, ...]] = {}
        frame = self._screencopy.send(request, 0, output.remote)
        frame.heard = lambda name, *values: heard.__setitem__(name, values)
        self._wire.until(lambda: "buffer" in heard or "failed" in heard)
        if "buffer" in heard:
            kind, width, height, stride = heard["buffer"]
            buffer = self._buffer_for(kind, width, height, stride)
            frame.send("copy", buffer.remote)
            self._wire.until(lambda: "ready" in heard or "failed" in heard)
        frame.send("destroy")
        if "failed" in heard:
            raise DesktopError(f"The Wayland compositor does not show the monitor {output.monitor.name} now.")
        return _upright(buffer.pixels(), output.transform, upside_down=bool(heard["flags"][0] & _UPSIDE_DOWN))

    def _buffer_for(self, *shape: int) -> "_Buffer":
        if self._buffer is None or self._buffer.shape != shape:
            if self._buffer:
                self._buffer.close()
            self._buffer = _Buffer(self._shm, *shape)
        return self._buffer

    def close(self) -> None:
        """Free the memory of the pictures."""
        if self._buffer:
            self._buffer.close()


class _Output:
    """A monitor as the compositor tells of it."""

    def __init__(self, remote: Remote, places: Remote) -> None:
        self.remote = remote
        self.transform = 0
        self._told: dict[str, tuple[Any, ...]] = {}
        remote.heard = self._hear
        places.send("get_xdg_output", remote).heard = self._hear

    def _hear(self, name: str, *values: Any) -> None:  # noqa: ANN401 - as the message has them
        if name == "geometry":
            self.transform = values[5 + 2]
        elif name != "mode" or values[0] & _CURRENT:
            self._told[name] = values

    @property
    def is_known(self) -> bool:
        """Whether it shows something, and where is known."""
        return {"mode", "logical_position", "logical_size"} <= self._told.keys() and all(self._told["logical_size"])

    @property
    def monitor(self) -> Monitor:
        """What is known of it."""
        _, width, height, _ = self._told["mode"]
        if self.transform % 2:
            width, height = height, width
        [name] = self._told.get("name", ("",))
        (x, y), size = self._told["logical_position"], self._told["logical_size"]
        return Monitor(name, x, y, size[0], size[1], (width, height))


class _Buffer:
    """Memory that is shared with the compositor, for one picture."""

    def __init__(self, shm: Remote, kind: int, width: int, height: int, stride: int) -> None:
        if kind not in _FORMATS:
            raise DesktopError(f"The Wayland compositor gives pixels in a format that is not known here ({kind:#x}).")
        self.shape = kind, width, height, stride
        self._bytes, self._conversion = _FORMATS[kind]
        file = os.memfd_create("mark-i-screen", os.MFD_CLOEXEC)
        try:
            os.ftruncate(file, stride * height)
            self._memory = mmap.mmap(file, stride * height)
            pool = shm.send("create_pool", file, stride * height)
        finally:
            os.close(file)
        self.remote = pool.send("create_buffer", 0, width, height, stride, kind)
        pool.send("destroy")

    def pixels(self) -> Pixels:
        """Return a copy of the picture in RGB."""
        _, width, height, stride = self.shape
        rows = np.frombuffer(self._memory, np.uint8).reshape(height, stride)
        pixels = rows[:, : width * self._bytes].reshape(height, width, self._bytes)
        if self._conversion is None:
            return pixels.copy()
        return np.asarray(cv2.cvtColor(pixels, self._conversion), np.uint8)

    def close(self) -> None:
        """Free it."""
        self.remote.send("destroy")


def _upright(pixels: Pixels, transform: int, *, upside_down: bool) -> Pixels:
    """Return a picture as a person sees it, of a monitor that is turned or mirrored."""
    if upside_down:
        pixels = pixels[::-1]
    if (turn := _TURNS.get(transform % _FLIPPED)) is not None:
        pixels = np.asarray(cv2.rotate(pixels, turn), np.uint8)
    return pixels[:, ::-1] if transform >= _FLIPPED else pixels


def _are_equal(now: Sequence[Pixels], before: Sequence[Pixels]) -> bool:
    return len(now) == len(before) and all(map(np.array_equal, now, before))
