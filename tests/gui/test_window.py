"""The window itself, on a virtual desktop, worked with mouse and keyboard; what it shows is read off the screen."""

import contextlib
import json
import os
import signal
from pathlib import Path

import numpy as np

from gui.history_page.model import PAGES
from mark_i.config.paths import runs_folder
from mark_i.workflows.library import shipped
from tests.gui.opened_window import CAP_S, GOAL, LONG, Window
from tests.support import Run, processes_with, script
from toolbelt.elements.detector import elements_on
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from world_model import Journal, Point


def test_each_page_and_each_desktop_can_be_pointed_at(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    frame = window.screen.look()
    texts = [thing.text for thing in elements_on(frame, window.screen.read(frame))]
    assert {*PAGES, "Virtual desktop", "This desktop"} <= set(texts)


def test_a_goal_is_run_and_every_step_of_it_can_be_seen(window: Window, tmp_path: Path) -> None:
    window.click("Run")
    assert window.sees("Enter a goal first")

    window.click("offline", count=3)
    window.desktop.type("oflin")
    window.click('open the text editor, type "Hello there"', count=1)
    window.click("Run")
    assert window.sees("The run did not start", "There is no brain named 'oflin'. Did you mean offline?")

    press = {"thought": "I hold the shift key for a moment.", "action": {"tool": "press", "args": {"keys": "shift"}}}
    point = {"thought": "I click where nothing is.", "action": {"tool": "click", "args": {"target": {"x": 9, "y": 9}}}}
    end = {
        "thought": "That is all.",
        "action": {"tool": "finish", "args": {"summary": "Shift was held.", "evidence": []}},
    }
    window.click("New conversation")
    assert window.gone("The run did not start")
    window.click("oflin", count=3)
    window.desktop.type(script(tmp_path / "shift.jsonl", press, point, end))
    window.click("Run")
    assert window.sees("Done, but not verified", "3 of 50 steps", "Shift was held.", "That is all.", "STEP 3")

    window.desktop.press("page up")
    assert window.sees("STEP 1", "hold the shift key for a moment.", "Press shift", "place circled")


def test_a_picture_is_opened_large(window: Window, tmp_path: Path) -> None:
    end = {"thought": "That is all.", "action": {"tool": "finish", "args": {"summary": "Nothing to do."}}}
    window.start(script(tmp_path / "end.jsonl", end, end))
    assert window.sees("Done, but not verified")

    caption = window.screen.until(lambda lines: find("Before", lines), CAP_S)
    place, *_ = find("Before", caption)
    window.desktop.click(Point(place.point.x, place.point.y - 40))
    assert window.wait(lambda: "Step 1, before" in window.titles(active=True))
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])


def test_a_run_is_stopped_by_the_button_and_by_escape(window: Window, tmp_path: Path) -> None:
    window.start(script(tmp_path / "long.jsonl", LONG))
    assert window.sees("wait for a very long time.", "Acting: Wait for")
    window.click("Stop")
    assert window.sees("Stopped", "The run was stopped.")

    assert window.wait(lambda: window.lit("Run"))  # it has told its end, and gives back its desktop
    window.desktop.press("ctrl+enter")  # what was not reached is there to be tried again
    assert window.sees("wait for a very long time.", "Acting: Wait for")
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")


def test_closing_while_a_run_goes_on_leaves_nothing_behind(window: Window, tmp_path: Path) -> None:
    window.start(script(tmp_path / "long.jsonl", LONG))
    assert window.sees("Acting: Wait for")
    assert len(processes_with(f"MARK_I_HOME={window.home}\0")) > 2  # the window, Xvfb, openbox

    (only,) = window.desktop.windows()
    window.desktop.close_window(only)

    assert window.ends() == 0
    assert window.wait(lambda: not processes_with(f"MARK_I_HOME={window.home}\0"))


