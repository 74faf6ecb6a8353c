"""A GTK application that writes down what the mouse does to it: `watch_gtk.py FILE`, a line an event.

Its list can be put in another order by dragging; the order is written down whenever it changes.
"""

import json
import sys
from pathlib import Path
from typing import Any

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

log = Path(sys.argv[1]).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - open as long as the application
NAMES = {
    Gdk.EventType.BUTTON_PRESS: "down",
    Gdk.EventType.BUTTON_RELEASE: "up",
    Gdk.EventType._2BUTTON_PRESS: "click 2",
    Gdk.EventType._3BUTTON_PRESS: "click 3",
}


def write(*what: object) -> None:
    log.write(json.dumps(what) + "\n")


def button(_widget: Any, event: Any) -> None:
    write(NAMES[event.type], event.button, int(event.x_root), int(event.y_root))


def motion(_widget: Any, event: Any) -> None:
    dragging = event.state & Gdk.ModifierType.BUTTON1_MASK
    write("drag" if dragging else "move", 0, int(event.x_root), int(event.y_root))


def scroll(_widget: Any, event: Any) -> None:
    write("wheel", event.direction.value_nick, int(event.x_root), int(event.y_root))


def reordered(model: Any, *_place: Any) -> None:
    write("order", *[row[0] for row in model if row[0]])


window = Gtk.Window(title="Watch GTK")
window.set_default_size(600, 500)
columns = Gtk.Box(orientation=Gtk.Orientation.HORIZONTAL)
area = Gtk.EventBox()
area.set_size_request(300, 500)
area.add(Gtk.Label(label="Handle"))
area.add_events(Gdk.EventMask.POINTER_MOTION_MASK | Gdk.EventMask.SCROLL_MASK | Gdk.EventMask.BUTTON_PRESS_MASK)
area.connect("button-press-event", button)
area.connect("button-release-event", button)
area.connect("motion-notify-event", motion)
area.connect("scroll-event", scroll)
model = Gtk.ListStore(str)
for name in ("Apple", "Banana", "Cherry", "Quince"):
    model.append([name])
model.connect("row-deleted", reordered)
rows = Gtk.TreeView(model=model, reorderable=True)
rows.append_column(Gtk.TreeViewColumn("Fruit", Gtk.CellRendererText(ypad=10), text=0))
columns.pack_start(area, expand=True, fill=True, padding=0)
columns.pack_start(rows, expand=True, fill=True, padding=0)
window.add(columns)
window.connect("destroy", Gtk.main_quit)
window.connect("focus-in-event", lambda *_: write("ready"))
window.show_all()
Gtk.main()
