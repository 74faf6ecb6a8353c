"""The desktop portal on the session bus: calls, and what it tells meanwhile.

One connection carries everything, for the portal ends a session when the connection that opened it ends: so what is
held is released even if this process is killed.
"""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from jeepney import (
    DBusAddress,
    DBusErrorResponse,
    HeaderFields,
    MatchRule,
    MessageFlag,
    Properties,
    message_bus,
    new_method_call,
)
from jeepney.io.blocking import open_dbus_connection
from jeepney.wrappers import unwrap_msg

from world_model import DesktopError

NAME: Final = "org.freedesktop.portal.Desktop"
PATH: Final = "/org/freedesktop/portal/desktop"
REMOTE: Final = "org.freedesktop.portal.RemoteDesktop"
SCREEN: Final = "org.freedesktop.portal.ScreenCast"
CLIPBOARD: Final = "org.freedesktop.portal.Clipboard"
SESSION: Final = "org.freedesktop.portal.Session"
REQUEST: Final = "org.freedesktop.portal.Request"
LOCK: Final = "org.freedesktop.ScreenSaver"
_LOCK_PATH: Final = "/org/freedesktop/ScreenSaver"
REPLY_MAX_S: Final = 25.0  # the bus may have to start the portal first
_POLL_S: Final = 0.1  # between two looks whether the run was stopped
# No bus, none that can be reached, or one that ends meanwhile.
_NO_BUS: Final = (KeyError, ValueError, RuntimeError, OSError)
Options = dict[str, tuple[str, Any]]


class Refused(DesktopError):  # noqa: N818 - it is told as any other error of the desktop
    """Whoever was asked over the bus refused it."""


class Bus:
    """A connection to the session bus.

    Raises:
        DesktopError: There is none, as with any of its methods.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._signals = deque[Any]()
        try:
            self._connection = open_dbus_connection(enable_fds=True)
        except _NO_BUS as error:
            raise DesktopError("This Wayland session has no session bus, over which programs ask for it.") from error
        self.name: str = self._connection.unique_name
        self._filter = self._connection.filter(MatchRule(type="signal"), queue=self._signals)
        for sender in (NAME, LOCK):
            self._ask(message_bus.AddMatch(MatchRule(type="signal", sender=sender)))

    def fileno(self) -> int:
        """Return what can be waited for."""
        return int(self._connection.sock.fileno())

    def call(self, interface: str, method: str, signature: str, *values: Any, path: str = PATH) -> Any:  # noqa: ANN401
        """Call a method and return what it returns: None, a value, or several.

        Raises:
            DesktopError: The portal refuses it, or is gone.
        """
        answer = self._ask(new_method_call(DBusAddress(path, NAME, interface), method, signature, values))
        return answer[0] if len(answer) == 1 else answer or None

    def version(self, interface: str) -> int:
        """Return the version of an interface of the portal; 0 if it has none."""
        return self.number(interface, "version")

    def number(self, interface: str, name: str) -> int:
        """Return a property of an interface of the portal; 0 if it has none."""
        try:
            [(_, value)] = self._ask(Properties(DBusAddress(PATH, NAME, interface)).get(name))
        except Refused:
            return 0
        return int(value)

    def is_locked(self) -> bool:
        """Whether the screen is locked; False where nobody says so."""
        question = new_method_call(DBusAddress(_LOCK_PATH, LOCK, LOCK), "GetActive")
        question.header.flags |= MessageFlag.no_auto_start
        try:
            [locked] = self._ask(question)
        except Refused:
            return False
        return bool(locked)

    def wait(self, found: Callable[[Any], bool], seconds: float, check: Callable[[], object]) -> Any:  # noqa: ANN401
        """Return the body of the next signal that is the right one; None if none comes in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            check()
            for signal in self.heard(_POLL_S):
                if found(signal):
                    return signal.body
        return None

    def heard(self, seconds: float = 0.0) -> list[Any]:
        """Return the signals that came since, waiting at most so long for the first."""
        with self._lock, _told():
            end = time.monotonic() + seconds
            with contextlib.suppress(TimeoutError):
                while True:
                    self._connection.recv_messages(timeout=0 if self._signals else max(0.0, end - time.monotonic()))
            signals = [*self._signals]
            self._signals.clear()
        return signals

    def close(self) -> None:
        """Leave the bus, which ends every session of it."""
        with self._lock:
            self._connection.close()

    def _ask(self, message: Any) -> Any:  # noqa: ANN401 - jeepney has no types
        with self._lock, _told():
            return unwrap_msg(self._connection.send_and_get_reply(message, timeout=REPLY_MAX_S))


def field(signal: Any, name: str) -> Any:  # noqa: ANN401 - jeepney has no types
    """Return a field of a signal's header: its `path`, `interface` or `member`."""
    return signal.header.fields.get(getattr(HeaderFields, name))


@contextlib.contextmanager
def told_of(who: str, seconds: float) -> Iterator[None]:
    """Tell of an error of the bus, or of whoever is asked over it and has so long to answer, in one line."""
    try:
        yield
    except DBusErrorResponse as error:
        told = " ".join(str(error.data[0] if error.data else error.name).split()).rstrip(".")
        raise Refused(f"{who} refused this: {told}.") from error
    except TimeoutError as error:
        raise DesktopError(f"{who} did not answer in {seconds:g} s.") from error
    except _NO_BUS as error:
        raise DesktopError("The session bus is gone: the session has ended. Log in again.") from error


_told: Final = partial(told_of, "The desktop portal", REPLY_MAX_S)
