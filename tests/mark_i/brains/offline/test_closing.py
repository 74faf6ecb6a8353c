"""A window that is to be closed and asks something first: its question is news, and no failure."""

from pathlib import Path

import pytest

from mark_i import AgentCore, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.following import read_goal
from mark_i.brains.offline.instructions import Close
from mark_i.runs.follow_up import goals_done
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.tools.people import People
from world_model import Journal, read_run


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


@pytest.mark.usefixtures("patience")
def test_a_text_that_was_saved_as_its_window_closed_is_opened_again_and_changed(
    desktop: VirtualDesktop, tmp_path: Path
) -> None:
    eyes, file = Eyes(desktop, desktop.control), tmp_path / "list.txt"
    answers = ["Save", str(file), "save"]
    goals = [
        ('open mousepad, type "milk", press enter, type "bread", close the window', "milk\nbread"),
        ("open it again and change milk to oat milk and save it", "oat milk\nbread"),
        ('add "eggs" at the end and close the file', "oat milk\nbread\neggs"),
        ("open it again and drop the bread, then save everything", "oat milk\neggs"),
    ]

    for at, (goal, text) in enumerate(goals):
        before = goals_done(read_run(tmp_path / str(at - 1))) if at else ()
        journal = Journal(tmp_path / str(at), {"goal": goal, "settings": {"continues": str(at - 1)} if at else {}})
        toolbelt = standard_toolbelt(eyes, People(lambda _: answers.pop(0)))
        agent = AgentCore(OfflineBrain.following(before), toolbelt, desktop, eyes=eyes, journal=journal)
        ended = [*agent.run(goal)][-1].data
        assert ended["outcome"].startswith("done"), ended["summary"]
        assert "not saved" not in ended["summary"]
        assert file.read_text().rstrip("\n") == text


@pytest.mark.parametrize("said", ["close it without saving", "close the window without saving it"])
@pytest.mark.parametrize("before", [(), ('open mousepad, type "milk"',), ('open mousepad, type "milk"', "add eggs")])
def test_a_window_is_closed_without_saving_if_that_is_said(said: str, before: tuple[str, ...]) -> None:
    assert read_goal(said, before) == (Close(said, discards=True),)


@pytest.mark.usefixtures("patience")
def test_a_text_that_is_not_to_be_saved_is_discarded_without_a_question(desktop: VirtualDesktop) -> None:
    eyes, goals, asked = Eyes(desktop, desktop.control), ['open mousepad, type "milk"', "close it without saving"], []

    def person(question: str) -> str:
        asked.append(question)
        return "cancel"

    for at, goal in enumerate(goals):
        toolbelt = standard_toolbelt(eyes, People(person))
        agent = AgentCore(OfflineBrain.following(goals[:at]), toolbelt, desktop, eyes=eyes)
        ended = [*agent.run(goal)][-1].data
        assert ended["outcome"].startswith("done"), ended

    assert not asked
    assert not [one for one in desktop.windows() if not one.dialog]
