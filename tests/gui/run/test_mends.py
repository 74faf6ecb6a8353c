"""What the card of a run that ended early offers, as values."""

import functools
from typing import get_args

import pytest

from gui.kit.texts import without_options
from gui.run.mends import KEY, MODEL, TITLES, Mend, mends_for
from gui.run.messages import Message, RunRefused, RunStarted
from gui.run.state import EndCard, RunState
from gui.run.update import reduce
from mark_i import Event
from mark_i.brains import faults
from mark_i.brains.faults import ADDRESS, OFFLINE, OTHER_MODEL, Cause, Meaning


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


@pytest.mark.parametrize("meaning", [one for one in vars(faults).values() if isinstance(one, Meaning)])
def test_what_went_wrong_with_a_model_is_told_without_options_of_the_command_line(meaning: Meaning) -> None:
    text = meaning.text.replace("{other}", OTHER_MODEL).replace("{offline}", OFFLINE).replace("{address}", ADDRESS)

    for told in (text, f"{text} (It said: `--x`)"):
        assert "--" not in without_options(told).partition("(It said")[0]
    assert without_options("The key (`a`) was refused (401).") == "The key was refused (401)."


def test_a_card_that_offers_to_mend_names_no_options() -> None:
    told = f"Check {ADDRESS}; or {OFFLINE}."
    ended = {"outcome": "model_error", "summary": told, "evidence": [], "cause": "late"}
    for message in (Event("ended", 1.0, ended), RunRefused(told, cause="late")):
        *_, card = functools.reduce(reduce, (RunStarted("Say it"), message), RunState()).cards
        assert isinstance(card, EndCard)
        assert card.text == "Check the address if you gave one; or work without a model."
