"""The sheet of keys, the help beside buttons, and what Esc closes, with a real mouse and real keys."""

import re
from pathlib import Path

from gui.key_sheet import SHEET
from mark_i.config import tools_folder
from tests.gui.opened_window import Window
from tests.support import CAP_S, WAITING_TOOL, action, script
from toolbelt.ocr.text_match import find
from world_model import Point

GUI = Path(__file__).parents[2] / "gui"


def test_every_key_of_the_window_is_on_the_sheet() -> None:
    told = {key for column in SHEET for keys in column.values() for names in keys for key in names.split(", ")}
    source = "".join(file.read_text(encoding="utf-8") for file in GUI.rglob("*.py"))
    bound = re.findall(r'"<((?:Shift-|Control-)?(?:F\d+|Home|End|Return|Delete|[a-z]))>"', source)

    assert len(bound) > 10
    names = {"Control-Return": "Ctrl+Enter", "Shift-Return": "Shift+Enter", "Return": "Enter"}
    keys = {names.get(key, key.replace("Control-", "Ctrl+").replace("Shift-", "Shift+")) for key in bound}
    keys = {key[:-1] + key[-1].upper() if key[-2:-1] in ("", "+") else key for key in keys}
    assert keys - told == set()


def question_mark(window: Window) -> Point:
    """Where the button is, which no recognizer of texts reads."""
    return Point(window.place("MARK-I").right - 33, find("Agent", window.screen.read(window.screen.look()))[0].point.y)


def shows_keys(window: Window) -> bool:
    return window.wait(lambda: window.titles(active=True) == ["Keys"])


def test_all_keys_are_shown_once_and_go_by_any_of_three_ways(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("f1")
    assert shows_keys(window)
    assert window.sees("Everywhere", "Close what is on top, then stop the run", "The step before, the step after")
    window.desktop.press("f1")
    assert window.wait(lambda: window.titles() == ["MARK-I"])

    window.desktop.click(question_mark(window))
    assert shows_keys(window)
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])

    window.desktop.press("f1")
    assert shows_keys(window)
    assert window.wait(lambda: window.lit("Close"))
    window.click("Close")
    assert window.wait(lambda: window.titles(active=True) == ["MARK-I"])


def test_esc_closes_what_is_on_top_and_then_stops_the_run(window: Window, tmp_path: Path) -> None:
    tools_folder().mkdir(parents=True)
    (tools_folder() / "wait_for_file.py").write_text(WAITING_TOOL)
    wait = action("wait_for_file", path=str(tmp_path / "never"))
    window.start(script(tmp_path / "long.jsonl", action("press", keys="shift"), wait))
    assert window.sees("Acting: Use wait_for_file", "Before")
    window.desktop.press("ctrl+f")
    assert window.sees("Close")
    caption = find("Before", window.screen.read(window.screen.look()))[0].point
    window.desktop.click(Point(caption.x, caption.y - 40))
    assert window.wait(lambda: "Step 1, before" in window.titles(active=True))
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])
    window.desktop.press("f1")
    assert shows_keys(window)
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])
    assert window.sees("Close")
    window.desktop.press("escape")
    assert window.gone("Close")

    window.desktop.press("ctrl+2")
    assert window.sees("Search", "Outcome", "Acting: Use wait_for_file")
    window.click("Delete")
    assert window.sees("Keep it")
    window.desktop.press("escape")
    assert window.gone("Keep it")
    assert window.sees("Acting: Use wait_for_file", "Esc stops it")

    window.desktop.press("ctrl+1")
    assert window.sees("Say something", "Acting: Use wait_for_file")
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")


def test_a_pointer_at_rest_is_told_what_a_button_does(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    button = find("Stop", window.screen.read(window.screen.look()))[0].point
    for leave in ("leave", "key", "click"):
        window.desktop.move(Point(button.x, button.y + 3))
        window.desktop.move(button)
        assert window.sees("Stop the run at once (Esc)")
        assert window.titles(active=True) == ["MARK-I"]
        if leave == "leave":
            window.desktop.move(Point(button.x, button.y - 60))
        elif leave == "key":
            window.desktop.type("typed into the goal")
            assert window.sees("typed into the goal")
        else:
            window.desktop.click(button)
        assert window.gone("Stop the run at once")
        window.desktop.move(Point(button.x, button.y - 60))

    button = question_mark(window)
    window.desktop.move(Point(button.x, button.y + 3))
    window.desktop.move(button)
    assert window.sees("All keys (F1)")


def test_esc_closes_an_open_list_which_opens_again(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    field = window.screen.control.until(lambda: window.found("offline"), CAP_S)  # once it has come to rest
    assert field
    assert field.region
    arrow = Point(field.region.x + 127, field.point.y)

    def count() -> int:
        return len(find("offline", window.screen.read(window.screen.look())))

    alone = count()
    for _ in range(2):
        window.desktop.click(arrow)
        assert window.wait(lambda: count() > alone)
        window.desktop.press("escape")
        assert window.wait(lambda: count() == alone)
    assert window.process.poll() is None


def test_an_example_that_is_clicked_can_be_sent_at_once(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    window.click("open the text editor")
    assert window.wait(lambda: len(find("open the text editor", window.screen.read(window.screen.look()))) > 1)
    window.desktop.type("!!")
    assert window.sees("is shown!!")
