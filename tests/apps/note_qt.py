"""A Qt text field that is kept in a file on Ctrl+Q: `note_qt.py FILE`. `FILE.ready` says that it has the focus."""

import sys
from pathlib import Path
from typing import Any

from PyQt5.QtGui import QKeySequence  # type: ignore[import-not-found]  # Debian's, for its own Python
from PyQt5.QtWidgets import QApplication, QPlainTextEdit, QShortcut  # type: ignore[import-not-found]


class Note(QPlainTextEdit):  # type: ignore[misc]
    def focusInEvent(self, event: Any) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        Path(f"{sys.argv[1]}.ready").touch()


def keep() -> None:
    Path(sys.argv[1]).write_text(note.toPlainText(), encoding="utf-8")
    application.quit()


application = QApplication(["note"])
note = Note()
note.setWindowTitle("Note Qt")
QShortcut(QKeySequence("Ctrl+Q"), note, keep)
note.show()
application.exec_()
