"""The hands on the keyboard: any Unicode text, exactly, on one X11 display.

A character that the active layout has is typed with its own key. Every other one gets a spare keycode for a moment.
The X server sends key numbers, not characters, and each program looks the number up itself, when it gets to it; so the
map may only be put back when the program that has the focus has read its keys. Three ways to know that, best first:

1. It answers a `_NET_WM_PING`, which it reads after the keys (GTK, Qt, Tk, Chromium, Java).
2. It runs on this machine and all its threads are asleep: all that the server has sent is read (xterm, Motif).
3. Its pixels stay the same for a while: a guess, for remote programs without a ping.

Not covered: a program that gives single keys another meaning (auto-completion, vi), an input method that composes what
is typed, and nine characters that X's own compose table replaces in some programs (U+17FB to U+17FF, U+FEF5, U+FEF7,
U+FEF9, U+FEFB). A process killed while it types leaves the spare keycodes mapped; the next keyboard clears them.
"""

import itertools
import select
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from Xlib import X, Xatom, error
from Xlib.display import Display
from Xlib.ext import xtest
from Xlib.protocol import event
from Xlib.xobject.drawable import Window

from toolbelt.keysyms import (
    MODIFIERS,
    UNMAPPED,
    Ask,
    Key,
    KeyboardMap,
    Keymap,
    Stroke,
    keysym_of,
    keysyms_of_text,
    parse_keys,
)
from world_model.errors import DesktopError, ToolFailure

__all__ = ["X11Keyboard", "parse_keys"]

Check = Callable[[], None]

_CHECK_EVERY: Final = 20  # keystrokes
_READ_CAP: Final = 15.0  # seconds for a program to read its keys
_HELD_CAP: Final = 2.0  # seconds for a person to let go of a modifier
_STILL: Final = 0.5  # seconds without a changed pixel that count as quiet
_LOOK: Final = 0.005  # seconds between two looks at a condition
_LOOKS_ALIKE: Final = 3
_LOAD_CAP: Final = 2.0  # seconds for a program to load the new keyboard map
_SLEEP_CAP: Final = 5.0  # seconds for a program to be found asleep
_LOCAL_PID: Final = 2  # XResQueryClientIds: LocalClientPID
_MODIFIER_BITS: Final = {
    X.ShiftMask: "Shift",
    X.ControlMask: "Ctrl",
    X.Mod1Mask: "Alt",
    X.Mod4Mask: "Super",
    X.Mod5Mask: "AltGr",
}
_CAPS_LOCK: Final = 0xFFE5
_SHIFT: Final = MODIFIERS["shift"]
_SWITCHES: Final = ("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
_pings = itertools.count(1)


class X11Keyboard:
    """Types any Unicode text exactly, and presses keys and combinations, on one X11 display.

    `check` is called every 20 characters and inside every wait. Whatever it raises ends the typing, with every key up
    and the keyboard map as it was; keys that the program had not read by then are lost.

    The display's event queue is used and emptied while we wait, so give us a connection of our own.

    Raises (all methods): ToolFailure for what cannot be typed now, DesktopError if the display went away.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._root = display.screen().root
        self._ledger = display.intern_atom("_MARK_I_SPARE_KEYS")
        self._map = KeyboardMap(display)
        self._held: list[int] = []
        self._mapped: list[int] = []
        self._errors: list[error.XError] = []
        # Without a handler Xlib prints what went wrong and goes on.
        display.set_error_handler(lambda xerror, _request: self._errors.append(xerror))

    def type(self, text: str, check: Check) -> None:
        """Type the text where the focus is; line ends are Return, tabs are Tab, other controls are refused."""
        keysyms = keysyms_of_text(text)
        check()
        with self._hands(check) as keymap:
            for run, extra in keymap.batches(keysyms):
                self._map_spare(extra, check)
                self._type_run([extra.get(keysym) or keymap.find(keysym) for keysym in run], keymap, check)
                self._wait_if_mapped(check)

    def press(self, keys: str, check: Check) -> None:
        """Press keys together, "ctrl+shift+s", and let them go in reverse."""
        keysyms = [keysym for name in parse_keys(keys) if (keysym := keysym_of(name)) is not None]
        check()
        with self._hands(check) as keymap:
            [(run, extra)] = keymap.batches(keysyms)
            if lacking := [name for name, keysym in MODIFIERS.items() if keysym in extra]:
                raise ToolFailure("TOOL_ERROR", f"the keyboard has no {' and no '.join(lacking)} key")
            self._map_spare(extra, check)
            self._chord([extra.get(keysym) or keymap.find(keysym) for keysym in run], keymap)
            self._wait_if_mapped(check)

    def release(self) -> None:
        """Let go of every key that we hold and put the spare keycodes back."""
        with _display_there():
            for keycode in reversed(self._held):
                xtest.fake_input(self._display, X.KeyRelease, keycode)
            self._held.clear()
            if self._mapped:
                self._map.write(dict.fromkeys(self._mapped, UNMAPPED))
                self._root.delete_property(self._ledger)
            self._mapped.clear()
            self._display.sync()

    @contextmanager
    def _hands(self, check: Check) -> Iterator[Keymap]:
        """The keyboard to ourselves: no modifier down, Caps Lock off, and everything as it was afterwards."""
        self._errors.clear()
        with _display_there():
            while self._display.pending_events():
                self._display.next_event()  # nobody else takes the news of our own map changes away
            self._clear_leftovers()
            state = self._state_without_modifiers(check)
            keymap = Keymap(self._map.read(), group=state >> 13 & 3)
            caps = [keymap.find(_CAPS_LOCK)] if state & X.LockMask else []
            try:
                self._chord(caps, keymap)
                yield keymap
            finally:
                self.release()
                self._chord(caps, keymap)
                self._display.sync()

    def _clear_leftovers(self) -> None:
        """Put back what a process that was killed while it typed wrote down: else no key would be spare for us."""
        if ledger := self._root.get_full_property(self._ledger, Xatom.CARDINAL):
            self._mapped = list(ledger.value)
            self.release()

    def _state_without_modifiers(self, check: Check) -> int:
        """The keyboard's state bits, once no modifier is down: a held Ctrl would turn text into commands."""
        down: list[str] = []
        for _ in _looks(self._display, check, _HELD_CAP):
            state: int = self._root.query_pointer().mask
            down = [name for bit, name in _MODIFIER_BITS.items() if state & bit]
            if not down:
                return state
        raise ToolFailure("TOOL_ERROR", f"{' and '.join(down)} is held down on the keyboard; nothing was typed")

    def _map_spare(self, extra: dict[int, Stroke], check: Check) -> None:
        """Give the spare keycodes their characters, in place of those of the batch before."""
        levels: dict[int, list[int]] = {}
        for keysym, stroke in extra.items():
            # Both levels are filled, as the second place may be unused.
            levels.setdefault(stroke.keycode, [keysym, keysym])[stroke.shift] = keysym
        if levels:
            self._mapped = sorted({*self._mapped, *levels})
            self._root.change_property(self._ledger, Xatom.CARDINAL, 32, self._mapped)
            unmapped = dict.fromkeys(self._mapped, UNMAPPED)
            self._map.write(unmapped | {code: Key.of_two(*pair) for code, pair in levels.items()})
            self._sync()
            wait_until_loaded(self._display, check)

    def _wait_if_mapped(self, check: Check) -> None:
        self._sync()
        if self._mapped:
            wait_until_read(self._display, check)

    def _type_run(self, strokes: list[Stroke | None], keymap: Keymap, check: Check) -> None:
        for start in range(0, len(strokes), _CHECK_EVERY):
            check()
            for stroke in strokes[start : start + _CHECK_EVERY]:
                self._chord([stroke], keymap)
            self._sync()

    def _chord(self, strokes: list[Stroke | None], keymap: Keymap) -> None:
        """Put down all the keys, with Shift before the last if any of them needs it, and let them go in reverse."""
        codes = [self._code(stroke) for stroke in strokes]
        shift = self._code(keymap.find(_SHIFT))
        if any(stroke and stroke.shift for stroke in strokes) and shift not in codes:
            codes.insert(-1, shift)
        for keycode in codes:
            self._held.append(keycode)
            xtest.fake_input(self._display, X.KeyPress, keycode)
        for keycode in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, keycode)
            self._held.remove(keycode)

    @staticmethod
    def _code(stroke: Stroke | None) -> int:
        if stroke is None:
            raise ToolFailure("TOOL_ERROR", "the keyboard map lacks a key that is needed (Shift or Caps Lock)")
        return stroke.keycode

    def _sync(self) -> None:
        """Wait until the X server has taken everything, and say so if it refused something."""
        self._display.sync()
        if self._errors:
            raise ToolFailure("TOOL_ERROR", f"the X server refused a key: {self._errors[0]}")


