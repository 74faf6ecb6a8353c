"""The windows of an X display, as its window manager reports them (EWMH)."""

import os
from dataclasses import replace
from typing import Final

import xcffib
from xcffib import xproto

from toolbelt.desktops.base import Window
from toolbelt.desktops.x11.connection import Connection
from toolbelt.desktops.x11.x_clients import client_of, local_clients
from world_model import Region

SOURCE_PAGER: Final = 2  # EWMH: the request comes from the user, so no focus-stealing rule applies
# x, y, width and height are given; gravity 1 moves the corner of the frame, not of its content, to x, y
PLACE: Final = 1 | 0b1111 << 8 | SOURCE_PAGER << 12
NO_APPLICATION: Final = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")  # not windows of applications
# Windows that belong to another one and ask nothing
ASIDE: Final = tuple(f"_NET_WM_WINDOW_TYPE_{name}" for name in ("UTILITY", "TOOLBAR", "MENU", "SPLASH", "NOTIFICATION"))
NEVER_FOCUSED: Final = ("_NET_WM_WINDOW_TYPE_SPLASH", "_NET_WM_WINDOW_TYPE_NOTIFICATION")
INPUT_HINT: Final = 1  # the flag of WM_HINTS which says that its second number tells whether keys are taken
EVERY_DESKTOP: Final = 0xFFFFFFFF


def has_window_manager(display: Connection) -> bool:
    """Tell whether a window manager runs: the root names a window that belongs to it, which is gone if it has died."""
    name = "_NET_SUPPORTING_WM_CHECK"
    named = display.numbers(display.root, name)
    try:
        return any(display.numbers(window, name) == named for window in named)
    except xcffib.Error:
        return False


def is_managed(display: Connection, window: int) -> bool:
    """Tell whether a window manager answers which frame that hidden window would have; each call asks again.

    One that has just started may leave the first request, even one to show a window, until the next event.
    """
    _ask(display, window, "_NET_REQUEST_FRAME_EXTENTS")
    return bool(display.numbers(window, "_NET_FRAME_EXTENTS"))


def list_windows(display: Connection) -> list[Window]:
    """Return the windows of applications, bottom to top, and our own menus; skip those that vanish meanwhile."""
    active = display.numbers(display.root, "_NET_ACTIVE_WINDOW")
    ids = display.numbers(display.root, "_NET_CLIENT_LIST_STACKING")
    pids = local_clients(display)
    found = [one for id_ in ids if (one := _window(display, id_, active=id_ in active))]
    owners = [pids.get(client_of(display, one.id)) for one in found]
    windows = [replace(one, ours=pid == os.getpid(), pid=pid) for one, pid in zip(found, owners, strict=True)]
    children = display.core.QueryTree(display.root).reply().children
    menus = (id_ for id_ in children if pids.get(client_of(display, id_)) == os.getpid())
    return [*windows, *filter(None, (_menu(display, id_) for id_ in menus))]


def focused(display: Connection) -> int | None:
    """Return the window that the window manager reports as active; it may still name one that has closed."""
    active, there = (display.numbers(display.root, name) for name in ("_NET_ACTIVE_WINDOW", "_NET_CLIENT_LIST"))
    return next((one for one in active if one in there), None)


def has_focus(display: Connection, window: int) -> bool:
    """Tell whether keys go to a window now; the window manager reports it a moment later."""
    node = int(display.core.GetInputFocus().reply().focus)
    if node in {xproto.InputFocus._None, xproto.InputFocus.PointerRoot}:  # noqa: SLF001 - its name is a keyword
        return focused(display) == window
    try:
        while node not in {window, display.root, 0}:
            node = int(display.core.QueryTree(node).reply().parent)
    except xcffib.Error:  # it has closed
        return False
    return node == window


def in_front(display: Connection) -> int | None:
    """Return the focused window if it is on top and under the pointer: a click there raises nothing."""
    active = display.numbers(display.root, "_NET_ACTIVE_WINDOW")
    if active != display.numbers(display.root, "_NET_CLIENT_LIST_STACKING")[-1:]:
        return None
    window = display.root
    while window and window not in active:
        window = int(display.pointer(window).child)
    return window or None


def close(display: Connection, window: Window) -> None:
    """Ask the window manager to close a window, as its close button does."""
    _ask(display, window.id, "_NET_CLOSE_WINDOW", xcffib.CurrentTime, SOURCE_PAGER)


def focus(display: Connection, window: Window) -> None:
    """Ask the window manager to raise and focus a window."""
    _ask(display, window.id, "_NET_ACTIVE_WINDOW", SOURCE_PAGER, xcffib.CurrentTime)


