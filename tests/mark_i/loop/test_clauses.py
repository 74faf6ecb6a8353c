"""Where one part of a goal ends and the next begins."""

import pytest

from mark_i.loop.goal_words import clauses


@pytest.mark.parametrize(
    ("goal", "parts"),
    [
        ("open it and save it. Then close it", ["open it", "save it", "Then close it"]),
        ('type "Ham and eggs. Tea" and press enter', ['type "Ham and eggs. Tea"', "press enter"]),
        ("open /home/y/e/and.txt y save it", ["open /home/y/e/and.txt", "save it"]),
        ("open a/en-e/b; go on", ["open a/en-e/b", "go on"]),
        ("schreibe 'Salz und Brot' und drücke Enter", ["schreibe 'Salz und Brot'", "drücke Enter"]),
        ("don't save it and don't close it", ["don't save it", "don't close it"]),
        (" and ", []),
    ],
)
def test_a_goal_is_divided_where_its_parts_end(goal: str, parts: list[str]) -> None:
    assert clauses(goal) == parts
