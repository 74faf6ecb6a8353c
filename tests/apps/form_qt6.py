"""A form in Qt 6: fields, boxes, a combobox, a slider, tabs, a list and buttons. Its title says what was pressed."""

import sys

from PyQt6.QtWidgets import (  # type: ignore[import-not-found]  # Debian's, for its own Python
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QRadioButton,
    QSlider,
    QTabWidget,
    QWidget,
)

application = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Form Qt 6")
form = QFormLayout(window)
name, password = QLineEdit("Ada"), QLineEdit("s3cret-word")
password.setEchoMode(QLineEdit.EchoMode.Password)
news, card, colour, tabs, towns = QCheckBox("News"), QRadioButton("Card"), QComboBox(), QTabWidget(), QListWidget()
news.setChecked(True)
colour.addItems(["Red", "Blue"])
tabs.addTab(QLabel("One"), "First")
tabs.addTab(QLabel("Two"), "Second")
towns.addItems(["Alpha", "Beta"])
towns.setMaximumHeight(80)
order, stop = QPushButton("Order"), QPushButton("Stop")
order.clicked.connect(lambda: window.setWindowTitle("pressed Order"))
stop.setEnabled(False)
for label, widget in (("Name", name), ("Password", password), ("Colour", colour)):
    form.addRow(label, widget)
for widget in (news, card, QSlider(), tabs, towns, order, stop):
    form.addRow(widget)
window.show()
application.exec()
