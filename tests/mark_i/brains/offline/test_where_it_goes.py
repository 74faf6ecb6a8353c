"""Words that say where a text goes, or what it takes the place of, are no part of the text."""

from typing import Final

import pytest

from mark_i.brains.offline.instructions import NotUnderstood, parse_instructions
from tests.mark_i.brains.offline.plans import begun, written

TRIP: Final = (
    'open the text editor, type "Trip to Rome", press enter, type "Tickets: 3", press enter, '
    'type "Pack: coat, boots and hat", press enter, type "Call Aunt May on 555 123", press enter, type "Bye, Tom", '
    "save it as trip.txt"
)
DONE: Final = len(begun(0, TRIP).every)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("sign as Thomas instead", 'it is signed with "Bye, Tom" already'),
        ("add Milan to the title", "it does not say how that line should read"),
        ("add gloves to the packing list", "it does not say how that line should read"),
    ],
)
@pytest.mark.parametrize("done", [2, 4, DONE])
def test_what_could_go_elsewhere_is_refused(said: str, why: str, done: int) -> None:
    before = begun(done, TRIP)
    after = before.after(said)

    assert [reason.startswith(why) for _, reason in after.unclear] == [True]
    assert written(after) == written(before)


@pytest.mark.parametrize("done", [2, 4, DONE])
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("add milk to the shopping list", "milk"),
        ("add milk to our list", "milk"),
        ("add a visit to the museum", "visit to the museum"),
    ],
)
def test_a_list_that_is_named_is_the_text(said: str, text: str, done: int) -> None:
    before = begun(done, TRIP)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == f"{written(before)}\n{text}"


@pytest.mark.parametrize("done", [0, 4, DONE])
def test_a_line_that_is_named_by_a_part_is_moved(done: int) -> None:
    after = begun(done, TRIP).after("put the call before the tickets")

    assert written(after).split("\n")[1:3] == ["Call Aunt May on 555 123", "Tickets: 3"]


@pytest.mark.parametrize("done", [2, 4, DONE])
@pytest.mark.parametrize(
    ("side", "in_line"), [("after", "Call Aunt May tonight on 555 123"), ("before", "Call tonight Aunt May on 555 123")]
)
def test_words_beside_a_part_of_a_sentence_may_be_a_line_and_each_way_can_be_said(
    side: str, in_line: str, done: int
) -> None:
    before, line = begun(done, TRIP), "Call Aunt May on 555 123"
    [(_, reason)] = before.after(f'add "tonight" {side} "Aunt May"').unclear
    _, _, advice = reason.partition("say: ")
    words, _, own = advice.partition(", or: ")

    assert written(before.after(words)) == written(before).replace(line, in_line)
    both = f"{line}\ntonight" if side == "after" else f"tonight\n{line}"
    assert written(before.after(own)) == written(before).replace(line, both)


@pytest.mark.parametrize("said", ["make it 4 tickets", "it's 4 tickets now", "there are 4 tickets"])
@pytest.mark.parametrize("done", [2, 4, DONE])
def test_a_number_is_named_by_the_label_before_it(said: str, done: int) -> None:
    before = begun(done, TRIP)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace("Tickets: 3", "Tickets: 4")


def test_what_a_text_starts_with_is_no_application() -> None:
    [unclear] = parse_instructions("start with Hello")

    assert isinstance(unclear, NotUnderstood)
    assert unclear.reason == '"with Hello" is no name of an application'


@pytest.mark.parametrize("done", [2, 4, DONE])
@pytest.mark.parametrize(
    "said", ["add 6 eggs after the oat milk", "put eggs below the oat milk, then save it", "write ham above salami"]
)
def test_a_place_that_is_nowhere_is_not_typed(said: str, done: int) -> None:
    before = begun(done, TRIP)
    after = before.after(said)

    assert ["is not in the text" in reason for _, reason in after.unclear] == [True]
    assert "oat milk" not in written(after)
    assert "salami" not in written(after)


def test_quotes_and_what_a_line_says_tell_the_very_words() -> None:
    before = begun(DONE, TRIP)

    assert written(before.after('add "ham above salami"')).endswith("\nham above salami")
    assert written(before.after("add a line saying come before 8")).endswith("\ncome before 8")


@pytest.mark.parametrize("done", [2, 4, DONE])
@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("add a line: see you there", "see you there"),
        ("add another line: call me first, please", "call me first"),
        ("add see you there at the end", "see you there"),
        ("add a line at the end: now or never. Call me first.", "now or never. Call me first"),
        ("write at the end: hello again", "hello again"),
        ("add at the bottom: hello", "hello"),
        ("put to the end: thanks for all", "thanks for all"),
    ],
)
def test_a_line_that_is_added_goes_to_the_end_with_all_its_words(said: str, line: str, done: int) -> None:
    before = begun(done, TRIP)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == f"{written(before)}\n{line}"


