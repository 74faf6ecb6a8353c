"""The runs of a profile: finding, summarizing and deleting them, and telling which are still running."""

import contextlib
import difflib
import errno
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from mark_i.config.file_lock import CHECK_MAX_S, is_locked
from mark_i.startup_check import our_version
from world_model import JournalError, Usage, UsageError, file_fault, read_about, read_replies

LOCK: Final = "running.lock"  # in the folder of a run; the system releases it when the process ends, however it does
# A run without an outcome was killed; the others stopped before the goal.
RESUMABLE: Final = frozenset(
    {None, "stopped", "limit_steps", "limit_time", "limit_cost", "model_error", "desktop_error"}
)
# What removing a folder fails with while another process puts a file there that asks for a stop, or takes it back.
MEANWHILE: Final = frozenset({errno.ENOENT, errno.ENOTEMPTY})
RUNS_IN_MESSAGE: Final = 3  # names of runs that an error message lists


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in one line.

    Attributes:
        outcome: the name of its outcome, or `running`, or `killed` if it ended without one, or `unreadable`.
        said: the summary of its outcome.
        started: ISO 8601, in UTC; None if unknown.
        seconds: how long it took; None if unknown.
        changed_goal: the goal with what was said during the run; empty if that changed nothing.
    """

    run: str
    outcome: str
    said: str = ""
    started: str | None = None
    goal: str = ""
    brain: str = ""
    steps: int = 0
    seconds: float | None = None
    changed_goal: str = ""

    @property
    def worked_on(self) -> str:
        """The goal that the outcome is of: as it was at the end."""
        return self.changed_goal or self.goal


def summaries(runs: Path) -> list[Summary]:
    """Summarize every run in that folder, newest first."""
    return [summary(runs / name) for name in _names(runs)]


def goals(runs: Path) -> list[str]:
    """Return the goals of the runs in that folder, newest first, without duplicates."""
    return list(dict.fromkeys(one.goal for one in summaries(runs) if one.goal.strip()))


def newest(runs: Path) -> Iterator[Path]:
    """Yield the folders of the runs in that folder, newest first."""
    yield from (runs / name for name in _names(runs))


def summary(folder: Path) -> Summary:
    """Summarize one run, even if its journal cannot be read."""
    try:
        about, steps = read_about(folder)
    except JournalError:
        return Summary(folder.name, "running" if is_running(folder) else "unreadable")
    ending = about.get("outcome")
    ending = ending if isinstance(ending, Mapping) else {}
    seconds = about.get("seconds")
    return Summary(
        folder.name,
        str(ending.get("outcome") or ("running" if is_running(folder) else "killed")),
        str(ending.get("summary", "")),
        str(about["started"]) if "started" in about else None,
        str(about.get("goal", "")),
        str(about.get("brain", "")),
        steps,
        seconds if isinstance(seconds, int | float) else None,
        str(ending.get("goal", "")),
    )


def spent(folder: Path) -> Usage:
    """Return what a run has cost so far, including replies that led to no step.

    Raises:
        JournalError: a line was edited and is no longer valid.
    """
    replies = read_replies(folder)
    try:
        return sum((Usage(**usage) for reply in replies if isinstance(usage := reply.get("usage"), dict)), Usage())
    except TypeError as error:
        raise JournalError(f"The cost of the run in {folder} cannot be read: {error}.") from error


def find_run(runs: Path, name: str) -> Path:
    """Return the folder of the run with that name or the beginning of it; `last` is the newest.

    Raises:
        UsageError: no run, or more than one, has that name.
    """
    names = _names(runs)
    if not names:
        raise UsageError("There are no runs yet. Start one: mark-i run GOAL.")
    if name == "last":
        return runs / names[0]
    found = [one for one in names if name and one.startswith(name)]
    if name in found or len(found) == 1:
        return runs / (name if name in found else found[0])
    if found:
        raise UsageError(f"{len(found)} runs begin with {name!r}: {_listed(found)}. Write more of the name.")
    near = difflib.get_close_matches(name, names, n=RUNS_IN_MESSAGE)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"The newest are {_listed(names)}."
    raise UsageError(f"There is no run {name!r}. {hint}")


def local(started: str) -> str:
    """Format a time of a journal in local time, to the second."""
    try:
        return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M:%S}"
    except ValueError:  # edited
        return started


def delete(folder: Path) -> None:
    """Delete a run permanently.

    Raises:
        UsageError: it is still running.
        JournalError: it cannot be deleted.
    """
    with running(folder):
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise JournalError(f"The run's folder {folder} cannot be deleted: {file_fault(error)}.") from error


@contextlib.contextmanager
def by_version(folder: Path) -> Iterator[None]:
    """Add to a JournalError raised inside which version of MARK-I wrote the run, if it was another one.

    Raises:
        JournalError: the run cannot be read.
    """
    try:
        yield
    except JournalError as error:
        raise JournalError(f"{error}{_other_version(folder)}") from error


@contextlib.contextmanager
def running(folder: Path) -> Iterator[None]:
    """Lock the folder of a run while it is running; create the folder if necessary.

    Raises:
        UsageError: another process holds the lock.
        JournalError: the folder cannot be written.
    """
    lock = FileLock(folder / LOCK, timeout=CHECK_MAX_S, thread_local=False)  # another thread may release it
    try:
        lock.acquire()
    except Timeout as error:
        raise UsageError(f"The run {folder.name} is still running. Stop it first.") from error
    except OSError as error:
        raise JournalError(f"The run's folder {folder} cannot be written: {file_fault(error)}.") from error
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def begun(folder: Path) -> Iterator[None]:
    """Remove the folder of a new run that could not start: it would be the newest run and unreadable."""
    try:
        yield
    finally:
        while folder.exists() and not (folder / "run.json").exists():
            try:
                shutil.rmtree(folder)
            except OSError as error:
                if error.errno not in MEANWHILE:
                    break


def is_running(folder: Path) -> bool:
    """Whether a process holds the lock of the run."""
    return is_locked(folder / LOCK)


def going_on(runs: Path) -> list[Path]:
    """Return the folders of the runs that are running, newest first."""
    return [folder for folder in (runs / name for name in _names(runs)) if is_running(folder)]


def _other_version(folder: Path) -> str:
    try:
        about, _steps = read_about(folder)
    except JournalError:
        return ""
    versions = about.get("versions")
    wrote = versions.get("mark-i") if isinstance(versions, Mapping) else None
    return f" It was written by MARK-I {wrote}; this is {our_version()}." if wrote not in (None, our_version()) else ""


def _names(runs: Path) -> list[str]:
    """Return the names of the runs, newest first: a name starts with its time."""
    try:
        return sorted((entry.name for entry in runs.iterdir() if entry.is_dir()), reverse=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise JournalError(f"The runs in {runs} cannot be read: {file_fault(error)}.") from error


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - RUNS_IN_MESSAGE} more" if len(names) > RUNS_IN_MESSAGE else ""
    return ", ".join(names[:RUNS_IN_MESSAGE]) + more
