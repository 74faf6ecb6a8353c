"""The clipboard of an X display: read what other programs offer, and offer text to them (ICCCM, section 2).

Only the selection CLIPBOARD is used; PRIMARY, which holds what a person has selected with the mouse, is left alone.
"""

import select
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import xcffib
from xcffib import xfixes, xproto

from toolbelt.desktops.clipboard_offer import ClipboardOffer
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.input_sync import Check, polls
from world_model import DesktopError, Region, ToolFailure

ENCODINGS: Final = {
    "UTF8_STRING": "utf-8",
    "text/plain;charset=utf-8": "utf-8",
    "STRING": "latin-1",
}  # in order of preference
ANSWER_MAX_S: Final = 5.0  # for a program to answer, or to send the next piece of a long text
PIECE_BYTES: Final = 1 << 17  # sent in one request; the X server accepts 256 KB
HANDED_OVER: Final = "_MARK_I_CLIPBOARD"  # the property in which others put what we ask for
XFIXES_VERSION: Final = 2, 0
PROPERTY_CHANGES: Final = {xproto.CW.EventMask: xproto.EventMask.PropertyChange}


def read(display: Connection, check: Check) -> str | None:
    """Return the text on the clipboard, or None if no program offers anything.

    This empties the event queue of the connection.

    Raises:
        ToolFailure: `TIMEOUT` if the program that offers it does not answer, `TARGET_NOT_FOUND` if it is not text.
    """
    if display.core.GetSelectionOwner(display.atom("CLIPBOARD")).reply().owner == xcffib.NONE:
        return None
    # Not destroyed while an answer may still come: not every program survives answering a window that is gone.
    window = display.create_window(Region(0, 0, 1, 1), PROPERTY_CHANGES)
    text = _text(display, window, check)
    display.core.DestroyWindow(window)
    return text


def _text(display: Connection, window: int, check: Check) -> str:
    for name in ENCODINGS:
        kind, content = _ask(display, window, name, check)
        if encoding := ENCODINGS.get(kind):  # not every program sends the format that it was asked for
            return content.decode(encoding, "replace")
    _, kinds = _ask(display, window, "TARGETS", check)
    names = [display.atom_name(atom) for atom in memoryview(kinds).cast("I")]
    offered = ", ".join(name for name in names if "/" in name) or "something else"
    raise ToolFailure("TARGET_NOT_FOUND", f"The clipboard holds no text, but {offered}.")


def _ask(display: Connection, window: int, name: str, check: Check) -> tuple[str, bytes]:
    """Return kind and content of what is offered in a format; the kind is empty if there is none."""
    selection, target, place = (display.atom(one) for one in ("CLIPBOARD", name, HANDED_OVER))
    display.core.ConvertSelection(window, selection, target, place, xcffib.CurrentTime)
    answer = _next(display, check, lambda one: _is_answer(one, window))
    if answer.property == xcffib.NONE:
        return "", b""
    kind, content = _take(display, window)
    return _pieces(display, window, check) if kind == "INCR" else (kind, content)


def _pieces(display: Connection, window: int, check: Check) -> tuple[str, bytes]:
    """Collect a text that comes in pieces, up to an empty one."""
    pieces: list[bytes] = []
    while True:
        _next(display, check, lambda one: _is_piece(one, window, display.atom(HANDED_OVER)))
        kind, piece = _take(display, window)
        if not piece:
            return kind, b"".join(pieces)
        pieces.append(piece)


def _next(display: Connection, check: Check, wanted: Callable[[Any], bool]) -> Any:  # noqa: ANN401 - events have no type
    for _ in polls(display, check, ANSWER_MAX_S):
        while (one := display.next_event()) is not None:
            if wanted(one):
                return one
    raise ToolFailure(
        "TIMEOUT",
        f"The program that owns the clipboard did not answer in {ANSWER_MAX_S:g} s.",
        ["Copy again in that program, or close it."],
    )


def _take(display: Connection, window: int) -> tuple[str, bytes]:
    """Return kind and content of what was handed over, and delete it: the owner then continues."""
    found = display.property(window, HANDED_OVER, delete=True)
    return (display.atom_name(found.type), found.content) if found else ("", b"")


def _is_answer(one: object, window: int) -> bool:
    return isinstance(one, xproto.SelectionNotifyEvent) and bool(one.requestor == window)


def _is_piece(one: object, window: int, place: int) -> bool:
    return isinstance(one, xproto.PropertyNotifyEvent) and bool(
        one.window == window and one.atom == place and one.state == xproto.Property.NewValue
    )


class Copies:
    """Counts how often programs put something on the clipboard of a display, on a connection of its own."""

    def __init__(self, name: str) -> None:
        self._display = Connection(name)
        self._count = 0
        fixes = self._display(xfixes.key)
        fixes.QueryVersion(*XFIXES_VERSION).reply()
        of = self._display.root, self._display.atom("CLIPBOARD")
        fixes.SelectSelectionInput(*of, xfixes.SelectionEventMask.SetSelectionOwner)
        self._display.sync()

    def count(self) -> int:
        """Return the number until now."""
        self._display.sync()
        while (event := self._display.next_event()) is not None:
            self._count += isinstance(event, xfixes.SelectionNotifyEvent) and event.owner != xcffib.NONE
        return self._count

    def close(self) -> None:
        """Stop counting."""
        self._display.close()


