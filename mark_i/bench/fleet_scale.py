"""What a fleet of a thousand desktops needs: its supervisor is measured with simulated runs, the rest is calculated."""

import contextlib
import heapq
import json
import random
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final

from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from mark_i.fleet.engine import Message
from mark_i.fleet.file import Job, Limits, jobs_of, read_file
from mark_i.fleet.folder import RESULTS, FleetFolder, Result, TaskFolder
from mark_i.fleet.supervisor import Fleet
from mark_i.fleet.worker import BEGUN, ENDED, STEP
from mark_i.testing import Received
from toolbelt.control import Control
from world_model import UsageError

DESKTOPS: Final = 1000
EACH: Final = 10  # desktops of a machine
STEPS: Final = 8  # of a simulated run
STEP_S: Final = 5.0  # of each of its steps, mostly of the model: from half as long to half as long again
TOKENS: Final = 1000  # of each step
USD: Final = 0.002
SEED: Final = 29
OPTIONS: Final = {"profile": DEFAULT_PROFILE}


class SimulatedRun:
    """A run that says what a real one says, at random times around those of a real one."""

    def __init__(self, job: Job, chance: random.Random) -> None:
        now = time.monotonic()
        result = Result(
            job.id, job.task, job.row, job.number, job.goal or "", job.brain or "", True, "done", "Typed.",  # noqa: FBT003
            STEPS * STEP_S, STEPS, STEPS * TOKENS, STEPS * USD,
        )  # fmt: skip
        said: list[Message] = [(BEGUN, {"pid": 0}), *[(STEP, (TOKENS, USD))] * STEPS, (ENDED, result)]
        times = [now := now + chance.uniform(0.5, 1.5) * STEP_S for _ in said]
        self.messages = deque(zip(times, said, strict=True))

    def said(self) -> list[Message]:
        """Return what it has said since the last time."""
        found = []
        while self.messages and self.messages[0][0] <= time.monotonic():
            found.append(self.messages.popleft()[1])
        return found

    def is_alive(self) -> bool:
        """Whether it may say more."""
        return bool(self.messages)

    def stop(self) -> None:
        """Say nothing more."""
        self.messages.clear()

    kill = stop

    def join(self, seconds: float) -> bool:  # noqa: ARG002 - of a real one
        """Return that it has ended."""
        return True

    def close(self) -> None:
        """Hold nothing."""


class SimulatedRuns:
    """The engine of simulated runs.

    Args:
        control: ends its waits.
    """

    def __init__(self, control: Control) -> None:
        self._control = control
        self._chance = random.Random(SEED)  # noqa: S311 - it repeats itself
        self._times: list[float] = []  # at which a run says something

    def opened(self, runs: int) -> AbstractContextManager[None]:  # noqa: ARG002 - of a real one
        """Prepare nothing."""
        return contextlib.nullcontext()

    def no_room(self, running: int) -> None:
        """Have room for each."""

    def start(self, job: Job, folder: TaskFolder, options: Mapping[str, Any]) -> SimulatedRun:  # noqa: ARG002 - as above
        """Start a run."""
        run = SimulatedRun(job, self._chance)
        for at, _said in run.messages:
            heapq.heappush(self._times, at)
        return run

    def wait(self, processes: Sequence[Any], seconds: float) -> None:  # noqa: ARG002 - as above
        """Wait until a run says something."""
        now = time.monotonic()
        while self._times and self._times[0] <= now:
            heapq.heappop(self._times)
        with contextlib.suppress(IndexError):
            self._control.pause_for(min(seconds, self._times[0] - now))


def supervised(folder: Path, runs: int, control: Control) -> dict[str, Any]:
    """Measure what a supervisor takes for so many runs at the same time.

    Raises:
        Halt: it was stopped.
    """
    folder.mkdir()
    file = folder / "fleet.toml"
    file.write_text(f'[[task]]\nname = "typing"\nbrain = "offline"\ngoal = "Type."\ntries = {runs}\n')
    jobs = jobs_of(read_file(file), file, DEFAULT_PROFILE)
    out = FleetFolder(folder / "out")
    out.begin(file, jobs)
    told: list[str] = []
    began_s, began_cpu_s = time.monotonic(), time.process_time()
    tell = lambda kind, _about: told.append(kind)  # noqa: E731 - it is one line
    Fleet(out, jobs, Limits(), OPTIONS, runs, control, tell, SimulatedRuns(control)).run()
    cpu_s, seconds = time.process_time() - began_cpu_s, time.monotonic() - began_s
    control.check()
    if len(out.results) != runs:
        raise UsageError(f"{len(out.results)} of {runs} simulated runs were told.")
    return {
        "simulated_runs": runs,
        "events_a_second": round(len(told) / seconds, 1),
        "supervisor_ms_for_an_event": round(1000 * cpu_s / len(told), 3),
        "supervisor_percent_of_a_core": round(100 * cpu_s / seconds, 1),
    }


def sizes(out: Path, received: Sequence[Received]) -> dict[str, Any]:
    """Measure the bytes of what the runs of a fleet sent and wrote, and the characters that a model had to read."""
    results = FleetFolder(out).results.values()
    journals = [runs_folder(DEFAULT_PROFILE) / one.run for one in results if one.run]
    written = sum(file.stat().st_size for journal in journals for file in journal.rglob("*") if file.is_file())
    steps = sum(one.steps for one in results)
    return {
        "bytes_to_the_model_a_step": sum(len(json.dumps(one.body)) for one in received) // len(received),
        "characters_to_the_model_a_step": sum(len(one.system) + len(one.text) for one in received) // len(received),
        "bytes_of_the_journal_a_step": written // steps,
        "bytes_of_a_result": (out / RESULTS).stat().st_size // len(results),
    }


def needs(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Calculate what a thousand desktops need, ten on each machine, with a step of each every five seconds."""
    steps_a_second = DESKTOPS / STEP_S
    return {
        "calculated_mb_of_a_machine": round(
            EACH * (figures["mb_each_beside_the_program"] + figures["mb_of_the_program"]) + figures["mb_of_all"]
        ),
        "calculated_mb_a_second_to_models": round(steps_a_second * figures["bytes_to_the_model_a_step"] / 1e6, 1),
        "calculated_mb_a_second_of_journals": round(steps_a_second * figures["bytes_of_the_journal_a_step"] / 1e6, 1),
        "calculated_kb_of_results": round(DESKTOPS * figures["bytes_of_a_result"] / 1e3),
    }
