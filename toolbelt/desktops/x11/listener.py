"""Hears what others than the agent do with the mouse and the keyboard of an X display.

The X server tells of every key, button and motion on which device it happened (XInput 2.1). A person's devices are told
from XTEST's, which programs use. The agent's own input through XTEST is told from that of others (a remote desktop, a
keyboard on the screen, xdotool) by a property that it sets on a window of its own before, and deletes after: the server
tells of all in the order in which it happened.

Where the pointer is put by a program itself (`XWarpPointer`), nothing is told; it is found elsewhere at the next look.
"""

import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import BadAccess, CatchError

from toolbelt.desktops.base import Watcher
from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.keysyms import MODIFIERS, keysym_of
from toolbelt.desktops.x11.connection import LOST, connect, disconnect
from toolbelt.desktops.x11.xkb import Extension, devices
from world_model import Point

LOOK: Final = 0.02  # seconds between two looks at the pointer
POINTER, KEYS = "_MARK_I_POINTER", "_MARK_I_KEYS"  # the properties
_RAW_KEY, _RAW_BUTTON, _RAW_MOTION = 13, 15, 17  # XInput 2
_MASTERS: Final = 1  # XIAllMasterDevices: whatever is attached to them
_REPLY, _GENERIC = 1, 35
_GET_INPUT_FOCUS: Final = struct.pack("=BxH", 43, 1)
_NUM_LOCK: Final = 0xFF7F
_ALL_MODIFIERS: Final = 0xFF
_LEAST: Final = 32  # bytes of a message from the server


class Hands:
    """Says when the agent's own input begins and ends; `display` is the connection that the input takes."""

    def __init__(self, display: Display) -> None:
        self._window = display.screen().root.create_window(-1, -1, 1, 1, 0, X.CopyFromParent, X.InputOnly)
        self._display = display
        self._atoms = {name: display.intern_atom(name) for name in (POINTER, KEYS)}
        self._busy: list[str] = []  # those that have begun
        self.window: int = self._window.id

    @contextmanager
    def at_work(self, *names: str) -> Iterator[None]:
        """Input with the pointer or the keys goes on; within another one of the same it says nothing."""
        begun = [name for name in names if name not in self._busy]
        for name in begun:
            self._window.change_property(self._atoms[name], Xatom.CARDINAL, 32, [1])
        self._busy += begun
        try:
            yield
        finally:
            self._busy = [name for name in self._busy if name not in begun]
            for name in begun:
                self._window.delete_property(self._atoms[name])
            if begun:
                self._display.sync()  # before anybody else does something


