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


def test_a_text_that_is_only_read_in_another_way_need_not_be_seen_again() -> None:
    def seen(appeared: str, vanished: str) -> tuple[str, ...]:
        change = ScreenChange(changed=True, regions=(LINE,), appeared=(appeared,), vanished=(vanished,))
        step = Step(1, Thought(""), Action("press", {"keys": "ctrl+s"}), Observation(ok=True, text="", screen=change))
        return compiling._effect(step, change, on="").seen

    assert seen("list.tx x", "*list.txt X") == ()
    assert seen("It was sent", "It is sent") == ("It was sent",)
