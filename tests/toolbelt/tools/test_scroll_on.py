"""Scrolling on, until something is there or until the end, in a real list and on a real page."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation, Size

CAP_S: Final = 60.0
LIST: Final = """
import tkinter as tk
root = tk.Tk()
box = tk.Listbox(root, font=("TkDefaultFont", 14), width=40, height=16)
for number in range(1, 121):
    box.insert("end", f"Entry number {number}")
box.insert("end", "Zanzibar")
box.pack()
root.mainloop()
"""
PAGE: Final = "<body style='font: 22px sans-serif'>{}<p>Zanzibar</p>"
CHROMIUM: Final = ("chromium", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-component-update")


@pytest.fixture(params=["list", pytest.param("page", marks=pytest.mark.browser)])
def eyes(request: pytest.FixtureRequest, display: None, control: Control, tmp_path: Path) -> Iterator[Eyes]:
    with closing(VirtualDesktop(Size(800, 600), control)) as desktop:
        if request.param == "list":
            desktop.launch([sys.executable, "-c", LIST])
        else:
            request.getfixturevalue("browser")
            page = tmp_path / "page.html"
            page.write_text(PAGE.format("".join(f"<p>Entry number {number}</p>" for number in range(1, 61))))
            desktop.launch([*CHROMIUM, f"--user-data-dir={tmp_path / 'profile'}", f"--app=file://{page}"])
        seeing = Eyes(desktop, control)
        assert find("Entry number 1", seeing.until(lambda lines: find("Entry number 1", lines), CAP_S))
        seeing.settle(seeing.look(), 1.0)
        yield seeing


def scroll(eyes: Eyes, **args: Any) -> Observation:
    eyes.show()
    return standard_toolbelt(eyes).call(Action("scroll", args), eyes.control).observation


def shown(eyes: Eyes, text: str) -> bool:
    return bool(find(text, eyes.read(eyes.look())))


def test_it_is_scrolled_until_a_text_is_there_and_to_both_ends(eyes: Eyes) -> None:
    assert scroll(eyes, direction="down", until="Entry number 40").ok
    assert shown(eyes, "Entry number 40")
    assert not shown(eyes, "Zanzibar")

    assert "to the end" in scroll(eyes, direction="down", until=True).text
    assert shown(eyes, "Zanzibar")

    assert scroll(eyes, direction="up", until=True).ok
    assert shown(eyes, "Entry number 1")


def test_what_does_not_come_is_told_with_what_is_there(eyes: Eyes) -> None:
    seen = scroll(eyes, direction="down", until="Entry number 999", amount=20)

    assert seen.error
    assert seen.error.code == "TARGET_NOT_FOUND"
    assert "Zanzibar" in " ".join(seen.error.hints)
