"""What is typed already can be corrected like what is still to be typed, wherever it stands."""

from dataclasses import replace
from typing import Final

import pytest

from mark_i.brains.offline.corrections.written import SEVERAL
from tests.mark_i.brains.offline.plans import begun, written

SHOPPING: Final = (
    'open the text editor, type "milk", press enter, type "bread", press enter, wait 10 seconds, '
    'type "eggs", press enter, type "salt", save it as list.txt'
)


@pytest.mark.parametrize(
    ("said", "done", "lines"),
    [
        ("change milk to oat milk", 5, "oat milk, bread, eggs, salt"),
        ("change milk to oat milk", 8, "oat milk, bread, eggs, salt"),
        ("not milk, oat milk", 8, "oat milk, bread, eggs, salt"),
        ("make it brown bread instead of bread", 6, "milk, brown bread, eggs, salt"),
        ("the milk should be oat milk", 8, "oat milk, bread, eggs, salt"),
        ("the first line should be oat milk", 8, "oat milk, bread, eggs, salt"),
        ("the second line should say rye bread", 8, "milk, rye bread, eggs, salt"),
        ("the third line should say 6 eggs", 5, "milk, bread, 6 eggs, salt"),
        ("change the next line to cheese", 5, "milk, bread, cheese, salt"),
        ("milk is wrong, it should be oat milk", 5, "oat milk, bread, eggs, salt"),
        ("Wait, I meant brown bread", 5, "milk, brown bread, eggs, salt"),
        ("I meant two eggs", 5, "milk, bread, two eggs, salt"),
        ("delete the milk", 8, "bread, eggs, salt"),
        ("remove the first line", 8, "bread, eggs, salt"),
        ("no milk please", 8, "bread, eggs, salt"),
        ("swap eggs and salt", 5, "milk, bread, salt, eggs"),
        ("eggs and salt should be swapped", 5, "milk, bread, salt, eggs"),
        ("put salt before eggs", 5, "milk, bread, salt, eggs"),
        ("don't forget the sugar", 5, "milk, bread, eggs, salt, sugar"),
        ("don't forget the eggs", 5, "milk, bread, eggs, salt"),
        ("the milk was right", 5, "milk, bread, eggs, salt"),
    ],
)
def test_any_line_can_be_corrected(said: str, done: int, lines: str) -> None:
    after = begun(done, SHOPPING).after(said)

    assert not after.unclear
    assert written(after).split("\n") == lines.split(", ")
    assert after.left()[-1] == "save it as list.txt"


@pytest.mark.parametrize(
    ("first", "then", "lines"),
    [
        ("change milk to oat milk", "undo that", "milk, bread, eggs, salt"),
        ("change milk to oat milk", "milk was right after all", "oat milk, bread, eggs, salt"),
        ("change bread to cheese", "no sorry, bread was right", "milk, bread, eggs, salt"),
        ("delete the milk", "keep the milk after all", "milk, bread, eggs, salt"),
        ("delete the milk", "change bread to rye bread", "rye bread, eggs, salt"),
        ("change bread to rye bread", "change milk to oat milk", "oat milk, rye bread, eggs, salt"),
    ],
)
@pytest.mark.parametrize("steps", [0, 1, 3])
def test_a_corrected_line_can_be_corrected_again(first: str, then: str, lines: str, steps: int) -> None:
    before = begun(5, SHOPPING).after(first)
    done = min(before.done + steps, len(before.every) - 5)
    after = replace(before, done=done).after(then)

    assert not after.unclear
    assert written(after).split("\n") == lines.split(", ")


SENT: Final = 'type "hello", press enter, type "bye", press enter, wait 9 seconds, press f5'
FORM: Final = 'type "Ada" into Name, press enter, type "bye", press enter, press ctrl+s'
TWICE: Final = 'type "tea", press enter, type "tea with sugar", press enter, type "weak tea", press ctrl+s'


