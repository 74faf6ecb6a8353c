"""Connections to an X display.

xcffib implements the protocol; `Connection` adds what it lacks. Windows, atoms and keysyms are plain integers. Names of
the core protocol come from `xproto`; extension requests that xcffib cannot pack are packed where they are used.
"""

import contextlib
import io
import re
import select
import struct
import sys
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mss import MSS, ScreenShotError

from world_model import DesktopError, Region

try:
    import xcffib
    from xcffib import ffi, lib, xinerama, xproto, xtest
except OSError as error:
    raise DesktopError("The library libxcb is missing, which X11 needs: sudo apt-get install libxcb1") from error

STANDARD_DPI: Final = 96
KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION = range(2, 7)
_GENERIC_EVENT: Final = 35
_WHOLE: Final = 1 << 28  # 32-bit units: all of a property, of any length
_ALL_PLANES: Final = 0xFFFFFFFF
_CODES: Final = {8: "B", 16: "H", 32: "I"}  # `struct` codes, by bits
_CLIENT_MESSAGE: Final = 33


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a window: its type as an atom, the bits of each number, and the content."""

    type: int
    bits: int
    content: bytes

    @property
    def numbers(self) -> tuple[int, ...]:
        """The content as numbers."""
        return struct.unpack(f"={8 * len(self.content) // self.bits}{_CODES[self.bits]}", self.content)

    @property
    def text(self) -> str:
        """The content as text."""
        return self.content.decode("latin-1" if self.type == xproto.Atom.STRING else "utf-8", "replace")


@dataclass(frozen=True, slots=True)
class GenericEvent:
    """An extension event of variable length: the opcode of the extension, and the whole event.

    Like each event, it has the sequence number of the request that the server carried out last before it.
    """

    opcode: int
    content: bytes

    @property
    def sequence(self) -> int:
        """Return the sequence number."""
        return int.from_bytes(self.content[2:4], sys.byteorder)


class Connection(xcffib.Connection):  # type: ignore[misc]  # it has no types
    """A connection to the display `name`, such as `:0`.

    Threads may share one, but only one of them may read its events. It waits for replies in Python, not in libxcb, so
    the main thread handles signals meanwhile.

    Attributes:
        root: the root window.
        errors: what the server answered to requests that nobody waited for.

    Raises:
        DesktopError: The display does not exist, refuses access, or (all methods) went away.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors: list[Exception] = []
        self._events: deque[Any] = deque()
        self._atoms: dict[str, int] = {}
        self._using = threading.RLock()
        try:
            super().__init__(name)
        except DesktopError as error:
            super().disconnect()
            raise DesktopError(
                f"The display {name} cannot be used: no X server answers there, or it does not let this user in."
            ) from error
        self._screen = self.setup.roots[self.pref_screen]
        self.root = int(self._screen.root)
        self._xtest = self(xtest.key)
        self._xinerama = self(xinerama.key)

    # Overridden because xcffib blocks in C and raises errors of its own.

    def invalid(self) -> None:
        """Raise `DesktopError` if the display is gone or the connection is closed."""
        if self._conn is None or lib.xcb_connection_has_error(self._conn):
            raise DesktopError(f"The display {self.name} went away.")

    def send_request(self, flags: int, xcb_parts: object, xcb_req: object) -> int:
        """Queue a request."""
        with self._using:
            return int(super().send_request(flags, xcb_parts, xcb_req))

    def flush(self) -> None:
        """Send what is queued: libxcb may read a reply meanwhile, which another thread must not wait for yet."""
        with self._using:
            super().flush()

    def wait_for_reply(self, sequence: int) -> Any:  # noqa: ANN401 - xcffib ships no types
        """Wait for the reply to a request."""
        reply, failure = ffi.new("void **"), ffi.new("xcb_generic_error_t **")
        with self._using:
            self.flush()
            while not lib.xcb_poll_for_reply(self._conn, sequence, reply, failure):
                select.select([self], [], [])
            self.invalid()
        if failure[0] != ffi.NULL:
            raise self._error(ffi.gc(failure[0], xcffib.c_free))
        content = ffi.gc(reply[0], xcffib.c_free)
        length = ffi.cast("xcb_generic_reply_t *", content).length
        return xcffib.CffiUnpacker(content, known_max=32 + 4 * length)

    def next_reply(self, sequence: int) -> bytes | None:
        """Return the next reply to a request that has many, or None if none has arrived."""
        reply, failure = ffi.new("void **"), ffi.new("xcb_generic_error_t **")
        with self._using:
            self.flush()
            self.poll()
            lib.xcb_poll_for_reply(self._conn, sequence, reply, failure)
        if failure[0] != ffi.NULL:
            raise self._error(ffi.gc(failure[0], xcffib.c_free))
        if reply[0] == ffi.NULL:
            return None
        content = ffi.gc(reply[0], xcffib.c_free)
        return bytes(ffi.buffer(content, 32 + 4 * ffi.cast("xcb_generic_reply_t *", content).length))

    def disconnect(self) -> None:
        """Close the connection at once. Use `close` instead."""
        with self._using:
            super().disconnect()

    def close(self) -> None:
        """Close the connection, even if its display is gone.

        Waits for the server first: it may drop requests that it has not read when a connection closes.
        """
        with contextlib.suppress(DesktopError):
            self.sync()
        self.disconnect()

    def fileno(self) -> int:
        """Return the descriptor for `select`; drain `next_event` first, as a reply may have brought events."""
        return int(self.get_file_descriptor())

    def sync(self) -> None:
        """Wait until the server has processed all requests."""
        self.core.GetInputFocus().reply()
        self.poll()

    def poll(self) -> None:
        """Read the events and errors that have arrived."""
        with self._using:
            self.invalid()
            while (message := lib.xcb_poll_for_event(self._conn)) != ffi.NULL:
                self._take(ffi.gc(message, xcffib.c_free))
            self.invalid()

    def next_event(self) -> Any:  # noqa: ANN401 - xcffib ships no types
        """Return the next event, from `xproto` or a `GenericEvent`, or None if none has arrived."""
        if not self._events:
            self.flush()
            self.poll()
        return self._events.popleft() if self._events else None

    def _take(self, message: Any) -> None:  # noqa: ANN401
        kind = message.response_type & 0x7F
        if kind == 0:
            self.errors.append(self._error(ffi.cast("xcb_generic_error_t *", message)))
        elif kind == _GENERIC_EVENT:
            length = 4 * ffi.cast("xcb_generic_reply_t *", message).length
            content = bytes(ffi.buffer(message, 36 + length))
            self._events.append(GenericEvent(content[1], content[:32] + content[36:]))  # libxcb inserts 4 bytes
        else:
            self._events.append(self.hoist_event(message))

    def _error(self, failure: Any) -> Any:  # noqa: ANN401
        try:
            self._process_error(failure)
        except xcffib.Error as error:
            error.args = (f"{type(error).__name__} in request {failure.major_code}.{failure.minor_code}",)
            return error
        except LookupError:  # from an extension that xcffib does not know
            pass
        return xcffib.ProtocolException(f"error {failure.error_code} in request {failure.major_code}")

    # What xcffib lacks.

    def atom(self, name: str | int) -> int:
        """Return the atom of a name; an atom is returned as it is."""
        if isinstance(name, int):
            return name
        if name not in self._atoms:
            self._atoms[name] = int(self.core.InternAtom(False, len(name), name).reply().atom)  # noqa: FBT003
        return self._atoms[name]

    def atom_name(self, atom: int) -> str:
        """Return the name of an atom."""
        return str(self.core.GetAtomName(atom).reply().name.to_string())

    def property(self, window: int, name: str | int, *, delete: bool = False) -> Property | None:
        """Return a property of a window, or None if it has no such property."""
        cookie = self.core.GetProperty(delete, window, self.atom(name), xproto.GetPropertyType.Any, 0, _WHOLE)
        reply = self._whole(cookie)
        kind, _, count = struct.unpack_from("=III", reply, 8)
        return Property(kind, reply[1], reply[32 : 32 + count * reply[1] // 8]) if kind else None

    def numbers(self, window: int, name: str) -> tuple[int, ...]:
        """Return the numbers of a property; empty if there is no such property."""
        found = self.property(window, name)
        return found.numbers if found else ()

    def text(self, window: int, name: str) -> str:
        """Return the text of a property; empty if there is no such property."""
        found = self.property(window, name)
        return found.text if found else ""

    def set_property(self, window: int, name: str | int, kind: str | int, value: bytes | Sequence[int]) -> None:
        """Set a property of a window to bytes or to 32-bit numbers."""
        bits, content = (8, value) if isinstance(value, bytes) else (32, struct.pack(f"={len(value)}I", *value))
        names = self.atom(name), self.atom(kind)
        head = struct.pack("=xB2xIIIB3xI", xproto.PropMode.Replace, window, *names, bits, len(value))
        self.core.send_request(18, io.BytesIO(head + content))  # xcffib's ChangeProperty packs byte after byte

    def delete_property(self, window: int, name: str | int) -> None:
        """Delete a property of a window."""
        self.core.DeleteProperty(window, self.atom(name))

    def create_window(self, region: Region, attributes: Mapping[int, int], *, input_only: bool = False) -> int:
        """Create a child of the root window; the keys of the attributes come from `xproto.CW`."""
        window = int(self.generate_id())
        kind = xproto.WindowClass.InputOnly if input_only else xproto.WindowClass.InputOutput
        mask, values = _attributes(attributes)
        corner, size = (region.x, region.y), (region.width, region.height)
        self.core.CreateWindow(0, window, self.root, *corner, *size, 0, kind, 0, mask, values)
        return window

    def change_attributes(self, window: int, attributes: Mapping[int, int]) -> None:
        """Change attributes of a window; their keys come from `xproto.CW`."""
        self.core.ChangeWindowAttributes(window, *_attributes(attributes))

    def select_events(self, window: int, mask: int) -> None:
        """Select the events of a window; `mask` combines values of `xproto.EventMask`."""
        self.change_attributes(window, {xproto.CW.EventMask: mask})

    def send_event(self, window: int, event: bytes, mask: int = 0) -> None:
        """Send an event to a window; nothing happens if the window is gone."""
        cookie = self.core.SendEvent(False, window, mask, event, is_checked=True)  # noqa: FBT003
        self.discard_reply(cookie.sequence)

    def send_message(self, to: int, kind: str, about: int, data: Sequence[int], mask: int = 0) -> None:
        """Send a ClientMessage with up to five numbers about a window."""
        self.send_event(to, message(self.atom(kind), about, data), mask)
        self.flush()

    def pointer(self, window: int | None = None) -> Any:  # noqa: ANN401
        """Query the pointer: position, what is pressed, and the child of `window` (default: the root) under it."""
        return self.core.QueryPointer(self.root if window is None else window).reply()

    def image(self, window: int, region: Region) -> bytes:
        """Return the pixels of a part of a window, row by row."""
        where = (region.x, region.y, region.width, region.height)
        return self._whole(self.core.GetImage(xproto.ImageFormat.ZPixmap, window, *where, _ALL_PLANES))[32:]

    def fake(self, kind: int, detail: int = 0, x: int = 0, y: int = 0) -> None:
        """Send a key, button or motion event through XTEST."""
        self._xtest.FakeInput(kind, detail, xcffib.CurrentTime, xcffib.NONE, x, y, 0)

    def monitors(self) -> list[Region]:
        """Return the region of each monitor, from Xinerama; empty if the server does not support it.

        Xinerama knows the monitors of every X server, even one that joins several X screens, where RandR does not.
        """
        if not self.core.QueryExtension(len("XINERAMA"), "XINERAMA").reply().present:
            return []
        screens = self._xinerama.QueryScreens().reply().screen_info
        return [Region(one.x_org, one.y_org, one.width, one.height) for one in screens]

    def keys_down(self) -> bytes:
        """Return one bit per key: whether it is down on any keyboard."""
        return bytes(self.core.QueryKeymap().reply().keys)

    def modifier_rows(self) -> list[list[int]]:
        """Return the keycodes of each of the eight modifiers."""
        found = self.core.GetModifierMapping().reply()
        width, codes = found.keycodes_per_modifier, list(found.keycodes)
        return [codes[row * width : (row + 1) * width] for row in range(8)]

    def keycodes(self, keysym: int) -> list[int]:
        """Return the keycodes that produce a keysym in any layout at any level, lowest level first."""
        first, last = self.setup.min_keycode, self.setup.max_keycode
        found = self.core.GetKeyboardMapping(first, last - first + 1).reply()
        width, keysyms = found.keysyms_per_keycode, list(found.keysyms)
        places = [divmod(place, width) for place, one in enumerate(keysyms) if one == keysym]
        return [first + code for code, _ in sorted(places, key=lambda place: place[1])]

    def _whole(self, cookie: xcffib.Cookie) -> bytes:
        """Return a reply as bytes: xcffib builds a list of every byte, which is slow for large replies."""
        found = self.wait_for_reply(cookie.sequence)
        return bytes(found.buf)


class Extension:
    """An extension of the X server, for requests that xcffib cannot pack.

    Raises:
        DesktopError: The server has no such extension.
    """

    def __init__(self, display: Connection, name: str) -> None:
        found = display.core.QueryExtension(len(name), name).reply()
        if not found.present:
            raise DesktopError(f"The X server has no {name} extension, which the agent needs; use another X server.")
        self._display = display
        self.opcode = int(found.major_opcode)
        self.first_event = int(found.first_event)

    def ask(self, minor: int, body: bytes) -> bytes:
        """Make a request and return what follows the first 8 bytes of the reply."""
        cookie = self._display.core.send_request(self.opcode, _packed(minor, body), xcffib.Cookie, is_checked=True)
        return self._display._whole(cookie)[8:]  # noqa: SLF001 - they are one

    def begin(self, minor: int, body: bytes) -> int:
        """Make a request that has many replies, and return its number for `Connection.next_reply`."""
        cookie = self._display.core.send_request(self.opcode, _packed(minor, body), xcffib.Cookie, is_checked=True)
        return int(cookie.sequence)

    def tell(self, minor: int, body: bytes) -> None:
        """Make a request that has no reply."""
        self._display.core.send_request(self.opcode, _packed(minor, body))


def message(kind: int, about: int, data: Sequence[int]) -> bytes:
    """Pack a ClientMessage about a window, with up to five numbers."""
    return struct.pack("=BB2xII5I", _CLIENT_MESSAGE, 32, about, kind, *[*data, 0, 0, 0, 0, 0][:5])


def keyboard_layouts(display: Connection) -> list[str]:
    """Return the configured keyboard layouts, such as `us` and `de`; empty if unknown."""
    rules = display.text(display.root, "_XKB_RULES_NAMES").split("\0")  # rules, model, layouts, variants, options
    return [name for name in rules[2].split(",") if name] if len(rules) > 2 else []  # noqa: PLR2004


def scale_of(display: Connection) -> int:
    """Return the scale at which programs should draw, in percent."""
    found = re.search(r"^Xft\.dpi:\s*(\d+)", display.text(display.root, "RESOURCE_MANAGER"), re.MULTILINE)
    return round(100 * int(found[1]) / STANDARD_DPI) if found else 100


def grabber(display: str) -> MSS:
    """Open a screen grabber for a display.

    Raises:
        DesktopError: The display cannot be captured; the message says why.
    """
    try:
        return MSS(display=display)
    except (ScreenShotError, ValueError) as error:  # a ValueError if the display goes away meanwhile
        raise DesktopError(f"The display {display} cannot be captured: {error}.") from error


def _attributes(attributes: Mapping[int, int]) -> tuple[int, list[int]]:
    """Return attributes as requests take them: a mask, and the values in the order of its bits."""
    return sum(attributes), [attributes[bit] for bit in sorted(attributes)]


def _packed(minor: int, body: bytes) -> io.BytesIO:
    """Pack an extension request; libxcb fills in its opcode and length."""
    return io.BytesIO(struct.pack("=xB2x", minor) + body)
