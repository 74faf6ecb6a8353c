"""Find out whether the focused program has read its input. X does not tell; there are three ways to know.

1. It answers a `_NET_WM_PING`, which is queued behind the input (GTK, Qt, Chromium).
2. It runs on this machine and all its threads sleep with nothing to do: it has read all that the server sent (xterm,
   Tk).
3. Its pixels stay the same for a while: a guess, for remote programs that do not answer pings.
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

_UNCHANGED_S: Final = 0.5  # without a changed pixel, after which a program counts as idle
_POLL_S: Final = 0.005
_SAME_CHECKS: Final = 3  # in a row at which it sleeps and has not run
_LOAD_MAX_S: Final = 2.0  # for a program to load a new keyboard map
_SLEEP_MAX_S: Final = 5.0  # for a program to be found asleep
# Kernel functions in which a program sleeps for a reason other than waiting for events.
_OCCUPIED: Final = frozenset({"hrtimer_nanosleep", "do_nanosleep", "wait_woken", "do_wait"})
_SWITCHES: Final = ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
_pings = itertools.count(1)


def wait_until_loaded(display: Connection, check: Check) -> None:
    """Wait until a program with two connections to the X server has the new keyboard map, up to 2 seconds.

    Chromium is one: it polls up keys from one connection in the map of the other. Its main thread reads both, so that
    thread must have gone to sleep. On a single connection the map arrives before the keys: nothing to wait for.
    """
    with suppress(xproto.WindowError, xproto.DrawableError):
        focus = _focus(display)
        window = _top_level(display, focus) if focus else None
        pid, connections = _process(display, window) if window else (0, 0)
        if window and connections > 1:
            asleep = _Asleep(display, window, pid, threads=str(pid))
            for _ in polls(display, check, _LOAD_MAX_S):
                if asleep():
                    return


def wait_until_read(display: Connection, check: Check, cap: float) -> bool:
    """Wait until the focused program has read all its input; return False after `cap` seconds."""
    with _listening(display):
        focus, has_read = None, _already_read
        for _ in polls(display, check, cap):
            # The input may have closed the window: then it has been read, and the next window is checked.
            with suppress(xproto.WindowError, xproto.DrawableError):
                current = _focus(display)
                if current != focus:
                    focus, has_read = current, _evidence(display, current)
                if has_read():
                    return True
    return False


@contextmanager
def _listening(display: Connection) -> Iterator[None]:
    """Receive the answers to pings, which programs send to the root window."""
    mask = xproto.EventMask.SubstructureNotify | xproto.EventMask.StructureNotify
    display.select_events(display.root, mask)
    try:
        yield
    finally:
        display.select_events(display.root, xproto.EventMask.NoEvent)


def polls(display: Connection, check: Check, cap: float) -> Iterator[None]:
    """Yield when a condition should be checked: at once, then on events or every 5 ms, for `cap` seconds."""
    end = time.monotonic() + cap
    while time.monotonic() < end:
        check()
        yield
        select.select([display], [], [], _POLL_S)


def _focus(display: Connection) -> int | None:
    """Return the window that receives keys; without an explicit focus, the one under the pointer."""
    focus = int(display.core.GetInputFocus().reply().focus)
    if focus in (xproto.InputFocus._None, xproto.InputFocus.PointerRoot):  # noqa: SLF001 - its name is a keyword
        focus = int(display.pointer().child)
    return focus or None


def _top_level(display: Connection, window: int) -> int:
    """Return the window that carries the program's WM_CLASS: the focus may be in a child of it."""
    node = window
    while node != display.root:
        if application_of(display, node):
            return node
        node = int(display.core.QueryTree(node).reply().parent)
    return window


