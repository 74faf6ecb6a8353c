"""The person's hand on a run: a stop is felt at once, in every kind of wait."""

import threading
import time
from collections.abc import Callable

import pytest

from toolbelt.control import Control
from world_model import Halt, ToolFailure

CAP_S = 120.0  # seconds; generous, since the machine may be busy
FOREVER = 600.0


class Working(threading.Thread):
    """Does `work` on a thread of its own, again and again if asked to, and keeps how it ended."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.begun = threading.Event()
        self.error: BaseException | None = None
        self._work = work
        self.start()
        assert self.begun.wait(CAP_S)

    def run(self) -> None:
        self.begun.set()
        try:
            self._work()
        except BaseException as error:  # noqa: BLE001 - kept for the test to look at
            self.error = error

    def ended_with(self) -> BaseException | None:
        self.join(CAP_S)
        assert not self.is_alive()
        return self.error


def hang(control: Control) -> None:
    """Work that cannot be interrupted, until the test lets go of it."""
    never = threading.Event()
    control.call(lambda: never.wait(CAP_S))


@pytest.mark.parametrize(
    "work",
    [
        lambda control: control.wait(FOREVER),
        lambda control: control.until(lambda: None, FOREVER),
        hang,
    ],
    ids=["wait", "until", "call"],
)
def test_a_stop_takes_effect_at_once(work: Callable[[Control], object]) -> None:
    control = Control()
    working = Working(lambda: work(control))

    control.stop()

    began = time.monotonic()
    assert isinstance(working.ended_with(), Halt)
    assert time.monotonic() - began < CAP_S / 2


@pytest.mark.parametrize(
    "work",
    [
        lambda control: control.check(),
        lambda control: control.gate(),
        lambda control: control.wait(0),
        lambda control: control.until(lambda: None, 1),
        lambda control: control.call(lambda: None),
    ],
    ids=["check", "gate", "wait", "until", "call"],
)
def test_nothing_runs_after_a_stop(work: Callable[[Control], object]) -> None:
    control = Control()
    control.stop()

    with pytest.raises(Halt):
        work(control)
    assert control.stopped


def test_a_tool_that_catches_everything_cannot_catch_a_stop() -> None:
    control = Control()

    def sloppy() -> None:
        while True:
            try:
                control.wait(FOREVER)
            except Exception:  # noqa: BLE001 - the sloppiness that is tested
                continue

    working = Working(sloppy)
    control.stop()

    assert isinstance(working.ended_with(), Halt)


def test_a_wait_without_a_stop_takes_its_time() -> None:
    control = Control()
    began = time.monotonic()

    control.wait(0.05)

    assert time.monotonic() - began >= 0.05
    assert not control.stopped


def test_until_returns_the_first_true_value() -> None:
    answers = iter([None, 0, "", "here", "later"])

    assert Control().until(lambda: next(answers), FOREVER) == "here"
    assert next(answers) == "later"


def test_until_polls_once_at_least_and_returns_none_at_the_end() -> None:
    looks: list[int] = []

    assert Control().until(lambda: looks.append(1), 0) is None
    assert len(looks) == 1
    assert Control().until(lambda: "at once", 0) == "at once"


@pytest.mark.parametrize("result", ["text", None, 0, []])
def test_call_returns_the_result_of_the_work(result: object) -> None:
    assert Control().call(lambda: result) is result


@pytest.mark.parametrize("error", [ToolFailure("DENIED", "No."), KeyError("x"), Halt(), SystemExit(3)])
def test_call_raises_what_the_work_raises(error: BaseException) -> None:
    def work() -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        Control().call(work)
    assert raised.value is error


def test_work_that_takes_too_long_is_a_timeout() -> None:
    over = threading.Event()

    with pytest.raises(TimeoutError):
        Control().call(lambda: over.wait(CAP_S), 0.01)
    over.set()


@pytest.mark.parametrize("stopped", [True, False], ids=["stopped", "timed out"])
def test_abandoned_work_ends_at_its_next_check(*, stopped: bool) -> None:
    control = Control()
    inside, go_on = threading.Event(), threading.Event()
    harm: list[str] = []
    ends: list[BaseException] = []
    over = threading.Event()

    def work() -> None:
        inside.set()
        go_on.wait(CAP_S)
        try:
            control.check()
            harm.append("clicked")
        except BaseException as error:
            ends.append(error)
            raise
        finally:
            over.set()

    calling = Working(lambda: control.call(work, FOREVER if stopped else 0.01))
    assert inside.wait(CAP_S)
    if stopped:
        control.stop()
    assert isinstance(calling.ended_with(), Halt if stopped else TimeoutError)

    go_on.set()

    assert over.wait(CAP_S)
    assert harm == []
    assert [type(error) for error in ends] == [Halt]


def test_a_run_continues_after_a_timeout() -> None:
    control = Control()
    over = threading.Event()

    with pytest.raises(TimeoutError):
        control.call(lambda: over.wait(CAP_S), 0.01)
    over.set()

    control.check()
    assert control.call(lambda: "next") == "next"


class Stepping:
    """A run on a thread of its own: through the gate, a step, through the gate, a step."""

    def __init__(self, control: Control) -> None:
        self._steps = threading.Semaphore(0)
        self._control = control
        self.working = Working(self._go)

    def _go(self) -> None:
        while True:
            self._control.gate()
            self._steps.release()
            self._control.wait(0.001)

    def does_a_step(self) -> bool:
        return self._steps.acquire(timeout=CAP_S)

    def rests(self) -> bool:
        return not self._steps.acquire(timeout=0.1)


@pytest.mark.parametrize("interrupt", [Control.pause, Control.speak], ids=["paused", "spoken to"])
def test_a_long_wait_ends_when_a_person_wants_something(interrupt: Callable[[Control], None]) -> None:
    control = Control()
    timer = threading.Timer(0.05, interrupt, [control])
    timer.start()
    assert 0 < control.pause_for(300.0) < 300.0
    timer.join()


def test_a_wait_that_is_a_single_step_takes_its_time() -> None:
    control = Control()
    control.pause()
    control.step()
    assert control.gate()
    assert control.must_wait
    assert control.pause_for(0.05) == 0.0


def test_a_paused_run_single_steps_until_it_is_resumed() -> None:
    control = Control()
    control.pause()
    run = Stepping(control)
    assert control.must_wait
    assert run.rests()

    control.step()
    assert run.does_a_step()
    assert run.rests()

    control.step()
    control.step()
    assert run.does_a_step()
    assert run.does_a_step()
    assert run.rests()

    control.resume()
    assert all(run.does_a_step() for _ in range(5))
    assert not control.must_wait

    control.stop()
    assert isinstance(run.working.ended_with(), Halt)


def test_a_paused_run_can_be_stopped() -> None:
    control = Control()
    control.pause()
    run = Stepping(control)

    control.stop()

    assert isinstance(run.working.ended_with(), Halt)
    assert run.rests()


def test_a_single_step_pauses_a_running_run_afterwards() -> None:
    control = Control()

    control.step()
    control.gate()

    assert control.must_wait


def test_the_gate_without_waiting_says_whether_it_is_open() -> None:
    control = Control()
    assert control.gate(0)

    control.step()
    assert control.gate(0)
    assert not control.gate(0)

    control.resume()
    assert control.gate(0)


def test_a_pause_revokes_allowed_steps() -> None:
    control = Control()
    control.step()

    control.pause()

    assert control.must_wait
