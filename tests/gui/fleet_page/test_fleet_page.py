"""The Fleets page in the window itself, with a real mouse and keyboard, on fleets of real runs."""

import json
from pathlib import Path

import numpy as np
import pytest

from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from mark_i.fleet.file import jobs_of, read_file
from mark_i.fleet.folder import RESULTS, FleetFolder, Result
from tests.gui.opened_window import Window
from tests.support import processes_with
from toolbelt.ocr.text_match import find
from world_model import Action, Frame, Journal, Observation, Size, Step, Thought

SCREEN_SIZE = Size(940, 760)
HEAD = '[defaults]\nbrain = "offline"\nsize = "640x400"\n\n[[task]]\nname = "note"\n'
RUN = "20260101-000000-000000"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the window is started in, and that its dialogs show."""
    folder = tmp_path / "goals"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def fleets(folder: Path, window: Window) -> Window:
    """The window, with the page opened."""
    assert window.sees("Ready", "What should MARK-I do?")
    window.desktop.press("ctrl+4")
    assert window.sees("A fleet runs many goals, each on a virtual desktop of its own", "Run a file")
    return window


def solved(folder: Path) -> list[bool]:
    return [json.loads(line)["solved"] for line in (folder / RESULTS).read_text().splitlines()]


def begun(folder: Path, text: str) -> FleetFolder:
    """A fleet in the folder, of a file beside it, of which nothing was done."""
    file = folder.with_suffix(".toml")
    file.write_text(HEAD + text)
    fleet = FleetFolder(folder)
    fleet.begin(file, jobs_of(read_file(file), file, DEFAULT_PROFILE))
    return fleet


def add_failed(fleet: FleetFolder) -> None:
    """A first run that failed, with a journal of one step."""
    job = next(iter(fleet.titles))
    before, after = (Frame(np.full((400, 640, 3), shade, np.uint8)) for shade in (40, 200))
    press = Action("press", {"keys": "shift"})
    journal = Journal(runs_folder() / RUN, {"goal": "Press shift.", "brain": "offline", "settings": {}})
    journal.decided(1, press)
    journal.add(Step(1, Thought("I press."), press, Observation(ok=True, text="Pressed shift."), before, after))
    journal.close({"outcome": "done", "summary": "Pressed shift.", "evidence": []})
    said = "Pressed shift. But its check failed."
    fleet.add(Result(job, "note", 0, 1, "Press shift.", "offline", False, "done", said, steps=1, run=RUN))  # noqa: FBT003


def test_a_file_is_run_to_its_end_and_its_runs_are_seen_on_the_wall(folder: Path, fleets: Window) -> None:
    (folder / "goals.toml").write_text(f'{HEAD}goal = "Press shift."\ncheck = "true"\ntries = 3\n')
    fleets.click("Run a file")
    fleets.click("goals.toml", count=2)  # keys would be lost while the dialog opens
    assert fleets.sees("Ended", "3 of 3 ended", "note, try 1", "note, try 2", "note, try 3", "Solved")

    assert solved(folder / "goals") == [True] * 3
    lines = fleets.screen.read(fleets.screen.look())
    assert len(find("Solved", lines)) == 3
    assert not find("Go on", lines)
    fleets.desktop.press("down")  # the wall has the focus
    assert fleets.sees("note, try 1 · Done")


def test_a_fleet_is_opened_with_a_run_that_failed_and_that_run_with_it(folder: Path, fleets: Window) -> None:
    add_failed(begun(folder, 'goal = "Press shift."\ntries = 2\n'))
    fleets.click("Open a folder")
    fleets.click("OK")  # the folder that the dialog shows; keys would be lost while it opens
    assert fleets.sees("Interrupted", "1 of 2 ended", "Go on", "Check failed", "Waiting")
    # The line below the wall has these words, too.
    fleets.click_of("Check failed", lambda places, _: min(places, key=lambda one: one.point.y))

    assert fleets.sees("Back", "Run again", "Press shift.", "Step 1 of 1")
    fleets.desktop.press("ctrl+4")
    assert fleets.sees("Check failed")
    fleets.click("Report")
    assert fleets.wait((folder / "report.html").exists)
    assert fleets.sees("report.html")


def test_one_button_ends_a_fleet_and_another_takes_it_up(folder: Path, fleets: Window) -> None:
    waits = f"setup = \"until test -e '{folder.parent}/go'; do sleep 0.05; done\"\n"
    begun(folder, f'goal = "Press shift."\ncheck = "true"\n{waits}')
    fleets.click("Open a folder")
    fleets.click("OK")  # the folder that the dialog shows; keys would be lost while it opens
    fleets.click("Go on")
    assert fleets.wait(lambda: FleetFolder(folder).task("001-note-try1").begun())
    fleets.click("Stop")
    assert fleets.sees("Interrupted", "0 of 1 ended", "Go on")
    assert not (folder / RESULTS).exists()
    (folder.parent / "go").touch()
    fleets.click("Go on")
    assert fleets.sees("Ended", "1 of 1 ended", "Solved")
    assert solved(folder) == [True]


def test_the_window_asks_before_it_closes_and_stops_its_fleet(folder: Path, fleets: Window) -> None:
    begun(folder, 'goal = "Press shift."\nsetup = "while true; do sleep 0.05; done"\n')
    fleets.click("Open a folder")
    fleets.click("OK")
    fleets.click("Go on")
    assert fleets.wait(lambda: FleetFolder(folder).task("001-note-try1").begun())
    fleets.desktop.press("ctrl+1")
    (only,) = fleets.desktop.windows()
    fleets.desktop.close_window(only)
    assert fleets.sees("A fleet that was begun here is still running", "Keep it running")
    fleets.desktop.press("escape")
    assert fleets.gone("Keep it running")
    assert fleets.sees("Running")

    fleets.desktop.close_window(only)
    fleets.click_of("Stop it", lambda places, _: places[-1])  # the question has these words, too
    assert fleets.ends() == 0
    assert fleets.wait(lambda: not processes_with(f"MARK_I_HOME={fleets.home}\0"))


def test_a_file_with_a_fault_is_told_in_one_line(folder: Path, fleets: Window) -> None:
    (folder / "goals.toml").write_text(f'{HEAD}gaol = "Press shift."\n')
    fleets.click("Run a file")
    fleets.click("goals.toml", count=2)
    assert fleets.sees("goals.toml, line 7", "Run a file")
    assert not (folder / "goals").exists()
