"""Whether the program that has the focus has read what was sent to it. X tells nobody; there are three ways to know.

1. It answers a `_NET_WM_PING`, which it reads after what was sent before (GTK, Qt, Chromium).
2. It runs on this machine and all its threads are asleep, with nothing to do: all that the server has sent is read
   (xterm, Tk).
3. Its pixels stay the same for a while: a guess, for remote programs without a ping.
"""

import itertools
import os
import select
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from xcffib import xproto

from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.windows import application_of
from toolbelt.desktops.x11.x_clients import client_of, local_clients
from world_model import Region

Check = Callable[[], None]

_STILL: Final = 0.5  # seconds without a changed pixel that count as quiet
_LOOK: Final = 0.005  # seconds between two looks at a condition
_LOOKS_ALIKE: Final = 3
_LOAD_CAP: Final = 2.0  # seconds for a program to load the new keyboard map
_SLEEP_CAP: Final = 5.0  # seconds for a program to be found asleep
# Where the kernel holds a program that pauses, or waits for a server or for another program.
_OCCUPIED: Final = frozenset({"hrtimer_nanosleep", "do_nanosleep", "wait_woken", "do_wait"})
_SWITCHES: Final = ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
_pings = itertools.count(1)


def wait_until_loaded(display: Connection, check: Check) -> None:
    """Wait until a program with two connections to the X server has the new keyboard map, up to 2 seconds.

    Chromium is one: it looks keys of the one up in the map of the other. Its main thread reads both, so that must have
    gone to sleep. With a single connection the map comes before the keys, and there is nothing to wait for.
    """
    with suppress(xproto.WindowError, xproto.DrawableError):
        focus = _focus(display)
        window = _top_level(display, focus) if focus else None
        pid, connections = _process(display, window) if window else (0, 0)
        if window and connections > 1:
            asleep = _Asleep(display, window, pid, threads=str(pid))
            for _ in looks(display, check, _LOAD_CAP):
                if asleep():
                    return


def wait_until_read(display: Connection, check: Check, cap: float) -> bool:
    """Wait until the program that has the focus has read all that was sent to it before; False after `cap` seconds."""
    with _listening(display):
        focus, has_read = None, _nobody
        for _ in looks(display, check, cap):
            # What was sent may have closed the window: then it has been read, and the next window is asked.
            with suppress(xproto.WindowError, xproto.DrawableError):
                current = _focus(display)
                if current != focus:
                    focus, has_read = current, _evidence(display, current)
                if has_read():
                    return True
    return False


@contextmanager
def _listening(display: Connection) -> Iterator[None]:
    """Answers to a ping are sent to the root window, by Qt for those who look at itself."""
    mask = xproto.EventMask.SubstructureNotify | xproto.EventMask.StructureNotify
    display.select_events(display.root, mask)
    try:
        yield
    finally:
        display.select_events(display.root, xproto.EventMask.NoEvent)


def looks(display: Connection, check: Check, cap: float) -> Iterator[None]:
    """Times to look at a condition: at once, then when the display has news or 5 ms have passed, up to the cap."""
    end = time.monotonic() + cap
    while time.monotonic() < end:
        check()
        yield
        select.select([display], [], [], _LOOK)


def _focus(display: Connection) -> int | None:
    """The window that keys go to; without an explicit focus that is the one under the pointer."""
    focus = int(display.core.GetInputFocus().reply().focus)
    if focus in (xproto.InputFocus._None, xproto.InputFocus.PointerRoot):  # noqa: SLF001 - its name is a keyword
        focus = int(display.pointer().child)
    return focus or None


def _top_level(display: Connection, window: int) -> int:
    """The window that the program itself described: the focus may lie in a part of it."""
    node = window
    while node != display.root:
        if application_of(display, node):
            return node
        node = int(display.core.QueryTree(node).reply().parent)
    return window


