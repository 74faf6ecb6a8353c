"""Runs the jobs of a fleet on the machines of Ray, which finds room for their desktops.

A place is an actor of Ray: it does one job after the other in a process of its machine, as a fleet there would, and
passes on what that says. Ray starts nothing a second time; what became of a job whose machine is gone, the supervisor
judges. All machines see the folder of the fleet and the profile, which holds the journals, under the same path.
"""

import contextlib
import hashlib
import logging
import math
import os
import platform
import secrets
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import ray
from ray.exceptions import AuthenticationError, RayActorError, RayError

from mark_i.config.paths import make_private, profile_folder
from mark_i.fleet.engine import NEEDED_MB, Message
from mark_i.fleet.file import Job
from mark_i.fleet.folder import TaskFolder
from mark_i.fleet.local import LocalEngine, LocalProcess, available_mb, until_gone
from mark_i.fleet.worker import BEGUN, BROKEN
from mark_i.startup_check import our_version
from world_model import JournalError, UsageError, file_fault

LOCAL: Final = "local"  # the address that stands for a Ray of our own, on this machine
CPUS_EACH: Final = 0.5  # of a desktop
MB: Final = 1024 * 1024
SHARING: Final = 2  # runs: from so many on they share a process that reads
STORE_MB: Final = 100  # for what Ray passes on, which is little
SHORT: Final = "/tmp"  # noqa: S108  # nosec B108  # a folder of our own is made there; the paths of sockets are short
RELAY_S: Final = 1.0  # between two looks at a process that says nothing
KILL_MAX_S: Final = 20.0  # for a place to end its process
LOOK_S: Final = 2.0  # between two looks at the machines
CONNECT_MAX_S: Final = 5.0  # to the head
HOME: Final = "MARK_I_HOME"
SEEN: Final = ".seen"  # begins the name of a file by which a machine knows a folder
UNFIT: Final = "A machine of Ray cannot begin a run: {reason}. Each needs the same MARK-I; see docs/fleets.md."
NOT_LET_IN: Final = "it wants the token of its head. Copy ~/.ray/auth_token from there, and set RAY_AUTH_MODE=token."
NO_MACHINE: Final = "No machine of Ray has room for a desktop. The fleet waits for one."
# HTTP/2's first words, and where a server's answer tells its kind: Ray's head speaks it, as gRPC.
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
FRAME_BYTES: Final = 9
FRAME_KIND: Final = 3
SETTINGS: Final = 4


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a machine must have in common with that of the fleet.

    Attributes:
        version: of MARK-I.
        home: the folder of all profiles.
        cwd: where the fleet was started, if the machine has that.
        seen: files that must be there, and hold the token.
    """

    version: str
    home: Path
    cwd: Path
    seen: tuple[Path, ...]
    token: str

    def take(self) -> None:
        """Make them those of this process.

        Raises:
            UsageError: something is not the same; the message names the machine.
        """
        name = platform.node()
        if self.version != our_version():
            raise UsageError(f"The machine {name} has MARK-I {our_version()}; install {self.version} there, too.")
        for file in self.seen:
            if not self._holds_token(file):
                wanted = "All machines must share it under the same path"
                raise UsageError(f"The machine {name} does not see the folder {file.parent}. {wanted}.")
        os.environ[HOME] = str(self.home)
        with contextlib.suppress(OSError):
            os.chdir(self.cwd)

    def _holds_token(self, file: Path) -> bool:
        try:
            return file.read_text(encoding="ascii") == self.token
        except (OSError, ValueError):
            return False


class Place:
    """Does jobs on its machine, one after the other; an actor of Ray, with a thread for a job and one for orders."""

    def __init__(self, wanted: Surroundings) -> None:
        self._wanted = wanted
        vars(sys.modules["__main__"]).pop("__file__", None)  # of Ray, which every process of ours would load again
        self._engine = LocalEngine()
        self._opened = contextlib.ExitStack()  # for the life of the place: the models that read are loaded once
        self._process: LocalProcess | None = None

    def work(self, job: Job, folder: Path, options: Mapping[str, Any]) -> Iterator[Message]:
        """Do a job, and yield what its process says."""
        try:
            self._wanted.take()
        except UsageError as error:
            yield BROKEN, str(error)
            return
        task = TaskFolder(folder)
        if self._process is None:
            self._opened.enter_context(self._engine.opened(SHARING))
        process = self._process = self._engine.start(job, task, options)
        is_alive = True
        while is_alive:
            is_alive = process.is_alive()
            for kind, value in process.said():
                yield kind, {**value, "machine": platform.node()} if kind == BEGUN else value
            if is_alive:
                self._engine.wait([process], RELAY_S)
        process.close()
        if not task.result():
            until_gone(task)  # the supervisor can only do that on its own machine

    def stop(self) -> None:
        """Tell the process to stop."""
        if self._process:
            self._process.stop()

    def kill(self) -> None:
        """End the process at once."""
        if self._process:
            self._process.kill()


class RemoteProcess:
    """A job that a place does, or will do once a machine has room for the place."""

    def __init__(self, place: Any, stream: Any, free: list[Any]) -> None:  # noqa: ANN401 - Ray's own are not typed
        self.stream = stream
        self._place, self._free = place, free
        self._has_begun, self._has_ended = False, False
        self._killed_s: float | None = None

    def said(self) -> Iterator[Message]:
        """Return what it has said since the last time, without waiting."""
        while not self._has_ended and self.has_news(0.0):
            try:
                kind, value = ray.get(next(self.stream))
            except StopIteration:
                self._has_ended = True
                self._free.append(self._place)
            except RayError as error:  # the place, its machine, or the way to it is gone
                self._end_place()
                if isinstance(error, RayActorError) and error.actor_init_failed:
                    yield BROKEN, UNFIT.format(reason=str(error).splitlines()[-1])
            else:
                self._has_begun |= kind == BEGUN
                yield kind, value

    def has_news(self, seconds: float) -> bool:
        """Whether it has said something, or ended."""
        return self._has_ended or bool(ray.wait([self.stream], timeout=seconds, fetch_local=False)[0])

    def is_alive(self) -> bool:
        """Whether it may say more."""
        return not self._has_ended

    def stop(self) -> None:
        """Tell it to stop; one that has not begun is taken back."""
        if self._has_begun:
            self._place.stop.remote()
        else:
            self._end_place()

    def kill(self) -> None:
        """End it at once; a place that does not do so is ended itself."""
        now = time.monotonic()
        self._killed_s = self._killed_s or now
        if not self._has_begun or now - self._killed_s > KILL_MAX_S:
            self._end_place()
        elif now == self._killed_s:
            self._place.kill.remote()

    def join(self, seconds: float) -> bool:
        """Wait until it has ended, and return whether it has."""
        end = time.monotonic() + seconds
        while not self._has_ended and self.has_news(max(0.0, end - time.monotonic())):
            for _ in self.said():
                pass
        return self._has_ended

    def close(self) -> None:
        """Release what it took, once it has ended."""
        if not self._has_ended:
            self._end_place()

    def _end_place(self) -> None:
        self._has_ended = True
        with contextlib.suppress(RayError):
            ray.kill(self._place)


class RayEngine:
    """The machines of Ray."""

    def __init__(self) -> None:
        self._wanted: Surroundings | None = None
        self._free: list[Any] = []  # places without a job
        self._looked_s, self._room = -math.inf, 0
        self._place = ray.remote(Place).options(
            num_cpus=CPUS_EACH,
            memory=NEEDED_MB * MB,
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=2,
            scheduling_strategy="SPREAD",
        )

    @contextlib.contextmanager
    def opened(self, runs: int) -> Iterator[None]:  # noqa: ARG002 - there is room for them, or not
        """Prepare for runs, and release everything at the end."""
        try:
            yield
        finally:
            for file in self._wanted.seen if self._wanted else ():
                file.unlink(missing_ok=True)

    def no_room(self, running: int) -> str | None:
        """Return why no job more may be started now, or an empty text if all places are taken; None if one may."""
        now = time.monotonic()
        if now - self._looked_s > LOOK_S:
            self._looked_s, self._room = now, _room()
        if running < self._room:
            return None
        return "" if self._room else NO_MACHINE

    def start(self, job: Job, folder: TaskFolder, options: Mapping[str, Any]) -> RemoteProcess:
        """Start the process of a job.

        Raises:
            JournalError: the folder of the fleet or of the profile cannot be written.
        """
        self._wanted = self._wanted or _surroundings(folder.path.parents[1], options["profile"])
        place: Any = self._free.pop() if self._free else self._place.remote(self._wanted)
        return RemoteProcess(place, place.work.remote(job, folder.path, options), self._free)

    def wait(self, processes: Sequence[RemoteProcess], seconds: float) -> None:
        """Wait until one of these processes says something or ends."""
        if not all(one.is_alive() for one in processes):
            return
        while self._free:  # no job took it, and a new place may wait for its room
            ray.kill(self._free.pop())
        if processes:
            ray.wait([one.stream for one in processes], timeout=seconds, fetch_local=False)
        else:
            time.sleep(seconds)


@contextlib.contextmanager
def connected(address: str, workers: int | None) -> Iterator[RayEngine]:
    """Connect to the machines of Ray.

    Args:
        address: of its head, as HOST:PORT; `local` starts one on this machine, which ends with the fleet.
        workers: how many desktops that one has room for; by default two for each core.

    Raises:
        UsageError: there is no Ray, or it cannot be used from here.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to its makers
    logging.getLogger("ray").setLevel(logging.ERROR)
    heeded = signal.getsignal(signal.SIGTERM)  # which Ray takes for itself
    with contextlib.ExitStack() as stack:
        # It prints what happens to its machines, at length; the fleet tells it itself.
        stack.enter_context(contextlib.redirect_stdout(stack.enter_context(Path(os.devnull).open("w"))))
        where: dict[str, Any] = {"address": address}
        if address == LOCAL:
            folder = tempfile.TemporaryDirectory(prefix="mark-i-", dir=SHORT, ignore_cleanup_errors=True)
            where |= {
                "num_cpus": math.ceil(workers * CPUS_EACH) if workers else len(os.sched_getaffinity(0)),
                "include_dashboard": False,
                "object_store_memory": STORE_MB * MB,
                "_memory": max(available_mb(), NEEDED_MB) * MB,
                "_temp_dir": stack.enter_context(folder),
            }
        else:
            _check(address)
        try:
            ray.init(**where, log_to_driver=False, configure_logging=False)
        except (RayError, OSError, RuntimeError, ValueError) as error:
            raise UsageError(f"The Ray at {address} cannot be used from here: {_reason(error)}") from error
        finally:
            signal.signal(signal.SIGTERM, heeded)
        stack.callback(ray.shutdown)
        yield RayEngine()