@pytest.mark.parametrize(
    ("said", "goal", "why"),
    [
        ("change hello to goodbye", SENT, "it was done before you said so"),
        ("change Ada to Eve", FORM, "it was done before you said so"),
        ("change sugar or tea to milk", TWICE, "it is neither in the text nor left to do"),
        ("replace with by without", TWICE, ""),
        ("change tea to milk", 'type "tea and tea", press enter, type "x", press enter, wait 9 seconds, save', SEVERAL),
        ("change the last line to milk", "press f1, press f2, press f3, press f4, press f5", "there is no such line"),
        ("change the ninth line to milk", TWICE, "there is no such line"),
        ("change the last line to milk", SHOPPING, 'it could mean "bread" or "salt"'),
    ],
)
def test_a_line_that_may_be_sent_or_is_not_clear_is_asked_about(said: str, goal: str, why: str) -> None:
    before = begun(4, goal)
    after = before.after(said)

    assert [reason for _, reason in after.unclear] == ([why] if why else [])
    assert (after.every == before.every) == bool(why)


PACKING: Final = (
    'open the text editor, type "hiking boots", press enter, type "rain jacket", press enter, type "map", press enter, '
    'wait 20 seconds, type "swimsuit", press enter, type "towel", save it as packing.txt'
)
LETTER: Final = (
    'open the text editor, type "Dear Mr. Miller,", press enter, type "we meet on June 14, at 3 pm.", press enter, '
    'type "1. buy bread", press enter, wait 20 seconds, type "Please water the roses every day.", press enter, '
    'type "Thanks", save it as letter.txt'
)


@pytest.mark.parametrize(
    ("goal", "said", "changed"),
    [
        (PACKING, "put warm socks right after the hiking boots", ("hiking boots", "hiking boots\nwarm socks")),
        (PACKING, "add the tent before the map", ("map", "tent\nmap")),
        (PACKING, "add the tent after the map", ("map", "map\ntent")),
        (PACKING, "swap map and rain jacket", ("rain jacket\nmap", "map\nrain jacket")),
        (PACKING, "we won't need the swimsuit, leave it out", ("swimsuit\n", "")),
        (LETTER, "change Mr. Miller to Mrs. Miller", ("Mr. Miller", "Mrs. Miller")),
        (LETTER, "the party starts at 4, not at 3", ("at 3", "at 4")),
        (LETTER, "water the roses every second day instead of every day", ("every day", "every second day")),
        (LETTER, "remove the bread", ("1. buy bread\n", "")),
        (LETTER, "delete the line with the bread", ("1. buy bread\n", "")),
        (LETTER, 'take back "1. buy bread"', ("1. buy bread\n", "")),
    ],
)
def test_what_is_said_in_a_sentence_changes_only_what_is_meant(goal: str, said: str, changed: tuple[str, str]) -> None:
    before = begun(7, goal)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(*changed)
    assert "wait 20 seconds" in after.left()


@pytest.mark.parametrize("said", ["leave it out", "ok, forget it, just continue", "don't do that"])
def test_a_wait_is_not_what_is_left_out_by_a_word_that_points_at_nothing(said: str) -> None:
    before = begun(7, PACKING)
    after = before.after(said)

    assert after.unclear
    assert after.every == before.every


OPENING: Final = (
    'open the text editor, type "Dear Mr. Miller,", press enter, type "we open at 9", press enter, '
    'type "Best wishes", save it as letter.txt'
)
TASKS: Final = (
    'open the text editor, type "pay the rent", press enter, type "feed the cat", press enter, '
    'type "call Anna", save it as todo.txt'
)


