"""What a step of a run brought about becomes what the skill insists on; what a caret does is nothing to insist on."""

import pytest

from mark_i.skills import compiling
from world_model import Action, Observation, Region, ScreenChange, Step, Thought

CARET, LINE = Region(294, 317, 1, 15), Region(294, 317, 80, 15)


@pytest.mark.parametrize(("regions", "changed"), [((CARET,), [False]), ((CARET, LINE), [True]), ((), [False])])
def test_only_a_change_that_is_larger_than_a_caret_must_come_again(
    regions: tuple[Region, ...], changed: list[bool]
) -> None:
    change = ScreenChange(changed=bool(regions), regions=regions)
    step = Step(1, Thought(""), Action("press", {"keys": "ctrl+end"}), Observation(ok=True, text="", screen=change))

    assert [compiling._effect(step, change, on="").changed] == changed
