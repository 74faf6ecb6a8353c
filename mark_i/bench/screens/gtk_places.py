"""Where GTK, of either version, draws its widgets on the screen."""

import ctypes
from typing import Any

Place = list[int]
Widget = Any  # GTK is not there when types are checked


class Places:
    """Tells the rectangle of a widget on the screen.

    Args:
        version: `3` or `4`.
        gtk: the module of that version.
        x11: what belongs to it for X.
    """

    def __init__(self, version: str, gtk: Any, x11: Any) -> None:  # noqa: ANN401 - modules of GTK
        self._version, self._gtk, self._x11 = version, gtk, x11
        if version == "4":
            self._xlib = ctypes.CDLL("libX11.so.6")
            self._xlib.XOpenDisplay.restype = self._xlib.XDefaultRootWindow.restype = ctypes.c_void_p
            self._server = ctypes.c_void_p(self._xlib.XOpenDisplay(None))
            self._root = self._xlib.XDefaultRootWindow(self._server)

    def of(self, widget: Widget) -> Place | None:
        """Return the rectangle of a widget; None if it is not shown."""
        if widget is None or not widget.get_mapped():
            return None
        if self._version == "3":
            top = widget.get_toplevel()
            _ok, x, y = top.get_window().get_origin()
            at = widget.translate_coordinates(top, 0, 0)
            size = widget.get_allocation()
            return [x + at[0], y + at[1], size.width, size.height] if at else None
        native = widget.get_native()
        fits, box = widget.compute_bounds(native)
        x, y = self._origin(native.get_surface())
        across, down = native.get_surface_transform()
        left, top = x + across + box.origin.x, y + down + box.origin.y
        return [round(left), round(top), round(box.size.width), round(box.size.height)] if fits else None

    def cell(self, view: Widget, line: int, column: Widget) -> Place | None:
        """Return the rectangle of a cell of a table."""
        around = self.of(view)
        box = view.get_cell_area(self._gtk.TreePath.new_from_indices([line]), column)
        x, y = view.convert_bin_window_to_widget_coords(box.x, box.y)
        return [around[0] + x, around[1] + y, box.width, box.height] if around else None

    def opened(self, item: Widget) -> tuple[Widget, list[Widget]]:
        """Return the menu of an item of a menu bar, if it is open, and what can be chosen in it."""
        if self._version == "3":
            menu = item.get_submenu()
            return (menu, menu.get_children()) if menu.get_mapped() else (None, [])
        popover = next((one for one in children(item) if isinstance(one, self._gtk.Popover)), None)
        if popover is None or not popover.get_mapped():
            return None, []
        left, found = [popover], []
        while left:
            one = left.pop(0)
            if one.get_css_name() == "modelbutton":
                found.append(one)
            else:
                left = [*children(one), *left]
        return popover, found

    def _origin(self, surface: Widget) -> tuple[int, int]:
        """Return where a surface of GTK 4 begins, which only X knows."""
        x, y, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
        number = ctypes.c_ulong(self._x11.X11Surface.get_xid(surface))
        found = (ctypes.byref(x), ctypes.byref(y), ctypes.byref(child))
        self._xlib.XTranslateCoordinates(self._server, number, ctypes.c_ulong(self._root), 0, 0, *found)
        return x.value, y.value


def children(widget: Widget) -> list[Widget]:
    """Return the children of a widget, in GTK 4."""
    found, one = [], widget.get_first_child()
    while one is not None:
        found.append(one)
        one = one.get_next_sibling()
    return found
