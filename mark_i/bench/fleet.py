"""The fleet benchmark: memory of live desktops, how runs scale with the cores, and what random kills lose.

The model is a server on this machine that answers after a second.
"""

import contextlib
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.fleet.file import Limits, jobs_of, read_file
from mark_i.fleet.folder import RESULTS, FleetFolder
from mark_i.fleet.supervisor import Fleet
from mark_i.fleet.worker import JOB, config_of
from mark_i.testing import OPENAI, ModelServer, Received
from toolbelt.control import Control
from world_model import MarkIError

MODEL_S: Final = 1.0  # that each reply takes
STEPS: Final = 8  # of a run that waits for the model
RUNS_EACH: Final = 4  # for each desktop at a time
OPTIONS: Final = {"profile": DEFAULT_PROFILE, "policy": None, "yes": True, "base_url": None, "max_steps": None}
PROGRAM: Final = "xterm"
FLEET_KILLS: Final = 200  # runs for each kill of the fleet
KILLS_EACH: Final = 0.06  # kills of a run's process for each run that begins
KILLED_MAX_S: Final = 4.0  # after its beginning
KILLED_WORKERS: Final = 4
POLL_S: Final = 0.02
SEED: Final = 290
NO_LIMITS: Final = Limits()

Tell = Callable[[str], object]


