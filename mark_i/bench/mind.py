"""The mind benchmark: size and similarity of prompts, time to build them and parse replies, and a very long run."""

import gc
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from PIL import Image

from mark_i.agent import AgentCore
from mark_i.brain import Prompt, Reply, Space
from mark_i.budget import Budget
from mark_i.catalog import builtin_tools
from mark_i.loop.parts import Limits
from mark_i.prompts.builder import PromptBuilder
from mark_i.replies import parse
from toolbelt.belt import Toolbelt
from toolbelt.desktops import FakeDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import tool
from world_model import Journal, WorldModel

LONG_RUN_STEPS: Final = 10_000
SAMPLE_STEPS: Final = 500  # between two samples of memory; it must not grow after the first
TIMES: Final = 200
PROMPTS: Final = 300  # of which the sizes are compared


@tool(risk="look")
def look_up(entry: int) -> str:
    """Look an entry up in a list of addresses."""
    return f"Entry {entry} is a person who lives in street number {entry} and may be called in the morning."


class Clerk:
    """A brain that looks up one entry after the other."""

    name, sight = "clerk", 0
    space: Space = "pixels"

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.kept = PROMPTS
        self.calls = 0

    def think(self, prompt: Prompt) -> Reply:
        """Look up the next entry."""
        self.calls += 1
        if len(self.prompts) < self.kept:
            self.prompts.append(f"{prompt.system}\n\n{prompt.text}")
        thought = f"I have seen {self.calls - 1} entries so far and need the next one of the list."
        return Reply(json.dumps({"thought": thought, "action": {"tool": "look_up", "args": {"entry": self.calls}}}))


def measured(steps: int = LONG_RUN_STEPS) -> dict[str, Any]:
    """Measure every figure of this benchmark."""
    return {**_prompts(), **_times(), **_long_run(steps)}


def _everything() -> Toolbelt:
    """Return all built-in tools, as a run has them, and `look_up`."""
    toolbelt = builtin_tools()
    toolbelt.add(look_up)
    return toolbelt


def _prompts() -> dict[str, Any]:
    clerk = Clerk()
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (64, 64)))
    eyes = Eyes(desktop, desktop.control)
    limits = Limits(Budget(steps=PROMPTS))
    AgentCore(clerk, standard_toolbelt(eyes, look_up), desktop, limits=limits, eyes=eyes).execute_command("find him")
    sizes = [len(prompt.encode()) for prompt in clerk.prompts]
    same = [_same(one, other) / len(one) for one, other in itertools.pairwise(clerk.prompts)]
    return {
        "prompt_bytes_step_20": sizes[19],
        "prompt_bytes_step_300": sizes[299],
        "prompt_ratio_300_to_20": round(sizes[299] / sizes[19], 3),  # at most 1.1
        "prompt_same_mean": round(statistics.mean(same), 3),  # at least 0.8
        "prompt_same_least": round(min(same), 3),
    }


def _same(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _times() -> dict[str, Any]:
    world_model, toolbelt, clerk = WorldModel(), _everything(), Clerk()
    agent = AgentCore(clerk, toolbelt, None, world_model, limits=Limits(Budget(steps=49)))
    agent.execute_command("find the person")
    prompting = PromptBuilder(toolbelt, world_model)
    reply = clerk.think(prompting.next(clerk, "find the person", None, [])).text
    return {
        "prompt_ms_step_50": _median_ms(lambda: prompting.next(clerk, "find the person", None, []).text),  # at most 2
        "parse_ms": _median_ms(lambda: parse(reply)),  # at most 1
        "parse_repaired_ms": _median_ms(lambda: parse(f"Sure!\n```json\n{reply[:-2]},}},}}\n```")),
    }


def _median_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(TIMES):
        began = time.perf_counter()
        work()
        times.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(times), 3)


def _long_run(steps: int) -> dict[str, Any]:
    """Run many steps with a journal, on a screen that changes at every tenth step."""
    clerk = Clerk()
    desktop = FakeDesktop(lambda _inputs: Image.new("RGB", (64, 64), _shade(clerk.calls // 10)))
    eyes = Eyes(desktop, desktop.control)
    samples: list[tuple[float, int, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "run", {"goal": "long"})
        toolbelt = standard_toolbelt(eyes, look_up)
        agent = AgentCore(clerk, toolbelt, desktop, limits=Limits(Budget(steps=steps)), eyes=eyes, journal=journal)
        for event in agent.run("find the person"):
            if event.step and event.step.index % SAMPLE_STEPS == 0:
                gc.collect()
                samples.append((_memory_mb(), _handles(), time.perf_counter()))
    first, last = samples[0], samples[-1]
    durations = [1000 * (after[2] - before[2]) / SAMPLE_STEPS for before, after in itertools.pairwise(samples)]
    return {
        "long_run_steps": steps,
        "long_run_memory_mb": [round(first[0], 1), round(last[0], 1)],
        "long_run_memory_growth": round(last[0] / first[0] - 1, 4),  # under 0.05
        "long_run_handles": [first[1], last[1]],
        "long_run_step_ms": [round(durations[0], 2), round(durations[-1], 2)],
    }


def _shade(number: int) -> tuple[int, int, int]:
    return number % 256, number // 256, 0


def _memory_mb() -> float:
    """Return the resident memory of the process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def _handles() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
