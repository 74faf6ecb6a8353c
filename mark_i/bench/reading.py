"""The reading benchmark: the time of a full and of an incremental read, and whether both give the same text."""

import itertools
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from mark_i.bench.apps.fields import CHROMIUM, REACTION_MAX_S
from toolbelt.control import Control
from toolbelt.desktops import DEFAULT_SIZE, VirtualDesktop, Window
from toolbelt.ocr import Line, Reader
from toolbelt.perception import Eyes
from world_model import DesktopError, Frame, Point, Region

FRAMES: Final = 200
CAPTURES: Final = 50
REACTION_S: Final = 1.0  # for an application to react
SENTENCE: Final = "the agent reads what stands on a screen and writes it down for people who were away meanwhile"
LENGTHS: Final = (9, 4, 12, 7, 3, 10)
PAGE: Final = """<!doctype html><meta charset="utf-8"><title>Orders</title>
<style>body { font: 13px sans-serif } #list { height: 320px; width: 500px; overflow: auto; border: 1px solid gray }
.dark { background: #222; color: #ddd; font-size: 14px; padding: 4px }</style>
<h2>Orders of this week</h2><p class="dark">3 files were copied, 0 failed.</p>
<form><label>Name <input autofocus></label> <label>City <input></label>
<button type="button">OK</button> <button type="button">Cancel</button></form><div id="list"></div>
<script>for (let i = 1; i <= 300; i++)
  document.querySelector("#list").append(`Order ${1000 + 7 * i}: ${i % 9 + 1} lamps, ${(3.75 * i).toFixed(2)} EUR`,
    document.createElement("br"));</script>"""
FORM: Final = """import tkinter
from tkinter import ttk
root = tkinter.Tk()
root.title("Customer form")
for row, name in enumerate(["First name", "Last name", "Street", "City", "Telephone"]):
    ttk.Label(root, text=name).grid(row=row, column=0, padx=8, pady=5, sticky="w")
    ttk.Entry(root, width=36).grid(row=row, column=1, padx=8, pady=5)
for column, name in enumerate(["OK", "Cancel"]):
    ttk.Button(root, text=name).grid(row=5, column=column, pady=8)
root.mainloop()
"""

Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Program:
    """An application of the session: a part of its window's title, its place, and the command that starts it."""

    title: str
    place: Region
    command: Callable[[Path], Sequence[str]]


@dataclass(slots=True)
class Times:
    """The times that were measured, in milliseconds, and the number of lines."""

    full: list[float] = field(default_factory=list)
    after: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    lines: int = 0
    equal: int = 0


PROGRAMS: Final = (
    Program(
        "Mousepad", Region(10, 10, 860, 520), lambda home: ["mousepad", "--disable-server", str(home / "notes.txt")]
    ),
    Program("xterm", Region(10, 560, 760, 480), lambda _: ["xterm", "-T", "xterm", "-e", "sh", "-i"]),
    Program("Customer form", Region(1200, 20, 560, 300), lambda home: [sys.executable, "-I", str(home / "form.py")]),
    Program(
        "Orders",
        Region(900, 360, 1000, 680),
        lambda home: ["chromium", *CHROMIUM, f"--user-data-dir={home}/profile", f"--app=file://{home}/page.html"],
    ),
)