def _reason(error: Exception) -> str:
    """Return why Ray did not let us in, in a line."""
    if AuthenticationError.__name__ in f"{error} {error.__cause__}":
        return NOT_LET_IN
    return (str(error).splitlines() or [type(error).__name__])[0]


def _room() -> int:
    """Return how many desktops the machines of Ray have room for in all."""
    machines = [one["Resources"] for one in ray.nodes() if one["Alive"]]  # type: ignore[no-untyped-call]
    return sum(min(int(one.get("CPU", 0) / CPUS_EACH), int(one.get("memory", 0) / NEEDED_MB / MB)) for one in machines)


def _surroundings(folder: Path, profile: str) -> Surroundings:
    """Return what every machine must see, after writing the files by which it knows that."""
    home, token = profile_folder(profile).absolute(), secrets.token_hex(16)
    own = hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]  # other fleets may use the profile, too
    seen = (folder / SEEN, home / f"{SEEN}-{own}")
    make_private(home)
    for file in seen:
        try:
            file.write_text(token)
        except OSError as error:
            raise JournalError(f"The folder {file.parent} cannot be written: {file_fault(error)}.") from error
    return Surroundings(our_version(), home.parents[1], Path.cwd(), seen, token)


def _check(address: str) -> None:
    """Check quickly that the head of a Ray may be at an address; Ray itself would try for minutes.

    Raises:
        UsageError: there is none.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or "/" in address:
        raise UsageError(f"{address!r} is no address of a Ray. Say local, or that of its head, such as 10.0.0.1:6379.")
    reason = "what is there is something else"
    try:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT_MAX_S) as connection:
            connection.sendall(PREFACE)
            frame = connection.recv(FRAME_BYTES, socket.MSG_WAITALL)
            if len(frame) == FRAME_BYTES and frame[FRAME_KIND] == SETTINGS:
                return
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise UsageError(f"There is no Ray at {address}: {reason}. Start it: ray start --head --port {port}")
