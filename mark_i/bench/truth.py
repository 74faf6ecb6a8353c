"""The truth benchmark: how often a run that missed its goal ends as done, and one that reached it does not.

Half of the runs are near misses. The model is scripted: it believes that it is done, gives evidence, and insists.
"""

import random
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from mark_i.agent import AgentCore
from mark_i.bench.attempts import KINDS, Attempt, Evidence, Scene, command
from mark_i.brains.scripted import ScriptedBrain
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import DesktopError, Size

SIZE: Final = Size(1024, 768)
START_MAX_S: Final = 30.0  # for a program to open
SEED: Final = 220

Tell = Callable[[str], object]


def measured(runs: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Run `runs` attempts, half of them near misses, and count what was said of them wrongly.

    Args:
        runs: how many; the kinds take turns.
        control: a stop ends the benchmark and everything that it started.
        tell: receives progress messages.

    Raises:
        DesktopError: no virtual desktop is available, or a program does not start.
    """
    chance = random.Random(SEED)  # noqa: S311 - a benchmark repeats the same attempts
    wrong: list[dict[str, Any]] = []
    counts = {True: 0, False: 0}
    for nth in range(runs):
        kind = KINDS[nth // 2 % len(KINDS)]
        tell(f"{nth + 1} of {runs}: {kind.__name__}")
        with tempfile.TemporaryDirectory(prefix="mark-i-truth-") as folder:
            scene = Scene(Path(folder), chance, missed=nth % 2 == 1)
            attempt = kind(scene)
            outcome, why = _run(attempt, Path(folder), control)
            reached = attempt.reached()
        counts[reached] += 1
        if (outcome == "done") != reached:
            wrong.append(
                {
                    "kind": kind.__name__,
                    "reached": reached,
                    "outcome": outcome,
                    "goal": attempt.goal,
                    "evidence": attempt.evidence,
                    "why": why,
                }
            )
    false_done = sum(not one["reached"] for one in wrong)
    return {
        "runs": runs,
        "reached": counts[True],
        "missed": counts[False],
        "false_done": false_done,
        "false_done_percent": round(100 * false_done / max(1, counts[False]), 1),
        "false_doubt": len(wrong) - false_done,
        "false_doubt_percent": round(100 * (len(wrong) - false_done) / max(1, counts[True]), 1),
        "wrong": wrong,
    }


def _run(attempt: Attempt, folder: Path, control: Control) -> tuple[str, Any]:
    """Carry out an attempt on a desktop of its own, and return how it ended, and what was said of its evidence."""
    with closing(VirtualDesktop(SIZE, control)) as desktop:
        eyes = Eyes(desktop, control)
        desktop.launch(command(attempt, folder))
        if not control.until(lambda: any(window.active for window in desktop.windows()), START_MAX_S):
            raise DesktopError(f"{attempt.program} did not open a window.")
        eyes.settle(eyes.look(), 1.0)
        tries = attempt.evidence[0], attempt.evidence[-1]  # it may be sent back once
        calls = [*attempt.calls, *(("finish", _finish(given)) for given in tries)]
        replies = [{"thought": "I go on.", "action": {"tool": tool, "args": args}} for tool, args in calls]
        agent = AgentCore(ScriptedBrain(replies), standard_toolbelt(eyes), desktop, eyes=eyes, folders=(folder,))
        outcome = agent.execute_command(attempt.goal)
        return outcome.name, outcome.evidence or outcome.summary


def _finish(given: Evidence) -> dict[str, Any]:
    pieces = given if isinstance(given, tuple) else (given,)
    return {"summary": "It is done.", "evidence": list(pieces), "kind": "deed"}
