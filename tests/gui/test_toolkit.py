"""The fonts of the toolkit, which another window may be drawing with, and its callbacks."""

import contextlib
import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mark_i import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from world_model import Size

pytestmark = pytest.mark.usefixtures("processes")
CHECKOUT = Path(__file__).parents[2]
SHAPES = "CustomTkinter_shapes_font.otf"


def start(home: Path) -> Path:
    """Load the toolkit in a process of its own; where its fonts are."""
    environment = {**os.environ, "HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
    command = [sys.executable, "-c", "from gui.toolkit import ctk; import shutil; print(shutil.copy.__module__)"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "shutil\n", "")
    return home / ".fonts"


def stamps(fonts: Path) -> dict[str, tuple[int, int]]:
    return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in fonts.iterdir()}


def test_a_first_start_puts_the_fonts_in_place(tmp_path: Path) -> None:
    assert set(stamps(start(tmp_path))) == {SHAPES, "Roboto-Medium.ttf", "Roboto-Regular.ttf"}


def test_the_next_start_writes_no_font(tmp_path: Path) -> None:
    before = stamps(start(tmp_path))

    assert stamps(start(tmp_path)) == before


def test_another_version_of_a_font_replaces_the_file_and_not_its_content(tmp_path: Path) -> None:
    font = start(tmp_path) / SHAPES
    right = font.read_bytes()
    font.write_bytes(b"an older version")
    with font.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        start(tmp_path)

        assert font.read_bytes() == right
        assert mapped[:] == b"an older version"


CALLBACKS = """
from gui.toolkit import ctk

window = ctk.CTk()
names = set()
for _ in range(100):
    name = window.bind("<F2>", lambda _event: None)
    window.unbind("<F2>", name)
    names.add(name)
print(len(names))
"""


@pytest.mark.usefixtures("display")
def test_no_callback_gets_the_name_of_one_that_is_gone(tmp_path: Path) -> None:
    """A timer of a destroyed widget stays in Tk, with the name that it calls."""
    with contextlib.closing(VirtualDesktop(Size(320, 240), Control())) as desktop:
        environment = {**desktop._environment, "HOME": str(tmp_path), "PYTHONPATH": str(CHECKOUT)}
        done = subprocess.run(
            [sys.executable, "-c", CALLBACKS], env=environment, capture_output=True, text=True, check=False, timeout=120
        )

    assert (done.returncode, done.stdout, done.stderr) == (0, "100\n", "")
