"""The window in a process of its own, and what a person can do with it."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np

from gui.kit.style import ACCENT, ACCENT_HOVER, TEXT
from tests.support import processes_with
from tests.warm_program import program
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.lines import Line
from toolbelt.ocr.text_match import Match, find, plain
from toolbelt.perception.eyes import Eyes
from world_model import Point, Region

CAP_S = 120.0  # seconds; generous, since the machine may be busy
MOMENT = 0.3  # seconds in which a window that still finds its place moves
LONG = {"thought": "I wait for a very long time.", "action": {"tool": "wait_for", "args": {"text": "x", "timeout": 60}}}
GOAL = "Press the shift key,\nthen say that it is done."


class Window:
    """One window of MARK-I, and what a person can do with it."""

    def __init__(self, screen: Eyes, home: Path, *arguments: str, **more: str) -> None:
        self.screen, self.desktop, self.home = screen, screen.desktop, home
        assert isinstance(self.desktop, VirtualDesktop)
        environment = self.desktop._environment | {"MARK_I_HOME": str(home)} | more
        self.said = home / "said.txt"
        with self.said.open("w") as said:
            command = [*program(environment), "gui", *arguments]
            self.process = subprocess.Popen(command, env=environment, stdout=said, stderr=said)

    def sees(self, *texts: str) -> bool:
        """Whether all of the texts come up, each within one line; a failure says what was there instead."""

        def all_there(lines: tuple[Line, ...]) -> bool:
            return all(any(plain(text) in plain(line.text) for line in lines) for text in texts)

        last = self.screen.until(all_there, CAP_S)
        assert all_there(last), (texts, [line.text for line in last], self.state())
        return True

    def state(self) -> str:
        """What is known of a window that does not do as it should."""
        return f"windows {self.titles()}, exit code {self.process.poll()}, said {self.said.read_text()!r}"

    def gone(self, text: str) -> bool:
        """Whether a text goes."""

        def none_there(lines: tuple[Line, ...]) -> bool:
            return not find(text, lines)

        return none_there(self.screen.until(none_there, CAP_S))

    def click(self, text: str, count: int = 1) -> None:
        place = self.screen.control.until(lambda: self.found(text), CAP_S)
        assert place, (text, [line.text for line in self.screen.read(self.screen.look())], self.state())
        self.desktop.click(place.point, count=count)

    def found(self, text: str) -> Match | None:
        """Where a text is, if it is in one place and looks as it did when it was read."""
        return self.found_of(text, lambda places, _: places[0] if len(places) == 1 else None)

    def found_of(self, text: str, choose: Callable[[list[Match], tuple[Line, ...]], Match | None]) -> Match | None:
        """The chosen one of the places of a text, if it looks as it did when it was read."""
        seen = self.screen.look()
        lines = self.screen.read(seen)
        places = find(text, lines)
        place = choose(places, lines) if places else None
        if place is None or not (region := place.region):
            return None
        return place if np.array_equal(seen.crop(region), self.screen.look().crop(region)) else None

    def click_of(self, text: str, choose: Callable[[list[Match], tuple[Line, ...]], Match | None]) -> None:
        """Clicks the chosen one of the places of a text, once it has come to rest."""
        place = self.screen.control.until(lambda: self.found_of(text, choose), CAP_S)
        assert place, (text, [line.text for line in self.screen.read(self.screen.look())], self.state())
        self.desktop.click(place.point)

    def answers(self, text: str) -> None:
        """Types an answer to a question, as soon as it is taken."""
        self.is_asked()
        self.desktop.type(f"{text}\n")

    def is_asked(self) -> None:
        """A question has come up, and what is written in the message box answers it."""
        assert self.sees("MARK-I asks", "This answers the question below")

    def is_to_approve(self) -> None:
        """An approval has come up, and can be given."""
        assert self.sees("MARK-I needs your approval")
        assert self.wait(lambda: self.lit("Allow once"))

    def lit(self, text: str) -> bool:
        """Whether the node that says this is lit, or the button can be pressed, also with the pointer over it."""
        self.screen.until(lambda lines: find(text, lines), CAP_S)
        seen = self.screen.look()
        places = find(text, self.screen.read(seen))
        if len(places) != 1:  # it has just gone
            return False
        (place,) = places
        assert place.region
        beside = Point(place.region.x - 4, place.point.y)  # further on it may be outside
        return "#{:02X}{:02X}{:02X}".format(*seen.pixels[beside.y, beside.x]) in (*ACCENT, *ACCENT_HOVER)

    def ringed(self, text: str) -> bool:
        """Whether the button that says this has the focus, and so a ring in the colour of its text."""
        (place,) = find(text, self.screen.read(seen := self.screen.look()))
        column = seen.pixels[place.point.y - 24 : place.point.y - 9, place.point.x]  # above the letters
        return any("#{:02X}{:02X}{:02X}".format(*pixel) in TEXT for pixel in column)

    def titles(self, *, active: bool = False) -> list[str]:
        """Of all the windows, or of the one that has the focus."""
        return [window.title for window in self.desktop.windows() if window.active or not active]

    def place(self, title: str) -> Region:
        """Where the window of that title stands, once it has not moved or grown for a moment."""

        def standing() -> Region | None:
            before = [one.region for one in self.desktop.windows() if one.title == title]
            self.screen.control.wait(MOMENT)
            after = [one.region for one in self.desktop.windows() if one.title == title]
            return after[0] if after and before == after else None

        found = self.screen.control.until(standing, CAP_S)
        assert found
        return found

    def wait(self, condition: Callable[[], object]) -> bool:
        return bool(self.screen.control.until(condition, CAP_S))

    def write(self, text: str) -> None:
        """Type a text of several lines, of which Enter would send the first."""
        first, *more = text.split("\n")
        self.desktop.type(first)
        for line in more:
            self.desktop.press("shift+enter")
            self.desktop.type(line)

    def enter_goal(self, caption: str = "Next goal") -> None:
        """Put the caret into the goal, which by default follows on a run."""
        place = self.screen.control.until(lambda: self.found(caption), CAP_S)
        assert place, self.state()
        self.desktop.click(Point(place.point.x, place.point.y + 40))

    def start(self, brain: str) -> None:
        """Type a goal and a brain, and press Run."""
        assert self.sees("Ready", "What should MARK-I do?")
        self.write(GOAL)
        self.desktop.type(f"\t{brain}")
        self.click("Run")

    def ends(self) -> int:
        return self.process.wait(CAP_S)

    def close(self) -> None:
        """However the test went, nothing is left."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.ends()
        assert (said := self.said.read_text()) == "", said
        assert self.wait(lambda: not processes_with(f"MARK_I_HOME={self.home}\0"))
