"""What was said last is taken back, and never a text that nobody meant."""

from pathlib import Path
from typing import Final

import pytest

from mark_i import AgentCore, Prompt, standard_toolbelt
from mark_i.brain import PastRun, Word
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.following import Past, read_goal
from mark_i.brains.offline.hearing import hear
from mark_i.brains.offline.instructions import Check, Instruction, NotUnderstood, Talk
from mark_i.brains.offline.past_goals import known
from mark_i.brains.offline.stopped import Stopped
from mark_i.events import Event
from mark_i.human.words import Words
from mark_i.runs.follow_up import goals_done
from tests.mark_i.brains.offline.plans import begun, written
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes
from world_model import Action, Journal, Observation, Step, Thought, read_run

MENU: Final = (
    'open the text editor, type "Menu", press enter, type "soup", press enter, type "fish with rice", press enter, '
    'type "cake"'
)
SAVED: Final = f"{MENU}, save it as menu.txt"
AS_SAID: Final = "Menu, soup, fish with rice, cake"
POTATOES: Final = AS_SAID.replace("rice", "potatoes")
REFUSED: Final = PastRun("", ())


def run_with(*words: tuple[int, str], goal: str = MENU) -> Past:
    """A run that is done, to which words were said after so many of its instructions."""
    heard_of, steps = begun(0, goal), list[Step]()
    for at in range(60):
        said = tuple(Word(index + 1, text) for index, text in words if index <= at)
        heard = hear(begun(0, goal), Prompt("", goal, "", past=lambda: tuple(steps), said=said))
        heard_of = heard.remaining
        if at >= len(heard_of.every):
            assert not heard.unclear
            return Stopped(tuple(heard_of.every), len(heard_of.every), words=heard.words)
        done = Observation(ok=True, text="")
        steps.append(Step(at + 1, Thought(""), Action("press", {}), done))
    raise AssertionError(heard_of)


def text_after(*goals: Past) -> str:
    """The text once all goals are carried out, the last of them with all of it understood."""
    every = list[Instruction]()
    for at, goal in enumerate(goals):
        if isinstance(goal, Stopped):
            every += goal.every[: goal.done]
            continue
        given = read_goal(goal, goals[:at])
        assert not [one for one in given if isinstance(one, NotUnderstood)], (goal, given)
        every += [one for one in given if not isinstance(one, NotUnderstood | Check | Talk)]
    return written(Remaining(every, 0)).replace("\n", ", ")


def refusal(*goals: Past) -> str:
    """Why the last goal is refused."""
    [unclear] = read_goal(str(goals[-1]), goals[:-1])
    assert isinstance(unclear, NotUnderstood), unclear
    return unclear.reason


@pytest.mark.parametrize("done", range(8))
@pytest.mark.parametrize("said", ["undo that", "undo the last change", "put it back as it was", "take that back"])
def test_the_last_word_to_a_run_is_taken_back_and_not_the_run(said: str, done: int) -> None:
    run = run_with((done, "change rice to potatoes"))

    assert text_after(run) == POTATOES
    assert text_after(run, said) == AS_SAID


@pytest.mark.parametrize("done", range(7))
def test_words_to_a_run_are_taken_back_one_after_the_other(done: int) -> None:
    run = run_with((done, "change rice to potatoes"), (done + 1, "change cake to pie"))

    assert text_after(run) == POTATOES.replace("cake", "pie")
    assert text_after(run, "undo that") == POTATOES
    assert text_after(run, "undo that", "undo that") == AS_SAID
    assert "undo the whole run" in refusal(run, "undo that", "undo that", "undo that")


@pytest.mark.parametrize("done", range(8))
def test_a_whole_run_is_taken_back_if_that_is_said(done: int) -> None:
    run = run_with((done, "change rice to potatoes"))

    assert text_after(run, "undo the whole run") == ""
    assert text_after(run, "undo everything") == ""
    assert text_after(run, "undo that", "undo the whole run") == ""


