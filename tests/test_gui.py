"""The window itself, on a virtual desktop, worked with mouse and keyboard; what it shows is read off the screen."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support import processes_with, script
from toolbelt.control import Control
from toolbelt.eyes import Eyes
from toolbelt.lines import Line
from toolbelt.texts import find, plain
from toolbelt.virtual import VirtualDesktop
from world_model import Point, Size

CAP = 120.0  # seconds; generous, since the machine may be busy
LONG = {"thought": "I wait for a very long time.", "action": {"tool": "wait_for", "args": {"text": "x", "timeout": 60}}}
GOAL = "Press the shift key,\nthen say that it is done."


@pytest.fixture(scope="module")
def screen() -> Iterator[Eyes]:
    control = Control()
    with contextlib.closing(VirtualDesktop(Size(940, 760), control)) as desktop:
        yield Eyes(desktop, control)


class Window:
    """One window of MARK-I, and what a person can do with it."""

    def __init__(self, screen: Eyes, home: Path) -> None:
        self.screen, self.desktop, self.home = screen, screen.desktop, home
        assert isinstance(self.desktop, VirtualDesktop)
        environment = self.desktop._environment | {"MARK_I_HOME": str(home)}
        self.said = home / "said.txt"
        with self.said.open("w") as said:
            command = [sys.executable, "-m", "mark_i", "gui"]
            self.process = subprocess.Popen(command, env=environment, stdout=said, stderr=said)

    def sees(self, *texts: str) -> bool:
        """Whether all of the texts come up, each within one line."""

        def all_there(lines: tuple[Line, ...]) -> bool:
            return all(any(plain(text) in plain(line.text) for line in lines) for text in texts)

        return all_there(self.screen.until(all_there, CAP))

    def click(self, text: str, count: int = 1) -> None:
        self.screen.until(lambda lines: find(text, lines), CAP)
        (place,) = find(text, self.screen.read(self.screen.look()))
        self.desktop.click(place.point, count=count)

    def titles(self, *, active: bool = False) -> list[str]:
        """Of all the windows, or of the one that has the focus."""
        return [window.title for window in self.desktop.windows() if window.active or not active]

    def wait(self, condition: Callable[[], object]) -> bool:
        return bool(self.screen.control.until(condition, CAP))

    def start(self, brain: str) -> None:
        """Type a goal and a brain, and press Run."""
        assert self.sees("Ready", "What should MARK-I do?")
        self.desktop.type(f"{GOAL}\t{brain}")
        self.click("Run")

    def ends(self) -> int:
        return self.process.wait(CAP)

    def close(self) -> None:
        """However the test went, nothing is left."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.ends()
        assert self.said.read_text() == ""
        assert self.wait(lambda: not processes_with(f"MARK_I_HOME={self.home}\0"))


@pytest.fixture
def window(screen: Eyes, home: Path) -> Iterator[Window]:
    with contextlib.closing(Window(screen, home)) as opened:
        yield opened


def test_a_goal_is_run_and_every_step_of_it_can_be_seen(window: Window, tmp_path: Path) -> None:
    window.click("Run")
    assert window.sees("Write a goal first")

    window.click("offline", count=3)
    window.desktop.type("oflin")
    window.click('open the text editor, type "Hello there"', count=1)
    window.click("Run")
    assert window.sees("Not started", "There is no brain named 'oflin'. Did you mean offline?")

    press = {"thought": "I hold the shift key for a moment.", "action": {"tool": "press", "args": {"keys": "shift"}}}
    point = {"thought": "I click where nothing is.", "action": {"tool": "click", "args": {"target": {"x": 9, "y": 9}}}}
    end = {
        "thought": "That is all.",
        "action": {"tool": "finish", "args": {"summary": "Shift was held.", "evidence": []}},
    }
    window.click("oflin", count=3)
    window.desktop.type(script(tmp_path / "shift.jsonl", press, point, end))
    window.click("Run")
    assert window.sees("Done, but not verified", "3 steps", "Shift was held.", "That is all.", "STEP 3")

    window.desktop.press("page up")
    assert window.sees("STEP 1", "I hold the shift key for a moment.", '"shift")', "place ringed")


def test_a_picture_is_opened_large(window: Window, tmp_path: Path) -> None:
    end = {"thought": "That is all.", "action": {"tool": "finish", "args": {"summary": "Nothing to do."}}}
    window.start(script(tmp_path / "end.jsonl", end, end))
    assert window.sees("Done, but not verified")

    caption = window.screen.until(lambda lines: find("Before", lines), CAP)
    place, *_ = find("Before", caption)
    window.desktop.click(Point(place.point.x, place.point.y - 40))
    assert window.wait(lambda: "Step 1, before" in window.titles(active=True))
    window.desktop.press("escape")
    assert window.wait(lambda: window.titles() == ["MARK-I"])


def test_a_run_is_stopped_by_the_button_and_by_escape(window: Window, tmp_path: Path) -> None:
    window.start(script(tmp_path / "long.jsonl", LONG))
    assert window.sees("I wait for a very long time.", "Acting: wait_for")
    window.click("Stop")
    assert window.sees("Stopped", "The run was stopped.")

    window.click("Press the shift key,")
    window.desktop.press("ctrl+enter")
    assert window.sees("I wait for a very long time.", "Acting: wait_for")
    window.desktop.press("escape")
    assert window.sees("Stopped", "The run was stopped.")


def test_closing_while_a_run_goes_on_leaves_nothing_behind(window: Window, tmp_path: Path) -> None:
    window.start(script(tmp_path / "long.jsonl", LONG))
    assert window.sees("Acting: wait_for")
    assert len(processes_with(f"MARK_I_HOME={window.home}\0")) > 2  # the window, Xvfb, openbox

    (only,) = window.desktop.windows()
    window.desktop.close_window(only)

    assert window.ends() == 0
    assert window.wait(lambda: not processes_with(f"MARK_I_HOME={window.home}\0"))


def test_the_terminal_closes_it_while_a_run_goes_on(window: Window, tmp_path: Path) -> None:
    window.start(script(tmp_path / "long.jsonl", LONG))
    assert window.sees("Acting: wait_for")

    os.kill(window.process.pid, signal.SIGINT)

    assert window.ends() == 130


def test_without_a_display_it_says_what_to_do(mark_i: Run) -> None:
    done = mark_i("gui")

    assert done.returncode == 5
    assert done.stderr.startswith("mark-i: The window needs a display, and there is none that can be used.")
    assert "mark-i run" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_question_is_asked_in_a_window_and_the_answer_reaches_the_agent(window: Window, tmp_path: Path) -> None:
    ask = {"thought": "Only they know.", "action": {"tool": "ask_user", "args": {"question": "Which colour?"}}}
    window.start(script(tmp_path / "brain.jsonl", ask, LONG))

    assert window.sees("Which colour?", "Answer")
    assert window.wait(lambda: "MARK-I asks" in window.titles())
    window.desktop.type("violet\n")

    assert window.wait(lambda: "MARK-I asks" not in window.titles())
    assert window.sees("violet")
