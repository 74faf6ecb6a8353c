"""A GTK 3 window with two fields that only their accessible names tell apart. Its title says what the second holds."""

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

window = Gtk.Window(title="Unlabelled")
rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12, margin=20)
first, second = Gtk.Entry(), Gtk.Entry()
first.get_accessible().set_name("Full name")
second.get_accessible().set_name("Town of birth")
second.connect("changed", lambda field: window.set_title(f"holds {field.get_text()}"))
for row in (first, second, Gtk.Button(label="Order")):
    rows.add(row)
window.add(rows)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
