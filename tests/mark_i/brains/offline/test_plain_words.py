"""What people say plainly of what is typed: it is done with all of its words, or asked about as a whole."""

import json
from typing import Final

import pytest

from mark_i import Prompt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.following import read_goal
from mark_i.brains.offline.instructions import Check, Instruction, NotUnderstood, Press, Talk, Type
from tests.mark_i.brains.offline.plans import begun, written

ALL: Final = "Shopping, milk, bread, salt"
LIST: Final = (
    'open the text editor, type "Shopping", press enter, type "milk", press enter, type "bread", wait 20 seconds, '
    'press enter, type "salt", save it as list.txt'
)
PARTY: Final = (
    'open the text editor, type "Invite Anna, Ben and Carl", press enter, type "The party is on Monday at 7:30", '
    'press enter, type "Bring flowers", wait 20 seconds, save it as party.txt'
)
BILL: Final = (
    'open the text editor, type "Dear Mr Brown,", press enter, type "the total is 95 euros", press enter, '
    'type "Regards, Tom", wait 20 seconds, save it as brown.txt'
)


@pytest.mark.parametrize("done", [1, 5, 6])
@pytest.mark.parametrize(
    ("goal", "said", "changed"),
    [
        (PARTY, "drop Ben", ("Anna, Ben and Carl", "Anna and Carl")),
        (PARTY, "without Carl", ("Anna, Ben and Carl", "Anna and Ben")),
        (PARTY, "leave out Anna", ("Anna, Ben and Carl", "Ben and Carl")),
        (PARTY, "take Ben off the list", ("Anna, Ben and Carl", "Anna and Carl")),
        (PARTY, "delete on Monday", (" on Monday", "")),
        (PARTY, "make it 7:45", ("7:30", "7:45")),
        (PARTY, "it is on Tuesday", ("Monday", "Tuesday")),
        (PARTY, "on Sunday instead", ("Monday", "Sunday")),
        (PARTY, "the party is at 9 pm", ("7:30", "9 pm")),
        (PARTY, "change the time to 8:00", ("7:30", "8:00")),
        (BILL, "the total should be 99", ("95", "99")),
        (BILL, "it's 99 euros", ("95", "99")),
        (BILL, "Brown should be Browne", ("Brown", "Browne")),
        (BILL, "correct Brown to Browne", ("Brown", "Browne")),
        (BILL, "the name is spelled Browne", ("Brown", "Browne")),
        (LIST, "put Groceries on top", ("Shopping", "Groceries\nShopping")),
        (LIST, "actually write Groceries on top, not Shopping", ("Shopping", "Groceries")),
        (LIST, "skip the milk, its summer", ("milk\n", "")),
        (LIST, "add eggs and remove the bread", ("bread\nsalt", "salt\neggs")),
        (BILL, "write Max instead of Tom, and the total is 99", ("95 euros\nRegards, Tom", "99 euros\nRegards, Max")),
        (PARTY, "Sunday works better actually", ("Monday", "Sunday")),
        (BILL, "it must say 99 euros", ("95", "99")),
        (BILL, "make the 95 a 99", ("95", "99")),
        (BILL, "Mr Brown is called Browne", ("Brown", "Browne")),
        (LIST, "the butter comes after the milk", ("milk", "milk\nbutter")),
        (LIST, "forgot the butter, goes after milk", ("milk", "milk\nbutter")),
        (LIST, "towels are missing", ("salt", "salt\ntowels")),
        (LIST, "one more line at the end: pay rent", ("salt", "salt\npay rent")),
        (LIST, "put butter on the list, after the bread", ("bread", "bread\nbutter")),
        (PARTY, "the party is now at 9 not 7:30", ("7:30", "9")),
        (BILL, "add thanks a lot before the regards", ("Regards", "thanks a lot\nRegards")),
        (BILL, "it is Max, not Tom", ("Tom", "Max")),
        (LIST, "add apples and pears below", ("salt", "salt\napples\npears")),
        (LIST, "add the line pay the rent", ("salt", "salt\npay the rent")),
        (LIST, "eggs, flour and sugar as well", ("salt", "salt\neggs\nflour\nsugar")),
    ],
)
def test_a_plain_word_changes_the_text_and_nothing_else(
    goal: str, said: str, changed: tuple[str, str], done: int
) -> None:
    before = begun(done, goal)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(*changed)
    names = [one.content for one in after.every if isinstance(one, Type) and str(one.content).endswith(".txt")]
    assert names == [goal.rsplit(" ", maxsplit=1)[-1]]


