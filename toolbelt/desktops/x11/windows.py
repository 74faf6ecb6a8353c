"""The windows of an X display, as its window manager tells of them (EWMH)."""

import os
from dataclasses import replace
from typing import Final

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import XError
from Xlib.protocol import event
from Xlib.xobject.drawable import Window as XWindow

from toolbelt.desktops.base import Window
from toolbelt.desktops.x11.x_clients import client_of, local_clients
from world_model import Region

SOURCE_PAGER: Final = 2  # EWMH: the request comes from the user's side, so no focus-stealing rule holds it back
# x, y, width and height are given; by gravity 1 the corner of the frame, and not of what is in it, goes to x, y
PLACE: Final = 1 | 0b1111 << 8 | SOURCE_PAGER << 12
FURNITURE: Final = ("_NET_WM_WINDOW_TYPE_DESKTOP", "_NET_WM_WINDOW_TYPE_DOCK")  # of the desktop: no application's
EVERY_DESKTOP: Final = 0xFFFFFFFF
LONGEST: Final = 1 << 16  # 32-bit units of a property


def has_window_manager(display: Display) -> bool:
    """Whether a window manager runs. The root names a window of its own; that of one that has died is gone."""
    name = "_NET_SUPPORTING_WM_CHECK"
    named = _numbers(display, display.screen().root, name)
    try:
        return any(_numbers(display, display.create_resource_object("window", id_), name) == named for id_ in named)
    except XError:
        return False


def manages(display: Display, window: XWindow) -> bool:
    """Whether a window manager tells what frame that window, which is not seen, would have; it is asked each time.

    One that has just started may leave what was asked first, a program's wish to be shown too, until the next event.
    """
    _ask(display, window.id, "_NET_REQUEST_FRAME_EXTENTS")
    return bool(_numbers(display, window, "_NET_FRAME_EXTENTS"))


def list_windows(display: Display) -> list[Window]:
    """The applications' windows, the topmost last, and our own menus; one that goes away meanwhile is left out."""
    root = display.screen().root
    active = _numbers(display, root, "_NET_ACTIVE_WINDOW")
    ids = _numbers(display, root, "_NET_CLIENT_LIST_STACKING")
    pids = local_clients(display)
    found = [one for id_ in ids if (one := _window(display, id_, active=id_ in active))]
    owners = [pids.get(client_of(display, one.id)) for one in found]
    windows = [replace(one, ours=pid == os.getpid(), pid=pid) for one, pid in zip(found, owners, strict=True)]
    menus = (one.id for one in root.query_tree().children if pids.get(client_of(display, one.id)) == os.getpid())
    return [*windows, *filter(None, (_menu(display, id_) for id_ in menus))]


def in_front(display: Display) -> XWindow | None:
    """The window with the focus, if none is above it and the pointer is in it: a click there brings nothing forward."""
    window = display.screen().root
    active = _numbers(display, window, "_NET_ACTIVE_WINDOW")
    if active != _numbers(display, window, "_NET_CLIENT_LIST_STACKING")[-1:]:
        return None
    while window and window.id not in active:
        window = window.query_pointer().child
    return window or None


def close(display: Display, window: Window) -> None:
    """Ask the window manager to close it, as its close button does."""
    _ask(display, window.id, "_NET_CLOSE_WINDOW", X.CurrentTime, SOURCE_PAGER)


def focus(display: Display, window: Window) -> None:
    """Ask the window manager to bring it to the front and give it the focus."""
    _ask(display, window.id, "_NET_ACTIVE_WINDOW", SOURCE_PAGER, X.CurrentTime)


def place(display: Display, window: Window, region: Region) -> None:
    """Ask the window manager to let it cover a region."""
    frame, shadow = _margins(display, display.create_resource_object("window", window.id))
    across = shadow[0] + shadow[1] - frame[0] - frame[1]
    down = shadow[2] + shadow[3] - frame[2] - frame[3]
    asked = [region.x - shadow[0], region.y - shadow[2], region.width + across, region.height + down]
    _ask(display, window.id, "_NET_MOVERESIZE_WINDOW", PLACE, *(number & 0xFFFFFFFF for number in asked))


