"""The live view, the strip and the first start in the window itself, worked with real mouse and keyboard."""

import contextlib
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gui.live.input_thread import RemoteInput
from gui.live.keymap import KeyInput
from mark_i.cli.demo import LINES
from mark_i.config.paths import runs_folder, tools_folder
from mark_i.config.settings import save
from tests.gui.opened_window import CAP_S, GOAL, Window
from tests.support import WAITING_TOOL, action, processes_with, script
from tests.x_servers import Servers
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from world_model import Frame, Journal, Point, Region, Size, Step, read_run

PAINT = Path(__file__).parents[2] / "apps" / "paint_tk.py"
BEFORE, CLICKED = (0xE0, 0x00, 0xE0), (0x00, 0xB0, 0x00)  # its colours
MOST = 9000  # pixels: the painted window as the small view shows it covers more
END = action("finish", summary="That is all.")


@pytest.fixture(scope="module")
def large(x_servers: Servers) -> Iterator[Eyes]:
    control = Control()
    with x_servers.desktop(Size(1640, 1000), control) as desktop:
        yield Eyes(desktop, control)


@pytest.fixture(autouse=True)
def policy(home: Path) -> None:
    """Applications may be opened with any arguments, which is not what is tested here."""
    file = home / "policy.toml"
    file.write_text('[[rules]]\ndo = "allow"\ntool = "open_app"\n', encoding="utf-8")
    save({"policy": str(file)})