def _evidence(display: Connection, focus: int | None) -> Callable[[], bool]:
    """The best condition for "the program has read its keys" that its window allows."""
    if focus is None or focus == display.root:
        return _nobody
    window = _top_level(display, focus)
    if display.atom("_NET_WM_PING") in display.numbers(window, "WM_PROTOCOLS"):
        return _Ping(display, window)
    pid, _ = _process(display, window)
    if pid == os.getpid():
        return _nobody  # a window of our own: we are awake
    return _Asleep(display, window, pid) if pid else _Still(display, window)


def _nobody() -> bool:
    return True


def _process(display: Connection, window: int) -> tuple[int, int]:
    """The process behind a window and its number of connections, as the X server knows them; zeros for a remote one."""
    if display.text(window, "WM_CLIENT_MACHINE").rstrip("\0") not in {"", socket.gethostname()}:
        return 0, 0
    pids = local_clients(display)
    pid = pids.get(client_of(display, window), 0)
    return (pid, list(pids.values()).count(pid)) if Path("/proc", str(pid), "task").exists() else (0, 0)


class _Ping:
    """The program answers a ping, which is queued for it behind the keys."""

    def __init__(self, display: Connection, window: int) -> None:
        self._display = display
        self._serial = next(_pings)
        ping = display.atom("_NET_WM_PING")
        display.send_message(window, "WM_PROTOCOLS", window, [ping, self._serial, window])

    def __call__(self) -> bool:
        while (answer := self._display.next_event()) is not None:
            if isinstance(answer, xproto.ClientMessageEvent) and answer.data.data32[1] == self._serial:
                return True
        return False


class _Asleep:
    """All threads of a local program sleep, and it was awake after a nudge that is queued for it behind the keys.

    A program with unread events is ready to run, however busy the machine is. It may also sleep because it waits for
    the X server; so it must stay asleep, without having run at all, over looks that each follow a word with the server.
    A program that works all the time is looked at like a remote one in the end.
    """

    def __init__(self, display: Connection, window: int, pid: int, threads: str = "*") -> None:
        self._display = display
        self._window = window
        self._process = Path("/proc", str(pid), "task")
        self._threads = threads
        self._before, _ = self._look()
        self._runs: list[int] = []
        self._still: _Still | None = None
        self._end = time.monotonic() + _SLEEP_CAP
        # A message of a type that nobody knows is read and passed over.
        display.send_message(window, "_MARK_I_NUDGE", window, [])

    def __call__(self) -> bool:
        if time.monotonic() > self._end:
            self._still = self._still or _Still(self._display, self._window)
            return self._still()
        self._display.sync()
        switches, asleep = self._look()
        alike = asleep and switches > self._before and all(switches == run for run in self._runs)
        self._runs = [*self._runs, switches] if alike else []
        return len(self._runs) >= _LOOKS_ALIKE

    def _look(self) -> tuple[int, bool]:
        """How often its threads have been switched away from, and whether all of them sleep."""
        statuses: list[dict[str, str]] = []
        with suppress(FileNotFoundError, ProcessLookupError):
            for task in self._process.glob(self._threads):
                lines = (task / "status").read_text().splitlines()
                statuses.append(dict(line.split(":", 1) for line in lines))
        switches = sum(int(status[name]) for status in statuses for name in _SWITCHES)
        return switches, all(status["State"].split()[0] == "S" for status in statuses) and not self._occupied()

    def _occupied(self) -> bool:
        """Whether its main thread sleeps, but not for want of events."""
        with suppress(OSError):
            return (self._process / self._process.parent.name / "wchan").read_text() in _OCCUPIED
        return False


class _Still:
    """The pixels of the window have been the same for a while."""

    def __init__(self, display: Connection, window: int) -> None:
        self._display = display
        self._window = window
        self._pixels = b""
        self._since = time.monotonic()

    def __call__(self) -> bool:
        size = self._display.core.GetGeometry(self._window).reply()
        with suppress(xproto.MatchError):  # partly off the screen: then only the time counts
            pixels = self._display.image(self._window, Region(0, 0, size.width, size.height))
            if pixels != self._pixels:
                self._pixels, self._since = pixels, time.monotonic()
        return time.monotonic() - self._since > _STILL
