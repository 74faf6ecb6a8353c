"""Show a described screen in GTK: `gtk.py 3|4 SCREEN.json PLACES.json`.

It runs with the system's Python, which has GTK's bindings, and loads nothing else. What it draws where, it writes to
PLACES.json whenever that changes.
"""

import json
import sys
from pathlib import Path
from typing import Any

VERSION = sys.argv[1] if __name__ == "__main__" else ""
EVERY_MS = 150
FIELD_PX = 220
SLIDER_PX = 180

if __name__ == "__main__":  # importing this file loads no toolkit
    import gi  # type: ignore[import-not-found]  # Debian's, for its own Python

    gi.require_version("Gtk", f"{VERSION}.0")
    gi.require_version("Gdk", f"{VERSION}.0")
    gi.require_version("GdkX11", f"{VERSION}.0")
    from gi.repository import GdkX11, Gio, GLib, Gtk  # type: ignore[import-not-found]
    from gtk_places import Places, children  # type: ignore[import-not-found]  # beside this script

    PLACES = Places(VERSION, Gtk, GdkX11)

Node = dict[str, Any]
Place = list[int]
Widget = Any  # the toolkit is not there when types are checked


class Show:
    """Builds the widgets, and knows where they are."""

    def __init__(self, screen: Node, icons: Path) -> None:
        self.places: dict[int, Any] = {}
        self.widgets: dict[int, Any] = {}
        self.covers: list[tuple[Any, list[int]]] = []
        self.labels: list[tuple[int, int]] = []
        self.menus: list[tuple[Any, Node]] = []
        self.windows: list[Any] = []
        self._screen, self._icons = screen, icons

    def start(self, application: Widget) -> None:
        """Show the window, and the dialog over it."""
        Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", bool(self._screen["dark"]))
        main = self._window(application, self._screen)
        if dialog := self._screen.get("dialog"):
            over = self._window(application, dialog, main)
            over.set_modal(True)
            self.covers.append((over, dialog["own"]))
        for label, number in self.labels:
            self.widgets[label].set_mnemonic_widget(inner(self.widgets[number]))

    def said(self) -> Node:
        """Return where everything is now."""
        found = {one: box for one, where in self.places.items() if (box := where())}
        covers = [{"box": PLACES.of(window), "own": own, "dialog": True} for window, own in self.covers]
        clients = [PLACES.of(one) for one in self.windows]
        for item, node in self.menus:
            popup, entries = PLACES.opened(item)
            if popup is not None and entries and len(entries) == len(node["items"]):
                boxes = [PLACES.of(entry) for entry in entries]
                if all(boxes):
                    found |= dict(zip(node["items"], boxes, strict=True))
                    covers.append({"box": PLACES.of(popup), "own": node["items"]})
                    clients.append(PLACES.of(popup))
        return {"places": found, "clients": [one for one in clients if one], "covers": covers}

    def _window(self, application: Widget, shown: Node, parent: Widget = None) -> Widget:
        window = Gtk.ApplicationWindow(application=application, title=shown["title"])
        window.set_default_size(shown.get("width") or -1, shown.get("height") or -1)
        if parent is not None:
            window.set_transient_for(parent)
        column = self._column(shown["children"])
        pad(column, 14)
        if shown.get("scroll"):
            scrolled = Gtk.ScrolledWindow()
            set_child(scrolled, column)
            column = scrolled
        set_child(window, column)
        self.windows.append(column)
        window.present() if VERSION == "4" else window.show_all()
        if '"hint"' in json.dumps(shown["children"]):
            window.set_focus(None)  # a field with the focus does not show its hint
        return window

    def build(self, node: Node) -> Widget:
        """Return the widget of a node."""
        widget = getattr(self, f"_{node['kind']}")(node)
        if "id" in node:
            self.widgets[node["id"]] = widget
            self.places.setdefault(node["id"], lambda: PLACES.of(widget))
        if node.get("disabled"):
            widget.set_sensitive(False)
        if node.get("unlabelled"):
            self._call(inner(widget), {**node, "by": "name"})
        return widget

    def _column(self, children: Widget) -> Widget:
        nodes = children["children"] if isinstance(children, dict) else children
        return self._box(nodes, Gtk.Orientation.VERTICAL, 8)

    def _row(self, node: Node) -> Widget:
        return self._box(node["children"], Gtk.Orientation.HORIZONTAL, node.get("gap", 8))

    def _box(self, nodes: list[Node], orientation: Widget, spacing: int) -> Widget:
        box = Gtk.Box(orientation=orientation, spacing=spacing)
        for node in nodes:
            widget = self.build(node)
            vertical = orientation == Gtk.Orientation.VERTICAL
            if vertical and node["kind"] not in {"menubar", "line", "tabs", "frame", "table", "list", "text"}:
                widget.set_halign(Gtk.Align.START)
            put(box, widget)
        return box

    def _grid(self, node: Node) -> Widget:
        grid = Gtk.Grid(row_spacing=node.get("gap", 6), column_spacing=node.get("gap", 6))
        for y, row in enumerate(node["rows"]):
            for x, one in enumerate(row):
                grid.attach(self.build(one), x, y, 1, 1)
        return grid

    def _form(self, node: Node) -> Widget:
        grid = Gtk.Grid(row_spacing=8, column_spacing=12)
        for y, (label, field) in enumerate(node["rows"]):
            if label:
                grid.attach(self.build(label), 0, y, 1, 1)
            widget = self.build(field)
            widget.set_halign(Gtk.Align.START)
            grid.attach(widget, 1, y, 1, 1)
        return grid

    def _stack(self, node: Node) -> Widget:
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=10)
        for row in node["rows"]:
            put(box, self._box([one for one in row if one], Gtk.Orientation.VERTICAL, 3))
        return box

    def _frame(self, node: Node) -> Widget:
        frame, inner = Gtk.Frame(label=node["name"]), self._column(node["children"])
        pad(inner, 8)
        set_child(frame, inner)
        self.places[node["id"]] = lambda: PLACES.of(frame.get_label_widget())
        return frame

    def _tabs(self, node: Node) -> Widget:
        book = Gtk.Notebook()
        for at, name in enumerate(node["name"]):
            page = self._column(node["children"]) if at == node.get("on", 0) else Gtk.Label(label=name)
            page.set_property("margin-top", 8)
            label = Gtk.Label(label=name)
            book.append_page(page, label)
            self.places[node["ids"][at]] = lambda label=label: PLACES.of(label)
        page = book.get_nth_page(node.get("on", 0))
        page.show()
        book.set_current_page(node.get("on", 0))
        return book

    def _text(self, node: Node) -> Widget:
        label = Gtk.Label(label=node["name"], xalign=0, halign=Gtk.Align.START, valign=Gtk.Align.CENTER)
        if "labels" in node:
            self.labels.append((node["id"], node["labels"]))
        return label

    def _heading(self, node: Node) -> Widget:
        text = GLib.markup_escape_text(node["name"])
        return Gtk.Label(label=f"<big><b>{text}</b></big>", use_markup=True, xalign=0)

    def _line(self, _node: Node) -> Widget:
        return Gtk.Separator()

    def _button(self, node: Node) -> Widget:
        if not node.get("icon"):
            return Gtk.Button(label=node["name"])
        button, image = Gtk.Button(), Gtk.Image.new_from_file(str(self._icons / f"{node['icon']}.png"))
        set_child(button, image)
        if node.get("flat"):
            button.set_has_frame(False) if VERSION == "4" else button.set_relief(Gtk.ReliefStyle.NONE)
        self._call(button, node)
        return button

    def _call(self, widget: Widget, node: Node) -> None:
        """Give a widget without a text its name, in one of the ways in which programs do."""
        if node.get("by", "tooltip") == "tooltip":
            widget.set_tooltip_text(node["name"])
        elif VERSION == "4":
            widget.update_property([Gtk.AccessibleProperty.LABEL], [node["name"]])
        else:
            widget.get_accessible().set_name(node["name"])

    def _checkbox(self, node: Node) -> Widget:
        return Gtk.CheckButton(label=node["name"], active=bool(node.get("on")))

    def _radio(self, node: Node) -> Widget:
        first = self.widgets.get(node.get("group", -1))
        if VERSION == "4":
            radio = Gtk.CheckButton(label=node["name"])
            radio.set_group(first)
            if first is None:
                radio.set_group(Gtk.CheckButton())  # it looks like a radio button only in a group
        else:
            radio = Gtk.RadioButton.new_with_label_from_widget(first, node["name"])
        radio.set_active(bool(node.get("on")))
        return radio

    def _switch(self, node: Node) -> Widget:
        return Gtk.Switch(active=bool(node.get("on")), halign=Gtk.Align.START, valign=Gtk.Align.CENTER)

    def _textbox(self, node: Node) -> Widget:
        entry = Gtk.Entry(text=node.get("value", ""))
        entry.set_size_request(FIELD_PX, -1)
        if hint := node.get("hint"):
            entry.set_placeholder_text(hint)
        return entry

    def _password(self, node: Node) -> Widget:
        entry = Gtk.PasswordEntry() if VERSION == "4" else Gtk.Entry(visibility=False)
        entry.set_text(node.get("value", ""))
        entry.set_size_request(FIELD_PX, -1)
        return entry

    def _textarea(self, node: Node) -> Widget:
        text, frame = Gtk.TextView(), Gtk.Frame()
        text.get_buffer().set_text(node.get("value", ""))
        text.set_size_request(300, 80)
        set_child(frame, text)
        return frame

    def _spin(self, node: Node) -> Widget:
        spin = Gtk.SpinButton.new_with_range(0, 1000, 1)
        spin.set_value(node["value"])
        return spin

    def _combobox(self, node: Node) -> Widget:
        options = node["options"]
        if VERSION == "4" and not node.get("editable"):
            combo = Gtk.DropDown.new_from_strings(options)
            combo.set_selected(options.index(node["value"]))
            return combo
        combo = Gtk.ComboBoxText.new_with_entry() if node.get("editable") else Gtk.ComboBoxText()
        for one in options:
            combo.append_text(one)
        combo.set_active(options.index(node["value"]))
        return combo

    def _slider(self, node: Node) -> Widget:
        scale = Gtk.Scale.new_with_range(Gtk.Orientation.HORIZONTAL, 0, 100, 1)
        scale.set_draw_value(False)
        scale.set_value(node.get("value", 0))
        scale.set_size_request(SLIDER_PX, -1)
        return scale

    def _link(self, node: Node) -> Widget:
        return Gtk.LinkButton(uri="https://example.org", label=node["name"])

    def _list(self, node: Node) -> Widget:
        frame, rows = Gtk.Frame(), Gtk.ListBox()
        for number, name in zip(node["ids"], node["options"], strict=True):
            row = Gtk.ListBoxRow()
            set_child(row, Gtk.Label(label=name, xalign=0))
            put(rows, row)
            self.places[number] = lambda row=row: PLACES.of(row)
            if name == node.get("value"):
                rows.select_row(row)
        set_child(frame, rows)
        frame.set_size_request(260, -1)
        frame.set_halign(Gtk.Align.START)
        return frame

    def _table(self, node: Node) -> Widget:
        head, *rows = node["ids"]
        store = Gtk.ListStore(*[str for _ in node["name"]])
        for row in node["rows"]:
            store.append(row)
        view = Gtk.TreeView(model=store)
        for at, title in enumerate(node["name"]):
            column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=at)
            column.set_min_width(130)
            view.append_column(column)
            self.places[head[at]] = lambda column=column: PLACES.of(column.get_button())
            for line, numbers in enumerate(rows):
                self.places[numbers[at]] = lambda line=line, column=column: PLACES.cell(view, line, column)
        return view

    def _menubar(self, node: Node) -> Widget:
        if VERSION == "4":
            return self._popover_menubar(node)
        bar = Gtk.MenuBar()
        for title, entries in node["name"].items():
            item, menu = Gtk.MenuItem(label=title), Gtk.Menu()
            for one in entries:
                menu.append(Gtk.MenuItem(label=one))
            item.set_submenu(menu)
            bar.append(item)
            self._note(title, item, node)
        return bar

    def _popover_menubar(self, node: Node) -> Widget:
        model, actions = Gio.Menu(), Gio.SimpleActionGroup()
        actions.add_action(Gio.SimpleAction.new("choose", None))
        for title, entries in node["name"].items():
            menu = Gio.Menu()
            for one in entries:
                menu.append(one, "menu.choose")
            model.append_submenu(title, menu)
        bar = Gtk.PopoverMenuBar.new_from_model(model)
        bar.insert_action_group("menu", actions)
        for title, item in zip(node["name"], children(bar), strict=True):
            self._note(title, item, node)
        return bar

    def _note(self, title: str, item: Widget, node: Node) -> None:
        """Remember an item of a menu bar, and whether its menu will be opened."""
        self.places[node["ids"][title]] = lambda: PLACES.of(item)
        if title == node.get("open"):
            self.menus.append((item, node))