def _evidence(display: Connection, focus: int | None) -> Callable[[], bool]:
    """Choose the best available check for "the program has read its keys"."""
    if focus is None or focus == display.root:
        return _already_read
    window = _top_level(display, focus)
    if display.atom("_NET_WM_PING") in display.numbers(window, "WM_PROTOCOLS"):
        return _Ping(display, window)
    pid, _ = _process(display, window)
    if pid == os.getpid():
        return _already_read  # a window of our own
    return _Asleep(display, window, pid) if pid else _Unchanged(display, window)


def _already_read() -> bool:
    return True


def _process(display: Connection, window: int) -> tuple[int, int]:
    """Return the process that owns a window and its number of X connections; zeros if it is remote."""
    if display.text(window, "WM_CLIENT_MACHINE").rstrip("\0") not in {"", socket.gethostname()}:
        return 0, 0
    pids = local_clients(display)
    pid = pids.get(client_of(display, window), 0)
    return (pid, list(pids.values()).count(pid)) if Path("/proc", str(pid), "task").exists() else (0, 0)


class _Ping:
    """Checks that the program has answered a ping, which is queued behind the keys."""

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
    """Checks that all threads of a local program sleep, and that it woke for a message queued behind the keys.

    A program with unread events is runnable, however busy the machine is. It may also sleep because it waits for the X
    server; so it must stay asleep, without having run, over several checks that each follow a round trip to the server.
    A program that never sleeps is checked by its pixels in the end.
    """

    def __init__(self, display: Connection, window: int, pid: int, threads: str = "*") -> None:
        self._display = display
        self._window = window
        self._process = Path("/proc", str(pid), "task")
        self._threads = threads
        self._before, _ = self._switches()
        self._runs: list[int] = []
        self._unchanged: _Unchanged | None = None
        self._end = time.monotonic() + _SLEEP_MAX_S
        # Programs read and ignore a message of an unknown type.
        display.send_message(window, "_MARK_I_NUDGE", window, [])

    def __call__(self) -> bool:
        if time.monotonic() > self._end and not self._is_stopped():
            self._unchanged = self._unchanged or _Unchanged(self._display, self._window)
            return self._unchanged()
        self._display.sync()
        switches, asleep = self._switches()
        alike = asleep and switches > self._before and all(switches == run for run in self._runs)
        self._runs = [*self._runs, switches] if alike else []
        return len(self._runs) >= _SAME_CHECKS

    def _switches(self) -> tuple[int, bool]:
        """Return the number of context switches of its threads, and whether all of them sleep."""
        statuses: list[dict[str, str]] = []
        with suppress(FileNotFoundError, ProcessLookupError):
            for task in self._process.glob(self._threads):
                lines = (task / "status").read_text().splitlines()
                statuses.append(dict(line.split(":", 1) for line in lines))
        switches = sum(int(status[name]) for status in statuses for name in _SWITCHES)
        return switches, all(status["State"].split()[0] == "S" for status in statuses) and not self._occupied()

    def _is_stopped(self) -> bool:
        """Tell whether it is held by a signal or a debugger: such a program reads nothing."""
        with suppress(OSError):
            stat = (self._process / self._process.parent.name / "stat").read_text(errors="replace")
            return stat.rpartition(")")[2].split()[0] in {"T", "t"}
        return False

    def _occupied(self) -> bool:
        """Tell whether its main thread sleeps for a reason other than waiting for events."""
        with suppress(OSError):
            return (self._process / self._process.parent.name / "wchan").read_text() in _OCCUPIED
        return False


class _Unchanged:
    """Checks that the pixels of a window have not changed for a while."""

    def __init__(self, display: Connection, window: int) -> None:
        self._display = display
        self._window = window
        self._pixels = b""
        self._since = time.monotonic()

    def __call__(self) -> bool:
        size = self._display.core.GetGeometry(self._window).reply()
        with suppress(xproto.MatchError):  # partly off screen: then only the time counts
            pixels = self._display.image(self._window, Region(0, 0, size.width, size.height))
            if pixels != self._pixels:
                self._pixels, self._since = pixels, time.monotonic()
        return time.monotonic() - self._since > _UNCHANGED_S