class Listener:
    """Listens to a display on a thread and a connection of its own.

    Args:
        display: its name, such as `:0`.
        stop: is called when a person pressed the hotkey.
        hotkey: the key.
        watcher: is told of all input but the agent's; without one nothing is listened to but the hotkey.
        hands: the window on which the agent says what is its own.

    Attributes:
        has_hotkey: whether the display gave us the key; no, where another program has it.

    Raises:
        DesktopError: there is no such display, or it cannot be listened to.
    """

    def __init__(
        self,
        display: str,
        stop: Callable[[], None],
        hotkey: Hotkey | None = None,
        watcher: Watcher | None = None,
        hands: int = X.NONE,
    ) -> None:
        self._stop, self._watcher = stop, watcher
        self._display = connect(display)
        self._asking = connect(display)  # the answers on the other connection are read by nobody
        self._code = _grabbed(self._display, hotkey) if hotkey else None
        self.has_hotkey = self._code is not None
        self._xinput = Extension(self._display, "XInputExtension")
        self._xtest = {device for device, _, name in devices(self._xinput) if " XTEST " in name}
        self._atoms = {self._display.intern_atom(name): name for name in (POINTER, KEYS)}
        self._working: set[str] = set()  # what the agent is doing now
        self._ours = self._moved = self._own_key = False  # the first two since the last look
        if watcher:
            self._select(hands)
        self._display.flush()  # from here on its socket is ours: python3-xlib cannot read XInput 2's events
        self._socket: socket.socket = self._display.display.socket
        self._heard = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener", daemon=True)
        self._thread.start()
        self._socket.sendall(_GET_INPUT_FOCUS)  # what has an answer: when that comes, the rest was done too
        self._heard.wait()

    def close(self) -> None:
        """Listen no more, and give the key back."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:  # the display has gone
            self._socket.close()
        self._thread.join()
        for display in (self._display, self._asking):
            disconnect(display)

    def _select(self, hands: int) -> None:
        self._xinput.ask(47, struct.pack("=HH", 2, 1))  # XIQueryVersion, which must come first
        mask = sum(1 << event for event in (_RAW_KEY, _RAW_BUTTON, _RAW_MOTION))
        root = self._display.screen().root.id
        self._xinput.tell(46, struct.pack("=IHxxHHI", root, 1, _MASTERS, 1, mask))  # XISelectEvents
        window = self._display.create_resource_object("window", hands)
        window.change_attributes(event_mask=X.PropertyChangeMask)

    def _listen(self) -> None:
        data, looked = b"", 0.0
        try:
            while True:
                if select.select([self._socket], [], [], LOOK if self._watcher else None)[0]:
                    chunk = self._socket.recv(1 << 16)
                    if not chunk:
                        return
                    data = self._take_all(data + chunk)
                if time.monotonic() >= looked + LOOK:
                    looked = time.monotonic()
                    self._look()
        except LOST:  # the display has gone, of which the agent hears when it next uses it
            return
        finally:
            self._heard.set()

    def _take_all(self, data: bytes) -> bytes:
        """Take the messages that are whole; gives back the rest."""
        while len(data) >= _LEAST:
            more = struct.unpack_from("=I", data, 4)[0] * 4 if data[0] & 0x7F in (_REPLY, _GENERIC) else 0
            if len(data) < _LEAST + more:
                break
            self._take(data)
            data = data[_LEAST + more :]
        return data

    def _take(self, message: bytes) -> None:
        kind, detail = message[0] & 0x7F, message[1]
        if kind == _REPLY:
            self._heard.set()
        elif kind == X.KeyPress and detail == self._code and not self._own_key:
            self._stop()
        elif kind == X.PropertyNotify:
            atom, _time, deleted = struct.unpack_from("=IIB", message, 8)
            self._note_hands(self._atoms.get(atom, ""), deleted=bool(deleted))
        elif kind == _GENERIC and detail == self._xinput.opcode:
            event, _device, _time, code, source = struct.unpack_from("=HHIIH", message, 8)
            self._hear(event, code, source)

    def _note_hands(self, name: str, *, deleted: bool) -> None:
        if deleted:
            self._working.discard(name)
        else:
            self._working.add(name)
        if name == POINTER:
            self._ours = True
            if deleted and not self._moved:
                self._look()  # where the agent has left it, before somebody else takes it from there

    def _hear(self, event: int, code: int, source: int) -> None:
        own = source in self._xtest and (KEYS if event == _RAW_KEY else POINTER) in self._working
        if event == _RAW_MOTION:
            self._moved = self._moved or not own
        elif event == _RAW_KEY and code == self._code:  # told again as the hotkey, where its modifiers are down
            self._own_key = own
        elif not own and self._watcher:
            self._watcher.pressed()

    def _look(self) -> None:
        if not self._watcher:
            return
        at = self._asking.screen().root.query_pointer()
        ours, moved = self._ours, self._moved
        self._ours, self._moved = POINTER in self._working, False
        self._watcher.looked(Point(at.root_x, at.root_y), moved=moved, ours=ours)


def _grabbed(display: Display, hotkey: Hotkey) -> int | None:
    """Have the key to ourselves; its keycode, None where it is not to be had.

    Whatever locks are on, and whatever other modifiers are down: the agent may hold one.
    """
    keysym = keysym_of(hotkey.key)
    code = display.keysym_to_keycode(keysym) if keysym else 0
    held = {_mask(display, MODIFIERS[name]) for name in hotkey.modifiers}
    locks = X.LockMask | _mask(display, _NUM_LOCK)
    if not code or not all(held):
        return None
    refused, elsewhere = CatchError(BadAccess), CatchError(BadAccess)
    for mask in (mask for mask in range(_ALL_MODIFIERS + 1) if mask & sum(held) == sum(held)):
        display.screen().root.grab_key(
            code,
            mask,
            owner_events=False,
            pointer_mode=X.GrabModeAsync,
            keyboard_mode=X.GrabModeAsync,
            onerror=elsewhere if mask & ~locks & ~sum(held) else refused,
        )
    display.sync()
    return None if refused.get_error() else code


def _mask(display: Display, keysym: int) -> int:
    """The modifier that a key is on this keyboard; 0 for none."""
    codes = {code for code, _level in display.keysym_to_keycodes(keysym)}
    rows = display.get_modifier_mapping()
    return next((1 << index for index, row in enumerate(rows) if codes.intersection(row)), 0)
