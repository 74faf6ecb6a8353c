"""The fleet benchmark: memory of live desktops, how runs scale with the cores, what a thousand need, what kills lose.

The model is a server on this machine that answers after a second.
"""

import contextlib
import os
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mark_i.bench import fleet_scale
from mark_i.bench.fleet_kills import PROGRAM, Tell, killed
from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.extras import EXTRAS
from mark_i.fleet.file import Limits, jobs_of, read_file
from mark_i.fleet.folder import FleetFolder
from mark_i.fleet.supervisor import Fleet
from mark_i.fleet.worker import JOB, config_of
from mark_i.testing import OPENAI, ModelServer, Received
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from world_model import MarkIError, Size

SIZE: Final = Size(1280, 800)  # of each desktop
STARTS: Final = 10
MODEL_S: Final = 1.0  # that each reply takes
STEPS: Final = 8  # of a run that waits for the model
RUNS_EACH: Final = 4  # for each desktop at a time
OPTIONS: Final = {"profile": DEFAULT_PROFILE, "policy": None, "yes": True, "base_url": None, "max_steps": None}
NO_LIMITS: Final = Limits()


def measured(runs: int, desktops: int, control: Control, tell: Tell) -> Iterator[dict[str, Any]]:
    """Measure every figure of this benchmark, and yield those of each part once it is done.

    Args:
        runs: how many short ones are run while processes are killed.
        desktops: how many live at the same time.
        control: a stop ends the benchmark and everything that it started.
        tell: receives progress messages.

    Raises:
        DesktopError: no virtual desktop is available.
        Halt: it was stopped.
    """
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="mark-i-fleet-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        tell("Desktops that start")
        yield {"desktop_start_ms": round(_start_ms(control))}  # at most 300
        tell(f"{desktops} live desktops")
        memory = _live(folder / "live", desktops, control)
        yield memory
        tell("Runs that wait for a model")
        one, _ = _rate(folder / "one", 1, control)
        all_cores, written = _rate(folder / "cores", cores, control)
        yield {"cores": cores, **_scaling("", one, all_cores, cores), **written}  # at least 90 percent
        tell("Runs that compute")
        one = _computing_rate(folder / "computing-one", 1, control)
        all_cores = _computing_rate(folder / "computing-cores", cores, control)
        yield _scaling("computing_", one, all_cores, cores)
        tell(f"A supervisor of {fleet_scale.DESKTOPS} simulated runs")
        yield fleet_scale.supervised(folder / "simulated", fleet_scale.DESKTOPS, control)
        yield fleet_scale.needs(memory | written)
        yield killed(folder / "killed", runs, control, tell)
        if EXTRAS["fleet"].installed:
            from mark_i.bench.fleet_ray import killed_machine  # noqa: PLC0415 - Ray is an extra

            yield killed_machine(folder / "on-ray", runs, control, tell)


def _scaling(kind: str, one: float, all_cores: float, cores: int) -> dict[str, Any]:
    """Return how runs of a kind scale, from how many end in a minute with one desktop and with one for each core."""
    return {
        f"{kind}runs_a_minute_with_1": round(one, 2),
        f"{kind}runs_a_minute_with_the_cores": round(all_cores, 2),
        f"{kind}percent_of_linear": round(100 * all_cores / one / cores, 1),
    }


def _reply(received: Received) -> dict[str, Any]:
    step = int(re.findall(r"Step (\d+) of ", received.text)[-1])
    if step < STEPS:
        return {"thought": "One more.", "action": {"tool": "type_text", "args": {"text": "x"}}}
    return {"thought": "Done.", "action": {"tool": "finish", "args": {"summary": "Typed.", "kind": "deed"}}}


def _waiting(address: str) -> str:
    """Return what a task says that waits for the model at an address."""
    return f'brain = "openai:measured"\nbase_url = "{address}"\ngoal = "Type."\n'


def _fleet(folder: Path, task: str, runs: int, workers: int, control: Control, tell: Any) -> Fleet:  # noqa: ANN401, PLR0913, PLR0917
    folder.mkdir()
    file = folder / "fleet.toml"
    file.write_text(
        f'[[task]]\nname = "typing"\n{task}size = "{SIZE}"\n'
        f'setup = "{PROGRAM} -e cat &"\ncheck = "true"\ntries = {runs}\n'
    )
    jobs = jobs_of(read_file(file), file, DEFAULT_PROFILE)
    config_of(jobs[0], OPTIONS)  # loads the brain, as `mark-i fleet run` does
    out = FleetFolder(folder / "out")
    out.begin(file, jobs)
    return Fleet(out, jobs, NO_LIMITS, OPTIONS, workers, control, tell)


