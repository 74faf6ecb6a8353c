"""A picture is taken when the program has done its work, not while it is still computing; with real programs."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from toolbelt.control import Control
from toolbelt.desktops.activity import Work
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import settling
from toolbelt.perception.eyes import Eyes
from toolbelt.perception.lateness import UNKNOWN_S, Lateness
from toolbelt.perception.settling import Settled

pytestmark = pytest.mark.timing

APPS = Path(__file__).parents[2] / "apps"
CAP_S = 120.0  # seconds for an application to do something on a busy machine
QUIET_S = 0.05
THOUGHT_S = 2.0  # of a model; longer than the program is late


@pytest.fixture
def eyes(desktop: VirtualDesktop, control: Control) -> Eyes:
    desktop.launch(["/usr/bin/python3", str(APPS / "thinker_gtk.py")])
    assert control.until(lambda: [one for one in desktop.windows() if one.active], CAP_S)
    eyes = Eyes(desktop, control)
    assert eyes.until(lambda lines: any("Press" in line.text for line in lines), CAP_S)
    return eyes


def pressed(key: str, eyes: Eyes, quiet: float | None = settling.QUIET_S) -> Settled:
    before = eyes.show()
    eyes.desktop.press(key)
    return eyes.settle(before, quiet=quiet)


def test_what_a_program_shows_after_its_work_is_in_the_picture(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "WORK_MAX_S", CAP_S)  # on a busy machine a second of its time takes longer
    monkeypatch.setattr(settling, "SETTLE_MAX_S", CAP_S)
    before = eyes.show()

    settled = pressed("a", eyes)

    assert settled.calm
    assert eyes.change(before, settled).appeared == ("The sum is 4711",)


def test_a_program_that_works_without_an_end_is_not_waited_for(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settling, "SETTLE_MAX_S", CAP_S)

    assert pressed("x", eyes).calm


def in_time(answer: int, eyes: Eyes) -> bool:
    """Press the key that is answered late, and let a model think; return whether the picture before had the answer."""
    settled = pressed("l", eyes, quiet=None)
    with eyes.idle():
        eyes.control.wait(THOUGHT_S)
    return f"Late answer {answer}" in " ".join(line.text for line in eyes.read(settled.frame))


def test_how_late_a_program_answers_is_learned_while_the_model_thinks(eyes: Eyes) -> None:
    assert any(in_time(answer, eyes) for answer in range(1, 6))


def test_a_brain_that_answers_at_once_is_not_made_to_wait(eyes: Eyes) -> None:
    in_time(1, eyes)
    with eyes.idle():
        pass

    assert eyes.thought_s < THOUGHT_S / 2
    assert "Late answer 2" not in " ".join(line.text for line in eyes.read(pressed("l", eyes, quiet=None).frame))


def test_a_program_that_answers_in_time_is_waited_for_less_and_less() -> None:
    lateness, waits_s = Lateness(), []
    for _ in range(30):
        lateness.settled(1, 0.01, 0.0)
        waits_s.append(lateness.wait_s(1))

    assert waits_s == sorted(waits_s, reverse=True)
    assert waits_s[-1] < settling.QUIET_S
    assert lateness.wait_s(2) > settling.QUIET_S, "another program has shown nothing yet"


def test_what_a_program_usually_needs_is_what_half_of_its_actions_needed() -> None:
    lateness = Lateness()
    assert lateness.usual_s(1) == UNKNOWN_S, "it was not seen yet"

    for pause_s in (0.1, 0.1, 0.1, 1.2):
        lateness.settled(1, pause_s, 0.0)

    assert 0.1 <= lateness.usual_s(1) < lateness.wait_s(1)


def test_a_change_long_after_the_action_has_another_cause() -> None:
    lateness = Lateness()
    lateness.settled(1, 0.0, 100.0)
    before_s = lateness.wait_s(1)

    lateness.late(103.0)
    assert lateness.wait_s(1) == before_s

    lateness.late(104.0)
    assert lateness.wait_s(1) > 1.0


def works(work: Work) -> bool:
    work.look(time.monotonic())
    return work.goes_on(QUIET_S)


@pytest.mark.usefixtures("processes")
def test_a_program_works_while_it_computes_and_rests_while_it_waits() -> None:
    line = "import sys\nfor line in sys.stdin:\n    while line == 'on\\n': pass"
    with subprocess.Popen([sys.executable, "-c", line], stdin=subprocess.PIPE, text=True) as program:
        assert program.stdin
        work = Work(program.pid)
        try:
            rested = Control().until(lambda: not works(work), CAP_S)
            program.stdin.write("on\n")
            program.stdin.flush()
            worked = Control().until(lambda: works(work), CAP_S)
        finally:
            program.kill()
            program.wait()

    assert rested
    assert worked
    assert not works(Work(program.pid)), "it has ended"
    assert not works(Work(None))
