"""A window that is to be closed and asks something first: its question is news, and no failure."""

import pytest

from mark_i import AgentCore, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.tools.people import People


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(("answer", "outcome"), [("don't save", "done"), ("cancel", "stopped")])
def test_a_window_that_asks_first_is_closed_without_an_error(
    desktop: VirtualDesktop, answer: str, outcome: str
) -> None:
    eyes, asked = Eyes(desktop, desktop.control), list[str]()

    def person(question: str) -> str:
        asked.append(question)
        return answer

    toolbelt = standard_toolbelt(eyes, People(person))
    agent = AgentCore(OfflineBrain(), toolbelt, desktop, eyes=eyes)
    ended = [*agent.run('open mousepad, type "milk", close the window')][-1].data

    assert ended["outcome"] == outcome, ended
    assert len(asked) == 1
    assert not [step.observation.error for step in agent.world_model if step.observation.error]
    asking = next(step for step in agent.world_model if step.action.tool == "close_window").observation.screen
    assert asking
    assert asking.front_before
    assert asking.front_after  # the dialog, and the window that it belongs to
    assert asking.front_after.intersection(asking.front_before) == asking.front_before
    assert bool([one for one in desktop.windows() if not one.dialog]) is (outcome == "stopped")
