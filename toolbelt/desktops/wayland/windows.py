"""The windows of a Wayland session: those that sway tells of, with their places, or those of any compositor, without.

A compositor that is not sway names its windows (foreign-toplevel), and says neither where nor whose they are. One that
is shown is taken to be anywhere on the desktop then.
"""

import os
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn, Protocol

from toolbelt.desktops.base import Window
from toolbelt.desktops.wayland.heard import Content
from toolbelt.desktops.wayland.protocols import SEAT, TOPLEVELS
from toolbelt.desktops.wayland.screen import Layout
from toolbelt.desktops.wayland.sway import Node, Sway
from toolbelt.desktops.wayland.wire import Remote, Wire
from world_model import Region, ToolFailure

_MINIMIZED, _ACTIVATED = 1, 2  # of the states of a toplevel
_TITLE_BAR, _FLOATING = "deco_rect", "floating_con"


class Front(NamedTuple):
    """The window that has the focus; its process is None where that is not known, and it may be one of X11 then."""

    id: int
    pid: int | None
    may_be_x11: bool


class Windows(Protocol):
    """What a compositor lets others know of its windows, and do with them."""

    tells_places: bool  # of windows

    def list(self, layout: Layout) -> list[Window]:
        """Return the windows, bottom to top."""

    def contents(self) -> Sequence[Content]:
        """Return the contents of windows whose place is known."""

    def front(self) -> Front | None:
        """Return the window that has the focus."""

    def close(self, window: Window) -> None:
        """Ask a window to close."""

    def focus(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""

    def place(self, window: Window, region: Region, layout: Layout) -> None:
        """Ask for a window to be moved and resized."""


class Toplevel:
    """A window as any compositor tells of it."""

    def __init__(self, remote: Remote, gone: Callable[["Toplevel"], None]) -> None:
        self.remote = remote
        self.title, self.application = "", ""
        self.is_active = self.is_minimized = self.has_parent = False
        self._gone = gone
        remote.heard = self._hear

    def _hear(self, name: str, *values: Any) -> None:  # noqa: ANN401 - as the message has them
        match name:
            case "title":
                [self.title] = values
            case "app_id":
                [self.application] = values
            case "state":
                states = {state for (state,) in struct.iter_unpack("=I", values[0])}
                self.is_active, self.is_minimized = _ACTIVATED in states, _MINIMIZED in states
            case "parent":
                self.has_parent = values[0] is not None
            case "closed":
                self._gone(self)
                self.remote.send("destroy")


class Toplevels:
    """The windows of any compositor that has foreign-toplevel."""

    tells_places = False

    def __init__(self, wire: Wire) -> None:
        self._wire, self._all = wire, list[Toplevel]()
        self._seat = wire.bind(SEAT)
        wire.bind(TOPLEVELS).heard = self._hear
        wire.roundtrip()

    def known(self) -> list[Toplevel]:
        """Return those that there are now, the active one last."""
        self._wire.roundtrip()
        return sorted(self._all, key=lambda one: one.is_active)

    def list(self, layout: Layout) -> list[Window]:
        """Return the windows, the active one last; where they are is not known."""
        return [
            Window(
                one.remote.number,
                one.title,
                one.application,
                layout.whole,
                one.is_active,
                one.is_minimized,
                dialog=one.has_parent,
            )
            for one in self.known()
        ]

    def contents(self) -> Sequence[Content]:
        """Return nothing: no place is known."""
        return ()

    def front(self) -> Front | None:
        """Return the window that has the focus."""
        return next((Front(one.remote.number, None, may_be_x11=True) for one in self.known() if one.is_active), None)

    def close(self, window: Window) -> None:
        """Ask a window to close."""
        self._tell(window, "close")

    def focus(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""
        self._tell(window, "activate", self._seat)

    def place(self, window: Window, region: Region, layout: Layout) -> None:  # noqa: ARG002 - it cannot be done
        """Refuse: the protocol has no such request."""
        raise ToolFailure("TOOL_ERROR", "This Wayland compositor lets no program move windows.", ["Drag its title."])

    def _tell(self, window: Window, request: str, *values: object) -> None:
        if found := next((one for one in self.known() if one.remote.number == window.id), None):
            found.remote.send(request, *values)
            self._wire.roundtrip()

    def _hear(self, name: str, *values: Any) -> None:  # noqa: ANN401 - as the message has them
        if name == "toplevel":
            self._all.append(Toplevel(values[0], self._all.remove))


class NoWindows:
    """The windows of a session that tells nobody which there are."""

    tells_places = False

    def list(self, layout: Layout) -> list[Window]:  # noqa: ARG002 - none is known
        """Return none."""
        return []

    def contents(self) -> Sequence[Content]:
        """Return none."""
        return ()

    def front(self) -> Front | None:
        """Return None: it cannot be known."""
        return None

    def close(self, window: Window) -> None:
        """Refuse: no window is known."""
        _refuse(window)

    def focus(self, window: Window) -> None:
        """Refuse: no window is known."""
        _refuse(window)

    def place(self, window: Window, region: Region, layout: Layout) -> None:  # noqa: ARG002 - it is refused
        """Refuse: no window is known."""
        _refuse(window)


def _refuse(window: Window) -> NoReturn:
    told = f'"{window.title}" cannot be reached: this session tells nobody which windows there are.'
    raise ToolFailure("PERMISSION_DENIED", told, ["Use its buttons, or the keys that the session has for windows."])


class SwayWindows:
    """The windows of sway, as its IPC tells of them.

    It does not say which are dialogs; it lets those float. A floating window whose program has another one is taken for
    a dialog.
    """

    tells_places = True

    def __init__(self, sway: Sway) -> None:
        self._sway = sway

    def list(self, layout: Layout) -> list[Window]:
        """Return the windows, those that float after those that they cover."""
        nodes = [*self._sway.windows()]
        programs = Counter(node["pid"] for node in nodes)
        return [_window(node, layout, is_alone=programs[node["pid"]] == 1) for node in nodes]

    def contents(self) -> Sequence[Content]:
        """Return the contents of windows, also of those that are not shown."""
        return [*map(_content, self._sway.windows())]

    def front(self) -> Front | None:
        """Return the window that has the focus."""
        nodes = (node for node in self._sway.windows() if node["focused"])
        return next((Front(node["id"], node["pid"], node.get("shell") == "xwayland") for node in nodes), None)

    def close(self, window: Window) -> None:
        """Ask a window to close."""
        self._command(window, "kill")

    def focus(self, window: Window) -> None:
        """Ask for a window to be raised and focused."""
        self._command(window, "focus")

    def place(self, window: Window, region: Region, layout: Layout) -> None:
        """Let a window float, at a region."""
        x, y, width, height = (round(number / layout.scale) for number in region.to_list())
        size = f"resize set width {width} px height {height} px"
        self._command(window, f"floating enable, {size}, move absolute position {x} px {y} px")

    def _command(self, window: Window, command: str) -> None:
        if failed := self._sway.command(f"[con_id={window.id}] {command}"):
            raise ToolFailure("TOOL_ERROR", f"sway did not do it: {failed.rstrip('.')}.")


def _window(node: Node, layout: Layout, *, is_alone: bool) -> Window:
    place, of_x = node["rect"], node.get("window_properties") or {}
    bar, title = node[_TITLE_BAR]["height"], node["name"] or ""
    application = node.get("app_id") or of_x.get("class") or ""
    return Window(
        node["id"],
        title,
        application,
        layout.region(place["x"], place["y"] - bar, place["width"], place["height"] + bar),
        node["focused"],
        not node.get("visible", True),
        node["pid"] == os.getpid(),
        node["pid"],
        bool(of_x.get("transient_for")) or (node["type"] == _FLOATING and not is_alone),
    )


def _content(node: Node) -> Content:
    place, inner = node["rect"], node["window_rect"]
    region = Region(place["x"] + inner["x"], place["y"] + inner["y"], inner["width"], inner["height"])
    return Content(node["pid"], node["name"] or "", region, node.get("visible", True))
