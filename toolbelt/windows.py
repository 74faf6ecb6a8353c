"""The windows of an X display, as its window manager tells of them (EWMH)."""

from collections.abc import Iterable

from Xlib import X, Xatom
from Xlib.display import Display
from Xlib.error import XError
from Xlib.protocol import event
from Xlib.xobject.drawable import Window as XWindow

from toolbelt.desktop import Window
from world_model import Region

SOURCE_PAGER = 2  # EWMH: the request comes from the user's side, so no focus-stealing rule holds it back


def has_window_manager(display: Display) -> bool:
    """Whether a window manager has come up."""
    return bool(_numbers(display, display.screen().root, "_NET_SUPPORTING_WM_CHECK"))


def list_windows(display: Display) -> list[Window]:
    """The applications' windows, the topmost last; one that goes away meanwhile is left out."""
    root = display.screen().root
    active = _numbers(display, root, "_NET_ACTIVE_WINDOW")
    ids = _numbers(display, root, "_NET_CLIENT_LIST_STACKING")
    found = (_window(display, id_, active=id_ in active) for id_ in ids)
    return [window for window in found if window]


def close(display: Display, window: Window) -> None:
    """Ask the window manager to close it, as its close button does."""
    target = display.create_resource_object("window", window.id)
    message = event.ClientMessage(
        window=target,
        client_type=display.get_atom("_NET_CLOSE_WINDOW"),
        data=(32, [X.CurrentTime, SOURCE_PAGER, 0, 0, 0]),
    )
    display.screen().root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
    display.sync()


def _window(display: Display, id_: int, *, active: bool) -> Window | None:
    window = display.create_resource_object("window", id_)
    try:
        geometry = window.get_geometry()
        corner = window.translate_coords(display.screen().root, 0, 0)
        left, right, top, bottom = _numbers(display, window, "_NET_FRAME_EXTENTS") or (0, 0, 0, 0)
        title = _text(display, window, "_NET_WM_NAME") or _text(display, window, "WM_NAME")
        name = window.get_wm_class() or ("", "")
    except XError:
        return None
    # translate_coords answers where the window's corner is seen from the root, with its sign turned round
    region = Region(-corner.x - left, -corner.y - top, geometry.width + left + right, geometry.height + top + bottom)
    return Window(id_, title, name[1], region, active)


def _numbers(display: Display, window: XWindow, name: str) -> tuple[int, ...]:
    found = window.get_full_property(display.get_atom(name), X.AnyPropertyType)
    value: Iterable[int] = found.value if found else ()
    return tuple(value)


def _text(display: Display, window: XWindow, name: str) -> str:
    found = window.get_full_property(display.get_atom(name), X.AnyPropertyType)
    if not found:
        return ""
    encoding = "latin-1" if found.property_type == Xatom.STRING else "utf-8"
    value = found.value
    return value if isinstance(value, str) else bytes(value).decode(encoding, "replace")
