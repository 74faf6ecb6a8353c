"""However a server ends, the goal that the agent works on ends with it, and nothing is left."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from mark_i.config.paths import runs_folder
from mark_i.config.settings import save
from mark_i.runs.store import summary
from tests.support import CAP_S, action, gone, processes_with, script, soon

ROOT: Final = Path(__file__).resolve().parents[3]
ABOUT: Final = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
MESSAGES: Final = (
    {"id": 1, "method": "initialize", "params": ABOUT},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": {"name": "run_goal", "arguments": {"goal": "Hold it"}}},
)


def holds() -> bool:
    """Whether the agent has begun to hold the key."""
    return any('"hold"' in file.read_text(encoding="utf-8") for file in runs_folder().glob("*/decisions.jsonl"))


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("how", ["end of input", signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_the_server_ends_the_goal_and_leaves_nothing(
    how: str | signal.Signals, home: Path, tmp_path: Path
) -> None:
    hold = action("hold", keys="shift", seconds=55)
    save({"brain": script(tmp_path / "b.jsonl", action("open_app", name="xterm"), hold)})
    command = [sys.executable, "-m", "mark_i", "mcp", "--virtual", "640x480"]

    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdin
        for message in MESSAGES:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
        assert soon(holds)
        others = [pid for pid in processes_with(str(home)) if pid != server.pid]
        if isinstance(how, signal.Signals):
            server.send_signal(how)
        else:
            server.stdin.close()
        server.wait(CAP_S)

    assert gone(*others)
    [folder] = runs_folder().iterdir()
    assert summary(folder).outcome == ("killed" if how == signal.SIGKILL else "stopped")
