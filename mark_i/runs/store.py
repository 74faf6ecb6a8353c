"""Past runs: finding one, telling what became of each, deleting one, and knowing which still go on."""

import contextlib
import difflib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from mark_i.startup_check import our_version
from world_model import JournalError, Usage, UsageError, read_about, read_replies

LOCK: Final = "running.lock"  # in a run's folder; the system lets it go with the process, however that ends
PATIENCE: Final = 0.2  # seconds: who only asks whether a run goes on has the lock for an instant
NAMED: Final = 3  # runs that a complaint names


@dataclass(frozen=True, slots=True)
class Summary:
    """What there is to say of a run in one line.

    Attributes:
        started: ISO 8601, in UTC; None where it is not known, as for the rest.
        outcome: as the run told it, or `running`, or `killed` where it ended without one, or `unreadable`.
        said: what the run said of its outcome.
        seconds: how long it took.
    """

    run: str
    outcome: str
    said: str = ""
    started: str | None = None
    goal: str = ""
    brain: str = ""
    steps: int = 0
    seconds: float | None = None


def summaries(runs: Path) -> list[Summary]:
    """Every run in that folder, newest first."""
    return [summary(runs / name) for name in _names(runs)]


def goals(runs: Path) -> list[str]:
    """What the runs in that folder were to do, newest first, each once."""
    return list(dict.fromkeys(one.goal for one in summaries(runs) if one.goal.strip()))


def summary(folder: Path) -> Summary:
    """What became of one run, also where its journal cannot be read."""
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
    )


def spent(folder: Path) -> Usage:
    """What a run has cost so far, also for replies that led to no step.

    Raises:
        JournalError: a line was changed by hand into something else.
    """
    replies = read_replies(folder)
    try:
        return sum((Usage(**usage) for reply in replies if isinstance(usage := reply.get("usage"), dict)), Usage())
    except TypeError as error:
        raise JournalError(f"What the run in {folder} cost cannot be read: {error}.") from error


def find_run(runs: Path, name: str) -> Path:
    """The folder of the run with that name, or the beginning of it, or `last` for the newest.

    Raises:
        UsageError: there is none, or more than one.
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
    near = difflib.get_close_matches(name, names, n=NAMED)
    hint = f"Did you mean {' or '.join(near)}?" if near else f"The newest are {_listed(names)}."
    raise UsageError(f"There is no run {name!r}. {hint}")


def local(started: str) -> str:
    """A time of a journal in the person's own time, to the second."""
    try:
        return f"{datetime.fromisoformat(started).astimezone():%Y-%m-%d %H:%M:%S}"
    except ValueError:  # changed by hand
        return started


def delete(folder: Path) -> None:
    """Delete a run for good.

    Raises:
        UsageError: it still goes on.
        JournalError: it cannot be deleted.
    """
    with running(folder):
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise JournalError(f"The run's folder {folder} cannot be deleted: {error.strerror or error}.") from error


@contextlib.contextmanager
def by_version(folder: Path) -> Iterator[None]:
    """Where a run cannot be read in here, say also which version of MARK-I wrote it, if it was another one.

    Raises:
        JournalError: it cannot be read.
    """
    try:
        yield
    except JournalError as error:
        raise JournalError(f"{error}{_other_version(folder)}") from error


@contextlib.contextmanager
def running(folder: Path) -> Iterator[None]:
    """Hold a run's folder, which is made if need be, while the run goes on.

    Raises:
        UsageError: somebody else holds it.
        JournalError: the folder cannot be written.
    """
    lock = FileLock(folder / LOCK, timeout=PATIENCE, thread_local=False)  # another thread may end what one began
    try:
        lock.acquire()
    except Timeout as error:
        raise UsageError(f"The run {folder.name} still goes on. Stop it first.") from error
    except OSError as error:
        raise JournalError(f"The run's folder {folder} cannot be written: {error.strerror or error}.") from error
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def begun(folder: Path) -> Iterator[None]:
    """Leave no folder of a new run that could not begin: it would be the newest one, with nothing in it to read."""
    try:
        yield
    finally:
        if not (folder / "run.json").exists():
            shutil.rmtree(folder, ignore_errors=True)


def is_running(folder: Path) -> bool:
    """Whether somebody holds the run's folder."""
    if not (folder / LOCK).exists():
        return False
    try:
        with FileLock(folder / LOCK, timeout=PATIENCE):
            return False
    except OSError:  # held, or another user's, which is left alone just so
        return True


def going_on(runs: Path) -> list[Path]:
    """The folders of the runs that go on, newest first."""
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
    """The names of the runs, newest first: a name begins with its time."""
    try:
        return sorted((entry.name for entry in runs.iterdir() if entry.is_dir()), reverse=True)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise JournalError(f"The runs in {runs} cannot be read: {error.strerror}.") from error


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
