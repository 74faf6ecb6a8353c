"""The window in numbers: how long it answers nobody, how soon it is there, how soon a stop is felt.

    python benchmarks/window.py [start] [stop] [flood] [open]      all of them where none is named

It starts the real window on a virtual desktop with a window manager, works it with a real mouse and keyboard, and says
how busy the machine was. Times are what a person waits: the start goes from the process to the drawn window, a stop
from the click to the card that says so, each seen on the screen. A stall is the longest time in which the main thread
answered nobody; beside it stands the most that it worked itself meanwhile, which other programs do not lengthen.
"""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.figures import say, tell
from gui.kit import ACCENT, STOP, TONES, Color
from toolbelt.control import Control
from toolbelt.desktops import Direction, VirtualDesktop
from world_model import Point, Size

HERE: Final = Path(__file__).parent
SCREEN: Final = Size(1280, 900)
STARTS: Final = 7
TRIES: Final = 10  # stops in each state
EVENTS, SECONDS = 5000, 10.0
CAP_S: Final = 120.0  # seconds for anything to happen
BLOCK: Final = 400  # pixels of one colour by which a button or a card's border is known
DOT: Final = 20  # pixels of one colour by which the dot of the status line is known
TURN: Final = 0.05  # seconds between two turns of the wheel: faster than a hand
UP_AND_DOWN: Final[tuple[Direction, ...]] = ("up", "up", "up", "down")
SLOW: Final = """import threading
from mark_i import Reply
class Slow:
    name, sight, space = "slow", 0, "pixels"
    def think(self, prompt):
        threading.Event().wait(600)
        return Reply("")
"""
WAIT: Final = {"thought": "I wait.", "action": {"tool": "wait_for", "args": {"text": "nothing", "timeout": 600}}}
PRESS: Final = {"thought": "I press shift.", "action": {"tool": "press", "args": {"keys": "shift"}}}


class Stage:
    """A virtual desktop and a home of its own, and what is seen on it."""

    def __init__(self, desktop: VirtualDesktop, home: Path) -> None:
        self.desktop, self.home, self.control = desktop, home, desktop.control
        self.environment = desktop._environment | {"MARK_I_HOME": str(home), "PYTHONPATH": str(HERE.parent)}

    def start(self, *command: str) -> "subprocess.Popen[str]":
        """A process of Python on this desktop."""
        line = [sys.executable, *command]
        return subprocess.Popen(line, env=self.environment, stdout=subprocess.PIPE, text=True, cwd=self.home)

    def find(self, color: Color, least: int = BLOCK) -> Point | None:
        """The middle of what has one of these colours, if enough has."""
        seen = self.desktop.grab().pixels
        for red, green, blue in (bytes.fromhex(name[1:]) for name in color):
            there = (seen[:, :, 0] == red) & (seen[:, :, 1] == green) & (seen[:, :, 2] == blue)
            if np.count_nonzero(there) >= least:
                rows, columns = np.nonzero(there)
                return Point(int(np.median(columns)), int(np.median(rows)))
        return None

    def noted(self, name: str) -> int:
        """How often something was noted in the journals of all runs."""
        return sum(len(file.read_bytes().splitlines()) for file in self.home.rglob(f"{name}.jsonl"))

    def until(self, condition: Callable[[], object]) -> float:
        """The seconds until something is seen; looks without a pause, for that is what is measured."""
        began = time.perf_counter()
        while not condition():
            if time.perf_counter() - began > CAP_S:
                raise TimeoutError("What was waited for did not come.")
        return time.perf_counter() - began


@contextmanager
def stage() -> Iterator[Stage]:
    """Opened, and closed with all that is in it."""
    with (
        tempfile.TemporaryDirectory() as home,
        closing(VirtualDesktop(SCREEN, Control())) as desktop,
    ):
        yield Stage(desktop, Path(home))


@contextmanager
def opened(on: Stage) -> Iterator[int]:
    """The window, started and closed again; gives the number of its process."""
    process = on.start("-m", "mark_i", "gui")
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(CAP_S)
        process.communicate()


def starts() -> None:
    """From the start of the process until Run is seen."""
    with stage() as on:
        times, works = [], []
        for _ in range(STARTS):
            with opened(on) as process:
                times.append(on.until(lambda: on.find(ACCENT)))
                works.append(worked(process))
            on.until(lambda: not on.desktop.windows())
        tell("start of the process to the drawn window", times)
        tell("and how much of the processor that took", works)


