"""Large GTK buttons that light up under the pointer and have a tooltip: `tips_gtk.py FILE`.

Each click is a letter in the file.
"""

import sys
from pathlib import Path

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first


def note(_button: Gtk.Button) -> None:
    with Path(sys.argv[1]).open("a") as clicks:
        clicks.write("b")


style = Gtk.CssProvider()
style.load_from_data(b"button { background: #ddd; } button:hover { background: #fd8; }")
Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_USER)
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=20, margin=20)
for nth, height in enumerate((30, 160)):
    button = Gtk.Button(label=f"Button {nth + 1}", tooltip_text="What this button does,\nin two lines.")
    button.set_size_request(400, height)
    button.connect("clicked", note)
    column.add(button)
window = Gtk.Window(title="Tips")
window.add(column)
window.show_all()
Gtk.main()
