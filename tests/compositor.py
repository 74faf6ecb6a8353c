"""A compositor that offers what a test says and shows nothing; and a library that brings pictures as PipeWire does."""

import contextlib
import ctypes
import os
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_HEAD: Final = struct.Struct("=II")
_SEAT: Final = "wl_seat"
_KEYBOARD_AND_POINTER: Final = 3


class Names(ctypes.Structure):
    """What a keymap is made of, as libxkbcommon has it."""

    _fields_ = tuple((name, ctypes.c_char_p) for name in ("rules", "model", "layout", "variant", "options"))


def keymap_of(layouts: str, variants: str = "") -> bytes:
    """Return the keymap of layouts, as a compositor tells it."""
    library: Any = ctypes.CDLL("libxkbcommon.so.0")
    for made in (library.xkb_context_new, library.xkb_keymap_new_from_names):
        made.restype = ctypes.c_void_p
    library.xkb_keymap_get_as_string.restype = ctypes.c_char_p
    context = ctypes.c_void_p(library.xkb_context_new(0))
    names = Names(layout=layouts.encode(), variant=variants.encode())
    keymap = ctypes.c_void_p(library.xkb_keymap_new_from_names(context, ctypes.byref(names), 0))
    return bytes(library.xkb_keymap_get_as_string(keymap, 1))


class Compositor:
    """Listens at a socket, and offers a seat with a keyboard and whatever else is `offered`."""

    def __init__(self, socket_path: Path, keymap: bytes, offered: Sequence[str] = ()) -> None:
        self._keymap, self._offered = keymap, (_SEAT, *offered)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(socket_path))
        self._listening.listen()
        self._connections = list[socket.socket]()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End it."""
        for one in (self._listening, *self._connections):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                self._connections.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        seats, registries = set[int](), set[int]()
        with contextlib.suppress(OSError, struct.error), connection.makefile("rb") as source:
            while True:
                number, head = _HEAD.unpack(source.read(_HEAD.size))
                content = source.read((head >> 16) - _HEAD.size)
                [last] = struct.unpack("=I", content[-4:])
                if (number, head & 0xFFFF) == (1, 0):
                    connection.sendall(
                        _message(last, 0, struct.pack("=I", 0)) + _message(1, 1, struct.pack("=I", last))
                    )
                elif number == 1:
                    registries.add(last)
                    for at, name in enumerate(self._offered):
                        connection.sendall(
                            _message(last, 0, struct.pack("=I", at) + _text(name) + struct.pack("=I", 9))
                        )
                elif number in registries and self._offered[struct.unpack("=I", content[:4])[0]] == _SEAT:
                    seats.add(last)
                    connection.sendall(_message(last, 0, struct.pack("=I", _KEYBOARD_AND_POINTER)))
                elif number in seats:
                    self._tell_keymap(connection, last)

    def _tell_keymap(self, connection: socket.socket, keyboard: int) -> None:
        file = os.memfd_create("keymap")
        try:
            os.write(file, self._keymap + b"\0")
            content = struct.pack("=II", 1, len(self._keymap) + 1)
            socket.send_fds(connection, [_message(keyboard, 0, content)], [file])
        finally:
            os.close(file)


@contextlib.contextmanager
def compositor(folder: Path, keymap: bytes, offered: Sequence[str] = ()) -> Iterator[Path]:
    """Run a compositor; yields its socket."""
    path = folder / "wayland-0"
    with contextlib.closing(Compositor(path, keymap, offered)):
        yield path


class CaptureStream:
    """The pictures of a monitor: each of those that are `lost` brings none, as one does whose first picture is lost."""

    lost = 0  # of the next to be started
    size = (60, 80)
    made: list["CaptureStream"]

    def __init__(self, _file: int, node: int, _width: int, _height: int, _interval: float) -> None:
        self.node, self.window_invalid, self.error = node, False, ""
        self.running = False
        self._shot: NDArray[np.uint8] | None = None
        CaptureStream.made.append(self)

    def start(self) -> None:
        """Bring a picture, unless it is lost."""
        self.running = True
        if CaptureStream.lost:
            CaptureStream.lost -= 1
        else:
            self._shot = np.zeros((*CaptureStream.size, 4), np.uint8)

    def get_frame(self) -> NDArray[np.uint8] | None:
        """Return the newest picture."""
        return self._shot

    def stop(self) -> None:
        """Bring none any more."""
        self.running, self._shot = False, None


def _message(number: int, kind: int, content: bytes) -> bytes:
    return _HEAD.pack(number, (len(content) + _HEAD.size) << 16 | kind) + content


def _text(text: str) -> bytes:
    content = text.encode() + b"\0"
    return struct.pack("=I", len(content)) + content + bytes(-len(content) % 4)