def measured(frames: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Measure every figure of this benchmark.

    Args:
        frames: The number of steps; the screen is read both ways after each.
        control: A stop ends the benchmark and everything that it started.
        tell: Receives progress messages.

    Raises:
        DesktopError: No virtual desktop is available, or no application is installed or one does not start.
    """
    with (
        tempfile.TemporaryDirectory(prefix="mark-i-bench-", ignore_cleanup_errors=True) as name,
        closing(VirtualDesktop(DEFAULT_SIZE, control)) as desktop,
    ):
        session = Session(desktop, control, Path(name))
        tell("applications are started")
        missing = session.open()
        Reader().read(desktop.grab())  # loads the models, and warms them up for the widths of its lines
        times = Times()
        reader = Reader()
        reader.read(session.eyes.look())
        for number, (step, frame) in enumerate(itertools.islice(session.steps(), frames)):
            tell(f"frame {number + 1} of {frames}: {step}")
            _time(reader, step, frame, times)
        return _figures(times) | {"missing": missing, "capture_p50_ms": _capture(desktop)}


def _time(reader: Reader, step: str, frame: Frame, times: Times) -> None:
    """Read a frame incrementally and in full, and record the times."""
    began = time.perf_counter()
    lines = reader.read(frame)
    read = time.perf_counter()
    whole = Reader().read(frame)
    times.after[step].append((read - began) * 1000)
    times.full.append((time.perf_counter() - read) * 1000)
    times.lines += len(whole)
    times.equal += (_counted(whole) & _counted(lines)).total()


def _counted(lines: Sequence[Line]) -> Counter[Line]:
    return Counter(lines)


def _figures(times: Times) -> dict[str, Any]:
    after = [ms for some in times.after.values() for ms in some]
    full = _middle(times.full)
    return {
        "frames": len(after),
        "full_p50_ms": full,  # at most 500
        "full_p95_ms": _high(times.full),
        "incremental_p50_ms": _middle(after),  # at most 60
        "incremental_p95_ms": _high(after),
        "incremental_of_full": round(_middle(after) / full, 3),  # at most 0.1
        "lines": times.lines,
        "lines_equal": round(times.equal / max(times.lines, 1), 4),  # at least 0.99
        "steps": {step: _middle(some) for step, some in times.after.items()},
    }


def _middle(values: Sequence[float]) -> float:
    return round(statistics.median(values), 1)


def _high(values: Sequence[float]) -> float:
    return round(sorted(values)[int(0.95 * (len(values) - 1))], 1)


def _capture(desktop: VirtualDesktop) -> float:
    times = []
    for _ in range(CAPTURES):
        began = time.perf_counter()
        desktop.grab()
        times.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times), 2)


class Session:
    """A person's work in several applications; those that are not installed are left out."""

    def __init__(self, desktop: VirtualDesktop, control: Control, home: Path) -> None:
        self.eyes = Eyes(desktop, control)
        self._desktop = desktop
        self._control = control
        self._home = home
        self._open: list[Program] = []

    def open(self) -> list[str]:
        """Start the applications, and return the programs that are not installed.

        Raises:
            DesktopError: None is installed, or one does not start.
        """
        text = "\n".join(_sentence(number) for number in range(80))
        (self._home / "notes.txt").write_text(text, encoding="utf-8")
        (self._home / "page.html").write_text(PAGE, encoding="utf-8")
        (self._home / "form.py").write_text(FORM, encoding="utf-8")
        missing = []
        for program in PROGRAMS:
            command = program.command(self._home)
            if not shutil.which(command[0]):
                missing.append(command[0])
                continue
            self._desktop.launch(["env", f"HOME={self._home}", *command])
            if not (window := self._control.until(partial(self._window, program.title), REACTION_MAX_S)):
                raise DesktopError(f"{command[0]} opened no window within {REACTION_MAX_S:.0f} s.")
            self._desktop.place_window(window, program.place)
            self._open.append(program)
        if not self._open:
            raise DesktopError(f"None of {', '.join(missing)} is installed: there is nothing to read.")
        self.eyes.settle(self.eyes.look(), REACTION_MAX_S / 10)
        return missing

    def steps(self) -> Iterator[tuple[str, Frame]]:
        """Yield steps without end: the name of each, and the screen once it has settled."""
        titles = {program.title for program in self._open}
        for turn in itertools.count():
            for title, name, act in self._turn(turn):
                if title in titles:
                    yield name, self._done(title, act)

    def _done(self, title: str, act: Callable[[], object]) -> Frame:
        window = self._window(title)
        if window and not window.active:
            self._desktop.focus_window(window)
        before = self.eyes.look()
        act()
        return self.eyes.settle(before, REACTION_S).frame

    def _turn(self, turn: int) -> Iterator[tuple[str, str, Callable[[], object]]]:
        """Yield the steps of one turn: the application, the name of the step, and its action."""
        hands = self._desktop
        sentence = _sentence(turn)
        yield "Mousepad", "line typed", lambda: hands.type(f"{sentence}\n")
        yield "Mousepad", "scroll", lambda: self._scroll(Point(300, 300), turn)
        yield "Mousepad", "menu opened", lambda: hands.press("alt+e")
        yield "Mousepad", "menu closed", lambda: hands.press("escape")
        yield "Mousepad", "dialog opened", lambda: hands.press("ctrl+shift+s")
        yield "Mousepad", "dialog closed", lambda: hands.press("escape")
        yield "xterm", "line typed", lambda: hands.type(f"echo {sentence}\n")
        yield "xterm", "line typed", lambda: hands.type("ls -l / | tail -4\n")
        yield "Customer form", "field filled", lambda: self._fill(Point(1400, 58 + 30 * (turn % 5)), sentence[:20])
        yield "Orders", "field filled", lambda: self._fill(Point(1035, 538), sentence[:16])
        yield "Orders", "scroll", lambda: self._scroll(Point(1100, 700), turn)
        place = Region(1200 + 20 * (turn % 7), 20, 560, 300)
        yield "Customer form", "window moved", lambda: self._move("Customer form", place)

    def _scroll(self, at: Point, turn: int) -> None:
        self._desktop.move(at)
        self._desktop.scroll("up" if turn % 6 == 5 else "down", 1)  # noqa: PLR2004 - every sixth scrolls back

    def _fill(self, at: Point, text: str) -> None:
        self._desktop.click(at, count=3)
        self._desktop.type(text)

    def _move(self, title: str, place: Region) -> None:
        if window := self._window(title):
            self._desktop.place_window(window, place)

    def _window(self, title: str) -> Window | None:
        return next((window for window in self._desktop.windows() if title in window.title), None)


def _sentence(number: int) -> str:
    chance = random.Random(number)  # noqa: S311 - the same sentences each time
    return " ".join(chance.choices(SENTENCE.split(), k=LENGTHS[number % len(LENGTHS)]))
