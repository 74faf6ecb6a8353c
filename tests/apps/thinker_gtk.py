"""A window that computes for a second of its processor time at a key, goes on reading input, and shows its result then.

At the key x it begins to compute without an end, and shows nothing. At the key l it waits for a second, at rest.
"""

import itertools
import threading
import time

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

ENDLESS_S = 1e9
LATE_MS = 1000


def compute(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    GLib.idle_add(label.set_text, "The sum is 4711")


def later() -> None:
    label.set_text(f"Late answer {next(answers)}")


def answer(_window: Gtk.Window, event: Gdk.EventKey) -> None:
    if event.keyval == Gdk.KEY_l:
        GLib.timeout_add(LATE_MS, later)
        return
    seconds = ENDLESS_S if event.keyval == Gdk.KEY_x else 1
    threading.Thread(target=compute, args=(seconds,), daemon=True).start()


answers = itertools.count(1)
window = Gtk.Window(title="Thinker", default_width=400, default_height=200)
label = Gtk.Label(label="Press a key")
window.add(label)
window.connect("key-press-event", answer)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
