"""The windows of benchmarks: small applications of their own, each in a process."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from toolbelt.desktops import VirtualDesktop
from world_model import DesktopError

START_MAX_S: Final = 20.0  # for an application to open


@contextmanager
def application(desktop: VirtualDesktop, script: str | None, *args: str) -> Iterator[None]:
    """Start a script of this package and wait for its window; it ends with the desktop.

    Raises:
        DesktopError: The window does not come up.
    """
    assert script  # noqa: S101 - our modules have files
    desktop.launch([sys.executable, script, *args])
    if not desktop.control.until(lambda: any(window.active for window in desktop.windows()), START_MAX_S):
        raise DesktopError(f"The benchmark's window did not come up within {START_MAX_S:g} s.")
    yield