@pytest.mark.parametrize("done", [1, 5, 6])
@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (LIST, "add a line about calling mum"),
        (LIST, "add a title"),
        (LIST, "add a few more things"),
        (LIST, "write Groceries on top, not milk"),
        (LIST, 'put "eggs" somewhere nice'),
        (BILL, "it is Max writing this, not Tom"),
        (BILL, "please write Browne with an e at the end"),
        (PARTY, "change Saturday to Sunday"),
        (LIST, "milk goes after bread"),
        (PARTY, "add Dora after Carl"),
        ('open the text editor, type "9:00 tea", press enter, type "9:30 cake", save it as a.txt', "make it 7:45"),
    ],
)
def test_words_that_tell_what_to_write_are_not_written(goal: str, said: str, done: int) -> None:
    before = begun(min(done, 3), goal)
    after = before.after(said)

    assert [text for text, _ in after.unclear] == [said]
    assert after.every == before.every


@pytest.mark.parametrize(
    ("goals", "text", "saves"),
    [
        ((LIST, "add eggs", "undo that"), "Shopping, milk, bread, salt", 0),
        ((LIST, "add eggs", "remove milk", "no, undo that please"), "Shopping, milk, bread, salt, eggs", 0),
        ((LIST, "add eggs", "remove milk", "undo that", "undo that"), "Shopping, milk, bread, salt", 0),
        ((LIST, "change milk to oat milk and save it", "undo that and save it"), "Shopping, milk, bread, salt", 1),
        ((LIST, "add eggs", "undo that and add ham instead"), "Shopping, milk, bread, salt, ham", 0),
        ((LIST, "add eggs", "undo that", "add ham"), "Shopping, milk, bread, salt, ham", 0),
        ((LIST, "remove milk, bread and salt"), "Shopping", 0),
        ((LIST, "take out milk and bread and save"), "Shopping, salt", 1),
        ((LIST, 'write "eggs" at the bottom'), "Shopping, milk, bread, salt, eggs", 0),
        ((LIST, "add a line: 4. buy a present"), "Shopping, milk, bread, salt, 4. buy a present", 0),
        ((LIST, "the bread is there already, scratch that one"), "Shopping, milk, salt", 0),
        ((LIST, "add a line at the top that says Hello all"), "Hello all, Shopping, milk, bread, salt", 0),
        ((LIST, "add a line at the bottom saying bye"), "Shopping, milk, bread, salt, bye", 0),
        ((LIST, "add a phone charger and a hat", "take the hat out again, then save"), f"{ALL}, phone charger", 1),
        ((LIST, "write eggs below"), "Shopping, milk, bread, salt, eggs", 0),
        (('open the text editor, type "hello Tom"', "say goodbye instead of hello"), "goodbye Tom", 0),
    ],
)
def test_a_follow_up_does_what_it_says(goals: tuple[str, ...], text: str, saves: int) -> None:
    every, given = list[Instruction](), read_goal(goals[0], [])
    for at, goal in enumerate(goals):
        given = read_goal(goal, goals[:at])
        assert not [one for one in given if isinstance(one, NotUnderstood)]
        every += [one for one in given if not isinstance(one, NotUnderstood | Check | Talk)]

    assert written(Remaining(every, 0)).split("\n") == text.split(", ")
    assert [one.keys for one in given if isinstance(one, Press)].count("ctrl+s") == saves


@pytest.mark.parametrize("done", [10, 11])
def test_a_file_that_is_renamed_while_its_dialog_is_open_is_no_text(done: int) -> None:
    after = begun(done, LIST).after("call the file food.txt")

    assert not after.unclear
    assert after.phrases()[-1] == 'save it as "food.txt"'
    assert "list.txt" not in " ".join(after.phrases())
    assert written(Remaining([*after.every], len(after.every)).after("remove salt")).endswith("bread")


def test_undo_after_a_word_that_was_not_followed_undoes_nothing() -> None:
    asked = begun(6, LIST).after("the socks come first, before all")
    after = asked.after("no wait, undo that")

    assert asked.unclear
    assert after.every == asked.every


def test_what_cannot_be_undone_is_told() -> None:
    [unclear] = read_goal("undo that", [LIST, "save it"])

    assert isinstance(unclear, NotUnderstood)


def test_a_save_says_politely_how_the_file_is_called() -> None:
    given = read_goal("save a copy as c.txt please", [LIST])

    assert [one.content for one in given if isinstance(one, Type)] == ["c.txt"]


def test_what_is_not_understood_is_told_with_what_can_be_changed() -> None:
    reply = OfflineBrain.following([LIST]).think(Prompt("", "towels, my dear", ""))
    reason = json.loads(reply.text)["action"]["args"]["question"]

    assert reason.startswith('I do not understand "towels". I do not understand "my dear". Nothing was done.')
    assert "open, click" not in reason


@pytest.mark.parametrize("said", ["this time as c.txt", "save it as c.txt in ~/notes", "as c.txt"])
def test_a_text_is_saved_under_another_name(said: str) -> None:
    given = read_goal(said, [LIST])

    assert [one.content for one in given if isinstance(one, Type)] == ["~/notes/c.txt" if "~" in said else "c.txt"]
