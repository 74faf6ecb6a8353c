"""A window that says what it reads from standard input, a line at a time: `orders_gtk.py BUTTON`.

Its title counts how often the button was pressed.
"""

import sys
import threading

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

window = Gtk.Window(title="Orders", default_width=420, default_height=200)
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=24, margin=24)
label, button = Gtk.Label(), Gtk.Button(label=sys.argv[1])
pressed: list[object] = []


def press(_button: object) -> None:
    pressed.append(None)
    window.set_title(f"pressed {len(pressed)}")


def say(text: str) -> bool:
    label.set_markup(f"<span size='x-large'>{text}</span>")
    return False


def read() -> None:
    for line in sys.stdin:
        GLib.idle_add(say, line.strip())


button.connect("clicked", press)
box.add(label)
box.add(button)
window.add(box)
window.connect("destroy", Gtk.main_quit)
window.show_all()
threading.Thread(target=read, daemon=True).start()
Gtk.main()
