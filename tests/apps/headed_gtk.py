"""A GTK 3 window that draws its title and its shadow itself. Its title says what was ticked or chosen."""

from typing import Any

import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: E402 - the version comes first

window = Gtk.Window(title="Headed", default_width=300, default_height=200)
window.set_titlebar(Gtk.HeaderBar(title="Own title", show_close_button=True))
rows = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
news = Gtk.CheckButton(label="News", halign=Gtk.Align.START)


def told(one: Any) -> None:
    window.set_title("ticked" if one.get_active() else "unticked")


news.connect("toggled", told)
rows.add(news)
window.add(rows)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
