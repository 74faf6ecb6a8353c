"""The clipboard of a Wayland session (data-control): read what other programs offer, and offer text to them.

Only the clipboard is used; the primary selection, which holds what a person has selected with the mouse, is left alone.
"""

import contextlib
import os
import select
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from toolbelt.desktops.clipboard_offer import ClipboardOffer
from toolbelt.desktops.wayland.protocols import DATA_CONTROLS, INTERFACES, SEAT
from toolbelt.desktops.wayland.wire import Remote, Wire
from world_model import DesktopError, ToolFailure

# In order of preference; programs of X11 offer the names of X11.
FORMATS: Final = ("text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING")
ANSWER_MAX_S: Final = 5.0  # for a program to answer, or to send the next piece of a long text
_POLL_S: Final = 0.05  # between two checks for a stop
_PIECE_BYTES: Final = 1 << 16


class _Device:
    """The clipboard, as one connection sees it."""

    def __init__(self, display: str) -> None:
        self.wire = Wire(Path(display), INTERFACES)
        name = next((one for one in DATA_CONTROLS if one in self.wire.globals), DATA_CONTROLS[0])
        self.manager = self.wire.bind(name)
        self.device = self.manager.send("get_data_device", self.wire.bind(SEAT))
        self.device.heard = self._hear
        self.count = 0
        self.offer: Remote | None = None  # what is on the clipboard
        self.formats: dict[Remote, list[str]] = {}
        self.wire.roundtrip()

    def _hear(self, name: str, offer: Remote | None = None) -> None:
        if name == "data_offer" and offer:
            formats = self.formats[offer] = []
            offer.heard = lambda _name, kind: formats.append(kind)
        elif name == "selection":
            if self.offer:
                self._drop(self.offer)
            self.offer = offer
            self.count += offer is not None
        elif name == "primary_selection" and offer:
            self._drop(offer)

    def _drop(self, offer: Remote) -> None:
        del self.formats[offer]
        offer.send("destroy")


def read(display: str, check: Callable[[], object]) -> str | None:
    """Return the text on the clipboard, or None if no program offers anything.

    Raises:
        ToolFailure: `TIMEOUT` if the program that offers it does not answer, `TARGET_NOT_FOUND` if it is not text.
    """
    device = _Device(display)
    with contextlib.closing(device.wire):
        if device.offer is None:
            return None
        formats = device.formats[device.offer]
        kind = next((one for one in FORMATS if one in formats), None)
        if kind is None:
            offered = ", ".join(one for one in formats if "/" in one) or "something else"
            raise ToolFailure("TARGET_NOT_FOUND", f"The clipboard holds no text, but {offered}.")
        reading, writing = os.pipe2(os.O_CLOEXEC)
        with os.fdopen(reading, "rb", buffering=0) as answer:
            try:
                device.offer.send("receive", kind, writing)
                device.wire.flush()
            finally:
                os.close(writing)
            return whole(answer.fileno(), check).decode("latin-1" if kind == "STRING" else "utf-8", "replace")


def whole(source: int, check: Callable[[], object]) -> bytes:
    """Return all that comes, until the other side ends."""
    pieces, end = bytearray(), time.monotonic() + ANSWER_MAX_S
    while time.monotonic() < end:
        check()
        if select.select([source], [], [], _POLL_S)[0]:
            if not (piece := os.read(source, _PIECE_BYTES)):
                return bytes(pieces)
            pieces += piece
            end = time.monotonic() + ANSWER_MAX_S
    raise ToolFailure(
        "TIMEOUT",
        f"The program that owns the clipboard did not answer in {ANSWER_MAX_S:g} s.",
        ["Copy again in that program, or close it."],
    )


class Copies:
    """Counts how often programs have put something on the clipboard, on a connection of its own."""

    def __init__(self, display: str) -> None:
        self._device = _Device(display)
        self._before = self._device.count  # what was there already

    def count(self) -> int:
        """Return the number until now."""
        self._device.wire.roundtrip()
        return self._device.count - self._before

    def close(self) -> None:
        """Stop counting."""
        self._device.wire.close()


class Offer(ClipboardOffer):
    """Offers a text on the clipboard; what is pasted is written by a thread for each program.

    Attributes:
        taken_s: when a program has got all of it last, in seconds of the monotonic clock; 0 before that.
    """

    def __init__(self, display: str, text: str) -> None:
        super().__init__(text)
        self.taken_s = 0.0
        device = _Device(display)
        self._wire = device.wire
        source = device.manager.send("create_data_source")
        source.heard = self._hear
        for kind in FORMATS[:-1]:
            source.send("offer", kind)
        device.device.send("set_selection", source)
        self._wire.roundtrip()
        self._begin()

    def _serve(self) -> None:
        sources: list[Wire | socket.socket] = [self._wire, self._ending]
        with contextlib.closing(self._wire), contextlib.closing(self._ending), contextlib.suppress(DesktopError):
            while self._ours and self._ending not in select.select(sources, [], [])[0]:
                self._wire.take(0.0)

    def _hear(self, name: str, *values: Any) -> None:  # noqa: ANN401 - as the message has them
        if name == "cancelled":
            self._ours = False
        elif name == "send":
            threading.Thread(target=self._hand_out, args=values[1:], name="paste", daemon=True).start()

    def _hand_out(self, target: int) -> None:
        """Write the text to who pastes it, which may take long or go away."""
        with contextlib.suppress(OSError), os.fdopen(target, "wb", buffering=0) as file:
            rest = memoryview(self._content)
            while rest:
                rest = rest[file.write(rest) :]
            self.taken_s = time.monotonic()
