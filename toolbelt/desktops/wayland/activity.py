"""Whether a person uses mouse or keyboard, as far as a Wayland compositor tells of it.

It tells when a seat has been idle for a while, and when it is used again (ext-idle-notify, or its elder of KDE); not
with what, nor by whom. So the agent marks its own input: what the compositor says meanwhile is not the person's. Each
connection gets its events in order, which makes the marks exact.

A program that keeps the screen awake, such as one that plays a video, lasts as use without an end: use counts once it
pauses, as that of a person does many times in a second.
"""

import contextlib
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from toolbelt.desktops.wayland.protocols import IDLE_NOTIFIER, INTERFACES, KDE_IDLE, SEAT
from toolbelt.desktops.wayland.wire import Remote, Wire
from world_model import DesktopError

IDLE_MS: Final = 10  # without input; a hand on a mouse rests as long many times in a second
USE_MAX_S: Final = 3.0  # without a pause of that length; what lasts longer is no hand


def tells_activity(wire: Wire) -> bool:
    """Whether a compositor tells when mouse or keyboard are used."""
    return not wire.globals.keys().isdisjoint({IDLE_NOTIFIER, KDE_IDLE})


class ActivityWatch:
    """Reports input that is not the agent's, on a thread and a connection of its own.

    Args:
        socket_path: where the compositor listens.
        used: called after mouse or keyboard were used.

    Raises:
        DesktopError: The compositor does not tell of it, or is gone.
    """

    def __init__(self, socket_path: Path, used: Callable[[], None]) -> None:
        self._report = used
        self._wire = Wire(socket_path, INTERFACES)
        self._taking = threading.Lock()  # events, by one thread at a time
        self._own = 0  # inputs of the agent that are under way
        self._began_s: float | None = None  # when somebody else began to use them
        self._used = False
        try:
            _notification(self._wire).heard = self._hear
            self._wire.roundtrip()
        except DesktopError:
            self._wire.close()
            raise
        self._ending, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, name="activity", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Report what was used until now."""
        with self._taking:
            self._wire.roundtrip()
        self._tell()

    @contextlib.contextmanager
    def own(self) -> Iterator[None]:
        """Mark input of the agent, which the compositor must have carried out when the context ends."""
        with self._taking:
            self._own += 1
        try:
            yield
        finally:
            with self._taking:
                try:
                    self._wire.roundtrip()
                finally:
                    self._own -= 1

    def close(self) -> None:
        """Stop listening."""
        self._end.close()
        self._thread.join()
        self._ending.close()
        self._wire.close()

    def _listen(self) -> None:
        sources: list[Wire | socket.socket] = [self._wire, self._ending]
        with contextlib.suppress(DesktopError):  # the compositor is gone, which the agent notices at its next use
            while self._ending not in select.select(sources, [], [])[0]:
                with self._taking:
                    self._wire.take(0)
                self._tell()

    def _hear(self, event: str) -> None:
        if event == "resumed":
            self._began_s = None if self._own else time.monotonic()
        elif self._began_s is not None:
            self._used = self._used or time.monotonic() < self._began_s + USE_MAX_S
            self._began_s = None

    def _tell(self) -> None:
        with self._taking:
            used, self._used = self._used, False
        if used:
            self._report()


def _notification(wire: Wire) -> Remote:
    """Return what tells whether the first seat is idle."""
    seat = wire.bind(SEAT)
    if IDLE_NOTIFIER in wire.globals:
        return wire.bind(IDLE_NOTIFIER).send("get_idle_notification", IDLE_MS, seat)
    return wire.bind(KDE_IDLE).send("get_idle_timeout", seat, IDLE_MS)
