"""A GTK 4 window with a button that opens a popover with a button, of which the title says that it was pressed."""

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - its version comes first


def build(application: Gtk.Application) -> None:
    """Show the window."""
    window = Gtk.ApplicationWindow(application=application, title="Popover", default_width=300, default_height=200)
    rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    order = Gtk.Button(label="Order")
    order.connect("clicked", lambda _: window.set_title("pressed Order"))
    rows.append(Gtk.MenuButton(label="More", popover=Gtk.Popover(child=order), halign=Gtk.Align.START))
    window.set_child(rows)
    window.present()


application = Gtk.Application(application_id="org.example.popover")
application.connect("activate", build)
application.run()