def measured(runs: int, desktops: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Measure every figure of this benchmark.

    Args:
        runs: how many short ones are run while processes are killed.
        desktops: how many live at the same time.
        control: a stop ends the benchmark and everything that it started.
        tell: receives progress messages.

    Raises:
        DesktopError: no virtual desktop is available.
    """
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="mark-i-fleet-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        tell(f"{desktops} live desktops")
        memory = _live(folder / "live", desktops, control)
        tell("Runs that wait for a model")
        one = _rate(folder / "one", 1, control)
        all_cores = _rate(folder / "cores", cores, control)
        figures = {
            **memory,
            "cores": cores,
            "runs_a_minute_with_1": round(one, 2),
            "runs_a_minute_with_the_cores": round(all_cores, 2),
            "percent_of_linear": round(100 * all_cores / one / cores, 1),  # at least 90
        }
        return figures | _killed(folder / "killed", runs, control, tell)


def _reply(received: Received) -> dict[str, Any]:
    step = int(re.findall(r"Step (\d+) of ", received.text)[-1])
    if step < STEPS:
        return {"thought": "One more.", "action": {"tool": "type_text", "args": {"text": "x"}}}
    return {"thought": "Done.", "action": {"tool": "finish", "args": {"summary": "Typed.", "kind": "deed"}}}


def _fleet(folder: Path, runs: int, workers: int, control: Control, address: str, tell: Any) -> Fleet:  # noqa: ANN401, PLR0913, PLR0917
    folder.mkdir()
    file = folder / "fleet.toml"
    file.write_text(
        f'[[task]]\nname = "typing"\nbrain = "openai:measured"\nbase_url = "{address}"\nsize = "1280x800"\n'
        f'setup = "{PROGRAM} &"\ngoal = "Type."\ncheck = "true"\ntries = {runs}\n'
    )
    jobs = jobs_of(read_file(file), file, DEFAULT_PROFILE)
    config_of(jobs[0], OPTIONS)  # loads the brain, as `mark-i fleet run` does
    out = FleetFolder(folder / "out")
    out.begin(file, jobs)
    return Fleet(out, jobs, NO_LIMITS, OPTIONS, workers, control, tell)


def _live(folder: Path, desktops: int, control: Control) -> dict[str, Any]:
    """Measure the memory of desktops that live at the same time, each with a program on it."""
    stepped: set[str] = set()
    pids: dict[str, int] = {}
    found: dict[str, Any] = {}
    own = Control()

    def heard(kind: str, about: Mapping[str, Any]) -> None:
        if kind == "started":
            pids[about["id"]] = about["pid"]
        if kind == "step":
            stepped.add(about["id"])
        if control.stopped:
            own.stop()
        if len(stepped) == desktops and not found:
            found.update(_memory(folder / "out", pids))
            own.stop()

    with ModelServer(OPENAI, _reply, seconds=MODEL_S) as server:
        os.environ["OPENAI_API_KEY"] = server.key
        _fleet(folder, desktops, desktops, own, server.base_url, heard).run()
    control.check()
    return found


def _memory(out: Path, pids: Mapping[str, int]) -> dict[str, Any]:
    """Return the memory of each part of a desktop, in MB: pages that several share are counted as their share.

    Args:
        out: the folder of the fleet.
        pids: the processes of its runs, which the variable does not mark.
    """
    parts: dict[str, dict[str, float]] = {str(out / "tasks" / job): defaultdict(float) for job in pids}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            if not folder.name.isdigit():
                continue
            name = (folder / "comm").read_text().strip()
            marks = [one for one in (folder / "environ").read_bytes().split(b"\0") if one.startswith(JOB.encode())]
            job = marks[0].decode().partition("=")[2] if marks else ""
            if int(folder.name) in pids.values():
                job, name = (
                    str(out / "tasks" / next(one for one, pid in pids.items() if pid == int(folder.name))),
                    "run",
                )
            if job in parts:
                [line] = [one for one in (folder / "smaps_rollup").read_text().splitlines() if one.startswith("Pss:")]
                parts[job][name] += int(line.split()[1]) / 1024
    each = [sum(mb for name, mb in part.items() if name != PROGRAM) for part in parts.values()]
    names = sorted({name for part in parts.values() for name in part})
    medians = {name: round(statistics.median(part.get(name, 0.0) for part in parts.values()), 1) for name in names}
    return {
        "live_desktops": len(parts),
        "mb_each_beside_the_program": round(statistics.median(each), 1),  # at most 120
        "mb_of_parts": medians,
    }


def _rate(folder: Path, workers: int, control: Control) -> float:
    """Return how many runs that wait for a model end in a minute."""
    began_s, ended_s = list[float](), list[float]()

    def heard(kind: str, _about: Mapping[str, Any]) -> None:
        if kind == "started" and not began_s:
            began_s.append(time.monotonic())
        if kind == "ended":
            ended_s.append(time.monotonic())

    with ModelServer(OPENAI, _reply, seconds=MODEL_S) as server:
        os.environ["OPENAI_API_KEY"] = server.key
        _fleet(folder, RUNS_EACH * workers, workers, control, server.base_url, heard).run()
    control.check()
    return 60 * len(ended_s) / (ended_s[-1] - began_s[0])


def _killed(folder: Path, runs: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Run many short runs while processes are killed at random; each run types a word into a file that all share.

    What was typed is the truth: a word that is there twice was typed by two runs.
    """
    folder.mkdir()
    effects, file = folder / "effects", folder / "fleet.toml"
    effects.touch()
    (folder / "rows.csv").write_text("word\n" + "".join(f"word{number}\n" for number in range(1, runs + 1)))
    file.write_text(
        '[[task]]\nname = "word"\nbrain = "offline"\nsize = "640x400"\nrows = "rows.csv"\n'
        f"setup = \"{PROGRAM} -e sh -c 'while read word; do echo $word >> {effects}; done' &\"\n"
        f'goal = \'Type "{{word}}" and press enter.\'\ncheck = "grep -qx {{word}} {effects}"\n'
    )
    killed = _Killed()
    began_s = time.monotonic()
    while (code := _life(file, runs, killed, control, tell)) == -signal.SIGKILL:
        pass
    if code not in {0, 1}:
        raise MarkIError(f"The fleet ended with exit code {code}.")
    results = [json.loads(line) for line in (folder / "fleet" / RESULTS).read_text().splitlines()]
    typed = Counter(effects.read_text().split())
    outcomes = Counter(one["outcome"] for one in results)
    return {
        "short_runs": runs,
        "killed_runs": killed.runs,
        "killed_fleets": killed.fleets,
        "short_runs_a_minute": round(60 * runs / (time.monotonic() - began_s), 1),
        "done": outcomes["done"],
        "told_as_unknown": outcomes["unknown"],
        "otherwise": len(results) - outcomes["done"] - outcomes["unknown"],
        "lost": runs - len({one["id"] for one in results}),  # 0
        "told_twice": len(results) - len({one["id"] for one in results}),  # 0
        "done_twice": sum(count > 1 for count in typed.values()),  # 0
        "done_and_not_typed": sum(one["solved"] and not typed[f"word{one['row']}"] for one in results),  # 0
    }


@dataclass(slots=True)
class _Killed:
    """How many processes of runs and of fleets were killed so far, and the chance that decides."""

    runs: int = 0
    fleets: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))  # noqa: S311 - it repeats itself

    def kill_perhaps(self, pid: int) -> None:
        """Kill a run that has just begun, now or in a moment, as often as is wanted."""
        if self.chance.random() < KILLS_EACH:
            timer = threading.Timer(self.chance.uniform(0, KILLED_MAX_S), self._kill, [pid])
            timer.daemon = True
            timer.start()

    def _kill(self, pid: int) -> None:
        with contextlib.suppress(OSError):  # it has ended
            if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes():  # and not another that has its number now
                os.kill(pid, signal.SIGKILL)
                self.runs += 1


def _life(file: Path, runs: int, killed: _Killed, control: Control, tell: Tell) -> int:
    """Run the fleet until it ends or is killed, and return its exit code."""
    results = file.with_suffix("") / RESULTS
    command = [sys.executable, "-m", "mark_i", "fleet", "run", str(file), "--json", "--workers", str(KILLED_WORKERS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as fleet:  # noqa: S603 - ourselves
        assert fleet.stdout is not None  # noqa: S101 - a pipe
        try:
            for line in fleet.stdout:
                control.check()
                about = json.loads(line)
                if about["event"] == "started":
                    killed.kill_perhaps(about["pid"])
                if about["event"] == "ended":
                    done = len(results.read_bytes().splitlines())
                    tell(f"{done} of {runs} short runs ended, {killed.runs} and {killed.fleets} fleets killed")
                    if done * (runs // FLEET_KILLS + 1) > runs * (killed.fleets + 1):
                        killed.fleets += 1
                        fleet.kill()
        finally:
            if fleet.poll() is None:
                fleet.send_signal(signal.SIGINT)
    return fleet.returncode
