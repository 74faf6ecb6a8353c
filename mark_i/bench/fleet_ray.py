"""The short runs of the fleet benchmark on Ray: two machines of Ray on this one, one of which is killed."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from mark_i.bench.fleet_kills import WORKERS, ShortRuns, Tell
from mark_i.fleet.engine import NEEDED_MB
from mark_i.fleet.on_ray import CPUS_EACH, MB, SHORT, STORE_MB
from toolbelt.control import Control
from world_model import DesktopError

MACHINES: Final = 2
EACH: Final = WORKERS // MACHINES  # desktops of a machine
START_MAX_S: Final = 60.0
POLL_S: Final = 0.1
STARTED: Final = "Ray runtime started"
# Runs a command, and ends it with all that it started once it ends, or whoever holds the other end of standard input.
BOUND: Final = '("$@"; kill -s KILL 0) & read -r _; kill -s KILL 0'


def killed_machine(folder: Path, runs: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Run many short runs on two machines of Ray, and kill one of them after a third of the runs.

    Raises:
        DesktopError: Ray does not start.
    """
    short = ShortRuns(folder, runs)
    short.write()
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    is_killed = False
    again = 0
    began_s = time.monotonic()
    with contextlib.ExitStack() as all_of:
        short_path = tempfile.TemporaryDirectory(prefix="mark-i-", dir=SHORT, ignore_cleanup_errors=True)
        address = f"127.0.0.1:{_free_port()}"
        head = ("--head", "--port", address.rpartition(":")[2], "--num-cpus", "0", "--include-dashboard=false")
        named = ("--disable-usage-stats", "--temp-dir", all_of.enter_context(short_path))
        all_of.enter_context(_machine(control, *head, *named))
        cpus = ("--num-cpus", str(round(EACH * CPUS_EACH)))
        [first, *_] = [all_of.enter_context(_machine(control, "--address", address, *cpus)) for _ in range(MACHINES)]

        def heard(about: Mapping[str, Any], _fleet: object) -> None:
            nonlocal is_killed, again
            again += about["event"] == "again"
            if about["event"] == "ended":
                done = short.ended()
                tell(f"{done} of {runs} short runs on Ray ended")
                if done >= runs / 3 and not is_killed:
                    is_killed = True
                    os.killpg(first, signal.SIGKILL)

        short.life(control, heard, "--ray", address)
    figures = {
        "killed_machines": int(is_killed),
        "runs_begun_again": again,
        "runs_a_minute": round(60 * runs / (time.monotonic() - began_s), 1),
        **short.counts(),
    }
    return {f"on_ray_{name}": value for name, value in figures.items()}


@contextlib.contextmanager
def _machine(control: Control, *options: str) -> Iterator[int]:
    """Start a machine of Ray, and yield the group of its processes."""
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *options]
    sizes = ["--memory", str(EACH * NEEDED_MB * MB), "--object-store-memory", str(STORE_MB * MB)]
    bound = ["sh", "-c", BOUND, "sh", *command, *sizes]
    with (
        tempfile.NamedTemporaryFile() as log,
        subprocess.Popen(bound, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True) as process,  # noqa: S603 - Ray's own
    ):
        try:
            end_s = time.monotonic() + START_MAX_S
            while STARTED not in (said := Path(log.name).read_text(encoding="utf-8")):
                if process.poll() is not None or time.monotonic() > end_s:
                    raise DesktopError(f"Ray did not start: {said.strip()[-200:]}")
                control.wait(POLL_S)
            yield process.pid
        finally:
            with contextlib.suppress(ProcessLookupError):  # it was killed
                os.killpg(process.pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