@pytest.mark.parametrize("done", [1, 2, 3, 4, 6])
@pytest.mark.parametrize(
    ("goal", "said", "lines"),
    [
        (OPENING, "she is Mrs. Miller, fix that in the first line", "Dear Mrs. Miller,|we open at 9|Best wishes"),
        (OPENING, "it's Mrs. Miller, fix that please", "Dear Mrs. Miller,|we open at 9|Best wishes"),
        (OPENING, "it is 10, fix that", "Dear Mr. Miller,|we open at 9|Best wishes"),  # asked about: instead of what
        (
            OPENING,
            "also mention that the shop closes at 6",
            "Dear Mr. Miller,|we open at 9|the shop closes at 6|Best wishes",
        ),
        (
            OPENING,
            "at the end mention that the shop closes at 6",
            "Dear Mr. Miller,|we open at 9|the shop closes at 6|Best wishes",
        ),
        (OPENING, "and sugar please", "Dear Mr. Miller,|we open at 9|Best wishes"),  # asked about: it is no list
        (SHOPPING, "and sugar please", "milk|bread|eggs|salt|sugar"),
        (SHOPPING, "sugar as well", "milk|bread|eggs|salt|sugar"),
        (SHOPPING, "and faster please", "milk|bread|eggs|salt"),  # asked about
        (TASKS, "I already paid the rent, you can take that one off the list", "feed the cat|call Anna"),
        (TASKS, "the cat is fed, take that off the list", "pay the rent|call Anna"),
    ],
)
def test_what_is_meant_is_written_and_never_the_words_themselves(goal: str, said: str, lines: str, done: int) -> None:
    after = begun(done, goal).after(said)

    assert written(after).split("\n") == lines.split("|")
    assert bool(after.unclear) is (written(after) == written(begun(done, goal)))


SIGNED: Final = (
    'open the text editor, type "Dear Ben,", press enter, press enter, type "we open at 9", press enter, '
    'press enter, type "{}", press enter, type "Ada", press enter, type "Head of Sales", save it as letter.txt'
)


@pytest.mark.parametrize("done", [1, 4, 5, 8, 9, 11, 12])
@pytest.mark.parametrize("closing", ["Best regards,", "Mit freundlichen Grüßen", "Thanks again!", "Love, Ada"])
def test_a_sentence_goes_before_the_closing_of_a_letter(closing: str, done: int) -> None:
    after = begun(done, SIGNED.format(closing)).after("mention that the shop closes at 6")

    assert not after.unclear
    assert written(after).split("\n") == [
        *("Dear Ben,", "", "we open at 9", "the shop closes at 6", "", closing, "Ada", "Head of Sales"),
    ]


@pytest.mark.parametrize(
    ("goal", "lines"),
    [
        (TASKS, ["pay the rent", "feed the cat", "call Anna", "the shop closes at 6"]),
        (TASKS.replace("pay the rent", "Thanks"), ["Thanks", "feed the cat", "call Anna", "the shop closes at 6"]),
        (TASKS.replace("feed the cat", "best of all it rains"), ["pay the rent", "best of all it rains", "call Anna"]),
    ],
)
def test_a_text_without_a_closing_gets_the_sentence_at_its_end(goal: str, lines: list[str]) -> None:
    after = begun(4, goal).after("mention that the shop closes at 6")

    assert written(after).split("\n") == [*dict.fromkeys([*lines, "the shop closes at 6"])]


@pytest.mark.parametrize(
    ("goal", "said", "is_to_come"),
    [
        (SHOPPING, "just save it", True),
        (SHOPPING, "save it please", True),
        (SHOPPING, "and save it at the end", True),
        (SHOPPING, "save it now", False),
        (f"{SHOPPING}, close the text editor", "close the text editor", True),
        (SHOPPING, "close the text editor", False),
        (SHOPPING, "press enter", False),
        ('type "a", press ctrl+s, type "b"', "and save it at the end", False),
    ],
)
def test_what_is_still_to_do_is_not_done_twice(goal: str, said: str, *, is_to_come: bool) -> None:
    before = begun(1, goal)
    after = before.after(said)

    assert not after.unclear
    assert after.is_to_come is is_to_come
    assert (after.every == before.every) is is_to_come