class Waiting:
    """A tool for the agent that lasts until the test lets it go."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "go"
        tools_folder().mkdir(parents=True)
        (tools_folder() / "wait_for_file.py").write_text(WAITING_TOOL)
        self.step = {**action("wait_for_file", path=str(self.file)), "thought": "I wait for a file."}

    def over(self) -> None:
        self.file.touch()


def painted(frame: Frame, colour: tuple[int, int, int]) -> Region | None:
    """Where a colour is, if much of it is there."""
    rows, columns = (frame.pixels == colour).all(axis=2).nonzero()
    if len(rows) < MOST:
        return None
    left, top = int(columns.min()), int(rows.min())
    return Region(left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1)


def beside_the_log(frame: Frame, colour: tuple[int, int, int]) -> bool:
    """Whether much of a colour is where the log, whose pictures have it too, is not."""
    return int((frame.pixels[:, 620:] == colour).all(axis=2).sum()) >= MOST


def shows(window: Window, colour: tuple[int, int, int]) -> Region:
    """Where a colour comes up on the screen."""
    found, _ = window.screen.watch(lambda frame: painted(frame, colour), CAP_S)
    assert found is not None
    return found


def says(file: Path, text: str) -> bool:
    return file.exists() and text in file.read_text(encoding="utf-8")


def start_here(window: Window, brain: str) -> None:
    """Run on the desktop that the window is on."""
    assert window.sees("Ready", "What should MARK-I do?")
    window.write(GOAL)
    window.desktop.type(f"\t{brain}")
    window.click("This desktop")
    window.click("Run")


def steps_of_the_run() -> Sequence[Step]:
    (run,) = runs_folder().iterdir()
    return read_run(run).steps


def frames_of_the_run() -> Sequence[Frame]:
    """All that the agent saw, in order."""
    return [frame for step in steps_of_the_run() for frame in (step.before, step.after) if frame]


# The live view ------------------------------------------------------------------------------------------------------


def test_a_view_is_taken_over_worked_with_and_given_back(window: Window, tmp_path: Path) -> None:
    waiting, said = Waiting(tmp_path), tmp_path / "paint.txt"
    paint = action("open_app", name=sys.executable, args=[str(PAINT), str(said)])
    window.start(script(tmp_path / "b.jsonl", paint, waiting.step, END, END))
    assert window.sees("Acting: Use wait_for_file")
    window.click("Live")
    assert window.sees("Take over")  # in place of the log, whose pictures have the colour, too
    place = shows(window, BEFORE)

    window.desktop.click(place.center)  # nobody took anything over yet
    window.desktop.press("f9")
    assert window.sees("You take over as soon as")
    assert not says(said, "down")
    waiting.over()
    assert window.sees("You have the mouse and keyboard", "Give back")
    window.desktop.move(place.center)
    window.desktop.mouse_down("left")
    assert shows(window, CLICKED)
    window.desktop.move(Point(place.x + 5, place.y + 5))
    window.desktop.mouse_up("left")
    window.desktop.scroll("up", 1)
    for key in ("x", "tab", "f9", "shift+escape"):
        window.desktop.press(key)

    assert window.wait(lambda: says(said, "key Escape"))
    down, up, *others = said.read_text().splitlines()
    x, y = map(int, down.split()[1:3])
    assert abs(x - 800) < 12
    assert abs(y - 520) < 12
    assert int(up.split()[1]) < x - 300
    assert others == ["wheel up", "key x", "key Tab", "key F9", "key Escape"]
    assert window.sees("You have the mouse and keyboard")

    window.desktop.press("f6")
    assert window.sees("Done, but not verified", "3 of 50 steps", "That is all.")


def test_what_is_typed_reaches_a_terminal_and_escape_still_stops(window: Window, tmp_path: Path) -> None:
    waiting, typed = Waiting(tmp_path), tmp_path / "typed.txt"
    terminal = action("open_app", name="xterm", args=["-e", "sh", "-c", f"cat > '{typed}'"])
    window.start(script(tmp_path / "b.jsonl", terminal, waiting.step, END))
    assert window.sees("Acting: Use wait_for_file")
    window.desktop.press("f9")
    assert window.sees("You take over as soon as")
    waiting.over()
    assert window.sees("You have the mouse and keyboard")

    window.desktop.type("A straße, 3 €\n")
    assert window.wait(lambda: says(typed, "\n"))
    assert typed.read_text(encoding="utf-8") == "A straße, 3 €\n"

    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.", "2 of 50 steps")
    window.click("New conversation")
    assert window.wait(lambda: len(processes_with(f"MARK_I_HOME={window.home}\0")) == 1)  # the window alone


def test_the_view_opens_by_itself_where_there_is_room(large: Eyes, home: Path, tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    with contextlib.closing(Window(large, home)) as window:
        assert window.sees("Ready", "What should MARK-I do?")
        (own,) = window.desktop.windows()
        window.desktop.place_window(own, Region(10, 10, 1600, 960))
        paint = action("open_app", name=sys.executable, args=[str(PAINT), str(tmp_path / "paint.txt")])
        window.start(script(tmp_path / "b.jsonl", paint, waiting.step, END, END))
        assert window.sees("Take over", "STEP 1")
        seen, _ = window.screen.watch(lambda frame: beside_the_log(frame, BEFORE), CAP_S)
        assert seen
        waiting.over()
        assert window.sees("Done, but not verified")
        assert window.gone("Take over")


def test_what_a_hand_cannot_do_is_told_and_the_rest_done(desktop: VirtualDesktop) -> None:
    told: list[str] = []
    over = threading.Event()
    remote = RemoteInput(desktop, told.append)
    remote.key(KeyInput(keys="nosuchkey"))
    remote.move(Point(70, 80))
    remote.end(over.set)

    assert over.wait(CAP_S)
    assert desktop.pointer() == Point(70, 80)
    assert len(told) == 1
    assert "nosuchkey" in told[0]


# The strip ----------------------------------------------------------------------------------------------------------


def test_on_this_desktop_a_strip_takes_the_place_of_the_window(window: Window, tmp_path: Path) -> None:
    waiting, said = Waiting(tmp_path), tmp_path / "paint.txt"
    paint = action("open_app", name=sys.executable, args=[str(PAINT), str(said)])
    under = action("click", target={"x": 300, "y": 20})
    keys = action("press", keys="k")
    start_here(window, script(tmp_path / "b.jsonl", paint, under, keys, waiting.step, END, END))
    assert window.sees("I wait for a file.", "Expand", "3 of 50 steps")
    assert "MARK-I" not in window.titles()
    assert window.wait(lambda: says(said, "key k"))  # the strip did not take the keyboard
    strip = window.place("MARK-I is working")
    assert strip.y > 600
    waiting.over()

    assert window.sees("Done, but not verified", "That is all.")
    assert window.titles() == ["Paint", "MARK-I"]
    window.desktop.close_window(window.desktop.windows()[0])
    refused = steps_of_the_run()[1].observation.error
    assert refused
    assert refused.code == "PERMISSION_DENIED"
    assert not says(said, "down")
    seen = frames_of_the_run()
    first = strip.shifted(0, -strip.y)
    assert len(seen) > 4
    assert not seen[0].crop(first).any()
    assert seen[0].crop(Region(0, 200, 940, 400)).any()
    assert not seen[-1].crop(strip.intersection(seen[-1].region)).any()


def test_the_strip_pauses_expands_folds_and_stops(window: Window, tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    start_here(window, script(tmp_path / "b.jsonl", waiting.step, waiting.step, waiting.step, END))
    assert window.sees("Expand", "I wait for a file.", "Acting")
    window.click("Pause")
    assert window.sees("Pausing after this step")
    waiting.over()
    assert window.sees("Paused", "Resume", "1 of 50 steps")
    waiting.file.unlink()

    window.click("Expand")
    assert window.sees("Say something", "STEP 1")
    window.click("Compact")
    assert window.gone("Say something")
    place = window.place("MARK-I is working")
    window.desktop.move(Point(place.x + 40, place.y + 12))
    window.desktop.mouse_down("left")
    window.desktop.move(Point(place.x + 60, place.y + 312))
    window.desktop.mouse_up("left")
    moved = place.shifted(20, 300)
    assert window.wait(lambda: moved in [one.region for one in window.desktop.windows()])
    window.click("Resume")
    assert window.sees("Acting: Use wait_for_file")
    window.click("Stop")
    assert window.sees("Stopped", "The run was stopped.", "Goal")
    assert window.titles() == ["MARK-I"]


def test_a_question_restores_the_window_until_it_is_answered(window: Window, tmp_path: Path) -> None:
    waiting = Waiting(tmp_path)
    ask = action("ask_user", question="Which colour?")
    start_here(window, script(tmp_path / "b.jsonl", ask, waiting.step, END, END))
    assert window.sees("Which colour?", "MARK-I asks")
    window.answers("violet")
    assert window.sees("I wait for a file.", "Expand")
    assert window.titles() == ["MARK-I is working"]
    waiting.over()
    assert window.sees("Done, but not verified")
    _, after, *_ = frames_of_the_run()
    assert after.crop(Region(0, 200, 940, 560)).any()  # the window was gone before the agent looked again


# First start --------------------------------------------------------------------------------------------------------


def test_the_demo_is_watched_on_a_first_start(window: Window) -> None:
    assert window.sees("What is available", "API key: not available", "With an API key")
    window.click("Watch the demo")
    assert window.sees("Take over", "Log", "Live")
    assert window.sees("holds exactly what was asked for.", "Done")
    (run,) = runs_folder().iterdir()
    assert LINES[0] in str(read_run(run).about["goal"])


def test_who_ran_something_is_not_greeted(screen: Eyes, home: Path) -> None:
    Journal(runs_folder() / "1", {"goal": "Water the plants"}).close({"outcome": "done"})
    with contextlib.closing(Window(screen, home)) as window:
        assert window.sees("Ready", "What should MARK-I do?", "Shift+Enter begins")
        assert not find("What is available", screen.read(screen.look()))
        assert not find("Watch the demo", screen.read(screen.look()))