class Offer(ClipboardOffer):
    """Offers a text on the clipboard; long texts go to the programs in pieces.

    Raises:
        ToolFailure: The text is not valid Unicode, or another program keeps the clipboard.
    """

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        # Errors are ignored: a program may be gone before it gets its answer, and its window ID may belong to another
        # program by the time the error arrives. DestroyNotify reports a window that is gone.
        self._display = Connection(name)
        self._window = self._display.create_window(Region(0, 0, 1, 1), PROPERTY_CHANGES)
        utf8 = self._display.atom("UTF8_STRING")
        plain = self._display.atom("text/plain;charset=utf-8")
        content = self._content
        self._forms = {utf8: (utf8, content), self._display.atom("TEXT"): (utf8, content), plain: (plain, content)}
        with suppress(UnicodeEncodeError):
            self._forms[xproto.Atom.STRING] = xproto.Atom.STRING, text.encode("latin-1")
        self._rest: dict[tuple[int, int], tuple[int, bytes]] = {}  # still to be sent, by window and property
        self._time = self._own()
        self._begin()

    def _own(self) -> int:
        """Take the clipboard, at a time that comes from the X server, as ICCCM requires; return that time."""
        clipboard = self._display.atom("CLIPBOARD")
        self._display.set_property(self._window, xproto.Atom.WM_NAME, xproto.Atom.STRING, b"")
        while not isinstance(news := self._display.next_event(), xproto.PropertyNotifyEvent):
            select.select([self._display], [], [])
        self._display.core.SetSelectionOwner(self._window, clipboard, news.time)
        if self._display.core.GetSelectionOwner(clipboard).reply().owner != self._window:
            self._display.close()
            raise ToolFailure("TOOL_ERROR", "Another program keeps the clipboard to itself.", ["Try again."])
        return int(news.time)

    def _serve(self) -> None:
        try:
            with suppress(DesktopError):
                self._hand_out()
        finally:
            self._display.close()
            self._ending.close()

    def _hand_out(self) -> None:
        sources: list[Connection | socket.socket] = [self._display, self._ending]
        while self._ours or self._rest:
            self._display.errors.clear()
            if (one := self._display.next_event()) is not None:
                self._handle(one)
            elif self._ending in select.select(sources, [], [])[0]:
                return

    def _handle(self, one: object) -> None:
        match one:
            case xproto.SelectionRequestEvent():
                self._answer(one)
            case xproto.SelectionClearEvent():
                self._ours = False
            case xproto.PropertyNotifyEvent(state=xproto.Property.Delete) if (one.window, one.atom) in self._rest:
                self._hand_on(one.window, one.atom)
            case xproto.DestroyNotifyEvent():
                self._rest = {place: rest for place, rest in self._rest.items() if place[0] != one.window}

    def _answer(self, asked: xproto.SelectionRequestEvent) -> None:
        place = asked.property or asked.target  # old programs name no property
        given = place if self._give(asked.requestor, asked.target, place) else xcffib.NONE
        whole = (asked.time, asked.requestor, asked.selection, asked.target, given)
        answer = struct.pack("=B3x5I8x", xproto.SelectionNotifyEvent.event_number, *whole)
        self._display.send_event(asked.requestor, answer)

    def _give(self, window: int, target: int, place: int) -> bool:
        """Put the format that was asked for into a property of the program's window; return False if there is none."""
        names = {name: self._display.atom(name) for name in ("TARGETS", "TIMESTAMP", "MULTIPLE")}
        if target == names["TARGETS"]:
            self._display.set_property(window, place, xproto.Atom.ATOM, [*names.values(), *self._forms])
        elif target == names["TIMESTAMP"]:
            self._display.set_property(window, place, xproto.Atom.INTEGER, [self._time])
        elif target == names["MULTIPLE"]:
            self._give_several(window, place)
        elif target in self._forms:
            self._give_text(window, place, *self._forms[target])
        else:
            return False
        return True

    def _give_several(self, window: int, place: int) -> None:
        """Answer a list of pairs, target and property; the property becomes 0 if there is no such format."""
        found = self._display.property(window, place)
        asked = found.numbers if found else ()
        pairs = zip(asked[::2], asked[1::2], strict=False)
        given = [number for target, where in pairs for number in (target, where * self._give(window, target, where))]
        self._display.set_property(window, place, "ATOM_PAIR", given)

    def _give_text(self, window: int, place: int, kind: int, content: bytes) -> None:
        if len(content) <= PIECE_BYTES:
            self._display.set_property(window, place, kind, content)
            return
        self._display.select_events(window, xproto.EventMask.PropertyChange | xproto.EventMask.StructureNotify)
        self._rest[window, place] = kind, content
        self._display.set_property(window, place, "INCR", [len(content)])

    def _hand_on(self, window: int, place: int) -> None:
        """Send the next piece; an empty one marks the end."""
        kind, content = self._rest.pop((window, place))
        self._display.set_property(window, place, kind, content[:PIECE_BYTES])
        if content:
            self._rest[window, place] = kind, content[PIECE_BYTES:]
        else:
            self._display.select_events(window, xproto.EventMask.NoEvent)
