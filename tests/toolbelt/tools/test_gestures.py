"""Gestures, each in a real application."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr import find
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation

CAP_S = 120.0  # seconds for an application to do something on a busy machine


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
