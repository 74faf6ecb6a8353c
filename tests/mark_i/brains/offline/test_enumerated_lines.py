"""A goal can give the lines of a text in quotes, one after the other."""

import pytest

from mark_i.brains.offline.instructions import NotUnderstood, parse_instructions
from tests.mark_i.brains.offline.plans import begun, written


@pytest.mark.parametrize(
    "goal",
    [
        'write the three lines "Shopping for Monday", "30 eggs" and "Call Anna"',
        'type 3 lines: "Shopping for Monday", "30 eggs", and "Call Anna"',
        "write the lines “Shopping for Monday”, “30 eggs” and “Call Anna” and save it as list.txt",
    ],
)
def test_each_quoted_text_is_a_line(goal: str) -> None:
    given = parse_instructions(f"open the text editor, {goal}")

    assert not any(isinstance(one, NotUnderstood) for one in given)
    assert written(begun(0, f"open the text editor, {goal}")) == "Shopping for Monday\n30 eggs\nCall Anna"


@pytest.mark.parametrize("goal", ['write the two lines "a", "b" and "c"', 'type the lines "a" and "b" into Notes'])
def test_another_number_of_lines_or_a_field_is_not_guessed(goal: str) -> None:
    assert any(isinstance(one, NotUnderstood) for one in parse_instructions(goal))


def test_an_example_keeps_each_quoted_text_by_itself() -> None:
    [first] = [one for one in parse_instructions('press f5, "b" and "c"') if isinstance(one, NotUnderstood)]

    assert first.example == 'type "b", press enter, type "c"'
