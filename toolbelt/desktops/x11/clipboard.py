"""The clipboard of an X display: reading what others offer, and offering a text to them (ICCCM, section 2).

Only the selection CLIPBOARD is used; PRIMARY, what a person has marked with the mouse, is left alone.
"""

import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.protocol import event
from Xlib.xobject.drawable import Window

from toolbelt.desktops.x11.connection import LOST, connect, disconnect
from toolbelt.desktops.x11.input_sync import Check, looks
from world_model import ToolFailure

ENCODINGS: Final = {"UTF8_STRING": "utf-8", "text/plain;charset=utf-8": "utf-8", "STRING": "latin-1"}  # the best first
SILENCE: Final = 5.0  # seconds that a program may take for an answer, or for the next piece of a long one
PIECE: Final = 1 << 17  # bytes that go in one request; the X server takes 256 KB
WHOLE: Final = 1 << 28  # 32-bit units: all of a property, however long


def read(display: Display, check: Check) -> str | None:
    """The text on the clipboard, or None where no program offers anything.

    The display's event queue is emptied.

    Raises:
        ToolFailure: `TIMEOUT` where the program that offers it does not answer, `TARGET_NOT_FOUND` where it is no text.
    """
    clipboard = display.get_atom("CLIPBOARD")
    if display.get_selection_owner(clipboard) == X.NONE:
        return None
    # Not destroyed where an answer is still to come: of programs that answer to no window, not all outlive it.
    root = display.screen().root
    window = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    text = _text(display, window, check)
    window.destroy()
    return text


def _text(display: Display, window: Window, check: Check) -> str:
    for name in ENCODINGS:
        kind, content = _ask(display, window, name, check)
        if encoding := ENCODINGS.get(kind):  # not every program keeps to what it was asked for
            return content.decode(encoding, "replace")
    _, kinds = _ask(display, window, "TARGETS", check)
    names = [display.get_atom_name(atom) for atom in memoryview(kinds).cast("I")]
    offered = ", ".join(name for name in names if "/" in name) or "something else"
    raise ToolFailure("TARGET_NOT_FOUND", f"The clipboard holds no text, but {offered}.")


def _ask(display: Display, window: Window, name: str, check: Check) -> tuple[str, bytes]:
    """Kind and content of what is offered under a name; no kind where it is not."""
    place = display.get_atom("_MARK_I_CLIPBOARD")
    window.convert_selection(display.get_atom("CLIPBOARD"), display.get_atom(name), place, X.CurrentTime)
    answer = _next(display, check, lambda one: one.type == X.SelectionNotify and one.requestor == window)
    if answer.property == X.NONE:
        return "", b""
    kind, content = _take(display, window, place)
    return _pieces(display, window, place, check) if kind == "INCR" else (kind, content)


def _pieces(display: Display, window: Window, place: int, check: Check) -> tuple[str, bytes]:
    """What comes in pieces, up to an empty one."""
    pieces: list[bytes] = []
    while True:
        _next(display, check, lambda one: _is_new(one, window, place))
        kind, piece = _take(display, window, place)
        if not piece:
            return kind, b"".join(pieces)
        pieces.append(piece)


def _next(display: Display, check: Check, wanted: Callable[[Any], bool]) -> Any:  # noqa: ANN401 - events have no type
    for _ in looks(display, check, SILENCE):
        while display.pending_events():
            if wanted(one := display.next_event()):
                return one
    raise ToolFailure(
        "TIMEOUT",
        f"The program that owns the clipboard did not answer in {SILENCE:g} s.",
        ["Copy again in that program, or close it."],
    )


def _take(display: Display, window: Window, place: int) -> tuple[str, bytes]:
    """Kind and content of a property, which is deleted: the sign to go on."""
    found = window.get_property(place, X.AnyPropertyType, 0, WHOLE, delete=True)
    if not found:
        return "", b""
    content = found.value
    # python3-xlib makes a str of all bytes that can be one
    return display.get_atom_name(found.property_type), content.encode() if isinstance(content, str) else bytes(content)


def _is_new(one: Any, window: Window, place: int) -> bool:  # noqa: ANN401 - events have no type
    return bool(
        one.type == X.PropertyNotify and one.window == window and one.atom == place and one.state == X.PropertyNewValue
    )


