"""A GTK 3 window with buttons that show a picture or a sign. Its title says what was pressed."""

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

window = Gtk.Window(title="Icons")
row = Gtk.Box(spacing=6, margin=20)
for name, picture in (("Print", "●"), ("Scan", "■"), ("=", "="), ("-", "-")):
    button = Gtk.Button(label=picture)
    button.get_accessible().set_name(name)
    button.connect("clicked", lambda _, pressed: window.set_title(f"pressed {pressed}"), name)
    row.add(button)
window.add(row)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