def place(display: Connection, window: Window, region: Region) -> None:
    """Ask the window manager to move and resize a window to a region."""
    frame, shadow = _margins(display, window.id)
    across = shadow[0] + shadow[1] - frame[0] - frame[1]
    down = shadow[2] + shadow[3] - frame[2] - frame[3]
    asked = [region.x - shadow[0], region.y - shadow[2], region.width + across, region.height + down]
    _ask(display, window.id, "_NET_MOVERESIZE_WINDOW", PLACE, *(number & 0xFFFFFFFF for number in asked))


def _ask(display: Connection, window: int, name: str, *data: int) -> None:
    mask = xproto.EventMask.SubstructureRedirect | xproto.EventMask.SubstructureNotify
    display.send_message(display.root, name, window, data, mask)
    display.sync()


def _window(display: Connection, window: int, *, active: bool) -> Window | None:
    try:
        if _has(display, window, "_NET_WM_WINDOW_TYPE", *NO_APPLICATION):
            return None
        geometry = display.core.GetGeometry(window).reply()
        corner = display.core.TranslateCoordinates(window, display.root, 0, 0).reply()
        frame, shadow = _margins(display, window)
        title = display.text(window, "_NET_WM_NAME") or display.text(window, "WM_NAME")
        minimized = _is_away(display, window)
        kind = application_of(display, window)
        dialog, takes_focus = _is_dialog(display, window), _takes_focus(display, window)
    except xcffib.Error:
        return None
    left, right, top, bottom = (inner - outer for inner, outer in zip(shadow, frame, strict=True))
    region = Region(
        corner.dst_x + left, corner.dst_y + top, geometry.width - left - right, geometry.height - top - bottom
    )
    # A window manager hides a window first and reports a moment later that another one is active.
    active = active and not minimized
    return Window(window, title, kind, region, active, minimized, dialog=dialog, takes_focus=takes_focus)


def application_of(display: Connection, window: int) -> str:
    """Return the class of a window (WM_CLASS), which names its program; empty if it has none."""
    _, _, kind = display.text(window, "WM_CLASS").partition("\0")
    return kind.partition("\0")[0]


def _is_away(display: Connection, window: int) -> bool:
    """Tell whether a window is minimized, or on another workspace, where some window managers keep it mapped."""
    if _has(display, window, "_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"):
        return True
    current = display.numbers(display.root, "_NET_CURRENT_DESKTOP")
    own = display.numbers(window, "_NET_WM_DESKTOP")
    elsewhere = current and own and own[0] not in (current[0], EVERY_DESKTOP)
    shown = display.core.GetWindowAttributes(window).reply().map_state == xproto.MapState.Viewable
    return bool(elsewhere) or not shown


def _is_dialog(display: Connection, window: int) -> bool:
    """Tell whether a window belongs to another one, and is no palette or menu of it."""
    owner = display.numbers(window, "WM_TRANSIENT_FOR")
    return bool(owner) and owner != (window,) and not _has(display, window, "_NET_WM_WINDOW_TYPE", *ASIDE)


def _takes_focus(display: Connection, window: int) -> bool:
    """Tell whether keys can reach a window: by its hints, or because it takes the focus itself (ICCCM 4.1.7)."""
    flags, takes, *_ = *display.numbers(window, "WM_HINTS"), 0, 1
    refuses = bool(flags & INPUT_HINT) and not takes
    if refuses and not _has(display, window, "WM_PROTOCOLS", "WM_TAKE_FOCUS"):
        return False
    return not _has(display, window, "_NET_WM_WINDOW_TYPE", *NEVER_FOCUSED)


def _menu(display: Connection, window: int) -> Window | None:
    """Return a window of our own that no window manager knows, such as a menu; None if it is not shown."""
    try:
        attributes = display.core.GetWindowAttributes(window).reply()
        at = display.core.GetGeometry(window).reply()
    except xcffib.Error:
        return None
    shown = attributes.map_state == xproto.MapState.Viewable and attributes._class != xproto.WindowClass.InputOnly  # noqa: SLF001 - its name is a keyword
    seen = shown and attributes.override_redirect
    return Window(window, "", "", Region(at.x, at.y, at.width, at.height), ours=True) if seen else None


def _margins(display: Connection, window: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return left, right, top and bottom of the frame around a window, and of the shadow that it draws itself."""
    frame = display.numbers(window, "_NET_FRAME_EXTENTS")
    shadow = display.numbers(window, "_GTK_FRAME_EXTENTS")
    return frame or (0, 0, 0, 0), shadow or (0, 0, 0, 0)


def _has(display: Connection, window: int, name: str, *values: str) -> bool:
    """Tell whether a property of a window lists one of the values."""
    return not {display.atom(value) for value in values}.isdisjoint(display.numbers(window, name))
