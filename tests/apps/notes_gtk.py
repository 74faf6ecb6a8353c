"""Notes without frames: a name at the left, and far from it its button, which is nearer to the next note.

`notes_gtk.py FILE` writes the names of the notes that were deleted.
"""

import sys
from pathlib import Path

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

NAMES = ("Milk", "Scratch", "Bread", "Letter")

deleted = Path(sys.argv[1])


def delete(_button: Gtk.Button, name: str) -> None:
    """Write down which note was deleted."""
    with deleted.open("a") as file:
        file.write(f"{name}\n")


def note(name: str) -> Gtk.Box:
    """Return a note with its button in the lower right corner."""
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    box.set_size_request(300, 120)
    button = Gtk.Button(label="Delete", halign=Gtk.Align.END)
    button.connect("clicked", delete, name)
    box.pack_start(Gtk.Label(label=name, xalign=0.1), expand=True, fill=True, padding=0)
    box.pack_start(button, expand=False, fill=False, padding=0)
    return box


window = Gtk.Window(title="Notes")
grid = Gtk.Grid(border_width=20)
for at, name in enumerate(NAMES):
    grid.attach(note(name), at % 2, at // 2, 1, 1)
window.add(grid)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
