"""Detects mouse and keyboard input on an X display that is not the agent's.

The X server reports the device of every key, button and motion event (XInput 2.1), which tells a person's devices from
those of XTEST, which programs use. The agent's own XTEST input is told from that of others (a remote desktop, an
on-screen keyboard, xdotool) by a property that the agent sets on a window of its own before, and deletes afterwards:
the server reports all of these in order.

A pointer that a program moves itself (`XWarpPointer`) raises no event; the next poll finds it elsewhere.
"""

import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import xcffib
from xcffib import xproto

from toolbelt.desktops.base import InputWatcher
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.keysyms import MODIFIERS, keysym_of
from toolbelt.desktops.x11.connection import Connection, Extension, GenericEvent
from toolbelt.desktops.x11.xkb import devices
from world_model import DesktopError, Point, Region

POLL_S: Final = 0.02  # between two queries of the pointer
POINTER, KEYS = "_MARK_I_POINTER", "_MARK_I_KEYS"  # the properties
_RAW_KEY, _RAW_BUTTON, _RAW_MOTION = 13, 15, 17  # XInput 2
_MASTERS: Final = 1  # XIAllMasterDevices: all that is attached to them
_NUM_LOCK: Final = 0xFF7F
_ALL_MODIFIERS: Final = 0xFF
_ASYNC: Final = xproto.GrabMode.Async


class InputMarker:
    """Marks when the agent's own input begins and ends; `display` is the connection that sends the input."""

    def __init__(self, display: Connection) -> None:
        self.window = display.create_window(Region(-1, -1, 1, 1), {}, input_only=True)
        self._display = display
        self._busy: list[str] = []  # properties that are set

    @contextmanager
    def marking(self, *names: str) -> Iterator[None]:
        """Mark input with the pointer or the keys while the context is open; contexts may nest."""
        begun = [name for name in names if name not in self._busy]
        for name in begun:
            self._display.set_property(self.window, name, xproto.Atom.CARDINAL, [1])
        self._busy += begun
        try:
            yield
        finally:
            self._busy = [name for name in self._busy if name not in begun]
            for name in begun:
                self._display.delete_property(self.window, name)
            if begun:
                self._display.sync()  # before anybody else acts


