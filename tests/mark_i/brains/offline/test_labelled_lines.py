"""Lines such as "Topic: budget" are known by their label, whatever is said of them."""

from typing import Final

import pytest

from tests.mark_i.brains.offline.plans import begun, written

WEEK: Final = 'open the text editor, type "Team\nMonday: Anna\nTuesday: Ben\nWednesday: Carla", save it as team.txt'
NOTES: Final = 'open the text editor, type "Notes\nPresent: Anna, Ben\nTopic: budget\nDue: 3 May", save it as notes.txt'
TYPED: Final = [0, 1, 2]  # nothing is done, nothing is typed, or all is


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("Tuesday is Frank", "Team\nMonday: Anna\nTuesday: Frank\nWednesday: Carla"),
        ("Tuesday should be Frank", "Team\nMonday: Anna\nTuesday: Frank\nWednesday: Carla"),
        ("no, Tuesday: Frank", "Team\nMonday: Anna\nTuesday: Frank\nWednesday: Carla"),
        ("make Tuesday Frank", "Team\nMonday: Anna\nTuesday: Frank\nWednesday: Carla"),
        ("change Tuesday to Frank", "Team\nMonday: Anna\nTuesday: Frank\nWednesday: Carla"),
        ("Tuesday is wrong, it should be Frank", "Team\nMonday: Anna\nTuesday: Frank\nWednesday: Carla"),
        ("Tuesday should be Frank and Gina", "Team\nMonday: Anna\nTuesday: Frank and Gina\nWednesday: Carla"),
        ("change Tuesday to Friday", "Team\nMonday: Anna\nFriday: Ben\nWednesday: Carla"),
        ("add Thursday: Dora", "Team\nMonday: Anna\nTuesday: Ben\nWednesday: Carla\nThursday: Dora"),
        ("also add a line for Thursday: Dora", "Team\nMonday: Anna\nTuesday: Ben\nWednesday: Carla\nThursday: Dora"),
        ("add Sunday: Dora above the Monday", "Team\nSunday: Dora\nMonday: Anna\nTuesday: Ben\nWednesday: Carla"),
        ("take Tuesday out", "Team\nMonday: Anna\nWednesday: Carla"),
        ("we don't need Wednesday", "Team\nMonday: Anna\nTuesday: Ben"),
    ],
)
def test_a_line_is_known_by_its_label(said: str, wanted: str, done: int) -> None:
    after = begun(done, WEEK).after(said)

    assert not after.unclear
    assert written(after) == wanted


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("the topic was hiring", "Notes\nPresent: Anna, Ben\nTopic: hiring\nDue: 3 May"),
        (
            "add Dora and Eva to the people present",
            "Notes\nPresent: Anna, Ben, Dora and Eva\nTopic: budget\nDue: 3 May",
        ),
        ("also present: Dora", "Notes\nPresent: Anna, Ben, Dora\nTopic: budget\nDue: 3 May"),
        ("add Dora to the people present", "Notes\nPresent: Anna, Ben, Dora\nTopic: budget\nDue: 3 May"),
        ("add Next meeting: 10 May", "Notes\nPresent: Anna, Ben\nTopic: budget\nDue: 3 May\nNext meeting: 10 May"),
        ("add Place: here below the topic", "Notes\nPresent: Anna, Ben\nTopic: budget\nPlace: here\nDue: 3 May"),
        ("remove the due date", "Notes\nPresent: Anna, Ben\nTopic: budget"),
        ("change the due date to 4 May", "Notes\nPresent: Anna, Ben\nTopic: budget\nDue: 4 May"),
    ],
)
def test_what_stands_behind_a_label_is_changed(said: str, wanted: str, done: int) -> None:
    after = begun(done, NOTES).after(said)

    assert not after.unclear
    assert written(after) == wanted


