"""The overhead benchmark: the cost of a look and of a step without the model, and whether a late answer is seen."""

import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from mark_i.agent import AgentCore
from mark_i.bench import watching
from mark_i.bench.apps import late, pad
from mark_i.bench.windows import application
from mark_i.brain import Prompt, Reply, Space
from mark_i.budget import Budget
from mark_i.loop.parts import Limits
from mark_i.prompts.screenshot import picture_of, scaled
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.elements import Marks, elements_on
from toolbelt.ocr import Match, read_region
from toolbelt.perception import REACTION_S, Eyes, Sighting
from toolbelt.standard import standard_toolbelt
from world_model import Frame, Journal, Point, Size

SIZE: Final = Size(1920, 1080)
SIGHT_PX: Final = 1440  # width of the image that a model receives
TIMES: Final = 100
STEPS: Final = 61
ANSWER_MAX_S: Final = 5.0  # for an answer that the look missed
THOUGHT_S: Final = 0.4  # of the simulated model
FIRST_THOUGHT_S: Final = 3.0
SEED: Final = 101
WORDS: Final = "The quick brown fox jumps over the lazy dog; 0123456789 times (and again)."

Tell = Callable[[str], object]


class Typist:
    """A brain that types, clicks and presses keys, and records when it was asked and when it replied."""

    name, sight = "typist", SIGHT_PX
    space: Space = "pixels"

    def __init__(self, at: Point) -> None:
        self._at = at
        self.asked: list[float] = []
        self.replied: list[float] = []

    def think(self, prompt: Prompt) -> Reply:
        """Return the next action in turn: type a letter, click near it, or move the caret to the end."""
        del prompt
        self.asked.append(time.perf_counter())
        step = len(self.asked)
        actions = [
            ("type_text", {"text": chr(ord("a") + step % 26)}),
            ("click", {"target": {"x": self._at.x, "y": self._at.y + 20 * (step % 10)}}),
            ("press", {"keys": "ctrl+end"}),
        ]
        tool, args = actions[step % len(actions)]
        reply = Reply(json.dumps({"thought": "The next one.", "action": {"tool": tool, "args": args}}))
        self.replied.append(time.perf_counter())
        return reply


