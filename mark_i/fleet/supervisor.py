"""Runs the jobs of a fleet: a process and a desktop for each, some at a time, until none is left.

A process that ends without a result is judged by the journal of its run. If nothing was done in it, the job is done
again; else nobody can tell what came of it, and that is its result: it is never done twice.
"""

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from mark_i.assembly.compose import may_have_acted
from mark_i.config.paths import runs_folder
from mark_i.fleet.attempt import COMMAND_MAX_S, NOT_BEGUN
from mark_i.fleet.engine import Engine, Message, Process
from mark_i.fleet.file import Job, Limits
from mark_i.fleet.folder import UNKNOWN, FleetFolder, Result
from mark_i.fleet.local import LocalEngine, until_gone
from mark_i.fleet.worker import BEGUN, BROKEN, ENDED, NOTICE, STEP
from toolbelt.control import Control
from world_model import JournalError, UsageError, read_run

POLL_S: Final = 0.2  # between two looks at the clock and the stop
STOP_MAX_S: Final = 20.0  # for a run to release its desktop
KILL_MAX_S: Final = 20.0  # for one that was killed to be gone
WITHOUT_LIMIT_MAX_S: Final = 3600.0  # for a run without a limit of time
OPENING_MAX_S: Final = 2 * COMMAND_MAX_S + 60.0  # for desktop, set-up and check beside the run
TRIES_MAX: Final = 3  # of a job whose process ends before anything is done
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
UNREACHED: Final = "Its machine cannot be reached and may still be at it, and nobody knows what came of it."
Tell = Callable[[str, Mapping[str, Any]], object]  # started, step, ended, again or notice, and its values


@dataclass(slots=True)
class _Running:
    """A process at work.

    Attributes:
        began_s: when it began, in the time of `time.monotonic`; None while it waits for a machine.
        ends_s: when it has taken too long.
        tokens: used so far, and `last_tokens` by its last step; `usd` and `last_usd` likewise.
        why: why it is ended; None while it is not.
        result: what it told at its end.
    """

    job: Job
    process: Process
    began_s: float | None = None
    ends_s: float = math.inf
    steps: int = 0
    tokens: int = 0
    last_tokens: int = 0
    usd: float = 0.0
    last_usd: float = 0.0
    why: Why | None = None
    result: Result | None = None


