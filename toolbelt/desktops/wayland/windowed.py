"""The windows of a desktop of Wayland, as far as its compositor tells of them, and what programs say of them."""

import threading
from collections.abc import Sequence
from typing import Final, Protocol

from toolbelt.desktops.accessibility.client import AccessibilityClient
from toolbelt.desktops.accessibility.nodes import WindowTree
from toolbelt.desktops.base import Window
from toolbelt.desktops.linux_desktop import LinuxDesktop
from toolbelt.desktops.wayland.heard import placed, searched
from toolbelt.desktops.wayland.screen import Layout
from toolbelt.desktops.wayland.windows import Windows
from world_model import Region

UNHEARD: Final = "this Wayland session does not say where their windows are"
FOCUS_BACK_MAX_S: Final = 0.12  # for the focus to come back from a window that has just closed


class HasLayout(Protocol):
    """Knows where the monitors are."""

    layout: Layout


class WindowedDesktop(LinuxDesktop):
    """The part of a desktop that knows its windows."""

    _screen: HasLayout
    _windows: Windows
    _accessibility: AccessibilityClient

    def __init__(self) -> None:
        super().__init__()
        self._listing = threading.Lock()  # one question about the windows at a time

    @property
    def knows_places(self) -> bool:
        """Whether it is told where windows are."""
        return self._windows.tells_places

    def front(self) -> int | None:
        """Return the id of the window that has the focus."""
        with self._listing:
            found = self._windows.front()
        return found.id if found else None

    def windows(self) -> list[Window]:
        """Return the windows of applications, bottom to top."""
        with self._listing:
            return self._windows.list(self._screen.layout)

    def close_window(self, window: Window) -> None:
        """Ask a window to close."""
        with self._input(), self._listing:
            self._windows.close(window)

    def focus_window(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""
        with self._input(), self._listing:
            self._windows.focus(window)

    def place_window(self, window: Window, region: Region) -> None:
        """Ask for a window to be moved and resized to a region."""
        with self._input(), self._listing:
            self._windows.place(window, region, self._screen.layout)

    def trees(self, pids: Sequence[int], seconds: float) -> tuple[WindowTree, ...] | None:
        """Return what programs say of their windows, where the compositor says where they are; None if that is late."""
        if not self.knows_places:
            return ()
        layout = self._screen.layout
        with self._listing:
            before = self._windows.contents()
        trees = self._accessibility.read(pids, searched(before, layout), seconds)
        with self._listing:
            return None if trees is None else placed(trees, self._windows.contents(), layout)

    @property
    def unheard(self) -> str:
        """Why programs are not heard."""
        return self._accessibility.problem if self.knows_places else UNHEARD

    def _with_windows(self) -> frozenset[int]:
        return frozenset(window.pid for window in self.windows() if window.pid)

    def _keeps_focus(self, window: int) -> bool:
        """Whether a window has the focus, or gets it back in a moment."""
        return bool(self.control.until(lambda: self.front() == window, FOCUS_BACK_MAX_S))
