"""What `benchmarks/window.py` measures within the window's own process: one JSON object a line comes out.

python benchmarks/inside.py flood EVENTS SECONDS     what a run that never pauses does to the window
python benchmarks/inside.py open STEPS               opening a past run of so many steps, and going through it
"""

import json
import random
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw

from gui.run import ImagesReady, RunReleased, RunStarted
from gui.window import MainWindow
from mark_i import Event
from mark_i.config import DEFAULT_PROFILE, Settings, runs_folder
from mark_i.runs import shots_of
from world_model import Action, Frame, Journal, Observation, Region, ScreenChange, Step, Thought, Timing, Usage

BEAT: Final = 1  # milliseconds between two signs of life of the main thread
SCREENS: Final = 12  # different pictures, 1920x1080
A_STEP: Final = 4  # messages: thought, action, step, pictures
PATIENCE: Final = 60.0  # seconds for a run to be read
MOVES: Final = 40
WORDS: Final = "I see the editor, and I want to save what is written there, so I look for the button that says Save. "


class Beat:
    """Notes the longest time in which the main thread answered nobody, and the most that it worked between two."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.restart()
        self._beat()

    def restart(self) -> None:
        """Forget what was."""
        self.worst, self.work = 0.0, 0.0
        self._last, self._worked = time.perf_counter(), time.thread_time()

    def told(self, name: str = "stall") -> dict[str, float]:
        """Both, in seconds."""
        return {name: self.worst, f"{name}_work": self.work}

    def _beat(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.worst, self._last = max(self.worst, now - self._last), now
        self.work, self._worked = max(self.work, worked - self._worked), worked
        self._window.after(BEAT, self._beat)


def journal(steps: int, name: str) -> list[Step]:
    """A past run of so many steps with pictures, written as a real one is."""
    chance, folder = random.Random(7), runs_folder() / name  # noqa: S311 - figures, no secrets
    folder.parent.mkdir(parents=True, exist_ok=True)
    screens = [_screen(number) for number in range(SCREENS)]
    written = Journal(folder, {"goal": f"A run of {steps} steps", "brain": "scripted"})
    done = [_step(index, screens, chance) for index in range(1, steps + 1)]
    for step in done:
        written.add(step)
    written.close({"outcome": "done_unverified", "summary": "That is all."})
    return done


def _screen(number: int) -> Frame:
    image = Image.new("RGB", (1920, 1080), (30 + 10 * number, 60, 90))
    draw = ImageDraw.Draw(image)
    for line in range(30):
        draw.text((60 + 40 * line, 40 + 30 * line), f"window {number}, line {line}", fill="white", font_size=28)
    return Frame(np.asarray(image))


def _step(index: int, screens: Sequence[Frame], chance: random.Random) -> Step:
    change = ScreenChange(changed=True, appeared=("Save As",), regions=(Region(300, 300, 400, 200),))
    return Step(
        index,
        Thought(f"{index}: {WORDS * chance.randint(1, 4)}"),
        Action("click", {"target": "Save"}),
        Observation(ok=True, text='Clicked "Save" at 360, 400.', screen=change),
        screens[index % SCREENS],
        screens[(index + 1) % SCREENS],
        Usage(1890, 64, 0.0011),
        Timing(think_ms=812.0),
    )


def messages(steps: Sequence[Step], folder: Path) -> list[Event | ImagesReady]:
    """What the window is told of these steps while they are done."""
    told: list[Event | ImagesReady] = []
    for step in steps:
        told.append(Event("thought", 0.0, {"index": step.index, "text": step.thought.text}))
        told.append(Event("action", 0.0, {"index": step.index, **step.action.to_dict()}))
        told.append(Event("step", 0.0, step.to_dict()))
        told.append(ImagesReady(step.index, *shots_of(step, folder)))
    return told


def flood(window: MainWindow, beat: Beat, count: int, seconds: float) -> None:
    """Feed the messages evenly from a thread of its own, as a run does; the window is closed when all is drawn."""
    told = messages(journal(count // A_STEP, "flood"), runs_folder() / "flood")
    before, began = _resident(), time.perf_counter()

    def feed() -> None:
        for number, message in enumerate(told):
            time.sleep(max(0.0, began + seconds * number / len(told) - time.perf_counter()))
            window._messages.put(message)
        window._messages.put(RunReleased())

    def over() -> None:
        if window._agent.state.running:
            window.after(BEAT, over)
            return
        took = time.perf_counter() - began
        _say(events=len(told), seconds=took, **beat.told(), before=before, after=_resident())
        window.destroy()

    window._agent.show(RunStarted("A run that never pauses"))
    beat.restart()
    threading.Thread(target=feed, daemon=True).start()
    over()


def opening(window: MainWindow, beat: Beat, steps: int) -> None:
    """Open a past run, and go through it with the scrubber."""
    journal(steps, "past")
    window._turn_to("Runs")
    began = time.perf_counter()
    beat.restart()
    window._controller.open("past")

    def opened() -> None:
        took, stall = time.perf_counter() - began, beat.told()
        beat.restart()
        move(steps, lambda: told(took, stall))

    def move(to: int, then: Callable[[], None]) -> None:
        if to <= 0:
            then()
            return
        window._controller.move(to)
        window.after(20, move, to - max(1, steps // MOVES), then)

    def told(took: float, stall: dict[str, float]) -> None:
        _say(steps=steps, seconds=took, **stall, **beat.told("scrubbing"), after=_resident())
        window.destroy()

    _when(window, lambda: window._history.replay is not None, lambda: window.after_idle(opened))


def _when(window: MainWindow, condition: Callable[[], bool], then: Callable[[], object]) -> None:
    if condition():
        then()
    else:
        window.after(BEAT, _when, window, condition, then)


def _resident() -> float:
    """Megabytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def _say(**figures: Any) -> None:  # noqa: ANN401 - figures of every kind
    sys.stdout.write(f"{json.dumps(figures)}\n")
    sys.stdout.flush()


def main() -> None:
    """Open the window, measure what is asked for, and close it."""
    what, *figures = sys.argv[1:]
    window = MainWindow(Settings(), "offline", DEFAULT_PROFILE)
    beat = Beat(window)
    begin = {"flood": lambda: flood(window, beat, int(figures[0]), float(figures[1]))}.get(
        what, lambda: opening(window, beat, int(figures[0]))
    )
    window.after(500, begin)  # once it is laid out
    window.stay()


if __name__ == "__main__":
    main()
