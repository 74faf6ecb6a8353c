"""Show a described screen in Tk: `tk.py SCREEN.json PLACES.json`.

What it draws where, it writes to PLACES.json whenever that changes.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # importing this file loads no toolkit
    import tkinter as tk
    from tkinter import ttk

EVERY_MS = 150
FIELD_CHARACTERS = 28
SLIDER_PX = 180
DARK = {"background": "#2b2b2b", "foreground": "#e6e6e6", "fieldbackground": "#1e1e1e", "bordercolor": "#606060"}
DARK_STATES = {
    "background": [("disabled", "#2b2b2b"), ("active", "#3c3c3c"), ("selected", "#4a4a4a")],
    "foreground": [("disabled", "#808080")],
    "fieldbackground": [("readonly", "#333333"), ("disabled", "#2b2b2b")],
}
DARK_PARTS = ("TButton", "TNotebook.Tab", "TEntry", "TCombobox", "Toolbutton", "TCheckbutton", "TRadiobutton")

Node = dict[str, Any]
Place = list[int]
Widget = Any  # the toolkit is not there when types are checked


class Show:
    """Builds the widgets, and knows where they are."""

    def __init__(self, root: Widget, screen: Node, icons: Path) -> None:
        self.places: dict[int, Callable[[], Place | None]] = {}
        self._root, self._screen, self._icons = root, screen, icons
        self._kept: list[Any] = []  # images and variables, which Tk drops if nobody holds them
        self._variables: dict[int, Any] = {}
        self._menus: list[Node] = []
        self._bar = ""  # what Tk shows of the menu bar, which is a copy
        self._windows = [root]
        self._fill(root, screen)
        if dialog := screen.get("dialog"):
            window = tk.Toplevel(root)
            window.transient(root)
            self._fill(window, dialog)
            self._windows.append(window)

    def said(self) -> Node:
        """Return where everything is now."""
        found = {one: box for one, where in self.places.items() if (box := where())}
        clients = [box for one in self._windows if (box := of(one))]
        covers = [{"box": client, "own": self._screen["dialog"]["own"], "dialog": True} for client in clients[1:]]
        for node in self._menus:
            if opened := self._opened():
                menu, x, y, width, height = opened
                tops = [int(self._root.tk.call(menu, "yposition", one)) for one in range(len(node["items"]))]
                ends = [*tops[1:], height - tops[0]]
                found |= {
                    number: [x, y + top, width, end - top]
                    for number, top, end in zip(node["items"], tops, ends, strict=True)
                }
                covers.append({"box": [x, y, width, height], "own": node["items"]})
                clients.append([x, y, width, height])
        if self._bar:
            height = int(self._root.tk.call("winfo", "height", self._bar))
            x, y, width, below = clients[0]
            clients[0] = [x, y - height, width, below + height]
        return {"places": found, "clients": clients, "covers": covers}

    def _opened(self) -> tuple[str, int, int, int, int] | None:
        """Return the menu that is open, and its rectangle."""
        call = self._root.tk.call
        for name in self._root.tk.splitlist(call("winfo", "children", self._bar)):
            if call("winfo", "ismapped", name):
                x, y, width, height = (int(call("winfo", what, name)) for what in ("rootx", "rooty", "width", "height"))
                return str(name), x, y, width, height
        return None

    def _fill(self, window: Widget, shown: Node) -> None:
        window.title(shown["title"])
        outer = ttk.Frame(window, padding=12)
        outer.pack(expand=True, fill="both")
        self._into(outer, shown)
        if shown.get("width"):
            window.update_idletasks()
            height = shown.get("height") or window.winfo_reqheight()
            window.geometry(f"{max(shown['width'], 0 if shown.get('height') else window.winfo_reqwidth())}x{height}")

    def build(self, parent: Widget, node: Node) -> Widget:
        """Return the widget of a node."""
        widget = getattr(self, f"_{node['kind']}")(parent, node)
        if "id" in node:
            self.places.setdefault(node["id"], lambda: of(widget))
        if node.get("disabled"):
            widget.state(["disabled"])
        return widget

    def _into(self, parent: Widget, node: Node, side: str = "top") -> Widget:
        gap = node.get("gap", 8) // 2
        for one in node["children"]:
            widget = self.build(parent, one)
            if widget is None:
                continue
            fill = {"fill": "x"} if one["kind"] in {"line", "tabs", "frame", "table"} and side == "top" else {}
            pads = {"pady": gap} if side == "top" else {"padx": gap}
            widget.pack(side=side, anchor="w" if side == "top" else "center", **fill, **pads)
        return parent

    def _column(self, parent: Widget, node: Node) -> Widget:
        return self._into(ttk.Frame(parent), node)

    def _row(self, parent: Widget, node: Node) -> Widget:
        return self._into(ttk.Frame(parent), node, "left")

    def _grid(self, parent: Widget, node: Node) -> Widget:
        frame, gap = ttk.Frame(parent), node.get("gap", 6) // 2
        for y, row in enumerate(node["rows"]):
            for x, one in enumerate(row):
                self.build(frame, one).grid(row=y, column=x, padx=gap, pady=gap, sticky="we")
        return frame

    def _form(self, parent: Widget, node: Node) -> Widget:
        frame = ttk.Frame(parent)
        for y, (label, field) in enumerate(node["rows"]):
            if label:
                self.build(frame, label).grid(row=y, column=0, sticky="w", padx=(0, 10), pady=4)
            self.build(frame, field).grid(row=y, column=1, sticky="w", pady=4)
        return frame

    def _stack(self, parent: Widget, node: Node) -> Widget:
        frame = ttk.Frame(parent)
        for label, field in node["rows"]:
            if label:
                self.build(frame, label).pack(anchor="w", pady=(5, 1))
            self.build(frame, field).pack(anchor="w", pady=(0, 5))
        return frame

    def _frame(self, parent: Widget, node: Node) -> Widget:
        title = ttk.Label(parent.winfo_toplevel(), text=node["name"])
        frame = ttk.LabelFrame(parent, labelwidget=title, padding=8)
        self.places[node["id"]] = lambda: of(title)
        return self._into(frame, node)

    def _tabs(self, parent: Widget, node: Node) -> Widget:
        book = ttk.Notebook(parent)
        for at, name in enumerate(node["name"]):
            page = ttk.Frame(book, padding=8)
            if at == node.get("on", 0):
                self._into(page, node)
            book.add(page, text=name)
            self.places[node["ids"][at]] = lambda at=at: tab(book, at)  # type: ignore[misc]
        book.select(node.get("on", 0))  # type: ignore[no-untyped-call]
        return book

    def _text(self, parent: Widget, node: Node) -> Widget:
        return ttk.Label(parent, text=node["name"])

    def _heading(self, parent: Widget, node: Node) -> Widget:
        return ttk.Label(parent, text=node["name"], font=("TkDefaultFont", 15, "bold"))

    def _line(self, parent: Widget, _node: Node) -> Widget:
        return ttk.Separator(parent)

    def _button(self, parent: Widget, node: Node) -> Widget:
        if not node.get("icon"):
            return ttk.Button(parent, text=node["name"], width=node.get("characters", max(8, len(node["name"]))))
        image = tk.PhotoImage(file=str(self._icons / f"{node['icon']}.png"))
        self._kept.append(image)
        style = "Toolbutton" if node.get("flat") else "TButton"
        return ttk.Button(parent, image=image, style=style)

    def _checkbox(self, parent: Widget, node: Node) -> Widget:
        variable = tk.BooleanVar(value=bool(node.get("on")))
        self._kept.append(variable)
        return ttk.Checkbutton(parent, text=node["name"], variable=variable)

    def _switch(self, parent: Widget, node: Node) -> Widget:
        return self._checkbox(parent, {**node, "name": ""})

    def _radio(self, parent: Widget, node: Node) -> Widget:
        variable = self._variables.setdefault(node.get("group", -1), tk.StringVar())
        if node.get("on"):
            variable.set(node["name"])
        return ttk.Radiobutton(parent, text=node["name"], value=node["name"], variable=variable)

    def _textbox(self, parent: Widget, node: Node) -> Widget:
        field = ttk.Entry(parent, width=FIELD_CHARACTERS)
        field.insert(0, node.get("value", "") or node.get("hint", ""))
        return field

    def _password(self, parent: Widget, node: Node) -> Widget:
        field = self._textbox(parent, node)
        field.configure(show="•")
        return field

    def _textarea(self, parent: Widget, node: Node) -> Widget:
        colours = {"background": DARK["fieldbackground"], "foreground": DARK["foreground"]}
        field = tk.Text(parent, width=40, height=5)
        field.configure(colours if self._screen["dark"] else {})
        field.insert("1.0", node.get("value", ""))
        return field

    def _spin(self, parent: Widget, node: Node) -> Widget:
        spin = ttk.Spinbox(parent, from_=0, to=1000, width=8)
        spin.set(node["value"])
        return spin

    def _combobox(self, parent: Widget, node: Node) -> Widget:
        state = "normal" if node.get("editable") else "readonly"
        combo = ttk.Combobox(parent, values=node["options"], state=state)
        combo.set(node["value"])
        return combo

    def _slider(self, parent: Widget, node: Node) -> Widget:
        return ttk.Scale(parent, from_=0, to=100, value=node.get("value", 0), length=SLIDER_PX)

    def _link(self, parent: Widget, node: Node) -> Widget:
        colour = "#6ab0ff" if self._screen["dark"] else "#0645ad"
        return ttk.Label(parent, text=node["name"], foreground=colour, font=("TkDefaultFont", 10, "underline"))

    def _list(self, parent: Widget, node: Node) -> Widget:
        rows = tk.Listbox(parent, height=len(node["options"]), width=32, exportselection=False)
        rows.insert("end", *node["options"])
        for line, number in enumerate(node["ids"]):
            self.places[number] = lambda line=line: row(rows, line)  # type: ignore[misc]
            if node["options"][line] == node.get("value"):
                rows.selection_set(line)
        return rows

    def _table(self, parent: Widget, node: Node) -> Widget:
        head, *lines = node["ids"]
        names = [str(at) for at in range(len(head))]
        table = ttk.Treeview(parent, columns=names, show="headings", height=len(lines))
        for at, title in zip(names, node["name"], strict=True):
            table.heading(at, text=title)
            table.column(at, width=150)
            self.places[head[int(at)]] = lambda at=at: heading(table, at)  # type: ignore[misc]
        for cells, numbers in zip(node["rows"], lines, strict=True):
            item = table.insert("", "end", values=cells)
            for at, number in zip(names, numbers, strict=True):
                self.places[number] = lambda item=item, at=at: within(table, table.bbox(item, at))  # type: ignore[misc]
        return table

    def _menubar(self, _parent: Widget, node: Node) -> None:
        bar = tk.Menu(self._root, tearoff=False)
        for at, (title, entries) in enumerate(node["name"].items()):
            menu = tk.Menu(bar, tearoff=False)
            for one in entries:
                menu.add_command(label=one)
            bar.add_cascade(label=title, menu=menu)
            self.places[node["ids"][title]] = lambda at=at: self._title(at)  # type: ignore[misc]
        self._root.configure(menu=bar)
        self._bar = f".#{str(bar)[1:]}"
        if "open" in node:
            self._menus.append(node)

    def _title(self, number: int) -> Place | None:
        """Return the rectangle of a title in the menu bar, which Tk tells only by asking what is where."""
        call, bar = self._root.tk.call, self._bar
        if not int(call("winfo", "exists", bar)) or not int(call("winfo", "ismapped", bar)):
            return None
        x, y, width, height = (int(call("winfo", what, bar)) for what in ("rootx", "rooty", "width", "height"))
        wanted = str(number)
        there = [one for one in range(width) if str(call(bar, "index", f"@{one},{height // 2}")) == wanted]
        return [x + there[0], y, len(there), height] if there else None


def of(widget: Widget) -> Place | None:
    """Return the rectangle of a widget on the screen; None if it is not shown."""
    if not widget.winfo_viewable():
        return None
    return [widget.winfo_rootx(), widget.winfo_rooty(), widget.winfo_width(), widget.winfo_height()]


def within(widget: Widget, box: Widget) -> Place | None:
    """Return a rectangle in a widget as one on the screen."""
    around = of(widget)
    return [around[0] + box[0], around[1] + box[1], box[2], box[3]] if around and box else None


def row(rows: Widget, line: int) -> Place | None:
    """Return the rectangle of a row of a list, over its whole width."""
    box = rows.bbox(line)
    return within(rows, [2, box[1], rows.winfo_width() - 4, box[3]]) if box else None


def tab(book: Widget, number: int) -> Place | None:
    """Return the rectangle of a tab, which Tk tells only by asking what is where."""
    return within(book, spread(across(book, lambda x, y: str(book.index(f"@{x},{y}")) == str(number), 10)))


def heading(table: Widget, column: str) -> Place | None:
    """Return the rectangle of the heading of a column."""
    wanted = f"#{int(column) + 1}"

    def is_there(x: int, y: int) -> bool:
        return bool(table.identify_region(x, y) == "heading" and table.identify_column(x) == wanted)

    return within(table, spread(across(table, is_there, 10)))


def across(widget: Widget, is_there: Callable[[int, int], bool], middle: int) -> Iterator[tuple[int, int]]:
    """Yield the points in a row, and then in a column, of a widget where something is."""
    found = []
    for x in range(widget.winfo_width()):
        try:
            found += [x] if is_there(x, middle) else []
        except tk.TclError:  # there is nothing
            continue
    yield from ((x, middle) for x in found)
    if not found:
        return
    for y in range(min(60, widget.winfo_height())):
        try:
            if is_there(found[len(found) // 2], y):
                yield found[len(found) // 2], y
        except tk.TclError:
            continue


def spread(points: Iterator[tuple[int, int]]) -> Place | None:
    """Return the rectangle around points."""
    found = list(points)
    if not found:
        return None
    left, top = (min(one[axis] for one in found) for axis in (0, 1))
    right, bottom = (max(one[axis] for one in found) for axis in (0, 1))
    return [left, top, right - left + 1, bottom - top + 1]


def main() -> None:
    """Run until it is ended."""
    screen, places = map(Path, sys.argv[1:])
    shown = json.loads(screen.read_text(encoding="utf-8"))
    root = tk.Tk(className="screen")
    style = ttk.Style()
    style.theme_use("clam" if shown["dark"] else "default")
    if shown["dark"]:
        style.configure(".", **DARK)
        for part in (".", *DARK_PARTS):
            style.map(part, None, **DARK_STATES)
        style.configure("TNotebook.Tab", background="#383838")
    show = Show(root, shown, screen.parent)
    written = ""

    def write() -> None:
        nonlocal written
        if (said := json.dumps(show.said())) != written:
            places.with_suffix(".new").write_text(said, encoding="utf-8")
            places.with_suffix(".new").replace(places)
            written = said
        root.after(EVERY_MS, write)

    root.after(EVERY_MS, write)
    root.mainloop()


if __name__ == "__main__":
    main()
