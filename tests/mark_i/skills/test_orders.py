"""A goal in plain words orders a skill and gives its parameters their values; any other goal is left alone."""

from pathlib import Path

import pytest

from mark_i.skills.order_words import in_words
from mark_i.skills.orders import ordered
from mark_i.skills.skill import Parameter, Skill, SkillStep

STEP = SkillStep(does="Press f1", tool="press", args={"keys": "f1"})


def skill(name: str, *parameters: Parameter, goal: str = "g", description: str = "") -> tuple[Skill, Path]:
    made = Skill(name=name, goal=goal, description=description, parameters=parameters, steps=(STEP,))
    return made, Path(name)


EXPENSES = skill(
    "expense-report",
    Parameter(name="month", example="May"),
    goal="file what I spent in {month}",
    description="Write the monthly expenses",
)
LETTER = skill(
    "letter", Parameter(name="text", example="Hi"), Parameter(name="file_name", example="a.txt", type="path")
)
MEETING = skill(
    "meeting",
    Parameter(name="day", type="date", example="2026-01-02"),
    Parameter(name="people", type="number", example="3"),
    Parameter(name="about", example="x"),
)
DAILY, XTERM = skill("daily"), skill("xterm")
SKILLS = [EXPENSES, LETTER, MEETING, DAILY, XTERM]


@pytest.mark.parametrize(
    ("goal", "name", "values"),
    [
        ("do the expense report for October", "expense-report", {"month": "October"}),
        ("Please do my Expense Report again for October.", "expense-report", {"month": "October"}),
        ("run expense-report with month October", "expense-report", {"month": "October"}),
        ('run the skill expense-report with month = "June and July"', "expense-report", {"month": "June and July"}),
        ("expense report for October", "expense-report", {"month": "October"}),
        ("write the monthly expenses for October", "expense-report", {"month": "October"}),
        ("file what I spent in March", "expense-report", {"month": "March"}),
        ("do the expense report", "expense-report", {}),
        ("run daily", "daily", {}),
        ("daily", "daily", {}),
        ("run xterm", "xterm", {}),
        (
            'run letter with text "Dear Ann, and all" and file name /tmp/a.txt',
            "letter",
            {"text": "Dear Ann, and all", "file_name": "/tmp/a.txt"},
        ),
        ("do letter: text is log on, file_name: b.txt", "letter", {"text": "log on", "file_name": "b.txt"}),
        ("use meeting on 2026-03-04 with 5", "meeting", {}),
        ("use meeting on 2026-03-04, 5", "meeting", {"day": "2026-03-04", "people": "5"}),
        ("run meeting with about the weather", "meeting", {"about": "the weather"}),
    ],
)
def test_a_goal_orders_a_skill_with_values(goal: str, name: str, values: dict[str, str]) -> None:
    [order] = ordered(goal, SKILLS)

    assert (order.skill.name, order.values) == (name, values)
    assert bool(order.unclear) == (goal == "use meeting on 2026-03-04 with 5")


@pytest.mark.parametrize(
    "goal",
    [
        "open xterm",
        "click on daily",
        "open the text editor",
        "run the letters",
        "do the expense reports of all years",
        "letters",
        "thanks",
        'open the text editor, type "daily" and press enter',
    ],
)
def test_any_other_goal_is_left_alone(goal: str) -> None:
    assert ordered(goal, SKILLS) == []


def test_two_skills_of_one_name_are_both_meant() -> None:
    found = ordered("do the expense report for May", [EXPENSES, skill("expense_report", EXPENSES[0].parameters[0])])

    assert [one.skill.name for one in found] == ["expense-report", "expense_report"]


def test_a_parameter_that_is_given_twice_is_unclear() -> None:
    [order] = ordered("run letter with text the text is short", SKILLS)

    assert order.unclear == "text is there twice: put quotation marks around the values."


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"text": 'He said "no", twice', "file_name": "/tmp/a b.txt"},
        {"text": "text is two\nlines, and file_name", "file_name": "C:\\x\\"},
    ],
)
def test_an_order_in_words_is_read_back(values: dict[str, str]) -> None:
    [order] = ordered(in_words("letter", values), SKILLS)

    assert (order.values, order.unclear) == (values, "")
