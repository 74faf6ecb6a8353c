"""Which windows are terminals, and whether a shell waits in them, by what their processes run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from toolbelt.desktops import shells
from toolbelt.desktops.shells import is_at_prompt, is_terminal

pytestmark = pytest.mark.usefixtures("processes")

CAP_S: Final = 10.0
ON_A_TERMINAL: Final = "import pty, sys; pty.spawn(sys.argv[1:])"
BELOW: Final = "import subprocess, sys; subprocess.run([sys.executable, '-c', *sys.argv[1:]])"


@contextmanager
def running(*command: str, below: bool = False) -> Iterator[int]:
    """Run a program on a pseudo-terminal of a process, or of one that this process started."""
    code = [BELOW, ON_A_TERMINAL] if below else [ON_A_TERMINAL]
    whole = [sys.executable, "-c", *code, *command]
    with subprocess.Popen(whole, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        try:
            yield process.pid
        finally:
            for pid in [*descendants(process.pid), process.pid]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def descendants(pid: int) -> list[int]:
    try:
        children = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [one for child in children for one in (child, *descendants(child))]


def comes(pid: int, *, at_prompt: bool) -> bool:
    """Whether it becomes a terminal, with a shell at its prompt or without."""
    until = time.monotonic() + CAP_S
    while time.monotonic() < until:
        if is_terminal(pid) and is_at_prompt(pid) is at_prompt:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("below", [False, True])
def test_a_shell_is_found_however_far_below_its_window(*, below: bool) -> None:
    with running("bash", "--norc", below=below) as pid:
        assert comes(pid, at_prompt=True)
        assert not is_terminal(pid, descendants(pid))


def test_a_script_is_no_prompt(tmp_path: Path) -> None:
    script = tmp_path / "asks.sh"
    script.write_text("read -n1 answer\n")
    for command in (["bash", str(script)], ["bash", "-c", "read -n1 answer; sleep 9"]):
        with running(*command) as pid:
            assert comes(pid, at_prompt=False)
            time.sleep(0.5)
            assert not is_at_prompt(pid)


def test_a_multiplexer_is_no_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = tmp_path / "shells"
    declared.write_text(f"/bin/bash\n{sys.executable}\n")
    monkeypatch.setattr(shells, "SHELLS", declared)
    shells._shells.cache_clear()
    with running(sys.executable) as pid:
        assert comes(pid, at_prompt=False)
        time.sleep(0.5)
        assert not is_at_prompt(pid)
    shells._shells.cache_clear()
