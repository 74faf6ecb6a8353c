"""A small window from which files are dragged, as from a file manager: `drag_gtk.py FILE...`."""

import sys
from pathlib import Path

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first


def give(_box: Gtk.EventBox, _context: object, data: Gtk.SelectionData, _info: int, _time: int) -> None:
    data.set_uris([Path(one).as_uri() for one in sys.argv[1:]])


box = Gtk.EventBox()
box.add(Gtk.Label(label="Drag this"))
box.set_size_request(200, 80)
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", give)
window = Gtk.Window(title="Files")
window.add(box)
window.show_all()
Gtk.main()
