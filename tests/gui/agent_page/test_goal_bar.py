"""The goal bar in the window itself, on a virtual desktop: pause, step, style and earlier goals, by mouse and keys."""

import contextlib
from functools import partial
from pathlib import Path

from gui.kit.style import TONES
from mark_i.config.paths import runs_folder, tools_folder
from mark_i.loop.outcome import NO_DATA
from tests.gui.opened_window import LONG, Window
from tests.support import WAITING_TOOL, Run, action, script
from toolbelt.ocr.text_match import find, plain
from toolbelt.perception.eyes import Eyes
from world_model import Journal, read_run

PRESS = action("press", keys="shift")
END = action("finish", summary="That is all.")


def run_and_pause(window: Window, folder: Path, *replies: object) -> None:
    """Run, and pause while the first step goes on, which is then done, and nothing else."""
    tools_folder().mkdir(parents=True)
    (tools_folder() / "wait_for_file.py").write_text(WAITING_TOOL)
    file = folder / "go"
    window.start(script(folder / "b.jsonl", action("wait_for_file", path=str(file)), *replies))
    assert window.sees("Acting: Use wait_for_file")
    window.click("Pause")
    assert window.sees("Pausing after this step", "0 of 50 steps", "Resume")
    file.touch()
    assert window.sees("Paused", "1 of 50 steps", "It is there.")


def test_a_run_is_paused_does_one_step_and_goes_on(window: Window, tmp_path: Path) -> None:
    run_and_pause(window, tmp_path, PRESS, PRESS, PRESS, END, END)
    window.screen.control.wait(1.0)  # it would be done many times over
    assert window.sees("Paused", "1 of 50 steps")

    window.click("Step")
    assert window.sees("Paused", "2 of 50 steps")
    window.desktop.press("f7")
    assert window.sees("Paused", "3 of 50 steps")

    window.click("Resume")
    assert window.sees("Done, but not verified", "5 of 50 steps", "That is all.")


def test_a_paused_run_is_let_go_by_a_key_and_stopped_by_another(window: Window, tmp_path: Path) -> None:
    run_and_pause(window, tmp_path, LONG)
    window.desktop.press("f6")
    assert window.sees("STEP 2", "Acting: Wait for")

    window.desktop.press("f6")
    assert window.sees("Pausing after this step")
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")


def test_what_is_typed_after_a_click_on_a_button_is_a_word(window: Window, tmp_path: Path) -> None:
    run_and_pause(window, tmp_path, PRESS, END, END)
    window.desktop.type("make it brown bread")
    window.desktop.press("enter")

    assert window.sees("make it brown bread", "what you said counts once you resume")


def test_a_paused_run_is_stopped(window: Window, tmp_path: Path) -> None:
    run_and_pause(window, tmp_path, PRESS)

    window.click("Stop")

    assert window.sees("Stopped", "The run was stopped.", "1 of 50 steps")


def test_the_style_is_chosen_by_keys_and_reaches_the_run(window: Window, tmp_path: Path) -> None:
    assert window.sees("Ready", "Style: Conversational mode")
    window.desktop.type(f"Say it\t{script(tmp_path / 'b.jsonl', PRESS, END, END)}\t\t")
    window.desktop.press("down")
    assert window.sees("strict", "Style: Strict data mode")
    window.desktop.press("tab")  # the desktop
    window.desktop.press("tab")  # Run
    window.desktop.press("space")

    assert window.sees("2 of 50 steps", NO_DATA)

    def told() -> int:
        lines = window.screen.read(window.screen.look())
        return sum("strictdatamode" in plain(line.text) for line in lines)

    assert window.wait(lambda: told() == 2)  # chosen, and told by the run


def test_the_desktop_and_the_page_are_chosen_by_keys(window: Window) -> None:
    assert window.sees("Ready", "Virtual desktop")
    window.desktop.type("\t\t\t\t")
    for key, chosen in (("right", "This desktop"), ("right", "This desktop"), ("space", "Virtual desktop")):
        window.desktop.press(key)
        assert window.wait(partial(ringed, window, chosen)), (key, chosen)

    for _ in range(8):
        window.desktop.press("shift+tab")
    assert window.wait(lambda: ringed(window, "Agent"))
    window.desktop.press("right")
    assert window.sees("Search", "There are no runs yet")


def ringed(window: Window, text: str) -> bool:
    """Whether what says this wears the ring of the focus."""
    seen = window.screen.look()
    for place in find(text, window.screen.read(seen)):
        assert place.region
        around = seen.crop(place.region.grown(8).intersection(seen.region))
        rings = [list(bytes.fromhex(color[1:])) for color in TONES["busy"]]
        if any((around == highlight_on_focus).all(axis=2).any() for highlight_on_focus in rings):
            return True
    return False


def test_ctrl_a_selects_all_that_was_written(window: Window) -> None:
    assert window.sees("Ready", "What should MARK-I do?")
    window.write("Water the plants\nand the grass")
    window.desktop.press("ctrl+a")
    window.desktop.type("Feed the cat\tscripted")
    window.desktop.press("ctrl+a")
    window.desktop.type("own brain")
    assert window.sees("Feed the cat", "own brain")
    assert window.gone("the grass")
    assert window.gone("scripted")


def test_the_profiles_style_is_preselected_and_can_be_changed(screen: Eyes, home: Path, mark_i: Run) -> None:
    assert mark_i("config", "set", "style", "verbatim").returncode == 0
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("Ready", "Style: Strict data mode")
        window.click("verbatim")
        window.click("summary")
        assert window.sees("Style: Conversational mode")


def recalls(window: Window, goal: str) -> bool:
    """Whether Up brings that back yet: earlier runs are looked through while the window is there already."""
    window.desktop.press("up")
    return bool(find(goal, window.screen.until(lambda lines: find(goal, lines), 2)))


def test_up_and_down_bring_back_earlier_goals(screen: Eyes, home: Path) -> None:
    for number, goal in enumerate(("Water the plants", "Feed the cat\nand the dog", "Water the plants")):
        Journal(runs_folder() / str(number), {"goal": goal}).close({"outcome": "done"})
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("Ready", "What should MARK-I do?")
        assert any(recalls(window, "Water the plants") for _ in range(60))
        window.desktop.press("down")
        window.write("Call my aunt\nand my uncle")
        window.desktop.press("up")
        assert window.sees("Call my aunt", "and my uncle")  # only the caret went up
        window.desktop.press("up")
        assert window.sees("Water the plants")
        window.desktop.press("up")
        assert window.sees("Feed the cat", "and the dog")
        window.desktop.press("down")
        window.desktop.press("down")
        assert window.sees("Water the plants")
        window.desktop.press("down")
        assert window.sees("Call my aunt", "and my uncle")


def test_a_run_is_spoken_to_while_it_goes_on(window: Window, tmp_path: Path) -> None:
    tools_folder().mkdir(parents=True)
    (tools_folder() / "wait_for_file.py").write_text(WAITING_TOOL)
    window.start(script(tmp_path / "b.jsonl", action("wait_for_file", path=str(tmp_path / "go")), PRESS, END, END))
    assert window.sees("Acting: Use wait_for_file", "Say")

    window.click("Say")
    assert window.sees("Write above what you want to say")
    window.desktop.type("No, the other file")
    window.desktop.press("enter")

    assert window.sees("No, the other file", "The next step is told what you said")
    [run] = runs_folder().iterdir()
    assert [word["text"] for word in read_run(run).words] == ["No, the other file"]
    (tmp_path / "go").touch()
    assert window.sees("Done, but not verified")
    assert "No, the other file" in (run / "prompts.jsonl").read_text()
