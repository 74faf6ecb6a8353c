"""Watching while a model thinks: what a step costs besides the model, and whether a late answer is missed."""

import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.bench.apps import late
from mark_i.bench.windows import application
from mark_i.brains import brain_named
from mark_i.brains.access import Access
from mark_i.budget import Budget
from mark_i.events import Event
from mark_i.loop.parts import Limits
from mark_i.testing import OPENAI, ModelServer, Received
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import read_region
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Region, Size

SIZE: Final = Size(1280, 900)
DRAWN_S: Final = 2.0  # for the window to be drawn
MODEL_S: Final = 1.0  # that each reply takes
SEED: Final = "102"
WARM_UP_STEPS: Final = 10  # until it is known what moves by itself, and how long the model takes
ANSWER: Final = Region(20, 190, 600, 90)  # within the window

Act = Callable[[int], tuple[str, dict[str, Any]]]


def measured(steps: int, answers: int, control: Control, tell: Callable[[str], object]) -> dict[str, Any]:
    """Measure both with a real SDK, whose server on this machine answers after a second.

    Args:
        steps: The number of steps whose time is measured.
        answers: The number of answers that a program gives late.
        control: A stop ends the benchmark and everything that it started.
        tell: Receives progress messages.
    """
    with tempfile.TemporaryDirectory(prefix="mark-i-") as folder:
        tell("Steps beside a model")
        figures = watched(steps, control, Path(folder) / "steps")
        tell("Late answers to a model")
        return figures | answered(answers, control, Path(folder) / "answers")


def watched(steps: int, control: Control, file: Path) -> dict[str, Any]:
    """Measure steps without the time of the model: a text, a key, and a click that shows nothing, in turn."""
    acts: tuple[Act, ...] = (
        lambda step: ("type_text", {"text": chr(ord("a") + step % 26)}),
        lambda step: ("click", {"target": (late.LABEL[0] + step, late.LABEL[1])}),
        lambda _: ("press", {"keys": "home"}),
    )
    rest_ms, of_vain_ms, extra_calls = list[float](), list[float](), 0
    for event, _, calls in _events(steps + WARM_UP_STEPS, acts, control, file):
        extra_calls = calls - event.data["steps"] - 1 if event.event == "ended" else 0  # it is asked for its last words
        if event.step and event.step.observation.screen and event.step.index > WARM_UP_STEPS:
            rest_ms.append((event.step.timing.seconds - MODEL_S) * 1000)
            if event.step.action.tool == "click" and not event.step.observation.screen.changed:
                of_vain_ms.append(rest_ms[-1])
    return {
        "watched_steps": len(rest_ms),
        "watched_vain_clicks": len(of_vain_ms),
        "watched_vain_click_p50_ms": round(statistics.median(of_vain_ms), 1),
        "watched_extra_calls": extra_calls,
        "watched_rest_p50_ms": round(statistics.median(rest_ms), 1),  # at most 80
        "watched_rest_p95_ms": round(statistics.quantiles(rest_ms, n=20)[-1], 1),  # at most 150
    }


def answered(answers: int, control: Control, file: Path) -> dict[str, Any]:
    """Count the answers that were on the screen when an action was decided, and not in the picture for it."""
    acts: tuple[Act, ...] = (
        lambda _: ("click", {"target": late.AT}),
        lambda _: ("press", {"keys": "home"}),
    )
    began_s, extra_calls, decided_s, shown = 0.0, 0, list[float](), list[str]()
    for event, window, calls in _events(2 * answers + 1, acts, control, file):
        began_s = began_s or time.monotonic() - event.t
        extra_calls = calls - event.data["steps"] - 1 if event.event == "ended" else 0
        if event.event == "thought":
            decided_s.append(event.t)
        if event.step and event.step.before:
            place = Region(window.x + ANSWER.x, window.y + ANSWER.y, ANSWER.width, ANSWER.height)
            lines = sorted(read_region(event.step.before, place), key=lambda line: line.region.x)
            shown.append(" ".join(line.text for line in lines))  # it may be read as two lines
    drawn_s = [float(line) - began_s for line in file.read_text().splitlines()]
    missed = overtaken = 0
    for count, at_s in enumerate(drawn_s[:answers], 1):
        first = 2 * count - 1  # the decision after the click
        sees = [index for index in (first, first + 1) if index < len(shown) and _is_shown(shown[index], count)]
        overtaken += first not in sees
        missed += not sees or (first not in sees and at_s < decided_s[first])
    return {
        "answers": len(drawn_s),
        "answers_missed": missed,
        "answers_after_the_reply": overtaken,
        "answers_extra_calls": extra_calls,
    }


def _is_shown(text: str, count: int) -> bool:
    found = re.search(r"Answer ?(\d+)", text)
    return found is not None and int(found[1]) == count


def _events(steps: int, acts: tuple[Act, ...], control: Control, file: Path) -> Iterator[tuple[Event, Region, int]]:
    """Run an agent in the window that answers late; yield its events, where the window is, and the calls so far."""
    file.touch()
    with (
        closing(VirtualDesktop(SIZE, control)) as desktop,
        application(desktop, late.__file__, str(file), SEED),
    ):
        window, eyes = desktop.windows()[-1].region, Eyes(desktop, control)
        eyes.settle(eyes.look(), DRAWN_S)

        def reply(received: Received) -> dict[str, Any]:
            step = int(re.findall(r"Step (\d+) of ", received.text)[-1]) - 1
            tool, args = acts[step % len(acts)](step)
            if "target" in args and received.image:
                scale = received.image.width / SIZE.width
                x, y = args["target"]
                args = {"target": {"x": (window.x + x) * scale, "y": (window.y + y) * scale}}
            return {"thought": "The next one.", "action": {"tool": tool, "args": args}}

        with ModelServer(OPENAI, reply, seconds=MODEL_S) as server:
            access = Access(lambda _: server.key, server.base_url, coordinates="pixels")
            agent = AgentCore(
                brain_named("openai", access),
                standard_toolbelt(eyes),
                desktop,
                eyes=eyes,
                limits=Limits(Budget(steps=steps)),
            )
            for event in agent.run("measure"):
                yield event, window, server.requests
