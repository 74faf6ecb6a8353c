"""A login that keeps what it was given: `login.py gtk|qt FILE`."""

import sys
from collections.abc import Callable
from pathlib import Path

toolkit, file = sys.argv[1], Path(sys.argv[2])


def keep(user: str, password: str, leave: Callable[[], object]) -> None:
    file.write_text(f"{user}\n{password}\n", encoding="utf-8")
    leave()


def show_gtk() -> None:
    import gi  # type: ignore[import-not-found]  # noqa: PLC0415 - Debian's, for its own Python

    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk  # type: ignore[import-not-found]  # noqa: PLC0415

    window, rows = Gtk.Window(title="Log in"), Gtk.Grid(row_spacing=12, column_spacing=12, margin=24)
    entries = {}
    for row, name in enumerate(("User", "Password")):
        label, entries[name] = Gtk.Label(label=f"{name}:", xalign=0), Gtk.Entry(width_chars=24)
        label.set_mnemonic_widget(entries[name])
        rows.attach(label, 0, row, 1, 1)
        rows.attach(entries[name], 1, row, 1, 1)
    entries["Password"].set_visibility(False)
    entries["Password"].set_input_purpose(Gtk.InputPurpose.PASSWORD)
    button = Gtk.Button(label="Enter")
    user, password = entries.values()
    button.connect("clicked", lambda _: keep(user.get_text(), password.get_text(), Gtk.main_quit))
    rows.attach(button, 1, 2, 1, 1)
    window.add(rows)
    window.show_all()
    Gtk.main()


def show_qt() -> None:
    from PyQt6.QtWidgets import (  # type: ignore[import-not-found]  # noqa: PLC0415 - Debian's, for its own Python
        QApplication,
        QFormLayout,
        QLineEdit,
        QPushButton,
        QWidget,
    )

    application = QApplication(["login"])
    window, user, password, button = QWidget(), QLineEdit(), QLineEdit(), QPushButton("Enter")
    password.setEchoMode(QLineEdit.EchoMode.Password)
    rows = QFormLayout(window)
    rows.addRow("User:", user)
    rows.addRow("Password:", password)
    rows.addRow(button)
    button.clicked.connect(lambda: keep(user.text(), password.text(), application.quit))
    window.setWindowTitle("Log in")
    window.resize(360, 160)
    window.show()
    application.exec()


{"gtk": show_gtk, "qt": show_qt}[toolkit]()
