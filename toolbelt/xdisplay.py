"""Connections to an X display."""

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path

from Xlib.display import Display
from Xlib.error import DisplayError, XauthError

from world_model import DesktopError


def connect(name: str) -> Display:
    """A connection to the display `name`, such as `:0`.

    Raises:
        DesktopError: there is no such display, or it does not let us in.
    """
    # Xlib prints a warning where there is no Xauthority, on standard output, where only events may stand.
    with reachable(name), contextlib.redirect_stdout(io.StringIO()):
        try:
            return Display(name)
        except (DisplayError, XauthError, OSError) as error:
            raise DesktopError(f"The display {name} cannot be used: {error}.") from error


@contextlib.contextmanager
def reachable(name: str) -> Iterator[None]:
    """Set the variables that X libraries read when they connect, and put them back."""
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


def _authority() -> str:
    """The file that lets us in; without one an empty one, because python3-xlib fails where there is none."""
    path = os.environ.get("XAUTHORITY") or str(Path.home() / ".Xauthority")
    return path if Path(path).exists() else os.devnull
