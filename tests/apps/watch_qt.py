"""A Qt application that writes down what the mouse does to it: `watch_qt.py FILE`, a line an event.

Its list can be put in another order by dragging; the order is written down whenever it changes.
"""

import json
import sys
from pathlib import Path
from typing import Any

from PyQt5.QtCore import QEvent, Qt  # type: ignore[import-not-found]  # Debian's, for its own Python
from PyQt5.QtWidgets import QAbstractItemView, QApplication, QHBoxLayout, QLabel, QListWidget, QWidget  # type: ignore[import-not-found]

log = Path(sys.argv[1]).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - open as long as the application
NUMBERS = {Qt.LeftButton: 1, Qt.MiddleButton: 2, Qt.RightButton: 3, Qt.NoButton: 0}


def write(*what: object) -> None:
    log.write(json.dumps(what) + "\n")


class Area(QLabel):  # type: ignore[misc]
    double = False

    def event(self, event: Any) -> bool:
        kind = event.type()
        if kind == QEvent.Wheel:
            turn = event.angleDelta()
            way = ("up" if turn.y() > 0 else "down") if turn.y() else ("left" if turn.x() > 0 else "right")
            write("wheel", way, event.globalPos().x(), event.globalPos().y())
        elif kind in NAMES:
            name = "drag" if kind == QEvent.MouseMove and event.buttons() & Qt.LeftButton else NAMES[kind]
            # Qt has no event for a third click; its text widgets take the press after a double click for one
            name = "click 3" if self.double and name == "down" else name
            self.double = name == "click 2" or (self.double and name == "up")
            write(name, NUMBERS[event.button()], event.globalX(), event.globalY())
            return True
        return bool(super().event(event))


NAMES = {
    QEvent.MouseButtonPress: "down",
    QEvent.MouseButtonRelease: "up",
    QEvent.MouseButtonDblClick: "click 2",
    QEvent.MouseMove: "move",
}


class Window(QWidget):  # type: ignore[misc]
    def event(self, event: Any) -> bool:
        if event.type() == QEvent.WindowActivate:
            write("ready")
        return bool(super().event(event))


application = QApplication(sys.argv)
window = Window()
window.setWindowTitle("Watch Qt")
window.resize(600, 500)
area = Area("Handle")
area.setMouseTracking(True)
rows = QListWidget()
rows.setDragDropMode(QAbstractItemView.InternalMove)
rows.setSpacing(8)
rows.addItems(["Apple", "Banana", "Cherry", "Quince"])
rows.model().rowsMoved.connect(lambda *_: write("order", *[rows.item(row).text() for row in range(rows.count())]))
columns = QHBoxLayout(window)
columns.addWidget(area)
columns.addWidget(rows)
window.show()
sys.exit(application.exec_())