@pytest.mark.parametrize("done", [4, DONE])
@pytest.mark.parametrize("said", ["write at the top: hello there", "put at the start: hello there"])
def test_a_line_for_the_top_goes_there_with_all_its_words(said: str, done: int) -> None:
    before = begun(done, TRIP)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == f"hello there\n{written(before)}"


LIST: Final = (
    'open the text editor, type "To buy", press enter, type "2 milk", press enter, type "bread", press enter, '
    'type "4 apples", save it as list.txt'
)


@pytest.mark.parametrize("done", [4, len(begun(0, LIST).every)])
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ('add a heading "Shopping"', "Shopping\nTo buy\n2 milk\nbread\n4 apples"),
        ("add a title: Shopping", "Shopping\nTo buy\n2 milk\nbread\n4 apples"),
        ("put the bread on top", "To buy\nbread\n2 milk\n4 apples"),
        ("change apples to 6 green apples", "To buy\n2 milk\nbread\n6 green apples"),
        ("apples should be 6 pears", "To buy\n2 milk\nbread\n6 pears"),
    ],
)
def test_nothing_stands_twice(said: str, text: str, done: int) -> None:
    after = begun(done, LIST).after(said)

    assert not after.unclear
    assert written(after) == text


@pytest.mark.parametrize("done", [4, len(begun(0, LIST).every)])
@pytest.mark.parametrize(
    "said", ["put each on its own line", "put today's date on top", "add a heading Shopping", "add all of them"]
)
def test_what_is_no_text_is_not_written(said: str, done: int) -> None:
    before = begun(done, LIST)
    after = before.after(said)

    assert after.unclear
    assert after.every == before.every


MEETING: Final = (
    'open the text editor, type "Meeting at 3 pm", press enter, type "Room 12", press enter, '
    'type "Bring your laptop, a pen and paper.", press enter, type "Thanks, Lea", save it as meeting.txt'
)


@pytest.mark.parametrize("done", [4, 6, len(begun(0, MEETING).every)])
@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("change the room to 14", "Room 12", "Room 14"),
        ("change the room to 14b", "Room 12", "Room 14b"),
        ("no laptop", "your laptop, a pen", "a pen"),
    ],
)
def test_what_belongs_to_the_words_goes_with_them(said: str, old: str, new: str, done: int) -> None:
    before = begun(done, MEETING)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(old, new)


@pytest.mark.parametrize("done", [4, 6, len(begun(0, MEETING).every)])
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("sign it Leah", 'it is signed with "Thanks, Lea" already'),
        ("move the room line up", "it does not say where in the text it goes"),
        ("move Room down", "it does not say where in the text it goes"),
    ],
)
def test_what_does_not_say_what_becomes_of_the_text_is_refused(said: str, why: str, done: int) -> None:
    before = begun(done, MEETING)
    after = before.after(said)

    assert [reason.startswith(why) for _, reason in after.unclear] == [True]
    assert after.every == before.every


BUDGET: Final = (
    'open the text editor, type "The rent is 640 euro.", press enter, '
    'type "Party on the 3rd of May at 7:45", press enter, '
    'type "Buy paint", press enter, type "Water the plants", save it as budget.txt'
)


@pytest.mark.parametrize("done", [2, 4, 6, len(begun(0, BUDGET).every)])
@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("change the rent to 655", "640 euro", "655 euro"),
        ("change rent to 700 euro", "640 euro", "700 euro"),
        ("it's 2 May, not the 3rd", "the 3rd of May", "2 May"),
        ("change 3rd of May to 4 May", "3rd of May", "4 May"),
        ("change May to June", "May", "June"),
    ],
)
def test_a_value_stands_where_the_old_one_stood(said: str, old: str, new: str, done: int) -> None:
    before = begun(done, BUDGET)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(old, new)


@pytest.mark.parametrize("done", [6, len(begun(0, BUDGET).every)])
def test_a_line_that_is_put_elsewhere_keeps_its_capitals(done: int) -> None:
    after = begun(done, BUDGET).after("put water the plants before buy paint")

    assert not after.unclear
    assert written(after).split("\n")[2:] == ["Water the plants", "Buy paint"]


WEEK: Final = (
    'open the text editor, type "call Tom", press enter, type "water plants", press enter, type "buy milk", '
    "save it as week.txt"
)
LINES: Final = "call Tom\nwater plants\nbuy milk"
THEN: Final = f'{WEEK}, open the calculator, type "3+4"'


@pytest.mark.parametrize("done", range(1, len(begun(0, WEEK).every)))
@pytest.mark.parametrize(
    "said", ["open the calculator", "open the text editor", "open notes.txt", "run ls in a terminal"]
)
def test_another_window_is_opened_once_the_text_is_written_and_saved(said: str, done: int) -> None:
    before = begun(done, WEEK)
    after = before.after(said)

    assert not after.unclear
    assert after.every[: len(before.every)] == before.every
    assert after.every[len(before.every)].text == said


