"""A session bus, and a notification service on it, as a desktop has them."""

import contextlib
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

NAME = "org.freedesktop.Notifications"
EMITTER = DBusAddress("/org/freedesktop/Notifications", NAME, NAME)


@contextmanager
def session_bus(folder: Path) -> Iterator[str]:
    """A bus without services; its address."""
    config = folder / "bus.conf"
    rules = '<policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>'
    config.write_text(f"<busconfig><type>session</type><listen>unix:dir={folder}</listen>{rules}</busconfig>")
    command = [str(shutil.which("dbus-daemon")), f"--config-file={config}", "--nofork", "--print-address"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={}) as bus:
        try:
            assert bus.stdout
            yield bus.stdout.readline().strip()
        finally:
            bus.terminate()


class NotificationService:
    """Remembers what it is asked to show."""

    def __init__(self, address: str) -> None:
        self.shown: dict[int, tuple[str, str]] = {}
        self.told: list[tuple[str, str]] = []  # all that was ever shown
        self._connection = open_dbus_connection(address)
        unwrap_msg(self._connection.send_and_get_reply(message_bus.RequestName(NAME)))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Wait until the bus has ended, and let go of it."""
        self._thread.join()

    def click(self) -> None:
        """Click what is shown."""
        (number,) = self.shown
        self._connection.send(new_signal(EMITTER, "ActionInvoked", "us", (number, "default")))

    def expire(self) -> None:
        """Close what is shown, as time does."""
        (number,) = self.shown
        self._close(number, 1)

    def _close(self, number: int, reason: int) -> None:
        if self.shown.pop(number, None):  # it may have been closed already
            self._connection.send(new_signal(EMITTER, "NotificationClosed", "uu", (number, reason)))

    def _serve(self) -> None:
        with contextlib.suppress(OSError), self._connection:  # until the bus has ended, be it while one answers
            while True:
                message = self._connection.receive()
                if message.header.message_type is MessageType.method_call:
                    self._answer(message, message.header.fields[HeaderFields.member])

    def _answer(self, message: Any, method: str) -> None:
        if method == "Notify":
            _, replaces, _, title, text, actions, _, _ = message.body
            assert actions[0] == "default"
            number = replaces or len(self.told) + 1
            self.shown[number] = (title, text)
            self.told.append((title, text))
            self._connection.send(new_method_return(message, "u", (number,)))
        elif method == "CloseNotification":
            self._connection.send(new_method_return(message))
            self._close(message.body[0], 3)
