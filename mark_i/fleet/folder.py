"""The folder of a fleet: what was asked for, what became of it, and who is at it now.

FOLDER/fleet.json      what was asked for, which the same command must ask for again
FOLDER/results.jsonl   a line for each run that ended, flushed and fsynced: the truth about the fleet
FOLDER/tasks/ID/       a run: `files`, in which it worked, `lease.json`, and its `result.json` once it ended
FOLDER/report.html     the table as a page

A result is written by the process of the run before anybody hears of it, so that it survives whoever asked for it.
"""

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from filelock import FileLock, Timeout

from mark_i.config.file_lock import CHECK_MAX_S, is_locked
from mark_i.fleet.file import Job
from mark_i.runs.stop_file import STOP_FILE
from mark_i.runs.store import LOCK
from world_model import JournalError, UsageError, file_fault
from world_model.journal import write_whole
from world_model.shapes import newer

VERSION: Final = 1
ABOUT: Final = "fleet.json"
RESULTS: Final = "results.jsonl"
UNKNOWN: Final = "unknown"  # an outcome: nobody knows what came of the run
LEASE: Final = "lease.lock"  # in the folder of a run; whoever holds it is at that run
LEASE_WAIT_S: Final = 60.0  # for a run whose fleet was killed to notice that, and to release its desktop


@dataclass(frozen=True, slots=True)
class Result:
    """How one run ended.

    Attributes:
        id: and `task`, `row` and `number`: of its job.
        solved: whether its goal was reached: its check passed, or without one it ended as done.
        outcome: how the run ended; `not begun` if its set-up failed, and `unknown` if its process ended within it.
        said: its final words, or why there are none.
        usd: what it cost; None if the price is unknown.
        run: the name of its journal; None if it has none.
        result: what its schema asked for, as JSON; None if it had no schema, or did not come to a result.
    """

    id: str
    task: str
    row: int
    number: int
    goal: str
    brain: str
    solved: bool
    outcome: str
    said: str
    seconds: float = 0.0
    steps: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    run: str | None = None
    result: Any = None

    @classmethod
    def read(cls, line: str) -> Self:
        """Read a line of JSON.

        Raises:
            ValueError: it is none, or not a result.
        """
        try:
            return cls(**json.loads(line))
        except TypeError as error:
            raise ValueError(line) from error


class FleetFolder:
    """The folder of a fleet.

    Raises:
        UsageError: it holds something else, or a newer version wrote it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._results: dict[str, Result] = {}
        self._lines, self._bytes = 0, 0  # of the results, as far as they are read
        self._about = self._read_about()
        if self._about:
            self.read_more()

    @property
    def exists(self) -> bool:
        """Whether a fleet was begun here."""
        return self._about is not None

    @property
    def file(self) -> str:
        """The fleet file that was asked for."""
        return str((self._about or {}).get("file", ""))

    @property
    def brains(self) -> list[str]:
        """The brains of the runs that ended."""
        return sorted({one.brain for one in self._results.values()})

    @property
    def titles(self) -> Mapping[str, str]:
        """What each run is called, by its id."""
        return dict((self._about or {}).get("titles", {}))

    def begin(self, file: Path, jobs: Sequence[Job]) -> None:
        """Write what is asked for, or check that it is what was asked for before.

        Raises:
            UsageError: it is not; the message tells the difference.
            JournalError: the folder cannot be written.
        """
        wanted = json.loads(json.dumps([asdict(job) for job in jobs]))
        if self._about:
            if told := _difference(self._about["jobs"], wanted):
                raise UsageError(f"{self.path} holds another fleet: {told}. Say another folder with --out.")
            return
        titles = {job.id: job.title for job in jobs}
        self._about = {"version": VERSION, "file": str(file.resolve()), "titles": titles, "jobs": wanted}
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            write_whole(self.path / ABOUT, json.dumps(self._about, ensure_ascii=False, indent=1).encode())
        except OSError as error:
            raise self._unwritten(error) from error

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from running the same fleet.

        Raises:
            UsageError: another process does.
        """
        lock = FileLock(self.path / LOCK, timeout=CHECK_MAX_S, thread_local=False)
        try:
            lock.acquire()
        except Timeout as error:
            raise UsageError(f"The fleet in {self.path} is running already.") from error
        except OSError as error:
            raise self._unwritten(error) from error
        stop = self.path / STOP_FILE
        try:
            stop.unlink(missing_ok=True)
            yield
        finally:
            stop.unlink(missing_ok=True)
            lock.release()

    def is_to_stop(self) -> bool:
        """Whether somebody asked the fleet to stop."""
        return (self.path / STOP_FILE).exists()

    @property
    def results(self) -> Mapping[str, Result]:
        """The results so far, by the id of the job."""
        return self._results

    def add(self, result: Result) -> None:
        """Add a result; it is on disk when this returns.

        Raises:
            JournalError: it cannot be written.
        """
        self.read_more()
        if result.id in self._results:
            return
        try:
            with (self.path / RESULTS).open("ab", buffering=0) as file:
                file.truncate(self._bytes)  # a line that a kill tore
                file.write(json.dumps(asdict(result), ensure_ascii=False).encode() + b"\n")
                os.fsync(file.fileno())
        except OSError as error:
            raise self._unwritten(error) from error
        self.read_more()

    def read_more(self) -> None:
        """Read the results that were added since; a torn line, which may still be being written, is left alone.

        Raises:
            UsageError: they cannot be read, or a line is not a result.
        """
        file = self.path / RESULTS
        try:
            with file.open("rb") as opened:
                opened.seek(self._bytes)
                *whole, _torn = opened.read().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
        for line in whole:
            try:
                found = Result.read(line.decode())
            except ValueError as error:
                raise UsageError(f"{file}, line {self._lines + 1}: it is not a result.") from error
            self._results[found.id] = found
            self._lines, self._bytes = self._lines + 1, self._bytes + len(line) + 1

    def task(self, job: str) -> "TaskFolder":
        """Return the folder of a run."""
        return TaskFolder(self.path / "tasks" / job)

    def _read_about(self) -> dict[str, Any] | None:
        file = self.path / ABOUT
        try:
            about = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            if self.path.is_dir() and any(self.path.iterdir()):
                raise UsageError(f"{self.path} is not empty and holds no fleet. Say another folder.") from error
            return None
        except (OSError, ValueError) as error:
            raise UsageError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}.") from error
        version = about.get("version") if isinstance(about, dict) else None
        if reason := newer(version, VERSION):
            raise UsageError(f"{file} cannot be read. {reason}")
        if not isinstance(about, dict) or not isinstance(about.get("jobs"), list):
            raise UsageError(f"{file} describes no fleet.")
        return about

    def _unwritten(self, error: OSError) -> JournalError:
        return JournalError(f"The folder {self.path} cannot be written: {file_fault(error)}.")


