"""The table of past runs in a window of changing size."""

import contextlib
from pathlib import Path

from mark_i.config.paths import runs_folder
from tests.gui.opened_window import Window
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from world_model import Journal, Region, Size

SCREEN_SIZE = Size(1280, 760)
LARGE, SMALL = Region(0, 0, 1240, 720), Region(0, 0, 700, 500)
GOAL = "Water the plants in the garden, sweep the terrace and then close the gate behind you"
EDGE_PX = 120  # no more than the last column


def test_the_columns_follow_the_window(screen: Eyes, home: Path) -> None:
    Journal(runs_folder() / "1", {"goal": GOAL}).close({"outcome": "done"})
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("Ready")
        window.desktop.press("ctrl+2")
        for page in ("ctrl+2", "ctrl+1"):  # a table that is not shown is laid out otherwise
            resize(window, LARGE)
            assert window.sees("When", "Goal", "Outcome", "Steps", "Time", "Delete", GOAL)
            fills(window, LARGE)
            window.desktop.press(page)
            resize(window, SMALL)
            window.desktop.press("ctrl+2")
            assert window.sees("When", "Goal", "Outcome", "Delete")
            assert window.gone("Steps")
            fills(window, SMALL)


def resize(window: Window, region: Region) -> None:
    def done() -> bool:
        (shown,) = (one for one in window.desktop.windows() if one.title == "MARK-I")
        window.desktop.place_window(shown, region)
        return window.place("MARK-I") == region

    assert window.wait(done)


def fills(window: Window, region: Region) -> None:
    """The last column is at the right edge."""

    def at_edge() -> bool:
        found = find("Delete", window.screen.read(window.screen.look()))
        return bool(found) and region.right - found[0].point.x < EDGE_PX

    assert window.wait(at_edge)
