"""First goals of people who never used it: done as they mean, answered, or refused with an example that works."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from mark_i.brain import Prompt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.instructions import Instruction, NotUnderstood, example_for, parse_instructions
from mark_i.replies import parse
from world_model import Action

GOALS = [
    goal
    for goals in tomllib.loads(Path(__file__).with_name("first_goals.toml").read_text("utf-8")).values()
    for goal in goals
]


def said(*, holding: str) -> list[Any]:
    return [pytest.param(goal["say"], goal[holding], id=goal["say"]) for goal in GOALS if holding in goal]


def meant(goal: str) -> list[Instruction | NotUnderstood]:
    return [replace(one, text="") for one in parse_instructions(goal)]


def first_action(goal: str) -> Action:
    return parse(OfflineBrain().think(Prompt("", goal, "")).text).action


def is_understood(goal: str) -> bool:
    found = parse_instructions(goal)
    return bool(found) and not any(isinstance(one, NotUnderstood) for one in found)


@pytest.mark.parametrize(("goal", "does"), said(holding="does"))
def test_a_goal_that_names_its_means_is_understood(goal: str, does: list[str]) -> None:
    plain = [one for instruction in does for one in meant(instruction)]

    assert meant(goal) == plain
    assert is_understood(goal)


@pytest.mark.parametrize(("goal", "refused"), said(holding="refused"))
def test_what_asks_for_more_is_refused_with_an_example(goal: str, *, refused: bool) -> None:
    action = first_action(goal)
    example = action.args["reason"].partition("Say for example: ")[2]

    assert (action.tool == "fail") is refused
    assert is_understood(example)
    assert any(len(word) > 1 and word in example.lower() for word in goal.lower().strip("?.!").split())


@pytest.mark.parametrize(
    ("goal", "same"),
    [
        (
            "Write a note with these lines: call Tom, water the plants and save it as monday.txt",
            'open the text editor, type "call Tom", press enter, type "water the plants", save it as monday.txt',
        ),
        ("please write a note: call mum at 5, buy milk", 'open the text editor, type "call mum at 5, buy milk"'),
        (
            "make a shopping list:\n- milk\n- eggs\nthen save it as list.txt",
            'open the text editor, type "- milk", press enter, type "- eggs", save it as list.txt',
        ),
        (
            "write a letter to Anna: I'm ill. See you. Save it as anna.txt and close the editor",
            'open the text editor, type "I\'m ill. See you", save it as anna.txt, close the editor',
        ),
        (
            "I need a packing list for the weekend: socks, a tent. Save it as pack.txt",
            'open the text editor, type "socks", press enter, type "a tent", save it as pack.txt',
        ),
        ("note down: dentist at 9:30, school at 8:00", 'open the text editor, type "dentist at 9:30, school at 8:00"'),
        ("new note: call the plumber", 'open the text editor, type "call the plumber"'),
        (
            "Write the following in the editor:\nDear all,\nwe meet on Monday.\nand save it under meet.txt",
            'open the text editor, type "Dear all,", press enter, type "we meet on Monday.", save it as meet.txt',
        ),
        (
            "open mousepad and write this text:\nDear all,\nBest, Kim",
            'open mousepad, type "Dear all,", press enter, type "Best, Kim"',
        ),
        ("write a note: save the date", 'open the text editor, type "save the date"'),
    ],
)
def test_a_text_is_written_whose_words_follow_a_colon(goal: str, same: str) -> None:
    assert meant(goal) == meant(same)
    assert is_understood(goal)


def test_what_an_instruction_starts_with_is_told_once() -> None:
    told = first_action("book a flight, then print the ticket").args["reason"]

    assert told.startswith(
        'I do not understand "book a flight": an instruction cannot start with "book"; I understand '
    )
    assert 'check and close. I do not understand "print the ticket". Nothing was done.' in told


@pytest.mark.parametrize(
    ("goal", "example"),
    [
        (
            "make a shopping list with milk, eggs and bread",
            'open the text editor, type "milk", press enter, type "eggs", press enter, type "bread"',
        ),
        ("write a letter to Anna that I cannot come", 'open the text editor, type "I cannot come"'),
        (
            "please make me a to-do list with call mum, pay rent and save it as todo.txt",
            'open the text editor, type "call mum", press enter, type "pay rent", then save it as todo.txt',
        ),
        (
            "put eggs and flour on a list called cake.txt",
            'open the text editor, type "eggs", press enter, type "flour", then save it as cake.txt',
        ),
        (
            "create a file hello.txt with the words good morning",
            'open the text editor, type "good morning", then save it as hello.txt',
        ),
        (
            'Text editor: "Groceries", new line, "apples". save as g.txt',
            'open the text editor, type "Groceries", press enter, type "apples", then save it as g.txt',
        ),
        (
            "write Dear Sam, thanks for the flowers. Love, Jo. Save as thanks.txt",
            'open the text editor, type "Dear Sam, thanks for the flowers. Love, Jo", then save it as thanks.txt',
        ),
        (
            "invite Anna and Ben to dinner on Friday, save it as invite.txt",
            'open the text editor, type "invite Anna and Ben to dinner on Friday", then save it as invite.txt',
        ),
        (
            "write down three things: keys, phone. one per line. file: leave.txt",
            'open the text editor, type "keys", press enter, type "phone", then save it as leave.txt',
        ),
        ("make me a list", 'open the text editor, type "Hello"'),
        (
            "copy a.txt to b.txt",
            'click "a.txt", press ctrl+c, double-click "b.txt", press ctrl+v',
        ),
        ("take a screenshot and save it as s.png", "press printscreen, then save it as s.png"),
        ("remind me to call mum", 'open the text editor, type "call mum"'),
        ("create a folder called Taxes", "open a terminal and run mkdir Taxes"),
        ("add 5 and 7", 'open the calculator, type "5+7" and press enter'),
        ("make the text bigger", "zoom in"),
        ("show me my files", "open the file manager"),
        (
            "open a text editor and write: We meet at ten. Please bring your laptop. Then save it as meeting.txt",
            'open a text editor and write "We meet at ten. Please bring your laptop", then save it as meeting.txt',
        ),
        ("open mousepad and type the following: Milk, bread", 'open mousepad and type "Milk, bread"'),
        ("tidy up my desktop", 'open the browser, type "tidy up my desktop" and press enter'),
    ],
)
def test_an_example_makes_sense(goal: str, example: str) -> None:
    assert first_action(goal).args["reason"].endswith(f"Say for example: {example}")


@pytest.mark.parametrize(("goal", "part"), said(holding="answered"))
def test_what_is_said_to_the_program_is_answered_at_once(goal: str, part: str) -> None:
    action = first_action(goal)

    assert (action.tool, action.args["kind"]) == ("finish", "answer")
    assert part in action.args["summary"]


WORDS = sorted({word for goal in GOALS for word in goal["say"].split()})


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join))
def test_every_refusal_has_an_example_that_is_understood(goal: str) -> None:
    instructions = parse_instructions(goal)

    assert all(is_understood(one.example) for one in instructions if isinstance(one, NotUnderstood))
    assert is_understood(example_for(goal, instructions))
