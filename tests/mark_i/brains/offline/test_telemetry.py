"""A run of the offline brain speaks to nobody but its own display: every process of it is watched by the kernel."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support import events

CHECKOUT: Final = Path(__file__).parents[4]
CALLS: Final = "connect,bind,listen,sendto,sendmsg,sendmmsg"
GOAL: Final = 'open xterm, press enter, wait until "xterm" appears, type "hello", wait until "hello" appears'
# The sockets of the X server and of the desktop's own bus, and those at which C's library asks for users' names and
# programs write to the system's log.
OWN: Final = re.compile(
    r'@?"(/tmp/\.X11-unix/X\d+|/tmp/mark-i-\w+/(at-spi/)?bus(_\d+)?|/var/run/nscd/socket|/dev/log)"'
)


@pytest.fixture
def strace(processes: None, tmp_path: Path) -> list[str]:
    """The beginning of a command whose calls are to be written to `trace`."""
    command = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", f"trace={CALLS}", "-e", "signal=none"]
    command += ["-o", str(tmp_path / "trace")]
    if not shutil.which("strace"):
        pytest.skip("not installed: strace")
    tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"Nothing can be watched here: {tried.stderr.strip()}")
    return command


def test_offline_connects_only_to_its_display_and_never_listens(strace: list[str], tmp_path: Path) -> None:
    command = [*strace, sys.executable, "-m", "mark_i", "run", GOAL, "--brain", "offline", "--virtual", "640x480"]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False, cwd=CHECKOUT, timeout=250)

    told = events(done.stdout)
    assert told[-1]["outcome"] == "done", told[-1]
    calls = [line.split(maxsplit=1) for line in (tmp_path / "trace").read_text().splitlines() if "(" in line]
    spoken = [call for _, call in calls if re.match(r"(connect|send\w+)\(", call) and "sa_family=" in call]
    assert len([call for call in spoken if "/tmp/.X11-unix/" in call]) > 2
    assert [call for call in spoken if not OWN.search(call)] == []
    listening = {process for process, call in calls if call.startswith("listen(")}
    bound = [call for process, call in calls if process in listening and call.startswith("bind(")]
    assert bound  # by the X server
    assert [call for call in bound if not OWN.search(call)] == []


def test_what_is_watched_would_be_seen(strace: list[str], tmp_path: Path) -> None:
    code = (
        "from socket import *; s = socket(); s.bind(('127.0.0.1', 0)); s.listen(); create_connection(s.getsockname())"
    )
    subprocess.run([*strace, sys.executable, "-c", code], check=True)

    trace = (tmp_path / "trace").read_text()
    assert re.search(r"connect\(.*sa_family=AF_INET,.*127\.0\.0\.1", trace)
    assert re.search(r"bind\(.*sa_family=AF_INET,", trace)
    assert "listen(" in trace
    assert not OWN.search(trace)