def worked(process: int) -> float:
    """Seconds of the processor that a process has taken, which other programs do not lengthen."""
    numbers = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def stops() -> None:
    """From the click on Stop until the card is seen that says so."""
    with stage() as on:
        (on.home / "slow.py").write_text(SLOW, encoding="utf-8")
        waiting, pressing = script(on.home / "wait.jsonl", WAIT), script(on.home / "press.jsonl", PRESS)
        for state, brain, begin in (
            ("acting", waiting, partial(noting, on, "decisions")),
            ("thinking", "slow:Slow", partial(noting, on, "prompts")),
            ("paused", pressing, partial(pausing, on)),
        ):
            times = [stop(on, brain, begin) for _ in range(TRIES)]
            tell(f"Stop to the card that says so, while {state}", times)


def script(file: Path, reply: object) -> str:
    """A brain that always replies the same."""
    file.write_text("\n".join([json.dumps(reply)] * 100), encoding="utf-8")
    return f"scripted:{file}"


def noting(on: Stage, name: str) -> None:
    """Begin a run and wait until it has noted something."""
    before = on.noted(name)
    run(on)
    on.until(lambda: on.noted(name) > before)


def pausing(on: Stage) -> None:
    """Begin a run and wait until it is paused."""
    run(on)
    on.desktop.press("f6")
    on.until(lambda: on.find(TONES["paused"], DOT))


def run(on: Stage) -> None:
    """Begin a run from the goal, as Enter does."""
    on.desktop.press("shift+tab")
    on.desktop.press("enter")
    on.until(lambda: on.find(STOP))


def stop(on: Stage, brain: str, begin: Callable[[], None]) -> float:
    """Of one run in a new window, the seconds until it is seen to be stopped: in an old one its card would stay."""
    with opened(on):
        on.until(lambda: on.find(ACCENT) and any(window.active for window in on.desktop.windows()))
        on.desktop.type(f"Wait\t{brain}")
        begin()
        place = on.find(STOP)
        assert place  # noqa: S101 - it goes on
        on.desktop.click(place)
        seconds = on.until(lambda: on.find(TONES["stopped"]))
    on.until(lambda: not on.desktop.windows())
    return seconds


def floods() -> None:
    """A run that never pauses, left alone and scrolled through."""
    for name, scrolled in (("followed", False), ("scrolled through", True)):
        with stage() as on:
            figures = inside(on, "flood", EVENTS, SECONDS, scrolled=scrolled)
            said = f"longest {stall(figures)} in {figures['seconds']:.1f} s"
            grown = f"{figures['before']:.0f} MB before, {figures['after']:.0f} MB after"
            say(f"{figures['events']:,} messages with pictures, {name}", f"{said}; {grown}")


def openings() -> None:
    """A past run that is opened, and gone through."""
    for steps in (120, 1000):
        with stage() as on:
            figures = inside(on, "open", steps)
            scrubbed = f"gone through: {stall(figures, 'scrubbing')}; {figures['after']:.0f} MB"
            opened = f"{figures['seconds']:.2f} s in all, longest {stall(figures)}"
            say(f"opening a run of {steps:,} steps", f"{opened}; {scrubbed}")


def inside(on: Stage, *what: object, scrolled: bool = False) -> dict[str, float]:
    """What the window's own process measures; the wheel is turned up and down meanwhile, if that is wanted."""
    process = on.start(str(HERE / "inside.py"), *map(str, what))
    if scrolled:
        on.until(lambda: on.find(ACCENT) or on.find(STOP))
        on.desktop.move(Point(400, 600))
        for turn in itertools.cycle(UP_AND_DOWN):
            if process.poll() is not None:
                break
            on.desktop.scroll(turn, 3)
            time.sleep(TURN)
    said, _ = process.communicate(timeout=CAP_S)
    figures: dict[str, float] = json.loads(said)
    return figures


def stall(figures: Mapping[str, float], name: str = "stall") -> str:
    """As it was, and the processor's time of the main thread."""
    return f"stall {1000 * figures[name]:.0f} ms (its own work: {1000 * figures[f'{name}_work']:.0f} ms)"


PARTS: Final[Mapping[str, Callable[[], None]]] = {"start": starts, "stop": stops, "flood": floods, "open": openings}


if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