@dataclass(slots=True)
class Fleet:
    """A fleet that is run.

    Args:
        folder: holds what was asked for and the results.
        jobs: all of them.
        budget: of all together.
        options: of `mark-i run`: the profile, the policy, and whether everything is approved.
        workers: how many run at a time at most.
        control: stops it.
        tell: is told what happens.
        engine: starts the processes.
    """

    folder: FleetFolder
    jobs: Sequence[Job]
    budget: Limits
    options: Mapping[str, Any]
    workers: int
    control: Control
    tell: Tell
    engine: Engine = field(default_factory=LocalEngine)
    _running: list[_Running] = field(default_factory=list)
    _waiting: deque[Job] = field(default_factory=deque)
    _began_s: float = field(default_factory=time.monotonic)
    _tries: Counter[str] = field(default_factory=Counter)  # that began, by the id of the job
    _no_room: str | None = None  # what was told last

    def run(self) -> Why | None:
        """Run what has no result yet.

        Returns:
            Why it ended early: `stopped`, `late` or `spent`; None if it did not.

        Raises:
            JournalError: a result cannot be written.
        """
        self._waiting.extend(job for job in self.jobs if not self._has_ended(job))
        why: Why | None = None
        with self.engine.opened(len(self._waiting)):
            try:
                while self._waiting or self._running:
                    why = why or self._why_to_end()
                    if why:
                        self._waiting.clear()
                        self._stop(why)
                    while self._waiting and len(self._running) < self.workers and self._has_room():
                        self._start(self._waiting.popleft())
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
        result = self._judged(job, "left")
        if result:
            self._add(result)
        return result is not None

    def _start(self, job: Job) -> None:
        self._running.append(_Running(job, self.engine.start(job, self.folder.task(job.id), self.options)))

    def _hear(self) -> None:
        """Wait for what the processes say, or for one to end."""
        self.engine.wait([one.process for one in self._running], POLL_S)
        now = time.monotonic()
        for one in [*self._running]:
            is_alive = one.process.is_alive()
            for message in one.process.said():
                self._take(one, message)
            if not is_alive:
                self._close(one)
            elif now > one.ends_s:
                one.why = one.why or "hung"
                one.process.kill()

    def _take(self, one: _Running, message: Message) -> None:
        """Take what a process has said."""
        match message:
            case (kind, about) if kind == BEGUN:
                one.began_s = time.monotonic()
                self._tries[one.job.id] += 1
                ends_s = one.began_s + (one.job.max_seconds or WITHOUT_LIMIT_MAX_S) + OPENING_MAX_S
                one.ends_s = min(one.ends_s, ends_s)  # it may have been told to stop before
                self.tell("started", {"id": one.job.id, "title": one.job.title, **about})
            case (kind, (tokens, usd)) if kind == STEP:
                one.steps, one.tokens, one.last_tokens = one.steps + 1, one.tokens + tokens, tokens
                one.usd, one.last_usd = one.usd + (usd or 0.0), usd or 0.0
                self.tell("step", {"id": one.job.id, "steps": one.steps})
            case (kind, result) if kind == ENDED:
                one.result = result
            case (kind, told) if kind == NOTICE:
                self.tell("notice", {"text": f"{one.job.title}: {told}"})
            case (kind, why) if kind == BROKEN:
                raise JournalError(why)

    def _close(self, one: _Running) -> None:
        """Book what a process left that has ended."""
        one.process.close()
        self._running.remove(one)
        job = one.job
        result = one.result or self._judged(job, one.why or "gone", one)
        if result:
            self._add(result)
        elif not one.why:
            if one.began_s is not None:  # else the machine that it was for is gone
                self.tell("again", {"id": job.id, "title": job.title})
            self._waiting.append(job)

    def _judged(self, job: Job, why: Why, one: _Running | None = None) -> Result | None:
        """Return the result of a job whose process told none; None if it can be done again.

        Raises:
            UsageError: its lease is held, and not by a process of ours that has ended.
        """
        task = self.folder.task(job.id)
        try:
            with task.leased():  # a process whose supervisor or machine is gone may still be about to end
                until_gone(task)
                if result := task.result():
                    return result
                begun = task.begun()
                acted, run = _acted(runs_folder(self.options["profile"]), begun[-1] if begun else None)
        except UsageError:
            if one is None:
                raise
            return self._told(job, UNKNOWN, UNREACHED, one, None, None)
        if acted != 0 or why == "hung":
            outcome, told = ENDINGS[why]
            counted = f"after {acted} action{'' if acted == 1 else 's'}"
            after = {None: "with a journal that cannot be read", 0: "before it did anything"}.get(acted, counted)
            return self._told(job, outcome, told.format(after=after), one, acted, run)
        if why != "gone" or (tries := self._tries[job.id]) < TRIES_MAX:
            return None
        return self._told(job, NOT_BEGUN, f"Its process ended {tries} times before it did anything.", one, acted, run)

    @staticmethod
    def _told(  # noqa: PLR0913, PLR0917 - what a result is made of
        job: Job, outcome: str, said: str, one: _Running | None, acted: int | None, run: str | None
    ) -> Result:
        seconds = round(time.monotonic() - one.began_s, 2) if one and one.began_s is not None else 0.0
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
        """Whether one more job may be started; if not, why is told once."""
        before, self._no_room = self._no_room, self.engine.no_room(len(self._running))
        if self._no_room and self._no_room != before:
            self.tell("notice", {"text": self._no_room})
        return self._no_room is None

    def _stop(self, why: Why) -> None:
        """Tell every run to stop, once."""
        for one in self._running:
            if not one.why:
                one.why, one.ends_s = why, min(one.ends_s, time.monotonic() + STOP_MAX_S)
                one.process.stop()

    def _end_all(self) -> None:
        """Wait until every process has ended, and end those that do not; nothing more is written."""
        for one in self._running:
            if not one.process.join(max(0.0, one.ends_s - time.monotonic())):
                one.process.kill()
                one.process.join(KILL_MAX_S)
            one.process.close()


def _acted(runs: Path, name: str | None) -> tuple[int | None, str | None]:
    """Return how many actions a run has done, the last one perhaps, and its name.

    The number is None if the journal cannot be read, or is not there: nobody knows it then.
    """
    if name is None:
        return 0, None
    try:
        run = read_run(runs / name, images=False)
    except JournalError:
        return None, name
    actions = [step.action for step in run.steps] + ([run.in_flight] if run.in_flight else [])
    return sum(map(may_have_acted, actions)), name
