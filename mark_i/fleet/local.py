"""Runs the jobs of a fleet in processes of this machine."""

import contextlib
import itertools
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final

from mark_i.extras import EXTRAS
from mark_i.fleet.engine import NEEDED_MB, Message
from mark_i.fleet.file import Job
from mark_i.fleet.folder import TaskFolder
from mark_i.fleet.readers import readers
from mark_i.fleet.worker import BEGUN, JOB, STOP, work
from toolbelt.control import Control
from toolbelt.ocr import Address

# Loaded once, for all processes, beside what the brains need.
PRELOADED: Final = (
    "mark_i.fleet.worker",
    "toolbelt.desktops.virtual.desktop",
    "mss.linux.xshmgetimage",
    "numpy.ma",
    "PIL.JpegImagePlugin",
)
BRAINS: Final = "mark_i.brains."
LATE: Final = {  # what these load at the first request only: up to 12 MB for each run
    "anthropic": "anthropic.resources.messages",
    "httpx2": "httpcore2",
    "openai": "openai.resources.chat.chat",
}
GONE_MAX_S: Final = 20.0  # for the desktop of a process that was killed to end with its programs
NO_MEMORY: Final = "There is no memory for one more desktop. It waits until a run ends."


class LocalProcess:
    """A process of this machine, and the pipe to it."""

    def __init__(self, process: ForkServerProcess, pipe: Connection) -> None:
        self.process, self.pipe = process, pipe
        self._first: list[Message] = [(BEGUN, {"pid": process.pid})]

    def said(self) -> Iterator[Message]:
        """Return what it has said since the last time, without waiting."""
        while self._first:
            yield self._first.pop()
        with contextlib.suppress(EOFError, OSError):
            while self.pipe.poll():
                yield self.pipe.recv()

    def is_alive(self) -> bool:
        """Whether it may say more."""
        return self.process.is_alive()

    def stop(self) -> None:
        """Tell it to stop."""
        with contextlib.suppress(OSError):  # it has ended
            self.pipe.send(STOP)

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()

    def join(self, seconds: float) -> bool:
        """Wait until it has ended, and return whether it has."""
        self.process.join(seconds)
        return not self.process.is_alive()

    def close(self) -> None:
        """Release what it took, once it has ended."""
        self.process.join()
        self.pipe.close()


class LocalEngine:
    """The processes of this machine, forked from one that has loaded everything."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._addresses: Iterator[Address | None] = itertools.repeat(None)

    @contextlib.contextmanager
    def opened(self, runs: int) -> Iterator[None]:
        """Prepare for so many runs, and release everything at the end."""
        self._context.set_forkserver_preload(preloaded(sys.modules))
        with readers(self._context, runs) as self._addresses:
            yield

    def no_room(self, running: int) -> str | None:
        """Return why no job more may be started now; one may always run."""
        return NO_MEMORY if running and available_mb() < NEEDED_MB else None

    def start(self, job: Job, folder: TaskFolder, options: Mapping[str, Any]) -> LocalProcess:
        """Start the process of a job."""
        ours, theirs = self._context.Pipe()
        given = (job, folder, options, next(self._addresses), theirs)
        process = self._context.Process(target=work, args=given, daemon=True)
        process.start()
        theirs.close()
        return LocalProcess(process, ours)

    def wait(self, processes: Sequence[LocalProcess], seconds: float) -> None:
        """Wait until one of these processes says something or ends."""
        wait([*(one.pipe for one in processes), *(one.process.sentinel for one in processes)], seconds)


def preloaded(loaded: Iterable[str]) -> list[str]:
    """Return the modules that are loaded once for all processes, with the brains that are loaded here."""
    brains = [name for name in loaded if name.startswith(BRAINS)]
    extras = (EXTRAS.get(name.removeprefix(BRAINS).replace("_", "-")) for name in brains)
    sdks = dict.fromkeys(module for extra in extras if extra for module in extra.modules)
    return [*PRELOADED, *brains, *sdks, *(LATE[name] for name in sdks if name in LATE)]


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


def until_gone(task: TaskFolder) -> None:
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
