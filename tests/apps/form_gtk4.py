"""A form in GTK 4: fields, a box, a switch, a dropdown, a slider and a button. Its title says what was pressed."""

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - its version comes first


def build(application: Gtk.Application) -> None:
    """Show the window."""
    window = Gtk.ApplicationWindow(application=application, title="Form GTK 4")
    rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=6)
    order = Gtk.Button(label="Order")
    order.connect("clicked", lambda _: window.set_title("pressed Order"))
    for row in (
        Gtk.Label(label="Name"),
        Gtk.Entry(text="Ada"),
        Gtk.PasswordEntry(text="s3cret-word"),
        Gtk.CheckButton(label="News", active=True),
        Gtk.Switch(halign=Gtk.Align.START),
        Gtk.DropDown.new_from_strings(["Red", "Blue"]),
        Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 10, 1),
        order,
    ):
        rows.append(row)
    window.set_child(rows)
    window.present()


application = Gtk.Application(application_id="org.example.form")
application.connect("activate", build)
application.run()