def _start_ms(control: Control) -> float:
    """Return how long the start of a desktop takes, from the request until it can be used; the median of some."""
    took_ms = []
    for _ in range(STARTS):
        began_s = time.perf_counter()
        desktop = VirtualDesktop(SIZE, control)
        took_ms.append(1000 * (time.perf_counter() - began_s))
        desktop.close()
    return statistics.median(took_ms)


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
        _fleet(folder, _waiting(server.base_url), desktops, desktops, own, heard).run()
    control.check()
    return found


def _memory(out: Path, pids: Mapping[str, int]) -> dict[str, Any]:
    """Return the memory of each part of a desktop, in MB: pages that several share are counted as their share.

    Args:
        out: the folder of the fleet.
        pids: the processes of its runs, which the variable does not mark.
    """
    parts: dict[str, dict[str, float]] = {str(out / "tasks" / job): defaultdict(float) for job in pids}
    shared, ours = 0.0, _supervising()
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
                parts[job][name] += _pss_mb(folder)
            elif int(folder.name) in ours:
                shared += _pss_mb(folder)
    each = [sum(mb for name, mb in part.items() if name != PROGRAM) for part in parts.values()]
    names = sorted({name for part in parts.values() for name in part})
    medians = {name: round(statistics.median(part.get(name, 0.0) for part in parts.values()), 1) for name in names}
    return {
        "live_desktops": len(parts),
        "mb_each_beside_the_program": round(statistics.median(each), 1),  # at most 120
        "mb_of_parts": medians,
        "mb_of_the_program": medians.get(PROGRAM, 0.0),
        "mb_of_all": round(shared, 1),
    }


def _pss_mb(process: Path) -> float:
    """Return the memory of a process by its folder in /proc, in MB."""
    [line] = [one for one in (process / "smaps_rollup").read_text().splitlines() if one.startswith("Pss:")]
    return int(line.split()[1]) / 1024


def _supervising() -> set[int]:
    """Return the processes that all runs share: this one, the one that forks, and those that read the screens."""
    found, asked = set[int](), [os.getpid()]
    while asked:
        found.add(pid := asked.pop())
        with contextlib.suppress(OSError):  # it has ended
            for thread in Path(f"/proc/{pid}/task").iterdir():
                asked += map(int, (thread / "children").read_text().split())
    return found


def _rate(folder: Path, workers: int, control: Control) -> tuple[float, dict[str, Any]]:
    """Return how many runs that wait for a model end in a minute, and the sizes of what they sent and wrote."""
    with ModelServer(OPENAI, _reply, seconds=MODEL_S) as server:
        os.environ["OPENAI_API_KEY"] = server.key
        rate = _runs_a_minute(folder, _waiting(server.base_url), workers, control)
    return rate, fleet_scale.sizes(folder / "out", server.received)


def _computing_rate(folder: Path, workers: int, control: Control) -> float:
    """Return how many runs end in a minute that wait for nobody: with the brain that needs no model."""
    goal = " ".join(f'Type "line {number}" and press enter.' for number in range(1, STEPS // 2 + 1))
    return _runs_a_minute(folder, f"brain = \"offline\"\ngoal = '{goal}'\n", workers, control)


def _runs_a_minute(folder: Path, task: str, workers: int, control: Control) -> float:
    """Return how many runs of a task end in a minute.

    Raises:
        MarkIError: one of them did not reach its goal, so that its time says nothing.
    """
    began_s, ended_s = list[float](), list[float]()

    def heard(kind: str, _about: Mapping[str, Any]) -> None:
        if kind == "started" and not began_s:
            began_s.append(time.monotonic())
        if kind == "ended":
            ended_s.append(time.monotonic())

    fleet = _fleet(folder, task, RUNS_EACH * workers, workers, control, heard)
    fleet.run()
    control.check()
    for one in FleetFolder(folder / "out").results.values():
        if not one.solved:
            raise MarkIError(f"A run that is measured ended as {one.outcome}: {one.said}")
    return 60 * len(ended_s) / (ended_s[-1] - began_s[0])
