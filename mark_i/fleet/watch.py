"""What a fleet does now, read from its folder without changing it: cheap for thousands of runs, twice a second."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mark_i.config.paths import runs_folder
from mark_i.fleet.folder import UNKNOWN, Result, existing_fleet
from mark_i.fleet.report import ended_as
from mark_i.runs.store import is_running
from world_model import JournalError, read_run

RunState = Literal["waiting", "running", "solved", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class RunNow:
    """One run of a fleet.

    Attributes:
        run: the name of its journal; empty if it has none.
        steps: so far.
        screen: the digest of the newest screen of a run that is going on; empty if there is none.
        told: how it ended, as a person reads it; empty while it has not.
        said: its final words, or why there are none.
    """

    id: str
    title: str
    state: RunState = "waiting"
    run: str = ""
    steps: int = 0
    screen: str = ""
    told: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class FleetNow:
    """A fleet: the file that it was begun with, whether a process is at it, and its runs in the order of the file."""

    file: str
    running: bool
    runs: tuple[RunNow, ...]


class FleetWatch:
    """Watches the fleet in a folder; the journals of its runs are in a profile.

    Raises:
        UsageError: there is no fleet, or it cannot be read.
    """

    def __init__(self, path: Path, profile: str) -> None:
        self.path = path
        self._folder, self._runs = existing_fleet(path), runs_folder(profile)
        self._titles = self._folder.titles
        self._ended: dict[str, RunNow] = {}
        self._read: dict[str, tuple[int, RunNow]] = {}  # with the size of the steps that it was read from

    def look(self) -> FleetNow:
        """Return what it does now.

        Raises:
            UsageError: its results cannot be read any longer.
        """
        running = is_running(self.path)  # first: the last results of a fleet that has ended are not missed
        self._folder.read_more()
        begun = self._begun()
        return FleetNow(self._folder.file, running, tuple(self._now(one, begun) for one in self._titles))

    def _begun(self) -> set[str]:
        try:
            return {one.name for one in (self.path / "tasks").iterdir()}
        except OSError:  # none yet
            return set()

    def _now(self, job: str, begun: set[str]) -> RunNow:
        if (result := self._folder.results.get(job)) is not None:
            if job not in self._ended:
                self._ended[job] = _ended(result, self._titles[job])
                self._read.pop(job, None)
            return self._ended[job]
        if job not in begun or not self._folder.task(job).is_leased:
            return RunNow(job, self._titles[job])
        return self._going_on(job)

    def _going_on(self, job: str) -> RunNow:
        """Return a run that a process is at; its journal is read again once it has grown."""
        [name] = self._folder.task(job).begun()[-1:] or [""]
        journal = self._runs / name
        try:
            size = (journal / "steps.jsonl").stat().st_size if name else 0
        except OSError:  # its desktop is still starting
            size = 0
        known, before = self._read.get(job, (-1, RunNow("", "")))
        if (known, before.run) == (size, name):
            return before
        now = RunNow(job, self._titles[job], "running", name)
        if size:
            try:
                steps = read_run(journal, images=False).steps
            except JournalError:  # edited meanwhile
                steps = ()
            shots = [shot.digest for step in steps for shot in (step.before, step.after) if shot]
            now = RunNow(job, self._titles[job], "running", name, len(steps), shots[-1] if shots else "")
        self._read[job] = (size, now)
        return now


def _ended(result: Result, title: str) -> RunNow:
    state: RunState = "solved" if result.solved else "unknown" if result.outcome == UNKNOWN else "failed"
    # Without a check, a run that is done is solved.
    told = "Check failed" if state == "failed" and result.outcome == "done" else ended_as(result)
    return RunNow(result.id, title, state, result.run or "", result.steps, told=told, said=result.said)
