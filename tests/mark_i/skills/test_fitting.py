"""What a step must have brought about, as it is read again on another screen."""

import pytest

from mark_i.skills.fitting import missing
from mark_i.skills.skill import Effect
from toolbelt.ocr import Line
from world_model import Action, Observation, Region, Step, Thought


@pytest.mark.parametrize(("shown", "faults"), [("list.txt x", 0), ("list.tx x", 0), ("lost.txt", 1)])
def test_a_text_is_seen_again_even_if_a_letter_is_read_in_another_way(shown: str, faults: int) -> None:
    step = Step(1, Thought(""), Action("press", {"keys": "ctrl+s"}), Observation(ok=True, text=""))

    told = list(missing(Effect(seen=("list.tx x",)), step, [], lambda: (Line(shown, Region(0, 0, 50, 10)),)))

    assert len(told) == faults


def test_another_word_is_not_the_text_that_must_be_seen() -> None:
    step = Step(1, Thought(""), Action("press", {"keys": "ctrl+s"}), Observation(ok=True, text=""))

    told = list(missing(Effect(seen=("Saved",)), step, [], lambda: (Line("Save", Region(0, 0, 50, 10)),)))

    assert told == ['"Saved" is not on the screen.']
