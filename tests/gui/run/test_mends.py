"""What the card of a run that ended early offers, as values."""

import functools
from typing import get_args

import pytest

from gui.run.mends import KEY, MODEL, TITLES, Mend, mends_for
from gui.run.messages import Message, RunRefused, RunStarted
from gui.run.state import EndCard, RunState
from gui.run.update import reduce
from mark_i import Event
from mark_i.brains.faults import Cause


def offered(*messages: Message) -> tuple[Mend, ...]:
    """What the last card offers."""
    *_, card = functools.reduce(reduce, (RunStarted("Say it"), *messages), RunState()).cards
    assert isinstance(card, EndCard)
    return card.mends


def test_every_cause_of_a_model_error_has_something_that_may_mend_it() -> None:
    assert {*KEY, *MODEL} <= {*get_args(Cause)}
    assert {mend for cause in get_args(Cause) for mend in mends_for(cause)} == {*TITLES}


@pytest.mark.parametrize(
    ("cause", "mends"),
    [
        ("refused_key", ("key", "model", "offline")),
        ("unknown_model", ("model", "offline")),
        ("unreachable", ("again", "model", "offline")),
        ("", ("again", "model", "offline")),
    ],
)
def test_a_model_error_offers_what_fits_its_cause(cause: str, mends: tuple[Mend, ...]) -> None:
    ended = {"outcome": "model_error", "summary": "It failed.", "evidence": [], "cause": cause}

    assert offered(Event("ended", 1.0, ended)) == mends
    assert offered(RunRefused("It failed.", cause=cause)) == mends


def test_what_no_choice_mends_offers_nothing() -> None:
    assert offered(RunRefused("There is no workflow.")) == ()
    assert offered(Event("ended", 1.0, {"outcome": "failed", "summary": "It was blue.", "evidence": []})) == ()
