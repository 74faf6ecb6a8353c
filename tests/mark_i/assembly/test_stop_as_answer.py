"""To answer a question of the offline brain with "stop" stops the run, and is not heard again once it is resumed."""

from pathlib import Path

import pytest

from mark_i import OfflineBrain, RunConfig, ScriptedBrain
from mark_i.assembly.compose import tools_for
from toolbelt.control import Control
from world_model import Action, Halt

QUESTION = Action("ask_user", {"question": 'Say what to do instead. Or say "go on" or "stop".'})


@pytest.mark.parametrize("answer", ["stop", "Stop, please."])
def test_stop_as_an_answer_stops_what_follows_orders(tmp_path: Path, control: Control, answer: str) -> None:
    config = RunConfig(OfflineBrain())

    with tools_for(None, control, tmp_path, config, lambda _: answer) as toolbelt, pytest.raises(Halt):
        toolbelt.call(QUESTION, control)

    assert control.stopped


def test_stop_may_be_the_answer_that_a_model_asked_for(tmp_path: Path, control: Control) -> None:
    with tools_for(None, control, tmp_path, RunConfig(ScriptedBrain([])), lambda _: "stop") as toolbelt:
        done = toolbelt.call(QUESTION, control)

    assert done.observation.data == {"answer": "stop"}
    assert not control.stopped