class Listener:
    """Listens to a display, on a thread and a connection of its own.

    Args:
        display: Its name, such as `:0`.
        stop: Called when a person presses the hotkey.
        hotkey: The key.
        watcher: Receives all input but the agent's; without one, only the hotkey is listened for.
        marker: The window on which the agent marks its own input.

    Attributes:
        has_hotkey: Whether the key could be grabbed; False if another program has it.

    Raises:
        DesktopError: The display does not exist, or it cannot be listened to.
    """

    def __init__(
        self,
        display: str,
        stop: Callable[[], None],
        hotkey: Hotkey | None = None,
        watcher: InputWatcher | None = None,
        marker: int = xcffib.NONE,
    ) -> None:
        self._stop, self._watcher = stop, watcher
        self._display = Connection(display)
        self._code = _grabbed(self._display, hotkey) if hotkey else None
        self.has_hotkey = self._code is not None
        self._xinput = Extension(self._display, "XInputExtension")
        self._xtest = {device for device, _, name in devices(self._xinput) if " XTEST " in name}
        self._atoms = {self._display.atom(name): name for name in (POINTER, KEYS)}
        self._working: set[str] = set()  # what the agent is using now
        self._ours = self._moved = self._own_key = False  # the first two since the last poll
        self._looked = False  # whether the agent has let go of the pointer, and where was looked
        self._next: Any = None  # an event that came after an answer
        if watcher:
            self._select(marker)
        self._display.sync()  # events are reported from here on
        self._ending, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, and release the hotkey."""
        self._end.close()
        self._thread.join()
        self._ending.close()
        self._display.close()

    def _select(self, marker: int) -> None:
        self._xinput.ask(47, struct.pack("=HH", 2, 1))  # XIQueryVersion, which must come first
        mask = sum(1 << event for event in (_RAW_KEY, _RAW_BUTTON, _RAW_MOTION))
        self._xinput.tell(46, struct.pack("=IHxxHHI", self._display.root, 1, _MASTERS, 1, mask))  # XISelectEvents
        self._display.select_events(marker, xproto.EventMask.PropertyChange)

    def _listen(self) -> None:
        looked = 0.0
        sources: list[Connection | socket.socket] = [self._display, self._ending]
        try:
            while True:
                self._take_all()
                if time.monotonic() >= looked + POLL_S:
                    looked = time.monotonic()
                    self._poll()
                elif self._ending in select.select(sources, [], [], POLL_S if self._watcher else None)[0]:
                    return
        except DesktopError:  # the display is gone, which the agent notices at its next use
            return

    def _take_all(self, before: int | None = None) -> None:
        """Take all events, or those that the server sent before its answer to the request `before`."""
        while (event := self._next or self._display.next_event()) is not None:
            self._next = event if event.sequence == before else None
            if self._next:
                return
            self._take(event)

    def _take(self, event: object) -> None:
        match event:
            case xproto.KeyPressEvent(detail=self._code) if not self._own_key:
                self._stop()
            case xproto.PropertyNotifyEvent():
                self._note_marker(self._atoms.get(event.atom, ""), deleted=event.state == xproto.Property.Delete)
            case GenericEvent(opcode=self._xinput.opcode):
                kind, _device, _time, code, source = struct.unpack_from("=HHIIH", event.content, 8)
                self._note_input(kind, code, source)

    def _note_marker(self, name: str, *, deleted: bool) -> None:
        if deleted:
            self._working.discard(name)
        else:
            self._working.add(name)
        if name == POINTER:
            self._ours = True
            if deleted and not self._moved:
                self._look(self._display.pointer())  # where the agent left it, before anybody else moves it
                self._looked = True

    def _note_input(self, event: int, code: int, source: int) -> None:
        own = source in self._xtest and (KEYS if event == _RAW_KEY else POINTER) in self._working
        if event == _RAW_MOTION:
            self._moved = self._moved or not own
        elif event == _RAW_KEY and code == self._code:  # reported again as a KeyPress if its modifiers are down
            self._own_key = own
        elif not own and self._watcher:
            self._watcher.pressed()

    def _poll(self) -> None:
        if not self._watcher:
            return
        while True:
            self._looked, at = False, self._display.pointer()
            self._take_all(before=at.sequence)  # whose motion it was
            if not self._looked:
                break
        self._look(at)

    def _look(self, at: Any) -> None:  # noqa: ANN401 - xcffib ships no types
        """Tell the watcher where the pointer is, and who used it since the last look."""
        assert self._watcher is not None  # noqa: S101 - only for one are events selected
        ours, moved = self._ours, self._moved
        self._ours, self._moved = POINTER in self._working, False
        self._watcher.looked(Point(at.root_x, at.root_y), moved=moved, ours=ours)


def _grabbed(display: Connection, hotkey: Hotkey) -> int | None:
    """Grab the hotkey and return its keycode, or None if another program has it.

    It is grabbed with every combination of locks and other modifiers: the agent may hold one.
    """
    keysym = keysym_of(hotkey.key)
    codes = display.keycodes(keysym) if keysym else []
    modifiers = sum({_mask(display, MODIFIERS[name]) for name in hotkey.modifiers})
    locks = xproto.ModMask.Lock | _mask(display, _NUM_LOCK)
    if not codes or not all(_mask(display, MODIFIERS[name]) for name in hotkey.modifiers):
        return None
    masks = [mask for mask in range(_ALL_MODIFIERS + 1) if mask & modifiers == modifiers]
    grabs = {mask: display.core.GrabKeyChecked(False, display.root, mask, codes[0], _ASYNC, _ASYNC) for mask in masks}  # noqa: FBT003
    display.sync()
    # Another program may have it with further modifiers.
    needed = [grab for mask, grab in grabs.items() if not mask & ~locks & ~modifiers]
    try:
        for grab in needed:
            grab.check()
    except xproto.AccessError:
        return None
    return codes[0]


def _mask(display: Connection, keysym: int) -> int:
    """Return the modifier bit of a key on this keyboard; 0 for none."""
    codes = display.keycodes(keysym)
    return next((1 << index for index, row in enumerate(display.modifier_rows()) if {*codes} & {*row}), 0)
