"""The foresight benchmark: calls, time and success of the same tasks with and without plans, and planted surprises."""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.bench.apps import order
from mark_i.bench.attempts import Scene, command
from mark_i.bench.planned_tasks import TASKS, Task
from mark_i.brain import DEFAULT_AHEAD, Brain, Prompt, Reply, Space
from mark_i.brains.scripted import ScriptedBrain
from mark_i.loop.foresight import Foresight
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import DesktopError, Size

SIZE: Final = Size(1024, 768)
START_MAX_S: Final = 30.0  # for a program to open
SURPRISE_MAX_MS: Final = 200  # after the key that brings it
SEED: Final = 230
VALUES: Final = {"Name": "Ada Lovelace", "Street": "Dorset Street", "City": "Marylebone", "Phone": "Pelham 1815"}

Tell = Callable[[str], object]
Item = Mapping[str, Any]


class Planner:
    """Plans all that is left to do from what worked so far, and counts how often it is asked."""

    name, sight = "planner", 0
    space: Space = "pixels"

    def __init__(self, items: list[Item]) -> None:
        self.calls = 0
        self._items = items

    def think(self, prompt: Prompt) -> Reply:
        """Return what is to be done next, and then."""
        self.calls += 1
        worked = sum(step.observation.ok for step in prompt.past())
        first, *then = self._items[worked:] or self._items[-1:]
        return Reply(json.dumps({**first, "then": then}))


class Counted:
    """A brain that counts how often it is asked."""

    def __init__(self, brain: Brain) -> None:
        self.name, self.sight, self.space = brain.name, brain.sight, brain.space
        self.calls, self._brain = 0, brain

    def think(self, prompt: Prompt) -> Reply:
        """Return its reply."""
        self.calls += 1
        return self._brain.think(prompt)


def measured(surprises: int, control: Control, tell: Tell, brain: Brain | None = None) -> dict[str, Any]:
    """Carry out each task with and without plans, and plan past `surprises`.

    Args:
        surprises: how many; the kinds take turns.
        control: a stop ends the benchmark and everything that it started.
        tell: receives progress messages.
        brain: works on the tasks; None for one that knows them.

    Raises:
        DesktopError: no virtual desktop is available, or a program does not start.
    """
    rows = []
    for number, make in enumerate(TASKS):
        row: dict[str, Any] = {"task": make.__name__}
        for ahead in (1, DEFAULT_AHEAD):
            tell(f"{make.__name__}, {ahead} ahead")
            row |= {f"{name}_{ahead}": value for name, value in _run(make, number, ahead, control, brain).items()}
        rows.append(row)
    chance = random.Random(SEED)  # noqa: S311 - a benchmark repeats the same surprises
    came, acted = 0, []
    for nth in range(surprises):
        kind = order.SURPRISES[nth % len(order.SURPRISES)]
        tell(f"surprise {nth + 1} of {surprises}: {kind}")
        seen, done = _surprised(kind, chance, control)
        came += seen
        acted += [kind] * done
    one, several = (sum(row[f"calls_{ahead}"] for row in rows) for ahead in (1, DEFAULT_AHEAD))
    return {
        "tasks": len(rows),
        "calls_1": one,
        f"calls_{DEFAULT_AHEAD}": several,
        "calls_percent": round(100 * several / one, 1),
        "done_1": sum(row["done_1"] for row in rows),
        f"done_{DEFAULT_AHEAD}": sum(row[f"done_{DEFAULT_AHEAD}"] for row in rows),
        "surprises": came,
        "acted_on": len(acted),
        "acted_on_kinds": acted,
        "rows": rows,
    }


def _run(make: Callable[[Scene], Task], seed: int, ahead: int, control: Control, other: Brain | None) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory(prefix="mark-i-foresight-") as name,
        closing(VirtualDesktop(SIZE, control)) as desktop,
    ):
        folder = Path(name)
        task = make(Scene(folder, random.Random(seed), missed=False))  # noqa: S311 - the same words both times
        attempt, eyes = task.attempt, _started(desktop, command(task.attempt, folder))
        brain = Counted(other) if other else Planner(_items(task))
        toolbelt = standard_toolbelt(eyes)
        planner = Foresight(brain, ahead, toolbelt, eyes) if ahead > 1 else brain
        agent = AgentCore(planner, toolbelt, desktop, eyes=eyes, folders=(folder,))
        began = time.monotonic()
        outcome = agent.execute_command(attempt.goal)
        seconds = round(time.monotonic() - began, 2)
        tokens = sum(step.usage.tokens for step in agent.world_model)
        done = outcome.name == "done" and attempt.reached()
        return {"calls": brain.calls, "steps": len(agent.world_model), "s": seconds, "tokens": tokens, "done": done}


def _items(task: Task) -> list[Item]:
    """Return all that is to be done, as the items of a plan."""
    evidence = task.attempt.evidence[0]
    pieces = list(evidence) if isinstance(evidence, tuple) else [evidence]
    finish = ("finish", {"summary": "It is done.", "evidence": pieces, "kind": "deed"})
    return [
        _item(tool, args, expect)
        for (tool, args), expect in zip((*task.attempt.calls, finish), task.expects, strict=True)
    ]


def _item(tool: str, args: Mapping[str, Any], expect: Mapping[str, str] | None = None) -> Item:
    expected = {"expect": expect} if expect else {}
    return {"thought": "I go on.", "action": {"tool": tool, "args": args}, **expected}


def _started(desktop: VirtualDesktop, program: list[str]) -> Eyes:
    """Start a program, and wait until its window stands."""
    eyes = Eyes(desktop, desktop.control)
    desktop.launch(program)
    if not desktop.control.until(lambda: any(window.active for window in desktop.windows()), START_MAX_S):
        raise DesktopError(f"{program[0]} did not open a window.")
    eyes.settle(eyes.look(), 1.0)
    return eyes


def _surprised(kind: str, chance: random.Random, control: Control) -> tuple[bool, bool]:
    """Return whether a surprise came, and whether anything that was planned before was begun after it and done."""
    field = chance.choice(order.FIELDS[:-1])
    delay_ms = str(chance.randrange(SURPRISE_MAX_MS))
    with (
        tempfile.TemporaryDirectory(prefix="mark-i-foresight-") as name,
        closing(VirtualDesktop(SIZE, control)) as desktop,
    ):
        folder = Path(name)
        eyes = _started(desktop, [sys.executable, order.__file__, name, kind, field, delay_ms])
        control.until((folder / "places.json").exists, START_MAX_S)
        places = json.loads((folder / "places.json").read_text(encoding="utf-8"))
        into = {field: dict(zip("xy", places[field], strict=True)) for field in VALUES}
        typed = [_item("type_text", {"text": text, "into": into[field]}) for field, text in VALUES.items()]
        first, *then = [*typed, _item("click", {"target": "Save"})]
        left = _item("fail", {"reason": "The plan was left."})
        brain = ScriptedBrain([{**first, "then": then}, left])
        toolbelt = standard_toolbelt(eyes)
        agent = AgentCore(Foresight(brain, len(typed) + 1, toolbelt, eyes), toolbelt, desktop, eyes=eyes)
        began_s, shown, acted = 0.0, folder / "surprise", False
        for event in agent.run("fill in the order and save it"):
            if event.event == "action":
                began_s = time.time()
            step = event.step
            if step and step.foreseen and step.observation.ok and shown.exists():
                acted = acted or began_s > shown.stat().st_mtime
        return shown.exists(), acted