def test_a_line_with_a_label_comes_first_below_the_heading() -> None:
    after = begun(2, WEEK).after("move Wednesday to the top")

    assert written(after) == "Team\nWednesday: Carla\nMonday: Anna\nTuesday: Ben"


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    "said",
    ["Tuesday is missing Carl", "Tuesday is Frank and Monday Gina", "Tuesday is empty", "Anna takes Tuesday"],
)
def test_a_remark_is_no_value(said: str, done: int) -> None:
    before = begun(done, WEEK)
    after = before.after(said)

    assert after.unclear
    assert written(after) == written(before)


@pytest.mark.parametrize("said", ['add a line "Thursday: Dora" and save it', "add Thursday: Dora, then save it"])
def test_a_line_that_is_saved_at_once_has_a_line_of_its_own(said: str) -> None:
    assert "Wednesday: Carla\nThursday: Dora" in written(begun(2, WEEK).after(said))


AGENDA: Final = (
    'open the text editor, type "Agenda\n9:00 Welcome\n10:15 Coffee break\n11:30 End\nPhone 020 555 1234\n'
    'Due: 15 January", save it as agenda.txt'
)


@pytest.mark.parametrize("done", TYPED)
@pytest.mark.parametrize(
    ("said", "was", "now"),
    [
        ("coffee break at 10", "10:15", "10:00"),
        ("move the coffee break to 10:30", "10:15", "10:30"),
        ("end at 12:00", "11:30", "12:00"),
        ("remove the coffee break", "10:15 Coffee break\n", ""),
        ("no coffee break", "10:15 Coffee break\n", ""),
        ("the end should be called Goodbye", "End", "Goodbye"),
        ("the phone number is 020 555 9999", "1234", "9999"),
        ("leave out the phone number", "Phone 020 555 1234\n", ""),
        ("phone 020 555 9999", "1234", "9999"),
        ("push the due date to 20 January", "15 January", "20 January"),
        ("add P.S. bring your badge", "15 January", "15 January\nP.S. bring your badge"),
        ("P.S. at the very end: bring your badge", "15 January", "15 January\nP.S. bring your badge"),
        ("delete the last line", "\nDue: 15 January", ""),
        ("delete the last item", "\nDue: 15 January", ""),
    ],
)
def test_a_line_of_an_agenda_is_changed(said: str, was: str, now: str, done: int) -> None:
    before = begun(done, AGENDA)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(was, now)


@pytest.mark.parametrize("said", ["start at 8:45", "start an hour earlier", "dinner at 8"])
def test_a_time_of_nothing_is_asked_about(said: str) -> None:
    before = begun(2, AGENDA)
    after = before.after(said)

    assert after.unclear
    assert after.every == before.every


@pytest.mark.parametrize("done", TYPED)
def test_the_last_of_an_enumeration_is_the_new_one(done: int) -> None:
    goal = 'open the text editor, type "Food: pizza, salad and cake\nGuests: 20", save it as party.txt'

    assert (
        written(begun(done, goal).after("add drinks to the food")) == "Food: pizza, salad, cake and drinks\nGuests: 20"
    )
    assert written(begun(done, goal).after("there will be 25 guests")) == "Food: pizza, salad and cake\nGuests: 25"


OPEN_DAY: Final = (
    'open the text editor, type "Timetable for the open day\n09:00 Welcome - Mr Brandt\n10:00 Tour\n12:30 Lunch\n'
    '14:00 End", save it as day.txt'
)


@pytest.mark.parametrize("done", [0, 1, 2])
@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("make the end 15:00 instead of 14:00", "14:00 End", "15:00 End"),
        ("make the end 15:00", "14:00 End", "15:00 End"),
        ("we end at 15:00", "14:00 End", "15:00 End"),
        ("make the lunch 12:15", "12:30 Lunch", "12:15 Lunch"),
        ("write the title in capital letters", "Timetable for the open day", "TIMETABLE FOR THE OPEN DAY"),
        ('make "Tour" uppercase', "Tour", "TOUR"),
    ],
)
def test_a_line_of_a_timetable_is_known_by_what_it_is_about(said: str, old: str, new: str, done: int) -> None:
    before = begun(done, OPEN_DAY)
    after = before.after(said)

    assert not after.unclear
    assert written(after) == written(before).replace(old, new)
