"""A launcher in GTK that runs what is entered, in a folder: `launcher_gtk.py FOLDER`."""

import subprocess
import sys

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

dialog = Gtk.Dialog(title="Run a command")
dialog.set_default_size(420, 120)
entry = Gtk.Entry(activates_default=True)
dialog.get_content_area().add(entry)
dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
dialog.add_button("OK", Gtk.ResponseType.OK)
dialog.set_default_response(Gtk.ResponseType.OK)
dialog.show_all()
while dialog.run() == Gtk.ResponseType.OK:
    subprocess.Popen(["/bin/sh", "-c", entry.get_text()], cwd=sys.argv[1])
    entry.set_text("")
    entry.grab_focus()