def measured(clicks: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Measure every figure of this benchmark.

    Args:
        clicks: The number of clicks in the application that answers late.
        control: A stop ends the benchmark and everything that it started.
        tell: Receives progress messages.

    Raises:
        DesktopError: No virtual desktop is available, or an application does not start.
    """
    with tempfile.TemporaryDirectory(prefix="mark-i-") as folder:
        tell("Looking")
        looks = looked(control)
        tell("Steps")
        steps = stepped(control, Path(folder) / "run")
        tell("Late answers")
        answers = answered(control, Path(folder) / "answers", clicks)
        return looks | steps | answers | watching.measured(STEPS - 1, clicks, control, tell)


def looked(control: Control) -> dict[str, Any]:
    """Measure the cost of one look, and of a click and of marks, on a screen full of text."""
    with closing(VirtualDesktop(SIZE, control)) as desktop, application(desktop, pad.__file__, WORDS):
        eyes = Eyes(desktop, control)
        _shown(eyes)
        frame = eyes.look()
        place = Point(SIZE.width // 2, SIZE.height // 2)
        lines = eyes.read(frame)

        def looked_at() -> float:
            desktop.type("x")
            desktop.attend(ANSWER_MAX_S)
            return _timed(lambda: picture_of(eyes.show(), SIGHT_PX))

        def marked() -> None:
            elements_on.cache_clear()  # otherwise the elements would come from the cache
            Marks().show(frame, lambda frame: elements_on(frame, lines))

        def clicked() -> float:
            eyes.settle(eyes.look(), REACTION_S)
            eyes.show()
            return _timed(lambda: eyes.click(Sighting(Match(place, ""), eyes.as_shown())))

        return {
            "capture_ms": _median(desktop.grab),
            "look_ms": round(statistics.median(looked_at() for _ in range(TIMES)), 1),
            "click_ms": round(statistics.median(clicked() for _ in range(TIMES)), 1),
            "marks_ms": _median(marked, 10),
            **_legible(frame),
        }


def stepped(control: Control, folder: Path) -> dict[str, Any]:
    """Measure the time of a step without the model, on a settled screen, including the journal."""
    with closing(VirtualDesktop(SIZE, control)) as desktop, application(desktop, pad.__file__, WORDS):
        eyes = Eyes(desktop, control)
        _shown(eyes)
        window = desktop.windows()[-1].region
        brain = Typist(Point(window.x + 300, window.y + 200))
        journal = Journal(folder, {"goal": "bench"})
        budget = Budget(steps=STEPS)
        agent = AgentCore(brain, standard_toolbelt(eyes), desktop, limits=Limits(budget), eyes=eyes, journal=journal)
        agent.execute_command("type")
        pauses = [(asked - replied) * 1000 for replied, asked in zip(brain.replied, brain.asked[1:STEPS], strict=False)]
        return {"step_p50_ms": _at(pauses, 50), "step_p95_ms": _at(pauses, 95)}


def answered(control: Control, file: Path, clicks: int) -> dict[str, Any]:
    """Measure how soon after its last pixel a late answer is seen, and how often the look came too early."""
    delays, early = [], 0
    with (
        closing(VirtualDesktop(SIZE, control)) as desktop,
        application(desktop, late.__file__, str(file), str(SEED)),
    ):
        eyes = Eyes(desktop, control)
        file.touch()
        window = desktop.windows()[-1].region
        button = Point(window.x + late.AT[0], window.y + late.AT[1])
        for count in range(clicks):
            with eyes.idle():
                control.wait(THOUGHT_S if count else FIRST_THOUGHT_S)
            before = eyes.show()
            eyes.click(Sighting(Match(button, ""), eyes.as_shown()))
            eyes.settle(before)
            seen = time.monotonic()
            if len(times := _times(file)) > count:
                delays.append((seen - times[count]) * 1000)
                continue
            early += 1
            control.until(partial(_is_answered, file, count), ANSWER_MAX_S)
            eyes.settle(eyes.look(), 0)
    return {"late_clicks": clicks, "too_early": early, "after_p50_ms": _at(delays, 50), "after_p95_ms": _at(delays, 95)}


def _legible(frame: Frame) -> dict[str, Any]:
    """Count the words in the scaled image that are still legible after its compression."""
    size = Size(SIGHT_PX, round(SIGHT_PX * SIZE.height / SIZE.width))
    plain = scaled(frame, size)
    figures: dict[str, Any] = {}
    for name, suffix, quality in (
        ("jpeg", ".jpg", cv2.IMWRITE_JPEG_QUALITY),
        ("webp", ".webp", cv2.IMWRITE_WEBP_QUALITY),
    ):
        began = time.perf_counter()
        _, encoded = cv2.imencode(suffix, plain, [quality, 80])
        figures[f"{name}_ms"] = round((time.perf_counter() - began) * 1000, 1)
        figures[f"{name}_kb"] = round(len(encoded) / 1024)
        sent = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
        figures[f"{name}_words"] = _same(_words(plain), _words(sent))
    return figures


def _words(pixels: Any) -> list[str]:  # noqa: ANN401 - OpenCV's arrays have no narrow type
    frame = Frame(np.ascontiguousarray(pixels[:, :, ::-1]))
    return " ".join(line.text for line in read_region(frame, frame.region)).split()


def _same(words: list[str], others: list[str]) -> str:
    """Describe how many of the words are among the others."""
    found = (Counter(words) & Counter(others)).total()
    return f"{found} of {len(words)}"


def _shown(eyes: Eyes) -> None:
    eyes.settle(eyes.look(), 1.0)


def _is_answered(file: Path, count: int) -> bool:
    return len(_times(file)) > count


def _times(file: Path) -> list[float]:
    return [float(line) for line in file.read_text().splitlines()]


def _median(work: Callable[[], object], times: int = TIMES) -> float:
    return round(statistics.median(_timed(work) for _ in range(times)), 1)


def _timed(work: Callable[[], object]) -> float:
    """Return how many milliseconds it took."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def _at(values: list[float], percent: int) -> float | None:
    if not values:
        return None
    return round(sorted(values)[min(len(values) - 1, len(values) * percent // 100)], 1)
