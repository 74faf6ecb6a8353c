"""A text that a model's picture did not hold is not waited for on a real screen at rest."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from tests.support import CAP_S
from toolbelt.control import Control
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.ocr.text_match import find
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from toolbelt.targeting.targets import PATIENCE_S
from world_model import Action, Observation

T = TypeVar("T")


class Timed(Control):
    """Keeps for how long it was asked to wait for something."""

    def __init__(self) -> None:
        super().__init__()
        self.asked_s: list[float] = []

    def until(self, condition: Callable[[], T | None], seconds: float) -> T | None:
        self.asked_s.append(seconds)
        return super().until(condition, seconds)


@pytest.fixture
def control() -> Timed:
    return Timed()


def clicked(desktop: VirtualDesktop, control: Timed, program: str, shows: str, wanted: str) -> Observation:
    """Click a text whose picture was shown longer ago than anything is waited for."""
    desktop.launch(["xterm", "-e", program])
    eyes = Eyes(desktop, control)
    assert eyes.until(lambda lines: find(shows, lines), CAP_S)
    eyes.show()
    assert eyes._shown
    eyes._changed_s = 0.0
    eyes._shown = replace(eyes._shown, began_s=eyes._shown.began_s - 2 * PATIENCE_S)
    control.asked_s.clear()
    return standard_toolbelt(eyes).call(Action("click", {"target": wanted}), control).observation


def test_a_text_that_is_nowhere_is_not_waited_for(desktop: VirtualDesktop, control: Timed) -> None:
    done = clicked(desktop, control, "echo ready; read line", "ready", "Submit")

    assert done.error
    assert done.error.code == "TARGET_NOT_FOUND"
    assert control.asked_s
    assert max(control.asked_s) <= 0
