"""A GTK application that shows a window which takes no keys: `splash_gtk.py splash|hint|alone`.

A splash screen, or a window whose hints say so, gives way to the real one after a moment; alone, it stays.
"""

import sys

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

kind = sys.argv[1]
first = Gtk.Window(title="Loading")
first.set_default_size(300, 200)
if kind == "splash":
    first.set_type_hint(Gdk.WindowTypeHint.SPLASHSCREEN)
else:
    first.set_accept_focus(False)
first.show_all()


def go_on() -> bool:
    """Show the real window in place of the first one."""
    second = Gtk.Window(title="Sheet")
    second.set_default_size(400, 300)
    second.show_all()
    first.destroy()
    return False


if kind != "alone":
    GLib.timeout_add(1000, go_on)
Gtk.main()
