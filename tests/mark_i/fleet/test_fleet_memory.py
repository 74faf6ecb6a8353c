"""The memory of a fleet: what its runs share is loaded before they are forked, and what they free goes back."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mark_i.testing import ANTHROPIC, OPENAI, ModelServer
from mark_i.testing.protocols import Protocol
from tests.support import CAP_S

pytestmark = pytest.mark.usefixtures("processes")
LOADED = """
import importlib, json, sys
from pathlib import Path
from mark_i.brain import Prompt
from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.fleet.file import jobs_of, read_file
from mark_i.fleet.local import preloaded
from mark_i.fleet.worker import config_of
file = Path(sys.argv[1])
[job] = jobs_of(read_file(file), file, DEFAULT_PROFILE)
options = {"profile": DEFAULT_PROFILE, "policy": None, "yes": True, "base_url": None, "max_steps": None}
brain = config_of(job, options)[0].brain
for name in preloaded(sys.modules):
    importlib.import_module(name)
before = set(sys.modules)
brain.think(Prompt("You answer.", "Answer.", "", plain=True))
print(json.dumps(sorted(set(sys.modules) - before)))
"""
FREED = """
import os, sys
from multiprocessing import Pipe
from mark_i.events import Event
from mark_i.fleet.worker import _tell
def mb():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
held = [bytearray(100_000) for _ in range(1000)]
last = bytearray(1000)
held = held[-1:]
before = mb()
_tell(Event("thought", 0.0), Pipe()[0])
between = mb()
_tell(Event("thinking", 0.0), Pipe()[0])
print(round(before - between), round(between - mb()))
"""


@pytest.mark.parametrize(("brain", "protocol"), [("openai", OPENAI), ("anthropic", ANTHROPIC)])
def test_what_a_request_loads_is_loaded_before_the_runs_are_forked(
    brain: str, protocol: Protocol, tmp_path: Path
) -> None:
    file = tmp_path / "fleet.toml"
    with ModelServer(protocol, ["Yes."]) as server:
        file.write_text(
            f'[[task]]\nname = "one"\nbrain = "{brain}:model"\nbase_url = "{server.base_url}"\ngoal = "Answer."\n'
        )
        keys = {f"{brain.upper()}_API_KEY": server.key}
        done = subprocess.run(
            [sys.executable, "-c", LOADED, str(file)],
            env=os.environ | keys,
            capture_output=True,
            text=True,
            check=False,
            timeout=CAP_S,
        )

    assert done.returncode == 0, done.stderr
    client = {brain, "httpx2", "httpcore2", "trio"}
    assert [name for name in json.loads(done.stdout) if name.partition(".")[0] in client] == []


def test_what_a_run_has_freed_goes_back_before_it_waits_for_its_model() -> None:
    done = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=False, timeout=CAP_S)

    assert done.returncode == 0, done.stderr
    kept, back = map(int, done.stdout.split())
    assert kept < 10, "the C library keeps what is freed below what is still used"
    assert back > 80