def existing_fleet(path: Path) -> FleetFolder:
    """Return the folder of a fleet that was begun.

    Raises:
        UsageError: there is none, or it cannot be read.
    """
    folder = FleetFolder(path)
    if not folder.exists:
        raise UsageError(f"There is no fleet in {path}. Say the folder of one, or begin one: mark-i fleet run FILE")
    return folder


class TaskFolder:
    """The folder of one run. Whoever holds its lease alone may be at that run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files = path / "files"

    @contextlib.contextmanager
    def leased(self) -> Iterator[None]:
        """Hold the lease, which the system takes back when this process ends, however it does.

        Raises:
            UsageError: another process is still at the run.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.path / LEASE, timeout=LEASE_WAIT_S, thread_local=False)
        try:
            lock.acquire()
        except Timeout as error:
            raise UsageError(f"Another process is still at the run in {self.path}.") from error
        try:
            yield
        finally:
            lock.release()

    @property
    def is_leased(self) -> bool:
        """Whether a process is at the run now."""
        return is_locked(self.path / LEASE)

    def emptied(self) -> Path:
        """Return the folder in which the run works, without what an earlier one left; for the holder of the lease.

        Raises:
            JournalError: it cannot be made.
        """
        try:
            shutil.rmtree(self.files, ignore_errors=True)
            self.files.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(f"The folder {self.path} cannot be written: {file_fault(error)}.") from error
        return self.files

    def begin(self, run: str) -> None:
        """Write which run this is; for the holder of the lease.

        Raises:
            JournalError: it cannot be written.
        """
        try:
            begun = [*self.begun(), run]
            write_whole(self.path / "lease.json", json.dumps({"runs": begun}).encode())
        except OSError as error:
            raise JournalError(f"The folder {self.path} cannot be written: {file_fault(error)}.") from error

    def begun(self) -> list[str]:
        """Return the names of the runs that were begun for it, the last one last."""
        try:
            runs = json.loads((self.path / "lease.json").read_text(encoding="utf-8"))["runs"]
        except (OSError, ValueError, KeyError, TypeError):
            return []
        return [str(one) for one in runs]

    def end(self, result: Result) -> None:
        """Write how it ended.

        Raises:
            JournalError: it cannot be written.
        """
        try:
            write_whole(self.path / "result.json", json.dumps(asdict(result), ensure_ascii=False).encode())
        except OSError as error:
            raise JournalError(f"The folder {self.path} cannot be written: {file_fault(error)}.") from error

    def result(self) -> Result | None:
        """Return how it ended, if it has."""
        try:
            return Result.read((self.path / "result.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None


def _difference(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> str:
    """Say in what one list of jobs is unlike another; nothing if it is not."""
    old, new = ({str(job["id"]): job for job in jobs} for jobs in (before, now))
    if gone := old.keys() - new.keys():
        return f"it has the run {min(gone)!r}, which the file has not"
    if more := new.keys() - old.keys():
        return f"the file has the run {min(more)!r}, which it has not"
    for name, job in new.items():
        for key, value in job.items():
            if old[name].get(key) != value:
                return f"in the run {name!r}, {key} was {old[name].get(key)!r} and is {value!r} now"
    return ""
