"""Gestures, each in a real application."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr import find
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting.values import number_in
from world_model import Action, Observation

CAP_S = 60.0  # seconds for an application to do something on a busy machine


CHOICES = """
import tkinter as tk
root = tk.Tk()
box = tk.Listbox(root, selectmode="extended", font=("DejaVu Sans", 14), exportselection=False)
for name in ("Apple", "Banana", "Cherry", "Damson", "Elder"):
    box.insert("end", name)
box.pack()
told = tk.Label(root, text="Chosen: 0", font=("DejaVu Sans", 14))
told.pack()
box.bind("<<ListboxSelect>>", lambda _: told.config(text="Chosen: " + ", ".join(map(str, box.curselection()))))
root.mainloop()
"""

FIELDS = """
import tkinter as tk
root = tk.Tk()
font = ("DejaVu Sans", 14)
names = [tk.StringVar(value=value) for value in ("Ann", "Elm Street 5")]
for row, (label, value) in enumerate(zip(("Name:", "Street:"), names)):
    tk.Label(root, text=label, font=font).grid(row=row, column=0, padx=10, pady=10)
    tk.Entry(root, textvariable=value, font=font, width=24).grid(row=row, column=1, padx=10)
told = tk.Label(root, font=font)
told.grid(row=2, column=1)
for value in names:
    value.trace_add("write", lambda *_: told.config(text=", ".join(one.get() for one in names) + "."))
root.mainloop()
"""

COUNTER = """
import tkinter as tk
root = tk.Tk()
font = ("DejaVu Sans", 14)
for row, name in enumerate(("Total:", "Left:", "Fixed:")):
    tk.Label(root, text=name, font=font).grid(row=row, column=0, padx=10, pady=10)
total, left = tk.Label(root, font=font), tk.Entry(root, font=font)
total.grid(row=0, column=1)
left.grid(row=1, column=1)
tk.Label(root, text="7 of 9", font=font).grid(row=2, column=1)
def count(number=0):
    total.config(text=f"{1000 + number:,} EUR")
    left.delete(0, "end")
    left.insert(0, f"{5 - number:.1f}")
    root.after(200, count, number + 1)