def _ask(display: Display, window: int, name: str, *data: int) -> None:
    message = event.ClientMessage(
        window=display.create_resource_object("window", window),
        client_type=display.get_atom(name),
        data=(32, [*data, 0, 0, 0, 0, 0][:5]),
    )
    display.screen().root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    display.sync()


def _window(display: Display, id_: int, *, active: bool) -> Window | None:
    window = display.create_resource_object("window", id_)
    try:
        if _has(display, window, "_NET_WM_WINDOW_TYPE", *FURNITURE):
            return None
        geometry = window.get_geometry()
        corner = window.translate_coords(display.screen().root, 0, 0)
        frame, shadow = _margins(display, window)
        title = _text(display, window, "_NET_WM_NAME") or _text(display, window, "WM_NAME")
        name = window.get_wm_class() or ("", "")
        minimized = _is_away(display, window)
    except XError:
        return None
    left, right, top, bottom = (inner - outer for inner, outer in zip(shadow, frame, strict=True))
    # translate_coords answers where the window's corner is seen from the root, with its sign turned round
    region = Region(left - corner.x, top - corner.y, geometry.width - left - right, geometry.height - top - bottom)
    # a window manager hides a window first and says a moment later that another one is active
    return Window(id_, title, name[1], region, active and not minimized, minimized)


def _is_away(display: Display, window: XWindow) -> bool:
    """Whether it is minimized, or on another workspace, where some window managers leave it mapped."""
    if _has(display, window, "_NET_WM_STATE", "_NET_WM_STATE_HIDDEN"):
        return True
    current = _numbers(display, display.screen().root, "_NET_CURRENT_DESKTOP")
    own = _numbers(display, window, "_NET_WM_DESKTOP")
    elsewhere = current and own and own[0] not in (current[0], EVERY_DESKTOP)
    return bool(elsewhere) or window.get_attributes().map_state != X.IsViewable


def _menu(display: Display, id_: int) -> Window | None:
    """One of our own that no window manager knows of: a menu, a tooltip. None where it is not seen."""
    window = display.create_resource_object("window", id_)
    try:
        attributes, at = window.get_attributes(), window.get_geometry()
    except XError:
        return None
    seen = attributes.override_redirect and attributes.map_state == X.IsViewable and attributes.win_class != X.InputOnly
    return Window(id_, "", "", Region(at.x, at.y, at.width, at.height), ours=True) if seen else None


def _margins(display: Display, window: XWindow) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Left, right, top, bottom: of the frame around the window, and of a shadow that it has within itself."""
    frame = _numbers(display, window, "_NET_FRAME_EXTENTS")
    shadow = _numbers(display, window, "_GTK_FRAME_EXTENTS")
    return frame or (0, 0, 0, 0), shadow or (0, 0, 0, 0)


def _has(display: Display, window: XWindow, name: str, *values: str) -> bool:
    """Whether a property of a window lists one of the values."""
    return not {display.get_atom(value) for value in values}.isdisjoint(_numbers(display, window, name))


def _numbers(display: Display, window: XWindow, name: str) -> tuple[int, ...]:
    found = window.get_property(display.get_atom(name), X.AnyPropertyType, 0, LONGEST)
    return tuple(found.value) if found else ()


def _text(display: Display, window: XWindow, name: str) -> str:
    found = window.get_property(display.get_atom(name), X.AnyPropertyType, 0, LONGEST)
    if not found:
        return ""
    encoding = "latin-1" if found.property_type == Xatom.STRING else "utf-8"
    value = found.value
    return value if isinstance(value, str) else bytes(value).decode(encoding, "replace")
