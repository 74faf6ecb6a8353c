"""A form in GTK whose title says what was clicked last: `form_gtk.py [dark]`."""

import sys
from functools import partial
from typing import Any

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", "dark" in sys.argv)
window = Gtk.Window(title="Form GTK")
rows = Gtk.Grid(row_spacing=10, column_spacing=12, margin=20)


def known(name: str, *_rest: Any) -> bool:
    window.set_title(f"clicked {name}")
    return False


for row, name in enumerate(("Name", "Company", "Street")):
    rows.attach(Gtk.Label(label=f"{name}:", xalign=0), 0, row, 1, 1)
    entry = Gtk.Entry(width_chars=26)
    entry.connect("button-release-event", partial(known, name.lower()))
    rows.attach(entry, 1, row, 2, 1)
search = Gtk.Entry(placeholder_text="Search orders")
search.connect("button-release-event", partial(known, "search"))
rows.attach(search, 0, 3, 3, 1)
rows.attach(Gtk.Label(label="Size:", xalign=0), 0, 4, 1, 1)
sizes = Gtk.ComboBoxText()
for one in ("Small", "Large"):
    sizes.append_text(one)
sizes.set_active(0)
sizes.connect("notify::popup-shown", partial(known, "size"))
rows.attach(sizes, 1, 4, 1, 1)
for column, name in enumerate(("Gift wrap", "Express")):
    check = Gtk.CheckButton(label=name, active=bool(column))
    check.connect("toggled", partial(known, name.split()[0].lower()))
    rows.attach(check, column, 5, 1, 1)
first = None
for column, name in enumerate(("Pay now", "Pay later")):
    radio = Gtk.RadioButton.new_with_label_from_widget(first, name)
    first = first or radio
    radio.connect("clicked", partial(known, name.split()[1]))
    rows.attach(radio, column, 6, 1, 1)
for column, name in enumerate(("Cancel", "OK", "Apply")):
    button = Gtk.Button(label=name)
    button.connect("clicked", partial(known, name.lower()))
    rows.attach(button, column, 7, 1, 1)
window.add(rows)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