def pad(widget: Widget, pixels: int) -> None:
    """Leave some space around a widget."""
    for side in ("start", "end", "top", "bottom"):
        widget.set_property(f"margin-{side}", pixels)


def put(box: Widget, child: Widget) -> None:
    """Put one more child into a widget."""
    box.append(child) if VERSION == "4" else box.add(child)


def set_child(parent: Widget, child: Widget) -> None:
    """Put the only child into a widget."""
    parent.set_child(child) if VERSION == "4" else parent.add(child)


def inner(widget: Widget) -> Widget:
    """Return what is in a frame, or the widget itself."""
    return widget.get_child() if isinstance(widget, Gtk.Frame) else widget


def main() -> None:
    """Run until it is ended."""
    screen, places = map(Path, sys.argv[2:])
    show = Show(json.loads(screen.read_text(encoding="utf-8")), screen.parent)
    application = Gtk.Application(application_id="org.example.screen", flags=Gio.ApplicationFlags.NON_UNIQUE)
    application.connect("activate", show.start)
    written = ""

    def write() -> bool:
        nonlocal written
        if show.windows and (said := json.dumps(show.said())) != written:
            places.with_suffix(".new").write_text(said, encoding="utf-8")
            places.with_suffix(".new").replace(places)
            written = said
        return True

    GLib.timeout_add(EVERY_MS, write)
    application.run([])


if __name__ == "__main__":
    main()
