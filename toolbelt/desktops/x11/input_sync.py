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

from Xlib import X, error
from Xlib.display import Display
from Xlib.protocol import event
from Xlib.xobject.drawable import Window

from toolbelt.desktops.x11.x_clients import client_of, local_clients

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


def wait_until_loaded(display: Display, check: Check) -> None:
    """Wait until a program with two connections to the X server has the new keyboard map, up to 2 seconds.

    Chromium is one: it looks keys of the one up in the map of the other. Its main thread reads both, so that must have
    gone to sleep. With a single connection the map comes before the keys, and there is nothing to wait for.
    """
    with suppress(error.BadWindow, error.BadDrawable):
        focus = _focus(display)
        window = _top_level(display, focus) if focus else None
        pid, connections = _process(display, window) if window else (0, 0)
        if window and connections > 1:
            asleep = _Asleep(display, window, pid, threads=str(pid))
            for _ in looks(display, check, _LOAD_CAP):
                if asleep():
                    return


def wait_until_read(display: Display, check: Check, cap: float) -> bool:
    """Wait until the program that has the focus has read all that was sent to it before; False after `cap` seconds."""
    with _listening(display):
        focus, has_read = None, _nobody
        for _ in looks(display, check, cap):
            # What was sent may have closed the window: then it has been read, and the next window is asked.
            with suppress(error.BadWindow, error.BadDrawable):
                current = _focus(display)
                if current != focus:
                    focus, has_read = current, _evidence(display, current)
                if has_read():
                    return True
    return False


@contextmanager
def _listening(display: Display) -> Iterator[None]:
    """Answers to a ping are sent to the root window, by Qt for those who look at itself."""
    root = display.screen().root
    root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
    try:
        yield
    finally:
        root.change_attributes(event_mask=X.NoEventMask)


def looks(display: Display, check: Check, cap: float) -> Iterator[None]:
    """Times to look at a condition: at once, then when the display has news or 5 ms have passed, up to the cap."""
    end = time.monotonic() + cap
    while time.monotonic() < end:
        check()
        yield
        select.select([display], [], [], _LOOK)


def _focus(display: Display) -> Window | None:
    """The window that keys go to; without an explicit focus that is the one under the pointer."""
    focus = display.get_input_focus().focus
    if isinstance(focus, int):
        focus = display.screen().root.query_pointer().child
    return focus if isinstance(focus, Window) else None


def _top_level(display: Display, window: Window) -> Window:
    """The window that the program itself described: the focus may lie in a part of it."""
    node = window
    while node != display.screen().root:
        if node.get_wm_class():
            return node
        node = node.query_tree().parent
    return window


def _evidence(display: Display, focus: Window | None) -> Callable[[], bool]:
    """The best condition for "the program has read its keys" that its window allows."""
    if focus is None or focus == display.screen().root:
        return _nobody
    window = _top_level(display, focus)
    if display.intern_atom("_NET_WM_PING") in window.get_wm_protocols():
        return _Ping(display, window)
    pid, _ = _process(display, window)
    if pid == os.getpid():
        return _nobody  # a window of our own: we are awake
    return _Asleep(display, window, pid) if pid else _Still(window)


def _nobody() -> bool:
    return True


def _process(display: Display, window: Window) -> tuple[int, int]:
    """The process behind a window and its number of connections, as the X server knows them; zeros for a remote one."""
    if window.get_wm_client_machine() not in {None, socket.gethostname()}:
        return 0, 0
    pids = local_clients(display)
    pid = pids.get(client_of(display, window.id), 0)
    return (pid, list(pids.values()).count(pid)) if Path("/proc", str(pid), "task").exists() else (0, 0)


class _Ping:
    """The program answers a ping, which is queued for it behind the keys."""

    def __init__(self, display: Display, window: Window) -> None:
        self._display = display
        self._serial = next(_pings)
        _send(display, window, "WM_PROTOCOLS", [display.intern_atom("_NET_WM_PING"), self._serial, window.id, 0, 0])

    def __call__(self) -> bool:
        while self._display.pending_events():
            answer = self._display.next_event()
            if answer.type == X.ClientMessage and answer.data[1][1] == self._serial:
                return True
        return False


class _Asleep:
    """All threads of a local program sleep, and it was awake after a nudge that is queued for it behind the keys.

    A program with unread events is ready to run, however busy the machine is. It may also sleep because it waits for
    the X server; so it must stay asleep, without having run at all, over looks that each follow a word with the server.
    A program that works all the time is looked at like a remote one in the end.
    """

    def __init__(self, display: Display, window: Window, pid: int, threads: str = "*") -> None:
        self._display = display
        self._window = window
        self._process = Path("/proc", str(pid), "task")
        self._threads = threads
        self._before, _ = self._look()
        self._runs: list[int] = []
        self._still: _Still | None = None
        self._end = time.monotonic() + _SLEEP_CAP
        # A message of a type that nobody knows is read and passed over.
        _send(display, window, "_MARK_I_NUDGE", [0] * 5)

    def __call__(self) -> bool:
        if time.monotonic() > self._end:
            self._still = self._still or _Still(self._window)
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

    def __init__(self, window: Window) -> None:
        self._window = window
        self._pixels = b""
        self._since = time.monotonic()

    def __call__(self) -> bool:
        size = self._window.get_geometry()
        with suppress(error.BadMatch):  # partly off the screen: then only the time counts
            pixels = self._window.get_image(0, 0, size.width, size.height, X.ZPixmap, 0xFFFFFFFF).data
            if pixels != self._pixels:
                self._pixels, self._since = pixels, time.monotonic()
        return time.monotonic() - self._since > _STILL


def _send(display: Display, window: Window, kind: str, data: list[int]) -> None:
    message = event.ClientMessage(window=window, client_type=display.intern_atom(kind), data=(32, data))
    window.send_event(message, onerror=error.CatchError(error.BadWindow))  # it may vanish at any time
    display.flush()
