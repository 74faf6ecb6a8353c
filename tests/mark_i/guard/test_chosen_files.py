"""Enter opens the file that is chosen in a list, so its name counts as on a click."""

from pathlib import Path
from typing import Final

import pytest

from tests.mark_i.guard.on_screen import APPS, Worker, keys
from tests.mark_i.guard.pretended import Call, Shown, press, tried, typed

NAMES: Final = ("text notes.txt", "text id_rsa", "text setup.sh 2 kB", "text plan.txt")
PYTHON: Final = "/usr/bin/python3"  # Debian's, which has GTK


def files(chosen: str, *categories: str) -> Shown:
    return Shown(NAMES, categories=categories or ("FileManager",), chosen=chosen)


@pytest.mark.parametrize(
    ("shown", "calls"),
    [
        (files("id_rsa"), press("down", "enter")),
        (files("setup.sh 2 kB"), press("down", "enter")),
        (files("setup.sh 2 kB", "Utility"), press("end", "enter")),
        (files("id_rsa"), [typed("\n")]),
        (files(""), [typed("id_\n")]),
        (files(""), [typed("set", enter=True)]),
    ],
)
def test_enter_on_a_private_file_or_a_program_is_asked_about(shown: Shown, calls: list[Call]) -> None:
    assert tried(shown, calls).stopped


@pytest.mark.parametrize(
    ("shown", "calls"),
    [
        (files("notes.txt"), press("down", "enter")),
        (files(""), press("enter")),
        (files(""), [typed("letter.txt", enter=True)]),
        (files("id_rsa", "TextEditor"), [*press("down", "enter"), typed("Dear Ann,\n")]),
        (Shown((*NAMES, "textbox Name"), chosen="id_rsa"), [typed("a.txt", into="Name", enter=True)]),
    ],
)
def test_enter_on_another_file_is_not_asked_about(shown: Shown, calls: list[Call]) -> None:
    assert not tried(shown, calls).stopped


def test_a_program_that_the_goal_names_is_opened() -> None:
    assert not tried(files("setup.sh 2 kB"), press("down", "enter"), "Start setup.sh").stopped


def test_the_chosen_row_is_seen_in_an_application(worker: Worker, tmp_path: Path) -> None:
    for name in ("a.txt", "b.sh", "c.txt", "d.txt", "e.txt"):
        (tmp_path / name).write_text("keep me")
    worker.desktop.launch([PYTHON, str(APPS / "files_gtk.py"), str(tmp_path)])
    worker.comes("Files", "a.txt", "b.sh", "c.txt")

    codes, asked = worker.does(*keys("down", "enter", "down", "enter"))

    assert codes == [None, "DENIED", None, None]
    assert asked == ['"b.sh" may start when it is opened.']
    worker.comes("Opened c.txt")
