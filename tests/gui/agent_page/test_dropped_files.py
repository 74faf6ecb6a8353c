"""Files that are dragged onto the window from another program."""

from pathlib import Path
from typing import Final

from mark_i.config.paths import runs_folder
from tests.gui.opened_window import Window
from tests.support import action, script
from world_model import Point, Region

APP: Final = Path(__file__).parents[2] / "apps" / "drag_gtk.py"
END = action("finish", summary="That is all.")
LOOK = action("list_windows")


def drag(window: Window, invitation: str) -> None:
    """From the other program to the middle of the page, where they are dropped once the page says that they can be."""
    start = window.place("Files").center
    window.desktop.move(start)
    window.desktop.mouse_down("left")

    def is_invited() -> bool:  # a drag begins, and a page answers, as the pointer moves
        for way in (50, 51):
            window.desktop.move(Point(start.x - 6 * way, start.y - 5 * way))
        return bool(window.found(invitation))

    assert window.wait(is_invited)
    window.desktop.mouse_up("left")


def test_files_are_attached_by_drop(window: Window, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("order 7.txt", "{notes}.txt")]
    for file in files:
        file.write_text(file.name)
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.launch(["/usr/bin/python3", str(APP), *map(str, files), str(tmp_path)])
    assert window.sees("Drag this")
    [other] = [one for one in window.desktop.windows() if one.title == "Files"]
    window.desktop.place_window(other, Region(680, 560, 200, 80))
    drag(window, "Drop to attach")
    assert window.sees("2 files attached")  # and not the folder

    window.enter_goal("Goal")
    window.desktop.type("Read them\t" + script(tmp_path / "b.jsonl", LOOK, END, END))
    window.desktop.press("shift+tab")
    window.desktop.press("enter")
    assert window.sees("Done, but not verified", "Attach files")
    [run] = [one for one in runs_folder().iterdir() if one.is_dir()]
    assert sorted(one.name for one in (run / "work" / "attached").iterdir()) == ["order 7.txt", "{notes}.txt"]
