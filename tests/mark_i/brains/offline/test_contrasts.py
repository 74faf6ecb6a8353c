"""What people say of a text in everyday words: what something is not, what is to go, and that a change was wrong."""

from typing import Final

import pytest

from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.following import read_goal
from mark_i.brains.offline.instructions import Check, Close, DialogClosed, Instruction, NotUnderstood, Press, Talk
from tests.mark_i.brains.offline.plans import begun, written

LETTER: Final = (
    'open the text editor, type "Dear Ms Okafor", press enter, type "we need 5 tables", press enter, '
    'type "and 40 chairs", save it as list.txt'
)
OFFICE: Final = (
    'open the text editor, type "pens", press enter, type "2 boxes of staples", press enter, type "paper", '
    "save it as office.txt"
)
ORDER: Final = 'open the text editor, type "Please order pens, staples and paper for the office.", save it as o.txt'


def done_in_turn(*goals: str) -> list[Instruction]:
    """All that a conversation does."""
    every = list[Instruction]()
    for at, goal in enumerate(goals):
        given = read_goal(goal, goals[:at])
        assert not [one for one in given if isinstance(one, NotUnderstood)], given
        every += [one for one in given if not isinstance(one, NotUnderstood | Check | Talk)]
    return every


def text_after(*goals: str) -> str:
    """The text once a conversation is over."""
    return written(Remaining(done_in_turn(*goals), 0)).replace("\n", ", ")


def refusal(*goals: str) -> str:
    """Why the last goal of a conversation cannot be followed."""
    [unclear] = read_goal(goals[-1], goals[:-1])
    assert isinstance(unclear, NotUnderstood)
    return unclear.reason


@pytest.mark.parametrize(
    "said",
    [
        "her name isn't Okafor, it's Okonkwo",
        "her name isn't Okafor it's Okonkwo",
        "her name is not Okafor but Okonkwo",
        "it isn't Okafor, it's Okonkwo",
        "she isn't called Okafor, she is called Okonkwo",
        "no, the name isn't Okafor. It's Okonkwo",
        "it is called Okonkwo, not Okafor",
    ],
)
def test_what_a_name_is_not_gives_way_to_what_it_is(said: str) -> None:
    assert text_after(LETTER, said) == "Dear Ms Okonkwo, we need 5 tables, and 40 chairs"


@pytest.mark.parametrize(
    "said",
    [
        "it's 7 tables, not 5",
        "there are 7 tables, not 5",
        "we need 7 tables, not 5",
        "there aren't 5 tables, there are 7",
        "we don't need 5 tables, we need 7",
        "the tables aren't 5, they're 7",
        'change 5 to "7 tables"',
    ],
)
def test_a_noun_is_not_doubled_by_its_new_number(said: str) -> None:
    assert text_after(LETTER, said) == "Dear Ms Okafor, we need 7 tables, and 40 chairs"


@pytest.mark.parametrize("said", ["it's 7 chairs, not 5", 'change 5 to "7 chairs"'])
def test_a_number_with_another_noun_is_asked_about(said: str) -> None:
    assert refusal(LETTER, said) == 'it does not say what becomes of "tables"; say: change "5 tables" to "7 chairs"'
    assert "we need 7 chairs," in text_after(LETTER, 'change "5 tables" to "7 chairs"')


@pytest.mark.parametrize("said", ["her name isn't Smith, it's Okonkwo", "drop the pepper", "take the pepper out"])
def test_what_no_text_has_is_said_so(said: str) -> None:
    assert refusal(LETTER, said) == "no text that I typed has that"


def test_words_that_stand_otherwise_in_a_sentence_do_not_replace_it() -> None:
    goal = 'open the text editor, type "Dear Ms Okafor, we need 5 tables and 40 chairs.", save it as l.txt'

    assert 'the words "5 chairs" do not stand so in' in refusal(goal, "it's 7 tables not 5 chairs")


def test_what_may_be_the_file_or_a_line_is_asked_about() -> None:
    goal = 'open the text editor, type "Notes", save it as notes.txt'

    assert refusal(goal, "it is called Notes2, not Notes") == 'it could mean the file, or "Notes"'


@pytest.mark.parametrize("said", ["it is called list2, not list", "the file isn't list.txt, it's list2.txt"])
def test_a_file_that_is_called_otherwise_is_saved_under_that_name(said: str) -> None:
    assert [one.file for one in read_goal(said, [LETTER]) if isinstance(one, DialogClosed)] == ["list2.txt"]


@pytest.mark.parametrize(
    ("goal", "said", "text"),
    [
        (OFFICE, "drop the staples", "pens, paper"),
        (OFFICE, "take the staples out", "pens, paper"),
        (OFFICE, "remove the word staples", "pens, paper"),
        (ORDER, "leave out the staples", "Please order pens and paper for the office."),
        (ORDER, "remove the word staples", "Please order pens and paper for the office."),
        (ORDER, 'delete the words "for the office"', "Please order pens, staples and paper."),
    ],
)
def test_only_what_is_named_is_left_out(goal: str, said: str, text: str) -> None:
    assert text_after(goal, said) == text


def test_that_line_is_the_one_that_was_changed_last() -> None:
    assert text_after(OFFICE, "add glue", "take that line out") == "pens, 2 boxes of staples, paper"
    assert text_after(OFFICE, "change pens to ink", "save it", "remove that line") == "2 boxes of staples, paper"
    assert refusal(OFFICE, "take that line out") == (
        'it does not say which line; it could be "pens" or "2 boxes of staples" or "paper"'
    )


@pytest.mark.parametrize("change", ["add glue", "change pens to ink", "drop the paper"])
@pytest.mark.parametrize("saved", [("save it",), ()])
def test_the_last_change_is_undone_after_it_was_saved(change: str, saved: tuple[str, ...]) -> None:
    goals = (OFFICE, change, *saved, "undo the last change")

    assert text_after(*goals) == "pens, 2 boxes of staples, paper"
    assert text_after(*goals, "change paper to foil") == "pens, 2 boxes of staples, foil"


def test_a_save_is_not_taken_back() -> None:
    assert 'say "undo the last change"' in refusal(OFFICE, "add glue", "save it", "undo that")


@pytest.mark.parametrize("said", ["save everything", "save all", "save all the changes"])
def test_all_is_saved(said: str) -> None:
    assert [one.keys for one in read_goal(said, [OFFICE]) if isinstance(one, Press)] == ["ctrl+s"]


@pytest.mark.parametrize("said", ["close the file", "close the document"])
def test_a_file_is_closed_with_its_window(said: str) -> None:
    assert read_goal(said, [OFFICE]) == (Close(said),)


@pytest.mark.parametrize("change", ["change pens to ink", "add glue", 'add "glue" at the end', "drop the paper"])
def test_a_window_is_closed_after_the_change_that_is_said_first(change: str) -> None:
    given = [one for one in read_goal(f"{change} and close the window", [OFFICE]) if not isinstance(one, Check | Talk)]

    assert given[-1] == Close("close the window")
    assert text_after(OFFICE, f"{change} and close the window") == text_after(OFFICE, change)


def test_a_value_that_was_entered_into_a_field_is_told_as_it_is_now() -> None:
    goal = 'set "Amount" to 114, click "Save"'
    entered = next(at for at, one in enumerate(begun(0, goal).every) if getattr(one, "content", "")) + 1

    corrected = begun(entered, goal).after("not 114, 141")

    assert corrected.phrases() == ['set "Amount" to 141', 'click "Save"']
    assert corrected.goal(goal, begun(0, goal).every) == 'set "Amount" to 141\nclick "Save"'
