"""Keys go to the window that they were meant for, or to none; on real windows."""

import sys
from pathlib import Path
from typing import Any

import pytest

from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation

pytestmark = pytest.mark.timing

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
LONG = "It was a dark and stormy night. " * 60


class Letter:
    """A window to write in, from which another one can take the focus."""

    def __init__(self, desktop: VirtualDesktop, control: Control, folder: Path) -> None:
        self.desktop, self.control, self.folder = desktop, control, folder
        desktop.launch([sys.executable, str(APPS / "thief_tk.py"), str(folder)])
        self.eyes = Eyes(desktop, control)
        self.waits_for("Letter")
        self.eyes.show()

    def use(self, tool: str, **args: Any) -> Observation:
        return standard_toolbelt(self.eyes).call(Action(tool, args), self.control).observation

    def steals(self, after: int) -> None:
        """Have another window take the focus after so many characters."""
        (self.folder / "part").write_text(str(after))
        (self.folder / "part").rename(self.folder / "ask")

    def waits_for(self, title: str) -> None:
        """Wait until the window of that title has the focus."""
        assert self.control.until(lambda: self.in_front() == [title], CAP_S), self.desktop.windows()

    def in_front(self) -> list[str]:
        return [one.title for one in self.desktop.windows() if one.active]

    def got(self, window: str) -> str:
        file = self.folder / window
        return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.fixture
def letter(desktop: VirtualDesktop, control: Control, tmp_path: Path) -> Letter:
    return Letter(desktop, control, tmp_path)


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("type_text", {"text": "Q3 2025"}),
        ("press", {"keys": "enter"}),
        ("hold", {"keys": "a", "seconds": 0.1}),
        ("key_down", {"key": "a"}),
    ],
)
def test_no_key_goes_to_a_window_that_came_during_the_thought(letter: Letter, tool: str, args: dict[str, Any]) -> None:
    letter.steals(0)
    letter.waits_for("Delete all?")

    error = letter.use(tool, **args).error

    assert error
    assert error.code == "STALE_TARGET"
    assert error.message == 'The keys were meant for "Letter", and "Delete all?" has the focus now. Nothing was typed.'
    assert (letter.got("typed"), letter.got("stolen")) == ("", "")

    letter.eyes.show()
    assert letter.use(tool, **args).ok, "the one who chose has seen the window"
    assert letter.control.until(lambda: letter.got("stolen"), CAP_S)


def test_a_window_that_has_closed_gets_no_keys(letter: Letter) -> None:
    letter.steals(0)
    letter.waits_for("Delete all?")
    letter.eyes.show()
    letter.desktop.close_window(letter.desktop.windows()[-1])
    letter.waits_for("Letter")

    error = letter.use("press", keys="enter").error

    assert error
    assert error.message.startswith('The keys were meant for a window that has closed, and "Letter" has the focus now.')
    assert letter.got("typed") == ""


def test_what_the_agent_opened_itself_may_be_typed_into(letter: Letter) -> None:
    assert letter.use("type_text", text="x").ok
    letter.steals(0)
    letter.waits_for("Delete all?")

    assert letter.use("type_text", text="yes").ok
    assert letter.control.until(lambda: letter.got("stolen") == "yes", CAP_S)


def test_a_click_into_a_field_chooses_the_window(letter: Letter) -> None:
    letter.steals(0)
    letter.waits_for("Delete all?")
    assert letter.control.until((letter.folder / "left").exists, CAP_S)
    letter.eyes.show()

    typed = letter.use("type_text", text="Dear", into={"x": 250, "y": 150})

    assert typed.ok, typed.error
    assert letter.control.until(lambda: letter.got("typed") == "Dear", CAP_S)
    assert letter.got("stolen") == ""


def test_a_window_that_comes_in_the_middle_of_a_text_ends_it(letter: Letter) -> None:
    letter.steals(20)

    error = letter.use("type_text", text=LONG).error

    assert error
    assert error.code == "STALE_TARGET"
    assert '"Delete all?" has the focus now.' in error.message
    count = int(error.message.rpartition(" of ")[0].rpartition(" ")[2])
    assert 20 <= count < len(LONG)
    assert letter.control.until(lambda: letter.got("typed") + letter.got("stolen") == LONG[:count], CAP_S)
    assert len(letter.got("stolen")) <= 20, "the focus is looked at every 20 characters"


def test_no_enter_goes_to_a_window_that_came_after_the_text(letter: Letter, monkeypatch: pytest.MonkeyPatch) -> None:
    settle = letter.eyes.settle

    def settle_late(*args: Any, **quiet: Any) -> Any:
        letter.steals(0)
        letter.waits_for("Delete all?")
        return settle(*args, **quiet)

    monkeypatch.setattr(letter.eyes, "settle", settle_late)

    error = letter.use("type_text", text="Dear", enter=True).error

    assert error
    assert error.code == "STALE_TARGET"
    assert error.message.endswith('"Delete all?" has the focus now. The text was typed, and enter was not pressed.')
    assert (letter.got("typed"), letter.got("stolen")) == ("Dear", "")


def test_a_window_that_comes_between_two_presses_ends_them(letter: Letter) -> None:
    letter.steals(5)

    error = letter.use("press", keys="a", times=100).error

    assert error
    assert error.code == "STALE_TARGET"
    assert '"Delete all?" has the focus now. a was pressed ' in error.message
    count = int(error.message.rpartition(" of ")[0].rpartition(" ")[2])
    assert 5 <= count < 100
    assert letter.control.until(lambda: letter.got("typed") + letter.got("stolen") == "a" * count, CAP_S)
