"""The IPC of sway: its windows with their places and processes, which has the focus, and commands (sway-ipc(7))."""

import contextlib
import json
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from toolbelt.desktops.hotkey import Hotkey
from toolbelt.desktops.keysyms import keysym_of
from toolbelt.desktops.wayland.wire import ANSWER_MAX_S
from world_model import DesktopError

SOCKET: Final = "SWAYSOCK"  # the variable that names its socket
_MAGIC: Final = b"i3-ipc"
_HEAD: Final = struct.Struct("=6sII")
_COMMAND, _SUBSCRIBE, _TREE, _CONFIG = 0, 2, 4, 9
Node = Mapping[str, Any]


class Sway:
    """A connection to the IPC socket of sway.

    Raises:
        DesktopError: Nobody answers there.
    """

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        self._socket.settimeout(ANSWER_MAX_S)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise DesktopError(f"sway does not answer at {path.name}: {error.strerror}.") from error

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def command(self, text: str) -> str:
        """Carry out a command; returns why it failed, or nothing."""
        return next((str(one.get("error", "it failed")) for one in self._ask(_COMMAND, text) if not one["success"]), "")

    def windows(self) -> Iterator[Node]:
        """Yield the nodes of windows, those that float after those that they cover."""
        return _windows(self._ask(_TREE))

    def subscribe(self, event: str) -> None:
        """Have a kind of event reported; nothing else can be asked on this connection then."""
        self._ask(_SUBSCRIBE, json.dumps([event]))

    def event(self) -> Any:  # noqa: ANN401 - JSON
        """Wait for an event."""
        try:
            return self._answer()
        except OSError as error:
            raise _gone(error) from error

    def fileno(self) -> int:
        """Return the file descriptor on which events come."""
        return self._socket.fileno()

    def config(self) -> str:
        """Return the person's configuration."""
        return str(self._ask(_CONFIG)["config"])

    def _ask(self, kind: int, content: str = "") -> Any:  # noqa: ANN401 - JSON
        data = content.encode()
        try:
            self._socket.sendall(_HEAD.pack(_MAGIC, len(data), kind) + data)
            return self._answer()
        except OSError as error:
            raise _gone(error) from error

    def _answer(self) -> Any:  # noqa: ANN401 - JSON
        _, size, _ = _HEAD.unpack(self._read(_HEAD.size))
        return json.loads(self._read(size))

    def _read(self, size: int) -> bytes:
        content = bytearray()
        while len(content) < size:
            if not (piece := self._socket.recv(size - len(content))):
                raise _gone()
            content += piece
        return bytes(content)


def _gone(error: OSError | None = None) -> DesktopError:
    why = f": {error.strerror or error}" if error else ""
    return DesktopError(f"The Wayland session went away: sway does not answer{why}.")


def _windows(node: Node) -> Iterator[Node]:
    if node.get("pid"):
        yield node
    for one in (*node["nodes"], *node["floating_nodes"]):
        yield from _windows(one)


class HotkeyListener:
    """Calls `stop` when the person presses the hotkey, which sway reports.

    Attributes:
        has_hotkey: False if the person's configuration uses that key.
    """

    def __init__(self, path: Path, hotkey: Hotkey, stop: Callable[[], None]) -> None:
        modifiers = [_NAMES[one] for one in hotkey.modifiers]
        self._stop, self._keys = stop, "+".join((*modifiers, hex(keysym_of(hotkey.key) or 0)))
        self._sway, self._events = Sway(path), Sway(path)
        self._ending, self._end = socket.socketpair()
        self.has_hotkey = not _is_bound({*modifiers, hotkey.key}, self._sway.config())
        if self.has_hotkey:
            self._events.subscribe("binding")
            self.has_hotkey = not self._sway.command(f"bindsym {self._keys} {_NOTHING}")
        self._thread = threading.Thread(target=self._listen, name="hotkey", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, and give the key back."""
        self._end.close()
        self._thread.join()
        with contextlib.suppress(DesktopError):
            if self.has_hotkey:
                self._sway.command(f"unbindsym {self._keys}")
        for one in (self._sway, self._events, self._ending):
            one.close()

    def _listen(self) -> None:
        sources: list[Sway | socket.socket] = [self._events, self._ending]
        with contextlib.suppress(DesktopError):  # sway is gone, which the agent notices at its next use
            while self._ending not in select.select(sources, [], [])[0]:
                if self._events.event().get("binding", {}).get("command") == _NOTHING:
                    self._stop()


_NOTHING: Final = "nop mark-i"  # a command that does nothing, and is reported
_NAMES: Final[Mapping[str, str]] = {
    "ctrl": "Ctrl",
    "alt": "Mod1",
    "altgr": "Mod5",
    "shift": "Shift",
    "super": "Mod4",
}


def _is_bound(keys: set[str], config: str) -> bool:
    """Whether a configuration uses this combination, in whatever order it names the keys."""
    wanted = {one.casefold() for one in keys}
    words = (word for line in config.splitlines() if "bindsym" in line for word in line.split())
    return any({one.casefold() for one in word.split("+")} == wanted for word in words if "+" in word)
