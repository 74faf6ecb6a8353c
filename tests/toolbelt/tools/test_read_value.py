"""The value of a label, in real windows of three toolkits."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr import find, plain
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation

CAP_S = 60.0  # seconds for an application to do something on a busy machine
TK = """
import tkinter as tk
from tkinter import ttk
root = tk.Tk()
font = ("DejaVu Sans", 14)
def put(row, label, widget):
    tk.Label(root, text=label, font=font).grid(row=row, column=0, padx=10, pady=10, sticky="w")
    widget.grid(row=row, column=1, padx=10, sticky="w")
name = tk.Entry(root, font=font, width=24)
name.insert(0, "Ann Lee")
put(0, "Name:", name)
put(1, "Company:", tk.Entry(root, font=font, width=24))
rooms = tk.Spinbox(root, font=font, from_=1, to=50, width=12)
rooms.delete(0, "end")
rooms.insert(0, "17")
put(2, "Rooms:", rooms)
size = ttk.Combobox(root, font=font, values=["Small", "Large"])
size.set("Large")
put(3, "Size:", size)
put(4, "Total", tk.Label(root, text="1,234.50 EUR", font=font))
tk.Label(root, text="Status: shipped", font=font).grid(row=5, column=0, columnspan=2, pady=10)
for row in (6, 7):
    put(row, "Guest", tk.Label(root, text=f"Nr {row}", font=font))
root.mainloop()
"""
GTK = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
rows = Gtk.Grid(row_spacing=10, column_spacing=12, margin=20)
def put(row, label, widget):
    rows.attach(Gtk.Label(label=label, xalign=0), 0, row, 1, 1)
    rows.attach(widget, 1, row, 1, 1)
put(0, "Name:", Gtk.Entry(text="Ann Lee", width_chars=24))
put(1, "Company:", Gtk.Entry(width_chars=24))
put(2, "Rooms:", Gtk.SpinButton(adjustment=Gtk.Adjustment(value=17, upper=50, step_increment=1), width_chars=14))
size = Gtk.ComboBoxText()
for one in ("Small", "Large"):
    size.append_text(one)
size.set_active(1)
put(3, "Size:", size)
put(4, "Total", Gtk.Label(label="1,234.50 EUR", xalign=0))
rows.attach(Gtk.Label(label="Status: shipped"), 0, 5, 2, 1)
for row in (6, 7):
    put(row, "Guest", Gtk.Label(label=f"Nr {row}", xalign=0))
window = Gtk.Window(title="Values")
window.add(rows)
window.show_all()
Gtk.main()
"""
PAGE = """<!doctype html><body style='font: 18px sans-serif'><style>
input, select { font: 18px sans-serif; width: 260px }
label { display: inline-block; width: 140px } p { margin: 12px }</style>
<p><label>Name:</label><input value='Ann Lee'><p><label>Company:</label><input>
<p><label>Rooms:</label><input type=number value=17>
<p><label>Size:</label><select><option>Large<option>Small</select>
<p><label>Total</label>1,234.50 EUR<p>Status: shipped<p><label>Guest</label>Nr 6<p><label>Guest</label>Nr 7"""
CHROMIUM = ("chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update")
Read = Callable[..., Observation]


@pytest.fixture(params=["tk", "gtk", pytest.param("web", marks=pytest.mark.browser)])
def read(request: pytest.FixtureRequest, desktop: VirtualDesktop, control: Control, tmp_path: Path) -> Read:
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    commands = {
        "tk": [sys.executable, "-c", TK],
        "gtk": ["/usr/bin/python3", "-c", GTK],
        "web": [*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}", f"--app=file://{page}"],
    }
    if request.param == "web":
        request.getfixturevalue("browser")
    desktop.launch(commands[request.param])
    eyes = Eyes(desktop, control)
    assert find("Nr 7", eyes.until(lambda lines: find("Nr 7", lines), CAP_S))
    eyes.settle(eyes.look(), 0.5)

    def use(label: Any) -> Observation:
        eyes.show()
        return standard_toolbelt(eyes).call(Action("read_value", {"label": label}), control).observation

    return use


def test_the_value_of_a_label_is_read(read: Read) -> None:
    expected = {"Name": "Ann Lee", "Company": "", "Rooms": "17", "Size": "Large", "Total": "1,234.50 EUR"}

    assert {name: (read(name).data or {}).get("value") for name in expected} == expected
    assert read("Status").data["value"] == "shipped"
    assert read("Name").text.startswith('The value of "Name:" at ')
    assert read("Company").text.endswith(" is empty.")


def test_what_is_not_found_or_not_clear_is_told(read: Read) -> None:
    missing, unclear, nothing = (read(label).error for label in ("Zip code", "Guest", "Nr 7"))

    assert missing
    assert missing.code == "TARGET_NOT_FOUND"
    assert "Company" in " ".join(missing.hints)
    assert unclear
    assert unclear.code == "TARGET_AMBIGUOUS"
    assert nothing
    assert nothing.message == 'No value stands in, beside or below "Nr 7".'
    assert plain(read({"text": "Guest", "beside": "Nr 7"}).data["value"]) == plain("Nr 7")  # a narrow space is missed
