"""A GTK list that is longer than its window: `list_gtk.py FILE LAST`. The row that is clicked is in the file."""

import sys
from pathlib import Path

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

ROWS = 45


def chosen(_rows: Gtk.ListBox, row: Gtk.ListBoxRow) -> None:
    told.set_text(f"Chosen: {row.get_child().get_text()}")
    Path(sys.argv[1]).write_text(row.get_child().get_text(), encoding="utf-8")


rows = Gtk.ListBox(activate_on_single_click=True)
rows.connect("row-activated", chosen)
for name in (*(f"Entry number {nth}" for nth in range(ROWS)), sys.argv[2]):
    rows.add(Gtk.Label(label=name, xalign=0))
within, told, column = Gtk.ScrolledWindow(), Gtk.Label(label="Nothing"), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
within.add(rows)
column.pack_start(told, False, False, 10)  # noqa: FBT003 - GTK's
column.pack_start(within, True, True, 0)  # noqa: FBT003
window = Gtk.Window(title="List", default_width=400, default_height=400)
window.add(column)
window.show_all()
Gtk.main()