count()
root.mainloop()
"""
CHROMIUM = ("chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update")
FONT = " style='font: 22px sans-serif'>"


class User:
    """Uses the tools on a desktop."""

    def __init__(self, desktop: VirtualDesktop, control: Control) -> None:
        self.desktop, self.control, self.eyes = desktop, control, Eyes(desktop, control)
        self._belt = standard_toolbelt(self.eyes)

    def use(self, tool: str, **args: Any) -> Observation:
        self.eyes.show()
        return self._belt.call(Action(tool, args), self.control).observation

    def does(self, tool: str, **args: Any) -> str:
        """Return what a tool says, which has to work."""
        observation = self.use(tool, **args)
        assert observation.ok, observation.error
        return observation.text

    def opens(self, *command: str, shows: str) -> None:
        self.desktop.launch(command)
        self.sees(shows)
        self.until(lambda: any(one.active for one in self.desktop.windows()))

    def sees(self, text: str) -> None:
        assert find(text, self.eyes.until(lambda lines: find(text, lines), CAP_S))

    def reads(self, text: str) -> bool:
        return bool(find(text, self.eyes.read(self.eyes.look())))

    def until(self, condition: Callable[[], object]) -> None:
        assert self.control.until(condition, CAP_S)


@pytest.fixture
def user(desktop: VirtualDesktop, control: Control) -> User:
    return User(desktop, control)


@pytest.fixture
def editor(user: User, tmp_path: Path) -> User:
    """A text editor with three lines."""
    file = tmp_path / "note.txt"
    file.write_text("Alpha\nBravo\nCharlie\n")
    user.opens("mousepad", str(file), shows="Charlie")
    return user


def test_a_key_is_pressed_several_times(editor: User) -> None:
    assert editor.does("press", keys="down", times=2) == "Pressed down 2 times."
    assert editor.does("press", keys="delete", times=4) == "Pressed delete 4 times."
    editor.does("press", keys="shift+h", times=1)

    editor.sees("Hlie")


@pytest.mark.parametrize("times", [0, 101])
def test_a_key_is_pressed_a_hundred_times_at_most(user: User, times: int) -> None:
    error = user.use("press", keys="a", times=times).error

    assert error
    assert error.code == "INVALID_ARGS"


def test_a_click_with_a_modifier_adds_to_what_is_chosen(user: User) -> None:
    user.opens(sys.executable, "-c", CHOICES, shows="Damson")

    user.does("click", target="Banana")
    user.does("click", target="Damson", holding="ctrl")
    user.sees("Chosen: 1, 3")
    user.does("click", target="Elder", holding="shift")
    user.sees("Chosen: 1, 3, 4")


def test_a_click_with_shift_selects_up_to_there(editor: User) -> None:
    editor.does("click", target="Alpha")
    editor.does("press", keys="home")
    editor.does("click", target="Charlie", holding="shift")
    editor.does("type_text", text="Zulu ")

    editor.until(lambda: not editor.reads("Bravo"))
    assert editor.reads("Zulu")
    assert not editor.reads("Alpha")


def test_a_text_takes_the_place_of_what_a_field_holds(user: User) -> None:
    user.opens(sys.executable, "-c", FIELDS, shows="Street")

    said = user.does("type_text", text="Bob Miller", into="Name", replace=True)
    assert said.startswith('Typed 10 characters into the field "Name:" at ')
    assert said.endswith(" over what was there.")
    user.does("type_text", text="Hill Road", into="Street", replace=True, paste=True)

    user.sees("Bob Miller, Hill Road.")
    user.does("type_text", text="", into="Name", replace=True)
    user.until(lambda: user.reads("Hill Road.") and not user.reads("Miller"))


@pytest.mark.usefixtures("browser")
@pytest.mark.parametrize("field", ["<input value='Elm Street 5'>", "<textarea>Elm Street 5\nRoom 2</textarea>"])
def test_a_text_takes_the_place_of_what_a_field_of_a_page_holds(user: User, tmp_path: Path, field: str) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<body style='font: 22px sans-serif'><p>Street:</p>{field.replace('>', FONT, 1)}")
    user.opens(*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}", f"--app=file://{page}", shows="Elm Street 5")

    user.does("type_text", text="Hill", into={"text": "Elm Street 5"}, replace=True)

    user.sees("Hill")
    assert not any(user.reads(one) for one in ("Elm", "Room"))


def test_an_editor_holds_only_what_replaced_all(editor: User) -> None:
    editor.does("type_text", text="Delta\nEcho", replace=True)

    editor.sees("Echo")
    assert not any(editor.reads(one) for one in ("Alpha", "Bravo", "Charlie"))


def test_nothing_is_replaced_at_a_terminal(user: User) -> None:
    user.opens("xterm", "-fa", "DejaVu Sans Mono", "-fs", "14", "-e", "cat", shows="cat")
    user.does("type_text", text="Alpha")
    user.sees("Alpha")

    error = user.use("type_text", text="Bravo", replace=True).error

    assert error
    assert error.code == "INVALID_ARGS"
    assert not user.reads("Bravo")


def test_a_number_beside_a_label_is_waited_for(user: User) -> None:
    user.opens(sys.executable, "-c", COUNTER, shows="Total:")

    said = user.use("wait_for", text="Total", number="> 1012", timeout=CAP_S)
    assert said.ok, said.error
    assert said.data["numbers"][0] > 1012
    assert user.use("wait_for", text="Left", number="<=-5.5", timeout=CAP_S).ok
    assert user.use("wait_for", text="Left", number="> -4", gone=True, timeout=CAP_S).ok

    late = user.use("wait_for", text="Fixed", number="> 8", timeout=0).error
    assert late
    assert (late.code, late.message) == ("TIMEOUT", 'The number of "Fixed" is 7 after 0 s.')
    absent = user.use("wait_for", text="Nothing", number="> 8", timeout=0).error
    assert absent
    assert absent.message == 'There is no number of "Nothing" after 0 s.'


def test_a_pattern_is_waited_for(user: User) -> None:
    user.opens(sys.executable, "-c", COUNTER, shows="Total:")

    said = user.use("wait_for", text=r"\d,\d{3} EUR", regex=True, timeout=CAP_S)
    assert said.ok, said.error
    assert said.data["text"] in said.text
    assert re.fullmatch(r"\d,\d{3} EUR", said.data["text"])
    assert user.use("wait_for", text=r"1,00\d EUR", regex=True, gone=True, timeout=CAP_S).ok

    late = user.use("wait_for", text="^[A-Z]{9}$", regex=True, timeout=0).error
    assert late
    assert (late.code, late.message) == ("TIMEOUT", '"^[A-Z]{9}$" matches nothing after 0 s.')


def test_a_pattern_that_takes_for_ever_is_refused(editor: User) -> None:
    editor.does("type_text", text="It was a dark and stormy night", replace=True)
    editor.sees("It was a dark and stormy night")

    error = editor.use("wait_for", text="(.|.)+~~~", regex=True, timeout=CAP_S).error

    assert error
    assert (error.code, error.message) == ("INVALID_ARGS", 'The regular expression "(.|.)+~~~" takes too long.')


@pytest.mark.parametrize("pattern", ["(", "[z-a]", "a{2,1}", "*"])
def test_a_bad_pattern_is_refused_in_one_line(pattern: str) -> None:
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (640, 200)))
    belt = standard_toolbelt(Eyes(desktop, desktop.control))

    error = belt.call(Action("wait_for", {"text": pattern, "regex": True}), desktop.control).observation.error

    assert error
    assert error.code == "INVALID_ARGS"
    assert error.message.startswith(f'"{pattern}" is no regular expression: ')
    assert "\n" not in error.message


@pytest.mark.parametrize("number", ["100", "> many", ">> 1", "", "> 1 and < 2"])
def test_only_a_comparison_is_one(user: User, number: str) -> None:
    error = user.use("wait_for", text="Total", number=number, timeout=0).error

    assert error
    assert error.code == "INVALID_ARGS"
    assert error.message.startswith(f'"{number}" is no comparison such as "> 100".')


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234.50 EUR", 1234.5),
        ("1.234,5", 1234.5),
        ("$1,234", 1234),
        ("1,5 %", 1.5),
        ("0,125", 0.125),
        ("1.234.567", 1234567),
        ("12 345", 12345),
        ("-3.5 °C", -3.5),
        ("3 of 20", 3),
        ("3 20", 3),
        ("5, or 6.", 5),
        ("none", None),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, number: float | None) -> None:
    assert number_in(text) == number
