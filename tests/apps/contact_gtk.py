"""A dialog with four fields that writes them into a file when it is accepted, and ends."""

import sys
from pathlib import Path

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

FIELDS = ("First name", "Last name", "Mail", "Phone")


def main() -> None:
    dialog = Gtk.Dialog(title="Contact")
    dialog.add_buttons("Cancel", Gtk.ResponseType.CANCEL, "OK", Gtk.ResponseType.OK)
    grid = Gtk.Grid(column_spacing=9, row_spacing=9, border_width=9)
    entries = [Gtk.Entry() for _ in FIELDS]
    for row, (name, entry) in enumerate(zip(FIELDS, entries, strict=True)):
        grid.attach(Gtk.Label(label=name, xalign=0), 0, row, 1, 1)
        grid.attach(entry, 1, row, 1, 1)
    dialog.get_content_area().add(grid)
    dialog.show_all()
    if dialog.run() == Gtk.ResponseType.OK:
        Path(sys.argv[1]).write_text(";".join(entry.get_text() for entry in entries), encoding="utf-8")


main()