def test_the_terminal_closes_it_while_a_run_goes_on(window: Window, tmp_path: Path) -> None:
    window.start(script(tmp_path / "long.jsonl", LONG))
    assert window.sees("Acting: Wait for")

    os.kill(window.process.pid, signal.SIGINT)

    assert window.ends() == 130


def test_without_a_display_it_says_what_to_do(mark_i: Run) -> None:
    done = mark_i("gui")

    assert done.returncode == 5
    assert done.stderr.startswith("mark-i: The window needs a display, and none can be opened.")
    assert "mark-i run" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_question_is_asked_and_its_answer_arrives(window: Window, tmp_path: Path) -> None:
    ask = {"thought": "Only they know.", "action": {"tool": "ask_user", "args": {"question": "Which colour?"}}}
    window.start(script(tmp_path / "brain.jsonl", ask, LONG))

    assert window.sees("Which colour?")
    window.answers("violet")

    assert window.gone("MARK-I asks")
    assert window.sees("Which colour?", "violet")


def looking_back(file: Path) -> Path:
    """The shipped react as a person edits it: it looks back after each action."""
    graph = json.loads(shipped()["react"].read_text(encoding="utf-8"))
    graph["nodes"].append({"id": 99, "type": "reflect"})
    link = next(one for one in graph["links"] if (one["origin_id"], one["target_id"]) == (6, 7))
    link["target_id"] = 99
    graph["links"].append({"origin_id": 99, "target_id": 7})
    file.write_text(json.dumps({**graph, "name": "Looking back"}))
    return file


def test_a_workflow_is_drawn_and_shows_where_the_run_is(window: Window, tmp_path: Path) -> None:
    press = {"thought": "I hold the shift key.", "action": {"tool": "press", "args": {"keys": "shift"}}}
    ask = {"thought": "Only they know.", "action": {"tool": "ask_user", "args": {"question": "Which colour?"}}}
    end = {"thought": "That is all.", "action": {"tool": "finish", "args": {"summary": "It is violet."}}}
    replies = [press, "It goes well.", ask, "It still does.", end, end]
    assert window.sees("Ready", "What should MARK-I do?")
    window.write(GOAL)
    window.desktop.type(f"\t{script(tmp_path / 'b.jsonl', *replies)}\treakt\n")
    assert window.sees("There is no workflow 'reakt'")
    window.desktop.press("shift+home")
    window.desktop.type(f"{looking_back(tmp_path / 'mine.json')}\n")
    assert window.sees("Looking back", "11 nodes, 16 links, 1 loop")
    window.click("Run")

    assert window.sees("Which colour?")
    window.is_asked()
    assert window.sees("Looking back", "Act x2")
    assert window.lit("Act x2")
    assert not window.lit("Think x2")
    window.answers("violet")

    assert window.sees("Done, but not verified", "Act x3", "reflect x3", "Once more? x3", "Answer x1")
    assert not window.lit("Act x3")


def test_the_workflow_of_the_profile_is_chosen_already(screen: Eyes, home: Path, mark_i: Run) -> None:
    assert mark_i("config", "set", "workflow", "react").returncode == 0
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("ReAct", "10 nodes, 15 links, 1 loop", "Empty scratchpad")


