"""Show a described screen in Qt 6: `qt6.py SCREEN.json PLACES.json`.

It runs with the system's Python, which has Qt's bindings, and loads nothing else. What it draws where, it writes to
PLACES.json whenever that changes.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # importing this file loads no toolkit
    from PyQt6 import QtCore, QtGui, QtWidgets as Qt  # type: ignore[import-not-found]  # Debian's

EVERY_MS = 150
FIELD_PX = 220
SLIDER_PX = 180
ICON_PX = 20
ROW_PX = 2  # of a frame around rows
DARK = {
    "Window": "#2b2b2b",
    "WindowText": "#e6e6e6",
    "Base": "#1e1e1e",
    "AlternateBase": "#2b2b2b",
    "Text": "#e6e6e6",
    "Button": "#3a3a3a",
    "ButtonText": "#e6e6e6",
    "Highlight": "#2a6fc9",
    "HighlightedText": "#ffffff",
    "Link": "#6ab0ff",
    "PlaceholderText": "#8a8a8a",
}

Node = dict[str, Any]
Place = list[int]
Widget = Any  # the toolkit is not there when types are checked


class Show:
    """Builds the widgets, and knows where they are."""

    def __init__(self, screen: Node, icons: Path) -> None:
        self.places: dict[int, Callable[[], Place | None]] = {}
        self._screen, self._icons = screen, icons
        self._widgets: dict[int, Any] = {}
        self._groups: dict[int, Any] = {}
        self._menus: list[tuple[Any, Node]] = []
        self._windows = [self._window(screen, None)]
        if dialog := screen.get("dialog"):
            self._windows.append(self._window(dialog, self._windows[0]))

    def said(self) -> Node:
        """Return where everything is now."""
        found = {one: place for one, where in self.places.items() if (place := where())}
        clients = [of(one) for one in self._windows]
        covers = [{"box": client, "own": self._screen["dialog"]["own"], "dialog": True} for client in clients[1:]]
        for menu, node in self._menus:
            if menu.isVisible():
                boxes = [at(menu, menu.actionGeometry(one)) for one in menu.actions()]
                found |= {number: box for number, box in zip(node["items"], boxes, strict=True) if box}
                covers.append({"box": of(menu), "own": node["items"]})
                clients.append(of(menu))
        return {"places": found, "clients": clients, "covers": covers}

    def _window(self, shown: Node, parent: Widget) -> Widget:
        window = Qt.QWidget() if parent is None else Qt.QDialog(parent)
        window.setWindowTitle(shown["title"])
        outer = Qt.QVBoxLayout(window)
        inner = self._column(shown)
        if shown.get("scroll"):
            scrolled = Qt.QScrollArea()
            scrolled.setWidget(inner)
            scrolled.setWidgetResizable(True)
            inner = scrolled
        outer.addWidget(inner)
        if shown.get("width"):
            window.resize(shown["width"], shown.get("height") or window.sizeHint().height())
        window.setModal(True) if parent is not None else None
        window.show()
        return window

    def build(self, node: Node) -> Widget:
        """Return the widget of a node."""
        widget = getattr(self, f"_{node['kind']}")(node)
        if "id" in node:
            self._widgets[node["id"]] = widget
            self.places.setdefault(node["id"], lambda: of(widget))
        if node.get("disabled"):
            widget.setEnabled(False)
        if node.get("unlabelled"):
            widget.setAccessibleName(node["name"])
        return widget

    def _column(self, node: Node) -> Widget:
        return self._filled(node, Qt.QVBoxLayout)

    def _row(self, node: Node) -> Widget:
        return self._filled(node, Qt.QHBoxLayout)

    def _filled(self, node: Node, layout: Widget) -> Widget:
        widget = Qt.QWidget()
        box = layout(widget)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(node.get("gap", 8))
        wide = {"menubar", "line", "tabs", "frame", "table"}
        for one in node["children"]:
            side = QtCore.Qt.AlignmentFlag.AlignLeft
            box.addWidget(self.build(one), 0, *([] if one["kind"] in wide else [side]))
        box.addStretch(1)
        return widget

    def _grid(self, node: Node) -> Widget:
        widget = Qt.QWidget()
        grid = Qt.QGridLayout(widget)
        grid.setSpacing(node.get("gap", 6))
        for y, row in enumerate(node["rows"]):
            for x, one in enumerate(row):
                grid.addWidget(self.build(one), y, x)
        return widget

    def _form(self, node: Node) -> Widget:
        widget = Qt.QWidget()
        grid = Qt.QGridLayout(widget)
        grid.setContentsMargins(0, 0, 0, 0)
        for y, (label, field) in enumerate(node["rows"]):
            if label:
                grid.addWidget(self.build(label), y, 0)
            grid.addWidget(self._linked(label, field), y, 1, QtCore.Qt.AlignmentFlag.AlignLeft)
        return widget

    def _stack(self, node: Node) -> Widget:
        widget = Qt.QWidget()
        box = Qt.QVBoxLayout(widget)
        box.setContentsMargins(0, 0, 0, 0)
        for label, field in node["rows"]:
            if label:
                box.addWidget(self.build(label))
            box.addWidget(self._linked(label, field), 0, QtCore.Qt.AlignmentFlag.AlignLeft)
        return widget

    def _linked(self, label: Node | None, field: Node) -> Widget:
        widget = self.build(field)
        if label and "labels" in label:
            self._widgets[label["id"]].setBuddy(widget)
        return widget

    def _frame(self, node: Node) -> Widget:
        frame = Qt.QGroupBox(node["name"])
        Qt.QVBoxLayout(frame).addWidget(self._column(node))
        self.places[node["id"]] = lambda: title_of(frame)
        return frame

    def _tabs(self, node: Node) -> Widget:
        book = Qt.QTabWidget()
        bar = book.tabBar()
        for number, name in enumerate(node["name"]):
            is_on = number == node.get("on", 0)
            book.addTab(self._padded(node) if is_on else Qt.QLabel(name), name)
            self.places[node["ids"][number]] = lambda number=number: at(bar, bar.tabRect(number))  # type: ignore[misc]
        book.setCurrentIndex(node.get("on", 0))
        return book

    def _padded(self, node: Node) -> Widget:
        widget = Qt.QWidget()
        Qt.QVBoxLayout(widget).addWidget(self._column(node))
        return widget

    def _text(self, node: Node) -> Widget:
        return Qt.QLabel(node["name"])

    def _heading(self, node: Node) -> Widget:
        label = Qt.QLabel(node["name"])
        font = label.font()
        font.setPointSize(font.pointSize() + 5)
        font.setBold(True)
        label.setFont(font)
        return label

    def _line(self, _node: Node) -> Widget:
        line = Qt.QFrame()
        line.setFrameShape(Qt.QFrame.Shape.HLine)
        return line

    def _button(self, node: Node) -> Widget:
        if not node.get("icon"):
            return Qt.QPushButton(node["name"])
        button = Qt.QToolButton()
        button.setIcon(QtGui.QIcon(str(self._icons / f"{node['icon']}.png")))
        button.setIconSize(QtCore.QSize(ICON_PX, ICON_PX))
        button.setAutoRaise(bool(node.get("flat")))
        button.setToolTip(node["name"]) if node.get("by", "tooltip") == "tooltip" else button.setAccessibleName(
            node["name"]
        )
        return button

    def _checkbox(self, node: Node) -> Widget:
        box = Qt.QCheckBox(node["name"])
        box.setChecked(bool(node.get("on")))
        return box

    def _switch(self, node: Node) -> Widget:
        box = Qt.QCheckBox()
        box.setChecked(bool(node.get("on")))
        return box

    def _radio(self, node: Node) -> Widget:
        radio = Qt.QRadioButton(node["name"])
        self._groups.setdefault(node.get("group", -1), Qt.QButtonGroup()).addButton(radio)
        radio.setChecked(bool(node.get("on")))
        return radio

    def _textbox(self, node: Node) -> Widget:
        field = Qt.QLineEdit(node.get("value", ""))
        field.setFixedWidth(FIELD_PX)
        field.setPlaceholderText(node.get("hint", ""))
        return field

    def _password(self, node: Node) -> Widget:
        field = self._textbox(node)
        field.setEchoMode(Qt.QLineEdit.EchoMode.Password)
        return field

    def _textarea(self, node: Node) -> Widget:
        field = Qt.QPlainTextEdit(node.get("value", ""))
        field.setFixedSize(300, 80)
        return field

    def _spin(self, node: Node) -> Widget:
        spin = Qt.QSpinBox()
        spin.setRange(0, 1000)
        spin.setValue(node["value"])
        return spin

    def _combobox(self, node: Node) -> Widget:
        combo = Qt.QComboBox()
        combo.addItems(node["options"])
        combo.setEditable(bool(node.get("editable")))
        combo.setCurrentText(node["value"])
        return combo

    def _slider(self, node: Node) -> Widget:
        slider = Qt.QSlider(QtCore.Qt.Orientation.Horizontal)
        slider.setRange(0, 100)
        slider.setValue(node.get("value", 0))
        slider.setFixedWidth(SLIDER_PX)
        return slider

    def _link(self, node: Node) -> Widget:
        return Qt.QLabel(f'<a href="https://example.org">{node["name"]}</a>')

    def _list(self, node: Node) -> Widget:
        rows = Qt.QListWidget()
        rows.addItems(node["options"])
        for line, number in enumerate(node["ids"]):
            self.places[number] = lambda line=line: at(rows.viewport(), rows.visualItemRect(rows.item(line)))  # type: ignore[misc]
            if node["options"][line] == node.get("value"):
                rows.setCurrentRow(line)
        rows.setFixedSize(260, rows.sizeHintForRow(0) * rows.count() + 2 * rows.frameWidth() + ROW_PX)
        return rows

    def _table(self, node: Node) -> Widget:
        table = Qt.QTableWidget(len(node["rows"]), len(node["name"]))
        table.setHorizontalHeaderLabels(node["name"])
        table.verticalHeader().hide()
        table.setMinimumHeight(34 * (len(node["rows"]) + 1))
        head, *lines = node["ids"]
        for y, row in enumerate(node["rows"]):
            for x, text in enumerate(row):
                item = Qt.QTableWidgetItem(text)
                table.setItem(y, x, item)
                self.places[lines[y][x]] = lambda item=item: at(table.viewport(), table.visualItemRect(item))  # type: ignore[misc]
        bar = table.horizontalHeader()
        for x, number in enumerate(head):
            self.places[number] = lambda x=x: at(  # type: ignore[misc]
                bar, QtCore.QRect(bar.sectionViewportPosition(x), 0, bar.sectionSize(x), bar.height())
            )
        return table

    def _menubar(self, node: Node) -> Widget:
        bar = Qt.QMenuBar()
        bar.setNativeMenuBar(False)
        for title, entries in node["name"].items():
            menu = bar.addMenu(title)
            for one in entries:
                menu.addAction(one)
            action = menu.menuAction()
            self.places[node["ids"][title]] = lambda action=action: at(bar, bar.actionGeometry(action))  # type: ignore[misc]
            if title == node.get("open"):
                self._menus.append((menu, node))
        return bar


def of(widget: Widget) -> Place | None:
    """Return the rectangle of a widget on the screen."""
    return at(widget, widget.rect())


def at(widget: Widget, box: Widget) -> Place | None:
    """Return a rectangle in a widget as one on the screen; None if it is not shown."""
    if not widget.isVisible() or box.isEmpty():
        return None
    corner = widget.mapToGlobal(box.topLeft())
    return [corner.x(), corner.y(), box.width(), box.height()]


def title_of(frame: Widget) -> Place | None:
    """Return the rectangle of the title of a frame."""
    option = Qt.QStyleOptionGroupBox()
    frame.initStyleOption(option)
    part = Qt.QStyle.SubControl.SC_GroupBoxLabel
    return at(frame, frame.style().subControlRect(Qt.QStyle.ComplexControl.CC_GroupBox, option, part, frame))


def main() -> None:
    """Run until it is ended."""
    screen, places = map(Path, sys.argv[1:])
    shown = json.loads(screen.read_text(encoding="utf-8"))
    application = Qt.QApplication(sys.argv)
    application.setStyle("Fusion")
    if shown.get("dark"):
        palette = QtGui.QPalette()
        for name, colour in DARK.items():
            palette.setColor(QtGui.QPalette.ColorRole[name], QtGui.QColor(colour))
        application.setPalette(palette)
    show = Show(shown, screen.parent)
    written = ""

    def write() -> None:
        nonlocal written
        if (said := json.dumps(show.said())) != written:
            places.with_suffix(".new").write_text(said, encoding="utf-8")
            places.with_suffix(".new").replace(places)
            written = said

    timer = QtCore.QTimer()
    timer.timeout.connect(write)
    timer.start(EVERY_MS)
    application.exec()


if __name__ == "__main__":
    main()
