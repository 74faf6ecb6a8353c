"""Runs the jobs of a fleet on this machine: a process and a desktop for each, some at a time, until none is left.

A process that ends without a result is judged by the journal of its run. If nothing was done in it, the job is done
again; else nobody can tell what came of it, and that is its result: it is never done twice.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any, Final, Literal

from mark_i.assembly.compose import may_have_acted
from mark_i.config.paths import runs_folder
from mark_i.fleet.attempt import COMMAND_MAX_S, NOT_BEGUN
from mark_i.fleet.file import Job, Limits
from mark_i.fleet.folder import UNKNOWN, FleetFolder, Result, TaskFolder
from mark_i.fleet.readers import readers
from mark_i.fleet.worker import BROKEN, JOB, STEP, STOP, work
from toolbelt.control import Control
from toolbelt.ocr import Address
from world_model import JournalError, read_run

POLL_S: Final = 0.2  # between two looks at the clock and the stop
STOP_MAX_S: Final = 20.0  # for a run to release its desktop
GONE_MAX_S: Final = 20.0  # for the desktop of a process that was killed to end with its programs
WITHOUT_LIMIT_MAX_S: Final = 3600.0  # for a run without a limit of time
OPENING_MAX_S: Final = 2 * COMMAND_MAX_S + 60.0  # for desktop, set-up and check beside the run
NEEDED_MB: Final = 700  # of memory for a desktop with its run and its programs
TRIES_MAX: Final = 3  # of a job whose process ends before anything is done
# Loaded once, for all processes, beside what the brains need.
PRELOADED: Final = ["mark_i.fleet.worker", "toolbelt.desktops.virtual.desktop", "mss.linux"]
BRAINS: Final = "mark_i.brains."
ARENAS: Final = (
    "MALLOC_ARENA_MAX",
    "2",
)  # of the C library, for each process; with one for each thread a run takes 30 MB more
Why = Literal["gone", "left", "stopped", "hung", "late", "spent"]
# How a run ends that left no result, and what is told of it.
ENDINGS: Final[Mapping[Why, tuple[str, str]]] = {
    "gone": (UNKNOWN, "Its process ended {after}, and nobody knows what came of it."),
    "left": (UNKNOWN, "Its fleet ended {after}, and nobody knows what came of it."),
    "stopped": (UNKNOWN, "It was stopped {after}, and its goal was not checked."),
    "hung": ("limit_time", "It took too long, and was ended {after}."),
    "late": ("limit_time", "The time of the fleet was over {after}."),
    "spent": ("limit_cost", "The budget of the fleet was spent {after}."),
}
Tell = Callable[[str, Mapping[str, Any]], object]  # started, step, ended, again or notice, and its values


@dataclass(slots=True)
class _Running:
    """A process at work.

    Attributes:
        ends_s: when it has taken too long, in the time of `time.monotonic`.
        tokens: used so far, and `last_tokens` by its last step; `usd` and `last_usd` likewise.
        why: why it is ended; None while it is not.
    """

    job: Job
    process: ForkServerProcess
    pipe: Connection
    began_s: float
    ends_s: float
    steps: int = 0
    tokens: int = 0
    last_tokens: int = 0
    usd: float = 0.0
    last_usd: float = 0.0
    why: Why | None = None


@dataclass(slots=True)
class Fleet:
    """A fleet that is run here.

    Args:
        folder: holds what was asked for and the results.
        jobs: all of them.
        budget: of all together.
        options: of `mark-i run`: the profile, the policy, and whether everything is approved.
        workers: how many run at a time at most.
        control: stops it.
        tell: is told what happens.
    """

    folder: FleetFolder
    jobs: Sequence[Job]
    budget: Limits
    options: Mapping[str, Any]
    workers: int
    control: Control
    tell: Tell
    _running: list[_Running] = field(default_factory=list)
    _waiting: deque[Job] = field(default_factory=deque)
    _began_s: float = field(default_factory=time.monotonic)
    _is_short: bool = False  # of memory

    def run(self) -> Why | None:
        """Run what has no result yet.

        Returns:
            Why it ended early: `stopped`, `late` or `spent`; None if it did not.

        Raises:
            JournalError: a result cannot be written.
        """
        context = multiprocessing.get_context("forkserver")
        brains = [name for name in sys.modules if name.startswith(BRAINS)]
        context.set_forkserver_preload([*PRELOADED, *brains])
        os.environ.setdefault(*ARENAS)
        self._waiting.extend(job for job in self.jobs if not self._has_ended(job))
        why: Why | None = None
        with readers(context, min(self.workers, len(self._waiting))) as addresses:
            try:
                while self._waiting or self._running:
                    why = why or self._why_to_end()
                    if why:
                        self._waiting.clear()
                        self._stop(why)
                    while self._waiting and len(self._running) < self.workers and self._has_room():
                        self._start(self._waiting.popleft(), context, next(addresses))
                    self._hear()
            finally:
                self._stop("stopped")
                self._end_all()
        return why

    def _has_ended(self, job: Job) -> bool:
        """Whether a job has a result; what a fleet before this one left is judged."""
        if job.id in self.folder.results:
            return True
        task = self.folder.task(job.id)
        if not task.begun() and not task.result():
            return False
        with task.leased():  # a process whose supervisor was killed may still be about to end
            result = task.result() or self._judged(job, "left")
        if result:
            self._add(result)
        return result is not None

    def _start(self, job: Job, context: ForkServerContext, reader: Address | None) -> None:
        ours, theirs = context.Pipe()
        given = (job, self.folder.task(job.id), self.options, reader, theirs)
        process = context.Process(target=work, args=given, daemon=True)
        process.start()
        theirs.close()
        now = time.monotonic()
        ends_s = now + (job.max_seconds or WITHOUT_LIMIT_MAX_S) + OPENING_MAX_S
        self._running.append(_Running(job, process, ours, now, ends_s))
        self.tell("started", {"id": job.id, "title": job.title, "pid": process.pid})

    def _hear(self) -> None:
        """Wait for what the processes say, or for one to end."""
        by_pipe = {one.pipe: one for one in self._running}
        ready = wait([*by_pipe, *(one.process.sentinel for one in self._running)], POLL_S)
        for pipe, one in by_pipe.items():
            if pipe in ready:
                self._take(one)
        now = time.monotonic()
        for one in [*self._running]:
            if now > one.ends_s:
                one.why = one.why or "hung"
                one.process.kill()
            if not one.process.is_alive():
                self._take(one)
                self._close(one)

    def _take(self, one: _Running) -> None:
        """Take what a process has said."""
        try:
            while one.pipe.poll():
                kind, value = one.pipe.recv()
                if kind == BROKEN:
                    raise JournalError(value)
                if kind == STEP:
                    tokens, usd = value
                    one.steps, one.tokens, one.last_tokens = one.steps + 1, one.tokens + tokens, tokens
                    one.usd, one.last_usd = one.usd + (usd or 0.0), usd or 0.0
                    self.tell("step", {"id": one.job.id, "steps": one.steps})
        except (EOFError, OSError):
            return

    def _close(self, one: _Running) -> None:
        """Book what a process left that has ended."""
        one.process.join()
        one.pipe.close()
        self._running.remove(one)
        job, task = one.job, self.folder.task(one.job.id)
        result = task.result() or self._judged(job, one.why or "gone", one)
        if result:
            self._add(result)
        elif not one.why:
            self.tell("again", {"id": job.id, "title": job.title})
            self._waiting.append(job)

    def _judged(self, job: Job, why: Why, one: _Running | None = None) -> Result | None:
        """Return the result of a job whose process left none; None if it can be done again."""
        _until_gone(self.folder.task(job.id))
        begun = self.folder.task(job.id).begun()
        acted, run = _acted(runs_folder(self.options["profile"]), begun[-1] if begun else None)
        if acted != 0 or why == "hung":
            outcome, told = ENDINGS[why]
            counted = f"after {acted} action{'' if acted == 1 else 's'}"
            after = {None: "with a journal that cannot be read", 0: "before it did anything"}.get(acted, counted)
            said = told.format(after=after)
        elif len(begun) >= TRIES_MAX:
            outcome, said = NOT_BEGUN, f"Its process ended {len(begun)} times before it did anything."
        else:
            return None
        seconds = round(time.monotonic() - one.began_s, 2) if one else 0.0
        tokens, usd = (one.tokens, one.usd) if one else (0, None)
        goal, brain = job.goal or job.skill or "", job.brain or "offline"
        return Result(
            job.id, job.task, job.row, job.number, goal, brain, False, outcome, said,  # noqa: FBT003
            seconds, acted or 0, tokens, usd, run,
        )  # fmt: skip

    def _add(self, result: Result) -> None:
        self.folder.add(result)
        self.tell("ended", {"id": result.id, "solved": result.solved, "outcome": result.outcome, "said": result.said})

    def _why_to_end(self) -> Why | None:
        """Return why no more may be begun; None if it may.

        A step of each run that is going on is expected to cost as much as its last one.
        """
        if self.control.stopped or self.folder.is_to_stop():
            return "stopped"
        limits, ended = self.budget, self.folder.results.values()
        if limits.max_seconds is not None and time.monotonic() - self._began_s > limits.max_seconds:
            return "late"
        tokens = sum(one.tokens for one in ended) + sum(one.tokens + one.last_tokens for one in self._running)
        if limits.max_tokens is not None and tokens >= limits.max_tokens:
            return "spent"
        usd = sum(one.usd or 0.0 for one in ended) + sum(one.usd + one.last_usd for one in self._running)
        return "spent" if limits.max_cost is not None and usd >= limits.max_cost else None

    def _has_room(self) -> bool:
        """Whether there is memory for one more desktop; one may always run."""
        short = bool(self._running) and available_mb() < NEEDED_MB
        if short and not self._is_short:
            self.tell("notice", {"text": "There is no memory for one more desktop. It waits until a run ends."})
        self._is_short = short
        return not short

    def _stop(self, why: Why) -> None:
        """Tell every run to stop, once."""
        for one in self._running:
            if not one.why:
                one.why, one.ends_s = why, min(one.ends_s, time.monotonic() + STOP_MAX_S)
                try:
                    one.pipe.send(STOP)
                except OSError:  # it has ended
                    continue

    def _end_all(self) -> None:
        """Wait until every process has ended, and end those that do not; nothing more is written."""
        for one in self._running:
            one.process.join(max(0.0, one.ends_s - time.monotonic()))
            if one.process.is_alive():
                one.process.kill()
                one.process.join()


def workers_for(wanted: int | None, jobs: int) -> int:
    """Return how many runs to have at a time: what was wanted, or two for each core, as far as the memory goes."""
    if wanted is None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        wanted = min(2 * cores, available_mb() // NEEDED_MB)
    return max(1, min(wanted, jobs))


def available_mb() -> int:
    """Return how much memory programs can get, in MB."""
    with Path("/proc/meminfo").open(encoding="ascii") as file:
        values = dict(line.split(":", 1) for line in file)
    return int(values["MemAvailable"].split()[0]) // 1024


def _until_gone(task: TaskFolder) -> None:
    """Wait until nothing is left of what the process of a job started, which its desktop sees to; then end the rest."""
    Control().until(lambda: not _left(task), GONE_MAX_S)
    for pid in _left(task):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _left(task: TaskFolder) -> list[int]:
    """Return the processes that have the variable of a job."""
    wanted, found = f"{JOB}={task.path}".encode(), []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found


def _acted(runs: Path, name: str | None) -> tuple[int | None, str | None]:
    """Return how many actions a run has done, the last one perhaps, and its name if it has a journal.

    The number is None if the journal cannot be read: nobody knows it then.
    """
    if name is None or not (runs / name / "run.json").exists():
        return 0, None
    try:
        run = read_run(runs / name, images=False)
    except JournalError:
        return None, name
    actions = [step.action for step in run.steps] + ([run.in_flight] if run.in_flight else [])
    return sum(map(may_have_acted, actions)), name
