"""Short runs of the fleet benchmark while processes are killed: what is lost, and what is done twice.

Each run types a word into a file that all share. What was typed is the truth: a word that is there twice was typed by
two runs.
"""

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mark_i.fleet.folder import RESULTS
from toolbelt.control import Control
from world_model import MarkIError

PROGRAM: Final = "xterm"
FLEET_KILLS: Final = 200  # runs for each kill of the fleet
KILLS_EACH: Final = 0.06  # kills of a run's process for each run that begins
KILLED_MAX_S: Final = 4.0  # after its beginning
WORKERS: Final = 4
SEED: Final = 290

Tell = Callable[[str], object]
Heard = Callable[[Mapping[str, Any], "subprocess.Popen[str]"], object]


@dataclass(frozen=True, slots=True)
class ShortRuns:
    """The fleet file of many short runs, each of which types its word."""

    folder: Path
    runs: int

    @property
    def file(self) -> Path:
        """The fleet file."""
        return self.folder / "fleet.toml"

    @property
    def _effects(self) -> Path:
        return self.folder / "effects"

    def write(self) -> None:
        """Write the file and its table."""
        self.folder.mkdir()
        self._effects.touch()
        words = "".join(f"word{number}\n" for number in range(1, self.runs + 1))
        (self.folder / "rows.csv").write_text("word\n" + words)
        self.file.write_text(
            '[[task]]\nname = "word"\nbrain = "offline"\nsize = "640x400"\nrows = "rows.csv"\n'
            f"setup = \"{PROGRAM} -e sh -c 'while read word; do echo $word >> {self._effects}; done' &\"\n"
            f'goal = \'Type "{{word}}" and press enter.\'\ncheck = "grep -qx {{word}} {self._effects}"\n'
        )

    def ended(self) -> int:
        """Return how many have a result."""
        results = self.file.with_suffix("") / RESULTS
        return len(results.read_bytes().splitlines()) if results.exists() else 0

    def life(self, control: Control, heard: Heard, *options: str) -> int:
        """Run the fleet until it ends or is killed, and return its exit code.

        Args:
            control: a stop ends it.
            heard: receives each event, and the process of the fleet.
            options: more of the command.

        Raises:
            MarkIError: it could not run.
        """
        command = [sys.executable, "-m", "mark_i", "fleet", "run", str(self.file), "--json", *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as fleet:  # noqa: S603 - ourselves
            assert fleet.stdout is not None  # noqa: S101 - a pipe
            try:
                for line in fleet.stdout:
                    control.check()
                    heard(json.loads(line), fleet)
            finally:
                if fleet.poll() is None:
                    fleet.send_signal(signal.SIGINT)
        if fleet.returncode not in {0, 1, -signal.SIGKILL}:
            raise MarkIError(f"The fleet ended with exit code {fleet.returncode}.")
        return fleet.returncode

    def counts(self) -> dict[str, int]:
        """Return what became of the runs, by their results and by what was typed."""
        lines = (self.file.with_suffix("") / RESULTS).read_text().splitlines()
        results = [json.loads(line) for line in lines]
        typed = Counter(self._effects.read_text().split())
        outcomes = Counter(one["outcome"] for one in results)
        told = len({one["id"] for one in results})
        return {
            "done": outcomes["done"],
            "told_as_unknown": outcomes["unknown"],
            "otherwise": len(results) - outcomes["done"] - outcomes["unknown"],
            "lost": self.runs - told,  # 0
            "told_twice": len(results) - told,  # 0
            "done_twice": sum(count > 1 for count in typed.values()),  # 0
            "done_and_not_typed": sum(one["solved"] and not typed[f"word{one['row']}"] for one in results),  # 0
        }


def killed(folder: Path, runs: int, control: Control, tell: Tell) -> dict[str, Any]:
    """Run many short runs while processes of runs and of the fleet are killed at random."""
    short, kills = ShortRuns(folder, runs), _Kills()
    short.write()

    def heard(about: Mapping[str, Any], fleet: "subprocess.Popen[str]") -> None:
        if about["event"] == "started":
            kills.kill_perhaps(about["pid"])
        if about["event"] == "ended":
            done = short.ended()
            tell(f"{done} of {runs} short runs ended, {kills.runs} and {kills.fleets} fleets killed")
            if done * (runs // FLEET_KILLS + 1) > runs * (kills.fleets + 1):
                kills.fleets += 1
                fleet.kill()

    began_s = time.monotonic()
    while short.life(control, heard, "--workers", str(WORKERS)) == -signal.SIGKILL:
        pass
    return {
        "short_runs": runs,
        "killed_runs": kills.runs,
        "killed_fleets": kills.fleets,
        "short_runs_a_minute": round(60 * runs / (time.monotonic() - began_s), 1),
        **short.counts(),
    }


@dataclass(slots=True)
class _Kills:
    """How many processes of runs and of fleets were killed so far, and the chance that decides."""

    runs: int = 0
    fleets: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(SEED))  # noqa: S311 - it repeats itself

    def kill_perhaps(self, pid: int) -> None:
        """Kill a run that has just begun, now or in a moment, as often as is wanted."""
        if self.chance.random() < KILLS_EACH:
            timer = threading.Timer(self.chance.uniform(0, KILLED_MAX_S), self._kill, [pid])
            timer.daemon = True
            timer.start()

    def _kill(self, pid: int) -> None:
        with contextlib.suppress(OSError):  # it has ended
            if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes():  # and not another that has its number now
                os.kill(pid, signal.SIGKILL)
                self.runs += 1