def test_only_the_last_follow_up_is_a_whole_run_and_everything_is_all_of_the_text() -> None:
    assert text_after(MENU, "add wine", "undo the whole run") == AS_SAID
    assert text_after(MENU, "add wine", "undo everything") == ""


@pytest.mark.parametrize("between", [REFUSED, "what does it say"])
@pytest.mark.parametrize("said", ["undo that", "put it back as it was"])
def test_what_changed_nothing_stands_in_no_way_and_empties_no_text(between: str | PastRun, said: str) -> None:
    before = known([MENU, "add wine", between])

    assert text_after(*(one for one in before if one != Stopped((), 0)), said) == AS_SAID
    assert "undo the whole run" in refusal(*known([MENU, between]), said)


def test_an_undo_that_is_undone_brings_back_the_same_text_or_is_refused() -> None:
    run = run_with((6, "change rice to potatoes"))

    assert 'say "redo that"' in refusal(run, "undo that", "undo that")
    assert text_after(run, "undo that", "redo that") == POTATOES
    assert text_after(run, "undo that", "redo that", "undo that") == AS_SAID
    assert text_after(MENU, "undo that", "undo the undo") == AS_SAID
    assert 'say "redo that"' in refusal(MENU, "undo that", "undo that")
    assert "nothing was taken back" in refusal(MENU, "add wine", "redo that")


@pytest.mark.parametrize("between", ["press f5", 'click "Bold"'])
def test_nothing_is_typed_for_what_is_no_text(between: str) -> None:
    assert "cannot be taken back" in refusal(MENU, between, "undo that")


def test_a_text_of_another_window_is_not_typed_again() -> None:
    given = read_goal("undo that", [MENU, 'open mousepad, type "x"'])

    assert [one.text for one in given if not isinstance(one, Check)] == ['take back "x"']


def test_a_word_that_took_back_another_leaves_no_run_to_take_back() -> None:
    run = run_with((6, "change rice to potatoes"), (8, "undo that"))

    assert text_after(run) == AS_SAID
    assert "undo the whole run" in refusal(run, "undo that")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("swap soup and cake", "no, undo the swap"),
        ("remove soup", "undo the removal"),
        ("remove soup", "bring back the soup"),
        ("remove soup", "bring the soup back please"),
        ("change rice to potatoes", "bring back the rice"),
        ("add wine", "undo the addition"),
    ],
)
def test_a_change_that_is_named_is_taken_back_if_it_is_the_last(change: str, said: str) -> None:
    assert text_after(SAVED, change) != AS_SAID
    assert text_after(SAVED, change, said) == AS_SAID
    assert "not that one" in refusal(SAVED, change, "change Menu to Dinner", said)
    assert "not that one" in refusal(SAVED, said)


def test_of_several_things_that_a_change_took_out_none_comes_back_alone() -> None:
    assert "not that one" in refusal(SAVED, "remove soup and cake", "bring back the soup")


@pytest.mark.usefixtures("patience")
def test_a_word_to_a_run_is_taken_back_in_the_editor(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes, told = Eyes(desktop, desktop.control), list[Event]()
    first = f"{MENU.replace('the text editor', 'mousepad')}, wait 1 second"
    goals = [first, "sing a song", "undo that", "undo that", "redo that", f"save it as {tmp_path / 'menu.txt'}"]
    outcomes = list[str]()
    for at, goal in enumerate(goals):
        words, before = Words(), goals_done(read_run(tmp_path / str(at - 1))) if at else ()
        journal = Journal(tmp_path / str(at), {"goal": goal, "settings": {"continues": str(at - 1)} if at else {}})
        agent = AgentCore(
            OfflineBrain.following(before), standard_toolbelt(eyes), desktop, eyes=eyes, journal=journal, words=words
        )
        for event in agent.run(goal):
            told.append(event)
            if at == 0 and event.event == "step" and event.data["index"] == 7:
                words.say("change rice to potatoes")
        outcomes.append(str(told[-1].data["outcome"]).partition("_")[0])

    assert outcomes == ["done", "failed", "done", "failed", "done", "done"], told[-1]
    assert (tmp_path / "menu.txt").read_text().split() == POTATOES.replace(",", "").split()