@contextmanager
def _display_there() -> Iterator[None]:
    try:
        yield
    except error.ConnectionClosedError as closed:
        raise DesktopError("the display went away under the keyboard") from closed


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
            for _ in _looks(display, check, _LOAD_CAP):
                if asleep():
                    return


def wait_until_read(display: Display, check: Check) -> None:
    """Wait until the program that has the focus has read all the keys that were sent to it before this call.

    Raises:
        ToolFailure: TOOL_ERROR after 15 seconds.
    """
    root = display.screen().root
    root.change_attributes(event_mask=X.SubstructureNotifyMask)  # answers to a ping are sent to the root window
    try:
        focus, has_read = None, _nobody
        for _ in _looks(display, check, _READ_CAP):
            # The last key may have closed the window: then it has been read, and the next window is asked.
            with suppress(error.BadWindow, error.BadDrawable):
                current = _focus(display)
                if current != focus:
                    focus, has_read = current, _evidence(display, current)
                if has_read():
                    return
    finally:
        root.change_attributes(event_mask=X.NoEventMask)
    raise ToolFailure(
        "TOOL_ERROR",
        f"the program that has the focus did not read its keys within {_READ_CAP:.0f} s; some may be missing",
        ["Look at what has arrived before typing more."],
    )


def _looks(display: Display, check: Check, cap: float) -> Iterator[None]:
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
    return _Asleep(display, window, pid) if pid else _Still(window)


def _nobody() -> bool:
    return True


def _process(display: Display, window: Window) -> tuple[int, int]:
    """The process behind a window and its number of connections, as the X server knows them; zeros for a remote one."""
    extension = display.query_extension("X-Resource")
    if extension is None or window.get_wm_client_machine() not in {None, socket.gethostname()}:
        return 0, 0
    query = struct.pack("=III", 1, X.NONE, _LOCAL_PID)  # of all clients
    answer = Ask(display=display.display, opcode=extension.major_opcode, minor=4, body=list(query))
    pids = {client: pid for client, _, _, pid in struct.iter_unpack("=IIII", bytes(answer.body)[24:])}
    pid = pids.get(window.id & ~display.display.info.resource_id_mask, 0)
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
        return switches, all(status["State"].split()[0] == "S" for status in statuses)


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
