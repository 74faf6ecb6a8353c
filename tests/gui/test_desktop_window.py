"""`mark-i desktop view`: a kept desktop in a window of ours, with the person's mouse and keyboard on it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from gui.desktop_window import show_desktop
from mark_i.assembly.kept_desktops import start_kept
from mark_i.config.paths import DEFAULT_PROFILE
from tests.support import CAP_S, soon
from toolbelt.control import Control
from toolbelt.desktops import KeptDesktop, VirtualDesktop
from toolbelt.perception.eyes import Eyes
from world_model import DesktopError, Frame, Point, Size


@pytest.fixture
def kept(display: None, home: Path, control: Control) -> Iterator[KeptDesktop]:
    found = start_kept(DEFAULT_PROFILE, "work", Size(600, 400), control)
    yield found
    found.end()


@pytest.fixture
def viewer(screen: Eyes, kept: KeptDesktop, home: Path) -> Iterator[subprocess.Popen[str]]:
    """The window, in a process of its own."""
    assert isinstance(screen.desktop, VirtualDesktop)
    environment = screen.desktop._environment | {"MARK_I_HOME": str(home)}
    command = [sys.executable, "-m", "mark_i", "desktop", "view", "work"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        try:
            yield run
        finally:
            run.kill()


def place_of(part: NDArray[np.uint8], screen: Frame) -> Point | None:
    """The middle of where a part is on the screen, pixel by pixel, if it has more than one colour."""
    if (part == part[0, 0]).all():
        return None
    _, _, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(screen.pixels, part, cv2.TM_CCORR_NORMED))
    height, width = part.shape[:2]
    there = screen.pixels[y : y + height, x : x + width]
    return Point(x + width // 2, y + height // 2) if np.array_equal(there, part) else None


def test_a_desktop_is_seen_and_used_in_the_window_and_outlives_it(
    screen: Eyes, kept: KeptDesktop, viewer: subprocess.Popen[str], tmp_path: Path
) -> None:
    typed = tmp_path / "typed.txt"
    terminal = ["xterm", "-T", "Notes", "-geometry", "40x8+20+20", "-e", f"cat > {typed}"]
    program = subprocess.Popen(terminal, env=os.environ | {"DISPLAY": kept.display})
    with closing(VirtualDesktop.attach(kept, screen.control)) as there:
        assert screen.control.until(there.front, CAP_S)
        (region,) = (one.region for one in there.windows())

        def shown() -> Point | None:
            return place_of(there.grab().crop(region), screen.desktop.grab())

        at = screen.control.until(shown, CAP_S)
    assert at
    (window,) = screen.desktop.windows()
    assert window.title == "MARK-I: the desktop work"

    screen.desktop.click(at)
    screen.desktop.type("A straße, 3 €\n")
    screen.desktop.press("escape")
    assert soon(lambda: typed.exists() and typed.read_text(encoding="utf-8") == "A straße, 3 €\n")

    screen.desktop.close_window(window)
    assert viewer.wait(CAP_S) == 0
    assert viewer.stdout
    assert viewer.stdout.read() == ""
    assert program.poll() is None
    assert kept.is_open
    program.kill()
    program.wait()


def test_the_window_closes_when_the_desktop_ends(
    screen: Eyes, kept: KeptDesktop, viewer: subprocess.Popen[str]
) -> None:
    assert soon(lambda: [one.title for one in screen.desktop.windows()])

    os.kill(kept.keeper, signal.SIGTERM)

    assert viewer.wait(CAP_S) == 0
    assert viewer.stdout
    assert viewer.stdout.read() == "The desktop work has ended.\n"


def test_without_a_display_the_way_without_one_is_named(kept: KeptDesktop) -> None:
    with pytest.raises(DesktopError, match=r"mark-i desktop view work --vnc. works without one"):
        show_desktop(DEFAULT_PROFILE, kept)