class Offer:
    """A text on the clipboard, until another program puts something there or it is closed.

    A thread of its own hands it to the programs that paste it, long texts in pieces.

    Raises:
        ToolFailure: the text is none, or the clipboard cannot be had.
    """

    def __init__(self, name: str, text: str) -> None:
        try:
            encoded = text.encode()
        except UnicodeEncodeError as error:
            raise ToolFailure(
                "INVALID_ARGS", f"Position {error.start} of the text is half a character.", ["Leave it out."]
            ) from error
        self._display = connect(name)
        # A program that asked may be gone before it is answered. Its window's number may be another's by the time that
        # the error comes, so nothing is concluded from it: a window that goes says so itself.
        self._display.set_error_handler(lambda *_error: None)
        root = self._display.screen().root
        self._window = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        utf8 = self._atom("UTF8_STRING")
        plain = self._atom("text/plain;charset=utf-8")
        self._forms = {utf8: (utf8, encoded), self._atom("TEXT"): (utf8, encoded), plain: (plain, encoded)}
        with suppress(UnicodeEncodeError):
            self._forms[Xatom.STRING] = Xatom.STRING, text.encode("latin-1")
        self._rest: dict[tuple[Window, int], tuple[int, bytes]] = {}  # what is still to be handed over, and where
        self._ours = True
        self._time = self._own()
        self._ending, self._end = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="clipboard", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Offer it no more."""
        self._end.close()
        self._thread.join()

    def _own(self) -> int:
        """Take the clipboard, from a moment that the X server itself names, as it must be."""
        clipboard = self._atom("CLIPBOARD")
        self._window.change_property(Xatom.WM_NAME, Xatom.STRING, 8, b"")
        while (news := self._display.next_event()).type != X.PropertyNotify:
            pass  # of a keyboard map, which every program is told
        time = int(news.time)
        self._window.set_selection_owner(clipboard, time)
        if self._display.get_selection_owner(clipboard) != self._window:
            disconnect(self._display)
            raise ToolFailure("TOOL_ERROR", "Another program keeps the clipboard to itself.", ["Try again."])
        return time

    def _serve(self) -> None:
        try:
            with suppress(*LOST):
                self._hand_out()
        finally:
            disconnect(self._display)
            self._ending.close()

    def _hand_out(self) -> None:
        sources: list[Display | socket.socket] = [self._display, self._ending]
        while self._ours or self._rest:
            self._display.flush()  # which may bring events too
            if self._display.pending_events():
                self._handle(self._display.next_event())
            elif self._ending in select.select(sources, [], [])[0]:
                return

    def _handle(self, one: Any) -> None:  # noqa: ANN401 - events have no type
        match one.type:
            case X.SelectionRequest:
                self._answer(one)
            case X.SelectionClear:
                self._ours = False
            case X.PropertyNotify if one.state == X.PropertyDelete and (one.window, one.atom) in self._rest:
                self._hand_on(one.window, one.atom)
            case X.DestroyNotify:
                self._forget(one.window)

    def _answer(self, asked: Any) -> None:  # noqa: ANN401 - events have no type
        place = asked.property or asked.target  # old programs name no property
        given = self._give(asked.requestor, asked.target, place)
        told = event.SelectionNotify(
            time=asked.time,
            requestor=asked.requestor,
            selection=asked.selection,
            target=asked.target,
            property=place if given else X.NONE,
        )
        asked.requestor.send_event(told)

    def _give(self, window: Window, target: int, place: int) -> bool:
        """Put what is asked for into a property of the program's window; whether there is such a thing."""
        names = {name: self._atom(name) for name in ("TARGETS", "TIMESTAMP", "MULTIPLE")}
        if target == names["TARGETS"]:
            window.change_property(place, Xatom.ATOM, 32, [*names.values(), *self._forms])
        elif target == names["TIMESTAMP"]:
            window.change_property(place, Xatom.INTEGER, 32, [self._time])
        elif target == names["MULTIPLE"]:
            self._give_several(window, place)
        elif target in self._forms:
            self._give_text(window, place, *self._forms[target])
        else:
            return False
        return True

    def _give_several(self, window: Window, place: int) -> None:
        """A list of pairs, target and property; the property becomes 0 where there is no such thing."""
        found = window.get_property(place, X.AnyPropertyType, 0, WHOLE)
        asked = list(found.value) if found else []
        pairs = zip(asked[::2], asked[1::2], strict=False)
        given = [number for target, where in pairs for number in (target, where * self._give(window, target, where))]
        window.change_property(place, self._atom("ATOM_PAIR"), 32, given)

    def _give_text(self, window: Window, place: int, kind: int, content: bytes) -> None:
        if len(content) <= PIECE:
            window.change_property(place, kind, 8, content)
            return
        window.change_attributes(event_mask=X.PropertyChangeMask | X.StructureNotifyMask)
        self._rest[window, place] = kind, content
        window.change_property(place, self._atom("INCR"), 32, [len(content)])

    def _hand_on(self, window: Window, place: int) -> None:
        """The next piece; an empty one says that it is all."""
        kind, content = self._rest.pop((window, place))
        window.change_property(place, kind, 8, content[:PIECE])
        if content:
            self._rest[window, place] = kind, content[PIECE:]
        else:
            window.change_attributes(event_mask=X.NoEventMask)

    def _forget(self, window: object) -> None:
        self._rest = {place: rest for place, rest in self._rest.items() if place[0] != window}

    def _atom(self, name: str) -> int:
        return int(self._display.get_atom(name))