@pytest.mark.parametrize("done", range(1, len(begun(0, WEEK).every)))
def test_a_text_that_is_written_elsewhere_stays_out_of_the_one_before(done: int) -> None:
    after = begun(done, WEEK).after("write a letter: Dear Tom and save it as tom.txt")

    assert not after.unclear
    assert written(after) == f"{LINES}Dear Tom"


@pytest.mark.parametrize("done", [0, 1, 3, 5, 6, 8])
@pytest.mark.parametrize("said", ["add a line: feed the cat", "note down: feed the cat"])
def test_a_line_is_added_before_another_window_is_opened(said: str, done: int) -> None:
    assert written(begun(done, THEN).after(said)) == f"{LINES}\nfeed the cat3+4"
    assert written(begun(done, WEEK).after("open the calculator").after(said)) == f"{LINES}\nfeed the cat"


@pytest.mark.parametrize("done", [3, 5, len(begun(0, WEEK).every)])
@pytest.mark.parametrize(
    "said",
    [
        "oh and put a line feed the cat above the plants",
        "put the line feed the cat above the plants",
        'write another line "feed the cat" before the plants',
        "put a line saying feed the cat above the plants",
        "add feed the cat too, and put it right after Tom",
        "add feed the cat, put that before the plants",
    ],
)
def test_what_it_is_called_is_no_part_of_a_line(said: str, done: int) -> None:
    assert written(begun(done, WEEK).after(said)) == "call Tom\nfeed the cat\nwater plants\nbuy milk"


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("3 eggs", "4 eggs"),
        ("3 big eggs", "4 big eggs"),
        ("eggs: 3", "eggs: 4"),
        ("eggs 3", "eggs 4"),
        ("eggs", "4 eggs"),
    ],
)
def test_a_number_takes_the_place_of_the_one_beside_what_it_counts(line: str, new: str) -> None:
    goal = f'open the text editor, type "Cake", press enter, type "{line}", press enter, type "flour", save it as c.txt'

    assert written(begun(10, goal).after("change the eggs to 4")) == f"Cake\n{new}\nflour"


def test_a_number_goes_where_there_is_one_though_another_line_has_only_the_word() -> None:
    goal = 'open the text editor, type "eggs", press enter, type "3 eggs for Tom", save it as c.txt'

    assert written(begun(4, goal).after("change the eggs to 4")) == "eggs\n4 eggs for Tom"


def test_a_number_takes_the_place_of_words_that_are_quoted() -> None:
    goal = 'open the text editor, type "Cake", press enter, type "eggs", press enter, type "flour", save it as c.txt'

    assert written(begun(6, goal).after('change "eggs" to "4"')) == "Cake\n4\nflour"


PARTY = (
    'open the text editor, type "lunch at noon", press enter, type "10 chairs", press enter, '
    'type "Tom brings the drinks", press enter, type "games", save it as p.txt'
)


@pytest.mark.parametrize("done", [4, 8, 12])
@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("scrap the lunch line", "10 chairs, Tom brings the drinks, games"),
        ("swap the lines of Tom and the games", "lunch at noon, 10 chairs, games, Tom brings the drinks"),
        ("Tim brings the drinks, not Tom", "lunch at noon, 10 chairs, Tim brings the drinks, games"),
        ("we need 20 chairs", "lunch at noon, 20 chairs, Tom brings the drinks, games"),
        ("don't include the games", "lunch at noon, 10 chairs, Tom brings the drinks"),
    ],
)
def test_what_people_say_of_a_list_is_done(said: str, text: str, done: int) -> None:
    assert written(begun(done, PARTY).after(said)).replace("\n", ", ") == text


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("games come first", "games, lunch at noon, 10 chairs, Tom brings the drinks"),
        ("the lunch line goes last", "10 chairs, Tom brings the drinks, games, lunch at noon"),
        ("10 chairs come last", "lunch at noon, Tom brings the drinks, games, 10 chairs"),
    ],
)
def test_lines_go_where_people_say_once_all_is_typed(said: str, text: str) -> None:
    assert written(begun(8, PARTY).after(said)).replace("\n", ", ") == text


@pytest.mark.parametrize("said", ["we need 20 benches", "Tim brings the food, not Tom"])
def test_what_does_not_fit_a_list_changes_nothing(said: str) -> None:
    after = begun(8, PARTY).after(said)

    assert after.unclear
    assert written(after) == written(begun(8, PARTY))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Tom is sick, and no milk please", None),
        ("Tom is sick and leave out the milk", None),
        ("we have enough, and leave out the milk", "call Tom\nwater plants"),
    ],
)
def test_what_is_said_of_a_line_that_stays_is_no_reason(said: str, text: str | None) -> None:
    after = begun(3, WEEK).after(said)

    assert bool(after.unclear) == (text is None)
    assert written(after) == (text or written(after))


@pytest.mark.parametrize("done", range(1, len(begun(0, WEEK).every)))
def test_a_line_goes_on_top_wherever_the_run_is(done: int) -> None:
    after = begun(done, WEEK).after('put "feed the cat" on top')

    assert not after.unclear
    assert written(after) == f"feed the cat\n{LINES}"
