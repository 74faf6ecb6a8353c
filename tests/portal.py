"""A portal whose person answers at once, on a real bus; and a real compositor that lets programs do nothing."""

import contextlib
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

from toolbelt.desktops.wayland.portal.bus import CLIPBOARD, LOCK, NAME, PATH, REQUEST, SESSION

BOTH, KEYBOARD_ONLY = 3, 1
MONITOR: Final = (7, {"position": ("(ii)", (0, 0)), "size": ("(ii)", (800, 600))})
REQUESTS: Final = frozenset({"CreateSession", "SelectDevices", "SelectSources", "Start"})
START_MAX_S: Final = 60.0  # on a busy machine


class Portal:
    """A portal whose person answers as `result`, `devices` and `streams` say."""

    def __init__(self, address: str) -> None:
        self.version, self.result, self.devices, self.streams = 2, 0, BOTH, [MONITOR]
        self.answers = True
        self.has_clipboard = False
        self.locked: bool | None = None  # whether the screen is; None where nobody says so
        self.asked = dict[str, Any]()  # the options of each request
        self.sent = list[tuple[str, Any]]()
        self.session = ""
        self.called = set[str]()  # the interfaces of which anything was called
        self._tokens = 0
        self._connection = open_dbus_connection(address, enable_fds=True)
        for name in (NAME, LOCK):
            unwrap_msg(self._connection.send_and_get_reply(message_bus.RequestName(name)))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def revoke(self) -> None:
        """Take the permission back, as the person does in the top bar."""
        self._connection.send(new_signal(DBusAddress(self.session, NAME, SESSION), "Closed", "", ()))

    def lock(self) -> None:
        """Lock the screen, as the person does before they leave."""
        self.locked = True
        saver = DBusAddress("/org/freedesktop/ScreenSaver", LOCK, LOCK)
        self._connection.send(new_signal(saver, "ActiveChanged", "b", (True,)))

    def notified(self, method: str, values: tuple[Any, ...]) -> None:
        """Hear of input."""
        self.sent.append((method, values))

    def close(self) -> None:
        """Wait until the bus has ended."""
        self._thread.join()

    def _serve(self) -> None:
        with contextlib.suppress(OSError), self._connection:
            while True:
                message = self._connection.receive()
                if message.header.message_type is MessageType.method_call:
                    self._answer(message, message.header.fields[HeaderFields.member])

    def _answer(self, message: Any, method: str) -> None:
        self.called.add(message.header.fields[HeaderFields.interface])
        if method == "Get":
            if message.body[0] == CLIPBOARD and not self.has_clipboard:
                self._connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownInterface"))
            else:
                self._connection.send(new_method_return(message, "v", (("u", self.version),)))
        elif method.startswith("Notify"):
            self.notified(method, message.body[2:])
            self._connection.send(new_method_return(message))
        elif method == "GetActive" and self.locked is None:
            self._connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        elif method == "GetActive":
            self._connection.send(new_method_return(message, "b", (self.locked,)))
        elif method in {"Close", "RequestClipboard"}:
            self._connection.send(new_method_return(message))
        elif method == "OpenPipeWireRemote":
            with Path(os.devnull).open("rb") as pictures:
                self._connection.send(new_method_return(message, "h", (pictures.fileno(),)))
        elif method in REQUESTS:
            self._asked(message, method)
        else:  # that of another program
            self._connection.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))

    def _asked(self, message: Any, method: str) -> None:
        options = self.asked[method] = message.body[-1]
        sender = message.header.fields[HeaderFields.sender][1:].replace(".", "_")
        handle = f"{PATH}/request/{sender}/{options['handle_token'][1]}"
        self._connection.send(new_method_return(message, "o", (handle,)))
        told: dict[str, tuple[str, Any]] = {}
        if method == "CreateSession":
            self.session = f"{PATH}/session/{sender}/{options['session_handle_token'][1]}"
            told = {"session_handle": ("s", self.session)}
        elif method == "Start":
            if not self.answers:
                return
            self._tokens += 1
            told = {"devices": ("u", self.devices), "streams": ("a(ua{sv})", self.streams)}
            told |= {"restore_token": ("s", f"token {self._tokens}")}
        result = self.result if method == "Start" else 0
        self._connection.send(new_signal(DBusAddress(handle, NAME, REQUEST), "Response", "ua{sv}", (result, told)))


class Kept:
    """A token, and all that it ever was."""

    def __init__(self, token: str | None = None) -> None:
        self.token, self.written = token, list[str]()

    def read(self) -> str | None:
        """Return it."""
        return self.token

    def write(self, token: str) -> None:
        """Replace it."""
        self.token = token
        self.written.append(token)


@contextlib.contextmanager
def closed_session(folder: Path) -> Iterator[Path]:
    """A session whose compositor lets programs neither see nor do anything: its socket."""
    folder.chmod(0o700)
    command = ["weston", "--backend=headless-backend.so", "--socket=w", "--no-config"]
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment |= {"XDG_RUNTIME_DIR": str(folder)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as weston:
        try:
            end = time.monotonic() + START_MAX_S
            while not _listens(folder / "w") and time.monotonic() < end:
                time.sleep(0.02)
            yield folder / "w"
        finally:
            weston.kill()


def _listens(path: Path) -> bool:
    """Whether somebody listens at a socket."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as client:
        return client.connect_ex(str(path)) == 0
