"""Connections to an X display."""

import contextlib
import io
import os
import re
import socket
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mss import MSS, ScreenShotError
from Xlib import Xatom
from Xlib.display import Display
from Xlib.error import ConnectionClosedError, DisplayError, XauthError

from world_model import DesktopError


def connect(name: str) -> Display:
    """A connection to the display `name`, such as `:0`.

    Raises:
        DesktopError: there is no such display, or it does not let us in.
    """
    with reachable(name), quiet_xlib():
        try:
            display = Display(name)
        except (DisplayError, XauthError, OSError) as error:
            reason = str(error)  # and not the error itself, which holds an open socket
        else:
            display.display.socket = _Socket(fileno=display.display.socket.detach())
            return display
    raise DesktopError(f"The display {name} cannot be used: {reason}.")


STANDARD_DPI: Final = 96
_CONNECTING: Final = threading.RLock()  # the environment, warnings and standard output are the whole process's
LOST: Final = (ConnectionClosedError, OSError)


class _Socket(socket.socket):
    """A socket whose failure to send python3-xlib understands: of any other it hangs, later, in what is done next."""

    def send(self, data: Any, flags: int = 0, /) -> int:  # noqa: ANN401 - any kind of buffer
        try:
            return super().send(data, flags)
        except OSError as error:
            raise _BrokenError(error.errno, error.strerror) from error


class _BrokenError(OSError):
    """As it was in Python 2, for which that code was written."""

    def __getitem__(self, index: int) -> object:
        return self.args[index]


def disconnect(display: Display) -> None:
    """Close a connection, also one whose display is gone.

    Not before the server has done what was asked: it may drop what it had not read from a connection that is closed.
    """
    try:
        display.sync()
        display.close()
    except LOST:
        display.display.socket.close()


def keyboard_layouts(display: Display) -> list[str]:
    """The layouts that the keyboard was set up with, such as `us` and `de`; none where nobody says so."""
    rules = _text(display, "_XKB_RULES_NAMES").split("\0")  # rules, model, layouts, variants, options
    return [name for name in rules[2].split(",") if name] if len(rules) > 2 else []  # noqa: PLR2004


def scale_of(display: Display) -> int:
    """At how many percent of their size programs are asked to draw."""
    found = re.search(r"^Xft\.dpi:\s*(\d+)", _text(display, "RESOURCE_MANAGER"), re.MULTILINE)
    return round(100 * int(found[1]) / STANDARD_DPI) if found else 100


def _text(display: Display, name: str) -> str:
    """A text of the root window."""
    found = display.screen().root.get_full_property(display.get_atom(name), Xatom.STRING)
    if not found:
        return ""
    return found.value if isinstance(found.value, str) else bytes(found.value).decode("latin-1")


@contextlib.contextmanager
def quiet_xlib() -> Iterator[None]:
    """Connecting without what python3-xlib does beside it.

    Where there is no Xauthority it prints a warning, on standard output, where only events may stand. It leaves that
    file open, and its socket where it fails.
    """
    with _CONNECTING, contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield


@contextlib.contextmanager
def reachable(name: str) -> Iterator[None]:
    """Set the variables that X libraries read when they connect, and put them back."""
    with _CONNECTING:
        changed = {"DISPLAY": name, "XAUTHORITY": _authority()}
        before = {variable: os.environ.get(variable) for variable in changed}
        os.environ.update(changed)
        try:
            yield
        finally:
            for variable, value in before.items():
                if value is None:
                    del os.environ[variable]
                else:
                    os.environ[variable] = value


def grabber(display: str) -> MSS:
    """What takes pictures of a display.

    Raises:
        DesktopError: it cannot; the message says why.
    """
    with reachable(display):
        try:
            return MSS(display=display)
        except (ScreenShotError, ValueError) as error:  # which is raised where the display goes away meanwhile
            raise DesktopError(f"The display {display} cannot be looked at: {error}.") from error


def _authority() -> str:
    """The file that lets us in; without one an empty one, because python3-xlib fails where there is none."""
    path = os.environ.get("XAUTHORITY") or str(Path.home() / ".Xauthority")
    return path if Path(path).exists() else os.devnull
