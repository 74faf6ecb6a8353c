"""More that people say during a run, in their own words: each kind with some of its wordings."""

from typing import Final

import pytest

from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.instructions import NotUnderstood, Type, parse_instructions

GOAL: Final = (
    'open the text editor, type "train at 10", press enter, wait 10 seconds, type "fish", press enter, '
    'type "hotel", save it as list.txt'
)


def begun(done: int, goal: str = GOAL) -> Remaining:
    """What is left of a goal once so many of its instructions are done."""
    return Remaining([one for one in parse_instructions(goal) if not isinstance(one, NotUnderstood)], done)


def texts(after: Remaining) -> list[object]:
    """What is typed, and the name of the file last."""
    return [one.content for one in after.every if isinstance(one, Type)]


@pytest.mark.parametrize(
    "said",
    [
        "Please start over, but with bus at 10 instead of train at 10",
        "start again",
        "begin anew with bus at 10",
        "OK let's start all over again",
        "Sorry, I made a mistake. Start the whole thing again please",
        "restart with the bus instead of the train",
        "can you begin from scratch and write bus at 10",
        "do it all again but with bus instead of train",
    ],
)
def test_a_run_is_not_begun_anew_by_a_word(said: str) -> None:
    after = begun(1).after(said)

    [(text, reason)] = after.unclear
    assert text == said
    assert "if you stop this run, Run begins anew" in reason
    assert after.every == begun(1).every


@pytest.mark.parametrize("said", ["start the calculator", 'type "start over"', "open the editor again"])
def test_what_is_opened_or_typed_begins_nothing_anew(said: str) -> None:
    assert not begun(1).after(said).unclear
