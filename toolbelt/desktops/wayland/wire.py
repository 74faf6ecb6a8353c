"""A client of a Wayland compositor, as far as the agent needs one: messages and file descriptors over a socket.

Each connection stands for itself, and every wait has an end. The libraries were tried: pywayland 0.4 crashes when the
interpreter ends, gives what an event creates to the first connection of the process, and may wait for ever;
python-wayland 1.0 has one connection for the whole process. Source: the chapter "Wire Format" of the Wayland book.
"""

import array
import os
import select
import socket
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from world_model import DesktopError

ANSWER_MAX_S: Final = 5.0  # for a compositor to answer
_FDS_MAX: Final = 28  # in one message of the socket, as libwayland has it
_READ_BYTES: Final = 1 << 16
_HEAD: Final = struct.Struct("=II")  # the object, and size and number of the message
_OF_SERVER: Final = 0xFF000000  # the first id that the compositor gives

Messages = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Interface:
    """What can be said to a kind of object, and by it: messages in the order of their numbers, with their arguments.

    Arguments are `i` and `u` for numbers, `f` for fixed point, `s` for text, `a` for bytes, `h` for a file descriptor,
    `o` for an object or None, and `n` for a new object, with the name of its interface: `n:wl_callback`.
    """

    name: str
    version: int
    requests: Messages = field(default_factory=dict)
    events: Messages = field(default_factory=dict)


DISPLAY: Final = Interface(
    "wl_display",
    1,
    {"sync": "n:wl_callback", "get_registry": "n:wl_registry"},
    {"error": "u u s", "delete_id": "u"},
)
REGISTRY: Final = Interface("wl_registry", 1, {"bind": "u s u n"}, {"global": "u s u", "global_remove": "u"})
CALLBACK: Final = Interface("wl_callback", 1, {}, {"done": "u"})


class Remote:
    """An object of the compositor; `heard` is called with the name and the arguments of each of its events."""

    def __init__(self, wire: "Wire", number: int, interface: Interface) -> None:
        self.number, self.interface = number, interface
        self.heard: Callable[..., None] | None = None
        self._wire = wire

    def send(self, name: str, *values: Any) -> "Remote":  # noqa: ANN401 - what the message takes
        """Send a request; returns the object that it creates, or this one."""
        return self._wire.send(self, name, *values) or self


