"""The keys of a calculator; the title of the window says which were pressed."""

from functools import partial
from typing import Any

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

window = Gtk.Window(title="Keypad")
keys = Gtk.Grid(row_spacing=3, column_spacing=3, margin=12)


def pressed(key: str, *_rest: Any) -> None:
    window.set_title(f"{window.get_title()} {key}")


keys.attach(Gtk.Label(label="0", xalign=1), 0, 0, 4, 1)
for row, signs in enumerate(("()%C", "789/", "456*", "123-", "0.=+"), 1):
    for column, sign in enumerate(signs):
        key = Gtk.Button(label=sign, width_request=62, height_request=38, can_focus=False)
        key.connect("clicked", partial(pressed, sign))
        keys.attach(key, column, row, 1, 1)
window.add(keys)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
