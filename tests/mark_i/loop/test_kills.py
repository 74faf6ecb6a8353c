"""kill -9 at random instants of a run that types into a real application, and of each resume of it.

    python -m pytest tests/mark_i/loop/test_kills.py -s                     the kills of every day
    MARK_I_KILLS=100 python -m pytest tests/mark_i/loop/test_kills.py -s    those of docs/safety.md

Prints how many steps it acknowledged that its journal has not, and how many actions arrived more than once.
"""

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import VirtualDesktop
from mark_i.config.paths import runs_folder
from tests.support import action, script
from world_model import Step, read_run

pytestmark = pytest.mark.timing

CHECKOUT: Final = Path(__file__).parents[3]
KILLS: Final = int(os.environ.get("MARK_I_KILLS", "5"))
SEED: Final = 9
CAP_S: Final = 120.0  # seconds for anything to happen on a busy machine
EVENTS: Final = 24  # that a run has told when it is killed, at most; with none it is still starting
LONGEST: Final = 0.4  # seconds from then to the kill, at most
END: Final = "that is all"  # typed when all are over


def killed(command: list[str], environment: dict[str, str], dice: random.Random) -> list[dict[str, Any]]:
    """Start, kill at a random instant, and give the steps that were told by then."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT, env=environment) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(dice.randint(0, EVENTS))]
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(dice.uniform(0, LONGEST))
        process.kill()
        told += [line for line in process.stdout if line.endswith("\n")]
    return [event for event in map(json.loads, told) if event["event"] == "step"]


def rounds(brain: str, environment: dict[str, str], dice: random.Random) -> Iterator[list[dict[str, Any]]]:
    """The steps that were told before each kill."""
    program = [sys.executable, "-m", "mark_i", "run"]
    begin = [*program, "type the numbers", "--brain", brain, "--yes", "--max-steps", "100000", "--json"]
    for _ in range(KILLS):
        go_on = [*program, "--resume", "last", "--yes", "--json"]
        yield killed(go_on if any(runs_folder().glob("*/run.json")) else begin, environment, dice)


def kept() -> tuple[Step, ...]:
    """The steps in the journal, if it was begun: what was killed before that is begun anew."""
    runs = [read_run(file.parent, images=False) for file in runs_folder().glob("*/run.json")]
    assert len(runs) <= 1
    return runs[0].steps if runs else ()


def missing(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps that were told and are not in the journal as they were told."""
    steps = [step.to_dict() for step in kept()]
    return [event for event in told if {key: event[key] for key in event if key not in ("event", "t")} not in steps]


@pytest.mark.timeout(300 + 60 * KILLS)
def test_no_acknowledged_step_is_lost_and_nothing_is_done_twice(desktop: VirtualDesktop, tmp_path: Path) -> None:
    arrived = tmp_path / "arrived.txt"
    desktop.launch(["xterm", "-e", f"cat >> {arrived}"])
    assert desktop.control.until(lambda: any(window.active for window in desktop.windows()), CAP_S)
    brain = script(tmp_path / "b.jsonl", *[action("type_text", text=f"<{n}>", enter=True) for n in range(50 * KILLS)])
    environment = os.environ | {"DISPLAY": desktop.display}
    lost, acknowledged = 0, 0

    for told in rounds(brain, environment, random.Random(SEED)):
        acknowledged += len(told)
        lost += len(missing(told))

    steps = kept()
    desktop.type(f"{END}\n")  # the terminal takes one after the other, and may be late
    assert desktop.control.until(lambda: END in arrived.read_text(), CAP_S)
    done = Counter(re.findall(r"<\d+>", arrived.read_text()))
    twice = [word for word, times in done.items() if times > 1]
    interrupted = sum(step.observation.error is not None for step in steps)
    print(  # noqa: T201
        f"\n{KILLS} kills, {acknowledged} acknowledged steps, {interrupted} actions in flight: {lost} steps lost, "
        f"{len(twice)} of {len(done)} actions done twice"
    )
    assert (lost, twice) == (0, [])
    assert acknowledged > KILLS / 2
    assert len(done) >= acknowledged
    assert [step.action.args["text"] for step in steps] == [f"<{number}>" for number in range(len(steps))]
