"""The clipboard of a session of the portal, where the portal has one and the person allows it."""

import contextlib
import os
import select
import socket
import threading
import time
from typing import Any, Final

from toolbelt.desktops.clipboard_offer import ClipboardOffer
from toolbelt.desktops.wayland.clipboard import FORMATS, whole
from toolbelt.desktops.wayland.portal.bus import CLIPBOARD, Refused, field
from toolbelt.desktops.wayland.portal.session import Check, Session
from world_model import DesktopError, ToolFailure

NONE: Final = "This session lets no program use its clipboard"
_POLL_S: Final = 0.02  # between two looks whether a program pastes


class Clipboard:
    """Knows what is on the clipboard.

    Attributes:
        count: how often others have put something on it.
    """

    stays = False  # what is on it when the session ends

    def __init__(self, session: Session) -> None:
        self._session = session
        self.formats: tuple[str, ...] = ()
        self.is_ours = False
        self.count = 0
        self.offer: Offer | None = None  # that hands out what is pasted
        session.others = self._hear

    @property
    def exists(self) -> bool:
        """Whether there is one."""
        return self._session.has_clipboard

    def offered(self, text: str) -> "Offer":
        """Offer a text on it."""
        return Offer(self._session, self, text)

    def close(self) -> None:
        """Do nothing: it ends with the session."""

    def require(self) -> None:
        """Raise `TOOL_ERROR` if there is none."""
        if not self._session.has_clipboard:
            raise ToolFailure("TOOL_ERROR", f"{NONE}.", ["Type the text, or let a program copy and paste it."])

    def read(self, check: Check) -> str | None:
        """Return the text on the clipboard, or None if no program offers anything.

        Raises:
            ToolFailure: `TIMEOUT` if the program that offers it does not answer, `TARGET_NOT_FOUND` if it is not text.
        """
        self.require()
        self._session.look()
        if self.is_ours and self.offer:
            return self.offer.text
        if not self.formats:
            return None
        kind = next((one for one in FORMATS if one in self.formats), None)
        if kind is None:
            offered = ", ".join(one for one in self.formats if "/" in one) or "something else"
            raise ToolFailure("TARGET_NOT_FOUND", f"The clipboard holds no text, but {offered}.")
        try:
            file = self._session.use_clipboard("SelectionRead", "s", kind).to_raw_fd()
        except Refused:  # nobody offers it any more
            return None
        with os.fdopen(file, "rb", buffering=0) as answer:
            return whole(answer.fileno(), check).decode("latin-1" if kind == "STRING" else "utf-8", "replace")

    def _hear(self, signal: Any) -> None:  # noqa: ANN401 - jeepney has no types
        if field(signal, "interface") != CLIPBOARD:
            return
        if field(signal, "member") == "SelectionOwnerChanged":
            told = signal.body[1]
            self.is_ours = bool(told.get("session_is_owner", ("b", False))[1])
            kinds = told.get("mime_types", ("as", ()))[1]
            self.formats = tuple(kinds[0] if isinstance(kinds, tuple) else kinds)  # some portals wrap them once more
            self.count += not self.is_ours
            if self.offer and not self.is_ours:
                self.offer.lose()
        elif field(signal, "member") == "SelectionTransfer" and self.offer:
            self.offer.hand_out(*signal.body[1:])


class Offer(ClipboardOffer):
    """Offers a text on the clipboard; what is pasted is written by a thread for each program.

    Attributes:
        taken_s: when a program has got all of it last, in seconds of the monotonic clock; 0 before that.
    """

    def __init__(self, session: Session, clipboard: Clipboard, text: str) -> None:
        super().__init__(text)
        self.taken_s = 0.0
        self._session, self._clipboard = session, clipboard
        clipboard.require()
        clipboard.offer = self
        clipboard.is_ours = True
        session.use_clipboard("SetSelection", "a{sv}", {"mime_types": ("as", [*FORMATS[:-1]])})
        self._begin()

    def lose(self) -> None:
        """Note that another program has taken the clipboard."""
        self._ours = False

    def hand_out(self, _kind: str, serial: int) -> None:
        """Write the text to who pastes it, which may take long or go away."""
        threading.Thread(target=self._write, args=(serial,), name="paste", daemon=True).start()

    def _write(self, serial: int) -> None:
        with contextlib.suppress(OSError, DesktopError):
            file = self._session.use_clipboard("SelectionWrite", "u", serial).to_raw_fd()
            with os.fdopen(file, "wb", buffering=0) as target:
                rest = memoryview(self._content)
                while rest:
                    rest = rest[target.write(rest) :]
            self._session.use_clipboard("SelectionWriteDone", "ub", serial, True)  # noqa: FBT003 - as the portal has it
            self.taken_s = time.monotonic()

    def _serve(self) -> None:
        with contextlib.closing(self._ending), contextlib.suppress(DesktopError):
            while self._ours and not _is_readable(self._ending):
                self._session.look()


def _is_readable(ending: socket.socket) -> bool:
    return bool(select.select([ending], [], [], _POLL_S)[0])
