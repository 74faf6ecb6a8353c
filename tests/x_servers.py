"""X servers that tests use in turn: one of each size in a process, as good as new after each test."""

import contextlib
import os
import signal
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import xcffib
from xcffib import xproto, xtest

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.virtual.xvfb_keeper import MARK, end_all
from toolbelt.desktops.x11.desktop import LiveDesktop
from world_model import DesktopError, Size

RESET_CAP_S: Final = 10.0
BUTTONS: Final = {1: 0x100, 2: 0x200, 3: 0x400, 4: 0x800, 5: 0x1000}  # each with its bit in the pointer's state
SELECTIONS: Final = ("CLIPBOARD", "PRIMARY", "SECONDARY")
KEY_RELEASE, BUTTON_RELEASE, MOTION = 3, 5, 6  # X's event codes, as XTEST takes them


@dataclass(frozen=True)
class State:
    """What a test can change on a server and the next test would notice."""

    size: tuple[int, int]
    windows: frozenset[int]
    pointer: tuple[int, int]
    held: int  # buttons, modifiers, locks and the keyboard group
    keys: tuple[int, ...]  # that are down
    keyboard: tuple[int, ...]
    modifiers: tuple[int, ...]
    buttons: tuple[int, ...]
    selections: tuple[int, ...]


class SharedDesktop(VirtualDesktop):
    """A test's desktop on a server that others use before and after it; what it starts ends with it."""

    def __init__(self, server: VirtualDesktop, control: Control) -> None:
        LiveDesktop.__init__(self, server.display, control)
        self.name = server.name
        self._mark = uuid.uuid4().hex
        self._environment, self._is_heard = server._environment | {MARK: self._mark}, server._is_heard

    def _own_processes(self) -> set[int]:
        """Return none: those of the server have another mark."""
        return set()

    def close(self) -> None:
        """End everything that the test started; the server stays."""
        for process in self._started:  # some overwrite their environment, and the mark with it, such as Chromium
            if process.running():
                with contextlib.suppress(ProcessLookupError):  # it has ended just now
                    os.kill(process.pid, signal.SIGTERM)
        with contextlib.suppress(FileNotFoundError):
            end_all(f"{MARK}={self._mark}".encode())
        for process in self._started:
            process.end()
        LiveDesktop.close(self)


class Server:
    """A virtual desktop, and a connection of its own that sees to its state."""

    def __init__(self, size: Size) -> None:
        self.desktop = VirtualDesktop(size, Control())
        connect: Any = xcffib.connect  # it ships types that do not hold
        self._connection = connect(self.desktop.display)
        self._core = self._connection.core
        self._root = self._connection.get_setup().roots[0].root
        self._atoms = [self._core.InternAtom(False, len(name), name).reply().atom for name in SELECTIONS]  # noqa: FBT003 - X's
        self._new = replace(self._state(), keys=(), selections=(0, 0, 0))

    def reset(self) -> bool:
        """Release keys and buttons, put pointer and clipboard back; whether the server is as good as new."""
        try:
            self._release(self._state())
            self.desktop._wait_for_window_manager()
            return bool(Control().until(lambda: self._state() == self._new, RESET_CAP_S))
        except (xcffib.ProtocolException, xcffib.ConnectionException, DesktopError):
            return False  # it has gone, or its window manager has

    def close(self) -> None:
        """End the server."""
        self._connection.disconnect()
        self.desktop.close()

    def _state(self) -> State:
        setup = self._connection.get_setup()
        geometry = self._core.GetGeometry(self._root).reply()
        pointer = self._core.QueryPointer(self._root).reply()
        down = enumerate(self._core.QueryKeymap().reply().keys)
        count = setup.max_keycode - setup.min_keycode + 1
        return State(
            (geometry.width, geometry.height),
            frozenset(self._core.QueryTree(self._root).reply().children),
            (pointer.root_x, pointer.root_y),
            pointer.mask,
            tuple(8 * place + bit for place, byte in down for bit in range(8) if byte >> bit & 1),
            tuple(self._core.GetKeyboardMapping(setup.min_keycode, count).reply().keysyms),
            tuple(self._core.GetModifierMapping().reply().keycodes),
            tuple(self._core.GetPointerMapping().reply().map),
            tuple(self._core.GetSelectionOwner(atom).reply().owner for atom in self._atoms),
        )

    def _release(self, state: State) -> None:
        for key in state.keys:
            self._fake(KEY_RELEASE, key)
        for button, bit in BUTTONS.items():
            if state.held & bit:
                self._fake(BUTTON_RELEASE, button)
        self._fake(MOTION, 0, *self._new.pointer)
        for atom in self._atoms:
            self._core.SetSelectionOwner(0, atom, xproto.Time.CurrentTime)
        self._connection.flush()

    def _fake(self, event: int, detail: int, x: int = 0, y: int = 0) -> None:
        self._connection(xtest.key).FakeInput(event, detail, xproto.Time.CurrentTime, self._root, x, y, 0)


class Servers:
    """The servers of a process, each started when a test first asks for its size."""

    def __init__(self) -> None:
        self._servers: dict[Size, Server] = {}

    @contextlib.contextmanager
    def desktop(self, size: Size, control: Control) -> Iterator[VirtualDesktop]:
        """Lend a desktop; a server that is not as good as new afterwards is replaced."""
        server = self._servers.pop(size, None) or Server(size)  # two at once have one each
        try:
            with contextlib.closing(SharedDesktop(server.desktop, control)) as desktop:
                yield desktop
        finally:
            if server.reset() and size not in self._servers:
                self._servers[size] = server
            else:
                server.close()

    def close(self) -> None:
        """End them all."""
        for server in self._servers.values():
            server.close()
