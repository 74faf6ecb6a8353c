"""More that people say during a run, in their own words: each kind with some of its wordings."""

import re
from typing import Final

import pytest

from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.instructions import NotUnderstood, Pause, Type, parse_instructions
from mark_i.control_words import control_word
from tests.mark_i.brains.offline import plans

GOAL: Final = (
    'open the text editor, type "train at 10", press enter, wait 10 seconds, type "fish", press enter, '
    'type "hotel", save it as list.txt'
)


def begun(done: int, goal: str = GOAL) -> Remaining:
    """What is left of a goal once so many of its instructions are done."""
    return plans.begun(done, goal)


def texts(after: Remaining) -> list[object]:
    """What is typed, and the name of the file last."""
    return [one.content for one in after.every if isinstance(one, Type)]


@pytest.mark.parametrize(
    "said",
    [
        "Please start over, but with bus at 10 instead of train at 10",
        "start again",
        "I want to start over",
        "start fresh with the bus",
        "begin anew with bus at 10",
        "OK let's start all over again",
        "Sorry, I made a mistake. Start the whole thing again please",
        "restart with the bus instead of the train",
        "can you begin from scratch and write bus at 10",
        "do it all again but with bus instead of train",
    ],
)
def test_a_run_is_not_begun_anew_by_a_word(said: str) -> None:
    after = begun(1).after(said)

    [(text, reason)] = after.unclear
    assert text == said
    assert "if you stop this run, Run begins anew" in reason
    assert after.every == begun(1).every


@pytest.mark.parametrize("said", ["start the calculator", 'type "start over"', "open the editor again"])
def test_what_is_opened_or_typed_begins_nothing_anew(said: str) -> None:
    assert not begun(1).after(said).unclear


@pytest.mark.parametrize(
    "said",
    [
        "and put honey on a new line at the very end",
        "please add honey on its own line at the end",
        "add honey on a new line please",
        "write honey at the very end, on a separate line",
        "and add honey below everything else",
        "add honey as another line at the bottom",
        "use honey as the last line",
        "and add honey on a new line right at the end please",
        "add a new line with honey at the very end",
    ],
)
@pytest.mark.parametrize("goal", [GOAL, 'open the text editor, type "hotel", save it as list.txt'])
def test_where_a_line_goes_is_no_part_of_it(said: str, goal: str) -> None:
    every = begun(1, goal).after(said).every

    assert [one.text for one in every if isinstance(one, Type)][-2] == 'type "honey"'
    at = next(index for index, one in enumerate(every) if one.text == 'type "honey"')
    assert [one.text for one in every[at - 1 : at]] == (
        ["press enter"] if re.search("line|below", said) or goal == GOAL else ['type "hotel"']
    )


@pytest.mark.parametrize(
    "said",
    [
        "Let us have steak instead of fish",
        "we'll have steak instead of fish please",
        "I'd like steak instead of fish",
        "Could we have steak instead of fish?",
        "make it with steak instead of fish",
        "make it a list with steak instead of fish",
        "please do it with steak rather than fish",
        "give me steak instead of fish",
        "go with steak instead of fish",
        "let it say steak instead of fish",
    ],
)
def test_what_is_said_around_a_text_is_no_part_of_it(said: str) -> None:
    after = begun(1).after(said)

    assert not after.unclear
    assert texts(after) == ["train at 10", "steak", "hotel", "list.txt"]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Please skip the waiting time", None),
        ("Skip the wait and go straight on, thanks", None),
        ("you can stop waiting now", None),
        ("drop the delay please", None),
        ("that's enough waiting, go ahead", None),
        ("just carry on without waiting", None),
        ("I don't want to wait, skip it", None),
        ("7 seconds of waiting is enough", 7),
        ("And wait only 5 seconds. You can continue now", 5),
        ("a wait of 5 seconds is plenty", 5),
        ("shorten the waiting time to 5 seconds", 5),
        ("only 5 seconds of waiting please", 5),
    ],
)
@pytest.mark.parametrize("done", [1, 3])
def test_a_wait_is_shorter_or_left_out(said: str, left: int | None, done: int) -> None:
    after = begun(done).after(said)

    assert not after.unclear
    assert [one.seconds for one in after.every if isinstance(one, Pause)] == [left] * bool(left)
    assert texts(after) == texts(begun(done))


def test_which_of_several_waits_is_asked_about() -> None:
    goal = "press f1, wait 5 seconds, press f2, wait 9 seconds"
    assert begun(0, goal).after("skip the waiting time").unclear
    assert [one.text for one in begun(1, goal).after("skip the waiting time").every[1:]] == [
        "press f2",
        "wait 9 seconds",
    ]
    assert begun(2, goal).after("skip the waiting time").unclear


@pytest.mark.parametrize(
    "said",
    [
        "I'd rather have the file named tasks.txt",
        "Change the file name to tasks.txt, please",
        "set the filename to tasks.txt",
        "the file should be tasks.txt",
        "I'd like to call the file tasks.txt",
        "file name: tasks.txt",
        "the name of the file should be tasks.txt",
        "could the file be called tasks.txt instead",
        "I want it to be saved as tasks.txt",
        "I'd prefer tasks.txt as the file name",
        "the file should rather have the name tasks.txt",
        "tasks.txt would be a better name",
    ],
)
def test_the_file_gets_the_name_that_is_said(said: str) -> None:
    after = begun(3).after(said)

    assert not after.unclear
    assert texts(after) == ["train at 10", "fish", "hotel", "tasks.txt"]


def test_the_name_of_somebody_is_no_file() -> None:
    assert texts(begun(3).after('the name is "Peter"'))[-1] == "list.txt"


@pytest.mark.parametrize(
    "said",
    [
        "Hold on a moment please, I need to think",
        "hang on for a second, let me look",
        "give me a minute please",
        "please wait a bit, I want to read this",
        "Could you pause for a moment?",
        "one second please",
        "stop for a moment please",
    ],
)
def test_a_moment_is_a_pause(said: str) -> None:
    assert control_word(said) == "pause"


@pytest.mark.parametrize(
    "said", ["hold on, write pears", "Hold on a moment, write steak instead of fish", "wait for Save"]
)
def test_what_says_more_is_no_pause(said: str) -> None:
    assert control_word(said) is None


@pytest.mark.parametrize(
    ("said", "example"),
    [
        ("make the waiting nicer", "wait 5 seconds instead; leave out wait 10 seconds"),
        ("the name is no good", 'call the file "other.txt"; do not save it'),
        ("hotel sounds odd", 'write "something else" instead of "hotel"; leave out type "hotel"'),
        ("that was all wrong", 'take back "train at 10"'),
        ("add a title", 'add a line "something else"; write "something else" before "hotel"'),
        ("make it nicer", 'write "something else" instead of "fish"; leave out type "fish"'),
    ],
)
def test_an_example_is_about_what_was_said_and_can_be_followed(said: str, example: str) -> None:
    before = begun(2)
    after = before.after(said)

    assert after.unclear
    assert after.examples(said) == example
    for one in example.split("; "):
        assert not before.after(one).unclear
        assert before.after(one).every != before.every


@pytest.mark.parametrize("said", ["hang on, I forgot the butter, please add it too", "add that", "put them at the end"])
def test_what_points_at_something_is_not_typed(said: str) -> None:
    instructions = parse_instructions('type "bread", press f1')
    before = [one for one in instructions if not isinstance(one, NotUnderstood)]
    after = Remaining([*before], 0).after(said)

    assert (after.every, bool(after.unclear)) == (before, True)
