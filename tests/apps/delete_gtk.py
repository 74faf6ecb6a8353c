"""A GTK dialog with the focus on Delete, which deletes a file: `delete_gtk.py FILE`."""

import sys
from pathlib import Path

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

dialog = Gtk.MessageDialog(title="Notes", text="The note is old.", message_type=Gtk.MessageType.QUESTION)
dialog.add_button("Cancel", Gtk.ResponseType.CANCEL)
dialog.add_button("Delete", Gtk.ResponseType.OK)
dialog.set_default_response(Gtk.ResponseType.OK)
dialog.get_widget_for_response(Gtk.ResponseType.OK).grab_focus()
if dialog.run() == Gtk.ResponseType.OK:
    Path(sys.argv[1]).unlink()
