"""The stop benchmark: how soon a run ends after a person's stop, whatever it is doing, and what stays pressed."""

import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

from xcffib import xproto

from mark_i.assembly.compose import agent_for
from mark_i.assembly.run_config import RunConfig
from mark_i.bench.person import Person
from mark_i.brain import Prompt, Reply, Space
from mark_i.events import Event
from mark_i.runs.stop_file import STOP_FILE
from toolbelt.control import Control
from toolbelt.desktops import Hotkey, VirtualDesktop
from toolbelt.desktops.x11 import Connection
from world_model import DesktopError, Size

SIZE: Final = Size(1280, 800)
KEY: Final = Hotkey.parse("ctrl+alt+escape")
MEDIAN_MS, WORST_MS = 50.0, 150.0  # guaranteed on an idle machine
START_MAX_S: Final = 20.0  # for an application to open
RUN_MAX_S: Final = 60.0  # for a run to end
SEED: Final = 7
BUTTONS: Final = xproto.KeyButMask.Button1 | xproto.KeyButMask.Button2 | xproto.KeyButMask.Button3
# What a run is doing: a tool and its arguments, or None if it uses no tool.
STATES: Final[Mapping[str, tuple[str, Mapping[str, Any]] | None]] = {
    "model wait": None,
    "typing": ("type_text", {"text": "The quick brown fox jumps over the lazy dog. " * 5_000}),
    "drag": ("drag", {"start": {"x": 900, "y": 700}, "end": {"x": 1200, "y": 60}}),
    "wait_for": ("wait_for", {"text": "what never comes", "timeout": 60}),
    "tool call": ("python_repl", {"code": "while True: pass"}),
    "paused": None,
}
WAYS: Final = ("asked", "hotkey", "corner", "file")  # "asked" is the window's button, --json and signals

Tell = Callable[[str], object]


class RepeatingBrain:
    """Repeats one action; in the state `model wait` it thinks until the attempt is over."""

    name, sight = "single-minded", 0
    space: Space = "pixels"

    def __init__(self, state: str) -> None:
        self._state = state
        self.over = threading.Event()

    def think(self, prompt: Prompt) -> Reply:
        """Return the same action every time."""
        del prompt
        if self._state == "model wait":
            self.over.wait(RUN_MAX_S)
        tool, args = STATES[self._state] or ("press", {"keys": "shift"})
        return Reply(json.dumps({"thought": "Again.", "action": {"tool": tool, "args": args}}))


class StopAttempt:
    """One run that is stopped once, on a desktop that it takes for the person's own."""

    def __init__(self, state: str, way: str, person: Person, moment: float) -> None:
        self._state, self._way, self._person, self._moment = state, way, person, moment
        self.ms = self.given_back_ms = 0.0

    def run(self) -> str:
        """Run it, and return its outcome."""
        control, brain = Control(), RepeatingBrain(self._state)
        stopped: list[float] = []
        with agent_for("goal", RunConfig(brain, hotkey=KEY, yes=True), control) as (agent, folder):
            assert agent.desktop is not None  # noqa: S101 - the run was given one
            agent.desktop.key_down("ctrl")
            if self._state != "drag":
                agent.desktop.mouse_down("right")
            if self._state == "paused":
                control.pause()

            def stop() -> None:
                stopped.append(time.perf_counter())
                self._stop(control, folder / STOP_FILE)

            outcome = ""
            for event in agent.run("goal"):
                if not stopped and self._reached(event):
                    timer = threading.Timer(self._moment, stop)
                    timer.start()
                outcome = event.outcome.name if event.outcome else ""
            ended = time.perf_counter()
        brain.over.set()
        timer.join()
        self.ms, self.given_back_ms = (round((at - stopped[0]) * 1000, 1) for at in (ended, time.perf_counter()))
        return outcome

    def _reached(self, event: Event) -> bool:
        tool = STATES[self._state]
        if tool:
            return event.event == "action" and event.data["tool"] == tool[0]
        return event.event == ("paused" if self._state == "paused" else "thinking")

    def _stop(self, control: Control, file: Path) -> None:
        match self._way:
            case "asked":
                control.stop()
            case "hotkey":
                self._person.tap(str(KEY))
            case "corner":
                self._person.throw(lambda: control.stopped)
            case _:
                file.touch()


def measured(tries: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Measure median and worst time for each state and each way to stop, and count what stays pressed.

    Args:
        tries: The number of runs for each state; the ways to stop take turns.
        control: A stop ends the benchmark.
        tell: Receives progress messages.

    Raises:
        DesktopError: No virtual desktop is available.
    """
    chance = random.Random(SEED)  # noqa: S311 - a benchmark repeats the same moments
    found: list[tuple[str, str, StopAttempt]] = []
    down, others = 0, 0
    with _desktop_with_person(control) as (display, person), closing(Connection(display)) as asking:
        for state in STATES:
            for nth in range(tries):
                control.check()
                tell(f"{state}: {nth + 1} of {tries}")
                way = WAYS[nth % len(WAYS)]
                person.move(640, 400)
                one = StopAttempt(state, way, person, chance.uniform(0.0, 0.3))
                others += one.run() != "stopped"
                down += _pressed_count(asking)
                found.append((state, way, one))
    rows = [_row(state, [one for name, _, one in found if name == state]) for state in STATES]
    ways = [_row(way, [one for _, name, one in found if name == way]) for way in WAYS]
    return {
        "tries": tries,
        "load": [round(load, 1) for load in os.getloadavg()],
        "states": rows,
        "ways": [row for row in ways if row],
        "not_stopped": others,
        "down_afterwards": down,
        "limits": {"median_ms": MEDIAN_MS, "worst_ms": WORST_MS},
    }


def _row(name: str, tries: list[StopAttempt]) -> dict[str, Any]:
    if not tries:
        return {}
    times, back = [one.ms for one in tries], [one.given_back_ms for one in tries]
    return {
        "name": name,
        "tries": len(tries),
        "median_ms": round(statistics.median(times), 1),
        "worst_ms": max(times),
        "given_back_median_ms": round(statistics.median(back), 1),
    }


@contextmanager
def _desktop_with_person(control: Control) -> Iterator[tuple[str, Person]]:
    """Open a desktop that the runs take for the person's own, with a terminal on it, and a person."""
    with ExitStack() as stack:
        home = stack.enter_context(tempfile.TemporaryDirectory(prefix="mark-i-bench-"))
        desktop = stack.enter_context(closing(VirtualDesktop(SIZE, control)))
        desktop.launch(["xterm", "-geometry", "80x24+0+0", "-e", "cat"])
        if not control.until(desktop.windows, START_MAX_S):
            raise DesktopError("xterm did not open a window. Check that it is installed: sudo apt-get install xterm")
        display = desktop.display
        person = stack.enter_context(closing(Person(display)))
        before = dict(os.environ)
        os.environ.update(DISPLAY=display, MARK_I_HOME=home)
        stack.callback(_restore, before)
        yield display, person


def _restore(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def _pressed_count(display: Connection) -> int:
    """Return how many keys and buttons are down."""
    keys = sum(byte.bit_count() for byte in display.keys_down())
    buttons = int(display.pointer().mask & BUTTONS)
    return keys + buttons.bit_count()