class Wire:
    """A connection to the compositor at a socket.

    Args:
        socket_path: where it listens.
        interfaces: those of which objects are used.

    Raises:
        DesktopError: It does not listen there.
    """

    def __init__(self, socket_path: Path, interfaces: Mapping[str, Interface]) -> None:
        self._interfaces = {one.name: one for one in (DISPLAY, REGISTRY, CALLBACK)} | dict(interfaces)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            self._socket.connect(str(socket_path))
        except OSError as error:
            self._socket.close()
            raise DesktopError(f"No Wayland compositor listens at {socket_path.name}: {error.strerror}.") from error
        self._socket.settimeout(ANSWER_MAX_S)
        self._out, self._out_fds = bytearray(), list[int]()
        self._in, self._in_fds = bytearray(), list[int]()
        self._free, self._next = list[int](), 2
        self._display = Remote(self, 1, DISPLAY)
        self._objects = {1: self._display}
        self._display.heard = self._of_display
        self.globals: dict[str, list[tuple[int, int]]] = {}  # numbers and versions, by the name of the interface
        self._registry = self._display.send("get_registry")
        self._registry.heard = self._of_registry
        try:
            self.roundtrip()
        except DesktopError:
            self.close()
            raise

    def fileno(self) -> int:
        """Return the file descriptor on which events come."""
        return self._socket.fileno()

    def close(self) -> None:
        """Leave; the compositor frees all that belongs to this connection."""
        self._socket.close()
        for one in self._in_fds:
            os.close(one)
        self._in_fds.clear()

    def bind(self, name: str, number: int | None = None) -> Remote:
        """Return an object that the compositor offers: the first of its kind, or that of a number.

        Raises:
            DesktopError: It offers none.
        """
        offered = self.globals.get(name, [])
        found = next((one for one in offered if number in {None, one[0]}), None)
        if found is None:
            raise DesktopError(f"This Wayland compositor has no {name}.")
        interface = self._interfaces[name]
        made = self._made(interface, self._new_number())
        self._put(self._registry, 0, "u s u n", (found[0], name, min(found[1], interface.version), made.number))
        return made

    def send(self, to: Remote, name: str, *values: Any) -> Remote | None:  # noqa: ANN401 - what the message takes
        """Queue a request; returns the object that it creates."""
        number = [*to.interface.requests].index(name)
        signature, made = to.interface.requests[name], None
        given = list(values)
        for place, kind in enumerate(signature.split()):
            if kind.startswith("n:"):
                made = self._made(self._interfaces[kind[2:]], self._new_number())
                given.insert(place, made.number)
        self._put(to, number, signature, given)
        if name == "destroy":
            to.heard = None  # its number is free once the compositor says so
        return made

    def flush(self) -> None:
        """Send what is queued."""
        try:
            while self._out:
                fds, rest = self._out_fds[:_FDS_MAX], self._out_fds[_FDS_MAX:]
                sent = socket.send_fds(self._socket, [self._out], fds)
                for one in fds:
                    os.close(one)
                self._out_fds = rest
                del self._out[:sent]
        except OSError as error:
            raise self._gone(error) from error

    def roundtrip(self) -> None:
        """Wait until the compositor has carried out everything, and take its events."""
        done = list[int]()
        self._display.send("sync").heard = lambda _name, serial: done.append(serial)
        self.until(lambda: done)

    def until(self, condition: Callable[[], object], seconds: float = ANSWER_MAX_S) -> None:
        """Take events until a condition holds.

        Raises:
            DesktopError: It does not in that time, or the compositor is gone.
        """
        end = time.monotonic() + seconds
        self.flush()
        while not condition():
            if not self.take(max(0.0, end - time.monotonic())):
                raise DesktopError(f"The Wayland compositor did not answer in {seconds:g} s.")

    def take(self, seconds: float) -> bool:
        """Wait for events and take those that came; returns False if none came."""
        self.flush()
        if not select.select([self._socket], [], [], seconds)[0]:
            return False
        try:
            data, control, _, _ = self._socket.recvmsg(_READ_BYTES, socket.CMSG_SPACE(_FDS_MAX * 4))
        except OSError as error:
            raise self._gone(error) from error
        if not data:
            raise self._gone()
        self._in += data
        for level, kind, content in control:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                self._in_fds += array.array("i", content[: len(content) - len(content) % 4])
        while len(self._in) >= _HEAD.size and len(self._in) >= (size := _HEAD.unpack_from(self._in)[1] >> 16):
            message = bytes(self._in[:size])
            del self._in[:size]
            self._hear(message)
        return True

    def _hear(self, message: bytes) -> None:
        number, head = _HEAD.unpack_from(message)
        to = self._objects[number]
        name = [*to.interface.events][head & 0xFFFF]
        values = self._values(to.interface.events[name], message)
        if to.heard:
            to.heard(name, *values)
        elif "h" in to.interface.events[name].split():  # of an object that is given up: nobody else closes them
            os.close(values[-1])

    def _values(self, signature: str, message: bytes) -> list[Any]:
        values, at = list[Any](), _HEAD.size
        for kind in signature.split():
            if kind == "h":
                values.append(self._in_fds.pop(0))
                continue
            [word] = struct.unpack_from("=i" if kind in {"i", "f"} else "=I", message, at)
            at += 4
            if kind in {"s", "a"}:
                content = message[at : at + word]
                at += word + -word % 4
                values.append(content[:-1].decode("utf-8", "replace") if kind == "s" else content)
            elif kind == "o":
                values.append(self._objects.get(word))
            elif kind.startswith("n:"):
                values.append(self._made(self._interfaces[kind[2:]], word))
            else:
                values.append(word / 256 if kind == "f" else word)
        return values

    def _put(self, to: Remote, number: int, signature: str, values: Any) -> None:  # noqa: ANN401 - as above
        content = bytearray()
        for kind, value in zip(signature.split(), values, strict=True):
            if kind == "h":
                self._out_fds.append(os.dup(value))
            elif kind == "s":
                text = value.encode() + b"\0"
                content += struct.pack("=I", len(text)) + text + bytes(-len(text) % 4)
            elif kind == "o":
                content += struct.pack("=I", value.number if value else 0)
            elif kind == "f":
                content += struct.pack("=i", round(value * 256))
            else:
                content += struct.pack("=i" if kind == "i" else "=I", value)
        self._out += _HEAD.pack(to.number, len(content) + _HEAD.size << 16 | number) + content

    def _made(self, interface: Interface, number: int) -> Remote:
        self._objects[number] = made = Remote(self, number, interface)
        return made

    def _new_number(self) -> int:
        if self._free:
            return self._free.pop()
        self._next += 1
        return self._next - 1

    def _of_display(self, name: str, *values: Any) -> None:  # noqa: ANN401 - as above
        if name == "error":
            raise DesktopError(f"The Wayland compositor refused a request: {values[2]}.")
        self._objects.pop(values[0], None)
        if values[0] < _OF_SERVER:
            self._free.append(values[0])

    def _of_registry(self, name: str, number: int, *values: Any) -> None:  # noqa: ANN401 - as above
        if name == "global":
            self.globals.setdefault(values[0], []).append((number, values[1]))
            return
        for offered in self.globals.values():
            offered[:] = [one for one in offered if one[0] != number]

    @staticmethod
    def _gone(error: OSError | None = None) -> DesktopError:
        why = f": {error.strerror or error}" if error else ""
        return DesktopError(f"The Wayland session went away{why}.")
