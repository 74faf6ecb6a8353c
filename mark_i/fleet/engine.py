"""What a supervisor needs of the machinery that runs its jobs: on this machine, or on those of Ray."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

from mark_i.fleet.file import Job
from mark_i.fleet.folder import TaskFolder

NEEDED_MB: Final = 700  # of memory for a desktop with its run and its programs

Message = tuple[str, Any]  # a kind, as in `worker`, and a value


class Process(Protocol):
    """The process of one job. What it says begins with BEGUN, at once or when there is room for it."""

    def said(self) -> Iterable[Message]:
        """Return what it has said since the last time, without waiting."""

    def is_alive(self) -> bool:
        """Whether it may say more."""

    def stop(self) -> None:
        """Tell it to stop."""

    def kill(self) -> None:
        """End it at once."""

    def join(self, seconds: float) -> bool:
        """Wait until it has ended, and return whether it has."""

    def close(self) -> None:
        """Release what it took, once it has ended."""


class Engine(Protocol):
    """Starts the processes of jobs."""

    def opened(self, runs: int) -> AbstractContextManager[None]:
        """Prepare for so many runs, and release everything at the end."""

    def no_room(self, running: int) -> str | None:
        """Return why no job more may be started now, or an empty text if that needs no words; None if one may."""

    def start(self, job: Job, folder: TaskFolder, options: Mapping[str, Any]) -> Process:
        """Start the process of a job.

        Args:
            job: what to do.
            folder: of the job.
            options: of `mark-i run`: the profile, the policy, and whether everything is approved.
        """

    def wait(self, processes: Sequence[Any], seconds: float) -> None:
        """Wait until one of these processes of this engine says something or ends."""