def test_past_runs_are_found_opened_gone_through_and_deleted(window: Window, tmp_path: Path) -> None:
    press = {"thought": "I hold the shift key.", "action": {"tool": "press", "args": {"keys": "shift"}}}
    end = {"thought": "That is all.", "action": {"tool": "finish", "args": {"summary": "It was held."}}}
    window.start(script(tmp_path / "shift.jsonl", press, press, end, end))
    assert window.sees("Done, but not verified", "It was held.")

    window.desktop.press("ctrl+2")
    assert window.sees("Search", "Press the shift key, then", "Outcome", "Delete")
    window.desktop.type("alt")
    assert window.sees("No run matches these words")
    window.desktop.press("shift+home")
    window.desktop.type("held shift\n")
    assert window.sees("Back", "Step 3 of 3", "It was held.")
    window.desktop.press("home")
    assert window.sees("Step 0 of 3")
    window.desktop.press("right")
    assert window.sees("Step 1 of 3", "STEP 1", "hold the shift key.")
    assert not find("STEP 2", window.screen.read(window.screen.look()))
    window.desktop.press("right")
    assert window.sees("Step 2 of 3", "STEP 2")

    window.click("Back")
    assert window.sees("Search", "Outcome")
    window.desktop.press("down")
    window.desktop.press("delete")
    assert window.sees("It ran 20", "Done, but not verified. Enter deletes it permanently", "Keep it")
    window.desktop.press("escape")
    assert window.gone("Keep it")
    window.click("Press the shift key, then")
    assert window.sees("Step 3 of 3")
    window.desktop.press("escape")
    assert window.sees("Search", "Outcome")  # both pages have this button
    window.click("Delete")
    window.click("Delete it")
    assert window.sees("There are no runs yet")

    window.click("Agent")
    assert window.sees("It was held.", "Goal")


def test_a_long_goal_of_a_past_run_is_shown_whole(screen: Eyes, home: Path) -> None:
    goal = f"Water the plants{' and the trees in the garden' * 40}, then close the gate"
    Journal(runs_folder() / "1", {"goal": goal}).close({"outcome": "done"})
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("Ready", "What should MARK-I do?")
        window.click("Runs")
        window.click("Water the plants")
        assert window.sees("Back", "Water the plants", "Step 0 of 0")
        assert not find("close the gate", screen.read(screen.look()))
        window.desktop.move(find("Water the plants", screen.read(screen.look()))[0].point)
        window.desktop.scroll("down", 30)
        assert window.sees("close the gate")


def test_a_report_of_a_past_run_is_saved_with_the_keyboard(screen: Eyes, home: Path, tmp_path: Path) -> None:
    press = {"thought": "I hold the shift key.", "action": {"tool": "press", "args": {"keys": "shift"}}}
    end = {"thought": "That is all.", "action": {"tool": "finish", "args": {"summary": "It was held."}}}
    with contextlib.closing(Window(screen, home, BROWSER="/bin/true")) as window:
        window.start(script(tmp_path / "shift.jsonl", press, end, end))
        assert window.sees("Done, but not verified")
        window.desktop.press("ctrl+2")
        assert window.sees("Search", "Outcome")
        window.desktop.type("shift\n")
        assert window.sees("Step 2 of 2")
        for _ in range(4):
            window.desktop.press("tab")
        assert window.wait(lambda: window.ringed("Make a skill"))
        window.desktop.press("tab")
        window.desktop.press("enter")
        assert window.sees("report.html")
    (file,) = home.rglob("report.html")
    assert b"It was held." in file.read_bytes()


def test_a_run_goes_on_and_is_not_deleted_while_the_past_is_seen(window: Window, tmp_path: Path) -> None:
    window.start(script(tmp_path / "long.jsonl", LONG))
    assert window.sees("Acting: Wait for")
    window.click("Runs")
    assert window.sees("Running", "Acting: Wait for", "Esc stops it")
    window.click("Delete")
    assert window.sees("Keep it", "Delete it")  # the question has come, and with it the focus
    window.desktop.press("enter")
    assert window.sees("Stop it first", "Running")
    window.desktop.press("escape")
    assert window.sees("Stopped")
    assert window.wait(lambda: _is_empty(window, beside_help=250)), "nothing is left of the run's status"
    window.desktop.press("ctrl+1")
    assert window.sees("The run was stopped.", "wait for a very long time.")


def _is_empty(window: Window, beside_help: int) -> bool:
    """Whether the row of the pages shows nothing over so many pixels to the left of its last button."""
    place = window.place("MARK-I")
    end = place.right - 70
    row = window.screen.look().pixels[place.y + 26 : place.y + 56, end - beside_help : end]
    return len(np.unique(row.reshape(-1, 3), axis=0)) == 1
