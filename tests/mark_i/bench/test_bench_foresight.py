"""The benchmark of plans: the same tasks with and without them, and surprises that must not be acted on."""

from collections.abc import Callable

import pytest

from mark_i.bench import foresight
from mark_i.bench.attempts.scene import Scene
from mark_i.bench.planned_tasks import TASKS, Task, form_filled, saved_as
from tests.support import Run
from toolbelt.control import Control

pytestmark = pytest.mark.timing


@pytest.mark.usefixtures("benchmark", "display")
def test_plans_take_fewer_calls_and_no_surprise_is_acted_on(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    monkeypatch.setattr(foresight, "TASKS", (saved_as, form_filled))

    figures = foresight.measured(1, control, lambda _told: None)

    assert (figures["tasks"], figures["done_1"], figures["done_5"]) == (2, 2, 2)
    assert 2 <= figures["calls_5"] <= 4  # a screen that is slow to follow ends a plan early, which costs a call more
    assert figures["calls_1"] >= 9  # as does a dialog that is slow to close
    assert (figures["surprises"], figures["acted_on"]) == (1, 0)


@pytest.mark.usefixtures("benchmark")
@pytest.mark.usefixtures("benchmark", "display")
@pytest.mark.parametrize("make", TASKS, ids=lambda make: make.__name__)
def test_every_task_is_done_with_and_without_a_plan(make: Callable[[Scene], Task], control: Control) -> None:
    for ahead in (1, 5):
        assert foresight._run(make, 0, ahead, control, None)["done"]


def test_a_brain_that_is_not_there_is_told_in_one_line(mark_i: Run) -> None:
    done = mark_i("bench", "foresight", "--brain", "nobody")

    assert done.returncode == 2
    assert "nobody" in done.stderr
    assert len(done.stderr.splitlines()) == 1
