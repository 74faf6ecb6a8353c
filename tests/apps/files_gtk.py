"""The files of a folder in GTK: enter opens one, shift+delete deletes it after a question: `files_gtk.py FOLDER`."""

import sys
from pathlib import Path

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

folder = Path(sys.argv[1])
window = Gtk.Window(title="Files")
window.set_default_size(600, 400)
window.connect("destroy", Gtk.main_quit)
store = Gtk.ListStore(str)
for name in sorted(file.name for file in folder.iterdir()):
    store.append([name])
tree = Gtk.TreeView(model=store)
tree.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
window.add(tree)


def chosen() -> Path:
    model, row = tree.get_selection().get_selected()
    return folder / str(model[row][0])


def pressed(_tree: object, event: Gdk.EventKey) -> bool:
    if event.keyval != Gdk.KEY_Delete or not event.state & Gdk.ModifierType.SHIFT_MASK:
        return False
    question = Gtk.MessageDialog(transient_for=window, title="Question", text=f"Delete {chosen().name} for good?")
    question.add_button("Cancel", Gtk.ResponseType.CANCEL)
    question.add_button("Delete", Gtk.ResponseType.OK)
    question.set_default_response(Gtk.ResponseType.OK)
    question.get_widget_for_response(Gtk.ResponseType.OK).grab_focus()
    if question.run() == Gtk.ResponseType.OK:
        chosen().unlink()
    question.destroy()
    return True


tree.connect("key-press-event", pressed)
tree.connect("row-activated", lambda *_: window.set_title(f"Opened {chosen().name}"))
tree.grab_focus()
window.show_all()
Gtk.main()
