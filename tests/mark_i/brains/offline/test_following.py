"""A follow-up changes what the runs before it typed, by the same words as a correction during a run."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from mark_i import AgentCore, standard_toolbelt
from mark_i.brain import PastRun, Prompt, Word
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.corrections import Remaining, typed_at_end
from mark_i.brains.offline.following import done_before, examples_after, read_goal
from mark_i.brains.offline.instructions import (
    Check,
    DialogClosed,
    Instruction,
    NotUnderstood,
    Press,
    Talk,
    Type,
    parse_instructions,
)
from mark_i.brains.offline.past_goals import Given, heard_of
from mark_i.runs.follow_up import goals_done, goals_done_before
from tests.mark_i.brains.offline.plans import begun, written
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes
from toolbelt.tools.people import People
from world_model import Action, Journal, Observation, Problem, Step, Thought, read_run

SHOPPING: Final = (
    'open the text editor, type "milk", press enter, type "bread", press enter, type "salt", save it as list.txt'
)
MEETING: Final = 'open the text editor, type "We meet on Monday"'


def done_in_turn(*goals: str) -> list[Instruction]:
    """All that a conversation does."""
    every = list[Instruction]()
    for at, goal in enumerate(goals):
        given = read_goal(goal, goals[:at])
        assert not [one for one in given if isinstance(one, NotUnderstood)]
        every += [one for one in given if not isinstance(one, NotUnderstood | Check | Talk)]
    return every


@pytest.mark.parametrize(
    ("said", "lines", "saves"),
    [
        ("change milk to oat milk", "oat milk, bread, salt", 0),
        ("replace milk with oat milk and save it", "oat milk, bread, salt", 1),
        ("undo the bread line and save", "milk, salt", 1),
        ("delete the line about the salt", "milk, bread", 0),
        ("no, pepper", "milk, bread, pepper", 0),
        ("oh, and kiwis too", "milk, bread, salt, kiwis", 0),
        ("add eggs and save it", "milk, bread, salt, eggs", 1),
        ("write rye bread instead of bread", "milk, rye bread, salt", 0),
        ("put eggs before bread", "milk, eggs, bread, salt", 0),
        ("and add a line that says Bye", "milk, bread, salt, Bye", 0),
    ],
)
def test_a_follow_up_changes_what_was_typed(said: str, lines: str, saves: int) -> None:
    given = read_goal(said, [SHOPPING])

    assert isinstance(given[0], Check)
    assert written(Remaining(done_in_turn(SHOPPING, said), 0)).split("\n") == lines.split(", ")
    assert sum(one == Press(one.text, "ctrl+s") for one in given) == saves
    assert ("unsaved" in {one.topic for one in given if isinstance(one, Talk)}) == (not saves)


@pytest.mark.parametrize("said", ["ring paul, not peter", "uncle paul, not Peter", "no, I mean paul instead of peter"])
def test_a_name_is_replaced_without_the_verb_of_its_line(said: str) -> None:
    goal = 'open the text editor, type "Ring uncle Peter on Monday"'

    assert written(Remaining(done_in_turn(goal, said), 0)).casefold() == "ring uncle paul on monday"


def test_follow_ups_build_on_one_another() -> None:
    goals = SHOPPING, "change milk to oat milk", "delete the bread and save", "write cheese instead of oat milk"

    assert written(Remaining(done_in_turn(*goals), 0)) == "cheese\nsalt"


PARTY: Final = (
    'open the text editor, type "Party", press enter, type "12 paper plates", press enter, '
    'type "3 bottles of juice", press enter, type "Parking: behind the kitchen", press enter, type "Mia", '
    "save it as p.txt"
)


@pytest.mark.parametrize("change", ["add tables", "14 plates, not 12"])
@pytest.mark.parametrize(
    "said",
    [
        "no that is wrong, undo it",
        "No, that was wrong, undo your last change please",
        "that's not what I wanted, take it back",
        "not like that, undo it please",
        "I didn't mean that. Undo it.",
    ],
)
def test_who_complains_and_takes_it_back_gets_what_was_before(change: str, said: str) -> None:
    assert written(Remaining(done_in_turn(PARTY, change, said), 0)) == written(begun(0, PARTY))


@pytest.mark.parametrize(
    "said",
    ["thats horrible, undo it", "save it, and undo that", "it hurts my eyes, take that back"],
)
def test_what_may_mean_more_than_the_last_change_erases_nothing(said: str) -> None:
    [unclear] = read_goal(said, [PARTY, "add tables"])

    assert isinstance(unclear, NotUnderstood)
    assert 'say only "undo that"' in unclear.reason


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("put the juice above the plates", [0, 2, 1, 3, 4]),
        ("put the parking point above the plates", [0, 3, 1, 2, 4]),
        ("put the plates at the end", [0, 2, 3, 4, 1]),
        ("the juice should come before the plates", [0, 2, 1, 3, 4]),
        ("the plates come after the juice", [0, 2, 1, 3, 4]),
    ],
)
def test_a_line_is_moved_by_one_of_its_words(said: str, lines: list[int]) -> None:
    before = written(begun(0, PARTY)).split("\n")

    assert written(Remaining(done_in_turn(PARTY, said), 0)).split("\n") == [before[at] for at in lines]


@pytest.mark.parametrize(
    "said",
    [
        "Saturday, 13 June instead of Friday, 12 June",
        "change Friday, 12 June to Saturday, 13 June",
        "write Saturday, 13 June instead of Friday, 12 June",
        "not Friday, 12 June but Saturday, 13 June",
    ],
)
def test_what_is_replaced_may_have_commas_as_its_line_has(said: str) -> None:
    goal = 'open the text editor, type "Party", press enter, type "Friday, 12 June at 4 pm", save it as p.txt'

    assert written(Remaining(done_in_turn(goal, said), 0)) == "Party\nSaturday, 13 June at 4 pm"


LETTER: Final = (
    'open the text editor, type "Anna brings cake", press enter, type "Responsible: Thomas Weber", press enter, '
    'type "Greetings from Anna", save it as letters/anna.txt'
)


@pytest.mark.parametrize(
    "said",
    [
        "remove the line about bread and save it as b.txt",
        "take out the bread and save that as b.txt",
        "delete bread, then save it as b.txt",
        "leave out bread and save it under b.txt",
    ],
)
def test_a_change_is_made_before_it_is_saved_under_another_name(said: str) -> None:
    given = [one for one in read_goal(said, [SHOPPING]) if not isinstance(one, Check | Talk | NotUnderstood)]
    save = next(at for at, one in enumerate(given) if one.text.startswith("save"))

    assert written(Remaining([*begun(0, SHOPPING).every, *given[:save]], 0)) == "milk\nsalt"
    assert [one for one in given[save:] if not one.text.startswith("save")] == []


@pytest.mark.parametrize(
    ("said", "old", "new"),
    [
        ("Annika instead of Anna in both places", "Anna", "Annika"),
        ("change Anna to Annika everywhere please", "Anna", "Annika"),
        ("Responsible is Tamara Weber, not Thomas", "Thomas", "Tamara"),
        ("the responsible should be Tamara, not Thomas", "Thomas", "Tamara"),
        ("Now also add Saturday closed at the bottom", "from Anna", "from Anna\nSaturday closed"),
    ],
)
def test_a_change_names_every_place_or_the_label_of_its_line(said: str, old: str, new: str) -> None:
    assert written(Remaining(done_in_turn(LETTER, said), 0)) == written(begun(0, LETTER)).replace(old, new)


@pytest.mark.parametrize("said", ["15 plates, not 12", "15 plates instead of 12", "make it 15 paper plates, not 12"])
def test_a_number_is_given_with_what_it_counts(said: str) -> None:
    assert written(Remaining(done_in_turn(PARTY, said), 0)) == written(begun(0, PARTY)).replace("12", "15")


@pytest.mark.parametrize(
    "said", ["Actually the file should be called tom.txt", "call it tom.txt", "rename it to tom.txt"]
)
def test_a_file_that_was_saved_gets_another_name_beside_it(said: str) -> None:
    given = read_goal(said, [LETTER])

    assert [one.content for one in given if isinstance(one, Type)] == ["letters/tom.txt"]
    assert [one.topic for one in given if isinstance(one, Talk)] == ["kept"]


def test_an_example_takes_nothing_away() -> None:
    assert examples_after("cake only in week 32", [LETTER]) == 'write "something else" instead of "Anna brings cake"'


@pytest.mark.parametrize(
    "said",
    ["write Tamara instead of Thomas, then save it as b.txt and replace the old one", "Tamara instead of Thomas"],
)
def test_a_change_is_no_text_because_it_is_saved_over_a_file(said: str) -> None:
    after = Remaining([one for one in done_in_turn(LETTER, said) if not saves_as(one)], 0)

    assert written(after) == written(begun(0, LETTER)).replace("Thomas", "Tamara")


def saves_as(one: Instruction) -> bool:
    return isinstance(one, Type) and one.content == "b.txt"


@pytest.mark.parametrize("said", ["the coffee starts at 10:20, not 10:15", "coffee is at 10:20 instead of 10:15"])
def test_a_time_is_told_in_a_sentence(said: str) -> None:
    goal = 'open the text editor, type "Agenda", press enter, type "10:15 Coffee", save it as a.txt'

    assert written(Remaining(done_in_turn(goal, said), 0)) == "Agenda\n10:20 Coffee"


@pytest.mark.parametrize("said", ["save it as b.txt as well", "save it under b.txt, too"])
def test_a_file_has_no_as_well_in_its_name(said: str) -> None:
    assert [one.content for one in read_goal(said, [LETTER]) if isinstance(one, Type)] == ["b.txt"]


def test_whether_a_line_moves_or_is_new_is_asked() -> None:
    [unclear] = read_goal("put juice above the plates", [PARTY])

    assert isinstance(unclear, NotUnderstood)
    assert 'is that the line "3 bottles of juice", or a new one?' in unclear.reason


def test_saving_and_changing_are_done_in_the_order_in_which_they_are_said() -> None:
    first = read_goal("save it, then delete the line about the salt", [SHOPPING])
    last = read_goal("delete the line about the salt and save it", [SHOPPING])

    assert [one.keys for one in first if isinstance(one, Press)] == ["ctrl+s", "backspace"]
    assert [one.keys for one in last if isinstance(one, Press)] == ["backspace", "ctrl+s"]


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("write 9 pm instead of 7 pm", MEETING),
        ("add Carl to the line with Monday", MEETING),
        ("delete the butter", SHOPPING),
        ("change milk to oat milk", f"{SHOPPING}, close the window"),
    ],
)
def test_what_cannot_be_followed_is_not_typed(said: str, goal: str) -> None:
    assert all(isinstance(one, NotUnderstood) for one in read_goal(said, [goal]))


@pytest.mark.parametrize("said", ['type "x"', "press f5", "save it as b.txt", 'add a line "x"', "close the window"])
def test_an_instruction_means_the_same_after_another_run(said: str) -> None:
    given = read_goal(said, [SHOPPING])

    assert [one for one in given if not isinstance(one, Talk)] == parse_instructions(said)
    assert bool([one for one in given if isinstance(one, Talk)]) is ('"x"' in said)  # that is not saved


@pytest.mark.parametrize("done", [7, 8, 9, 10])
def test_a_text_that_is_being_saved_is_corrected_and_saved_again(done: int) -> None:
    after = begun(done, SHOPPING).after("change milk to oat milk")

    assert not after.unclear
    keys = [one.keys for one in after.every[done:] if isinstance(one, Press) and one.keys != "enter"]
    ends = {7: ["esc", "backspace", "ctrl+shift+s", "ctrl+a"], 9: ["backspace", "ctrl+s"]}
    assert keys == ends[7 if done < 9 else 9]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("the eggs are there already, so we can skip that one", 'wait 20 seconds; type "salt"'),
        ("skip the wait", 'type "eggs"; press enter; type "salt"'),
    ],
)
def test_a_reason_tells_which_one_is_skipped(said: str, left: str) -> None:
    goal = 'type "milk", press enter, wait 20 seconds, type "eggs", press enter, type "salt"'

    assert "; ".join(begun(2, goal).after(said).left()) == left


def test_which_one_is_skipped_must_be_said() -> None:
    assert begun(2, 'type "milk", press enter, wait 20 seconds, type "eggs"').after("so we can skip that one").unclear


def test_a_text_is_known_however_long_the_conversation_is(tmp_path: Path) -> None:
    missing = Observation(ok=False, text="", error=Problem("TARGET_NOT_FOUND", "not there"))
    looked = Observation(ok=False, text="", error=Problem("TIMEOUT", "not there"))
    before = None
    for at in range(15):
        journal = Journal(tmp_path / str(at), {"goal": f"goal {at}", "settings": {"continues": before}})
        if at % 3 == 1:
            journal.add(Step(1, Thought(""), Action("click", {"target": "Wrong"}), missing))
            journal.add(Step(2, Thought(""), Action("wait_for", {"text": "Wrong"}), looked))
        journal.close({"outcome": "failed" if at % 3 else "done"})
        before = str(at)

    told = goals_done(read_run(tmp_path / "14"))
    assert [one for one in told if one != PastRun("", ())] == ["goal 0", "goal 3", "goal 6", "goal 9", "goal 12"]


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("answers", "outcome", "text"),
    [
        (("press f5",), "done", "tea"),
        (("my dear", "write coffee instead of tea and save it"), "done", "coffee"),
        (("stop",), "stopped", "tea"),
        ((None,), "failed", "tea"),
    ],
)
def test_a_follow_up_that_is_not_understood_is_asked_for_in_other_words(
    desktop: VirtualDesktop, tmp_path: Path, answers: tuple[str | None, ...], outcome: str, text: str
) -> None:
    eyes, file = Eyes(desktop, desktop.control), tmp_path / "a.txt"
    first = f'open mousepad, type "tea", save it as {file}'
    assert [*AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes).run(first)][-1].data[
        "exit_code"
    ] == 0
    left = [*answers] if answers[0] != "towels" else ["never mind, press f5"]
    toolbelt = standard_toolbelt(eyes, People(lambda _question: left.pop(0)))

    ended = [*AgentCore(OfflineBrain.following([first]), toolbelt, desktop, eyes=eyes).run("towels, my dear")][-1].data

    assert ended["outcome"].startswith(outcome), ended["summary"]
    assert not left
    assert file.read_text() == text


def test_only_what_is_certain_to_be_done_can_be_changed(tmp_path: Path) -> None:
    before = None
    for name, goal, outcome in (
        ("a", "one", {"outcome": "failed"}),
        ("b", "two", {"outcome": "done", "goal": "three"}),
        ("c", "what", {"outcome": "failed"}),
        ("d", "four", {"outcome": "done_unverified"}),
        ("e", 'type "[secret]"', {"outcome": "done"}),
    ):
        Journal(tmp_path / name, {"goal": goal, "settings": {"continues": before}}).close(outcome)
        before = name

    unchanged = PastRun("", ())
    assert goals_done(read_run(tmp_path / "d")) == (unchanged, "three", unchanged, "four")
    assert goals_done_before(read_run(tmp_path / "d")) == (unchanged, "three", unchanged)
    assert goals_done(read_run(tmp_path / "a")) == (unchanged,)
    assert "[secret]" not in str(goals_done(read_run(tmp_path / "e")))


@pytest.mark.usefixtures("patience")
def test_a_file_is_changed_by_a_follow_up(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes, file = Eyes(desktop, desktop.control), tmp_path / "list.txt"
    goals = (
        f'open mousepad, type "milk", press enter, type "bread", press enter, type "salt", save it as "{file}"',
        "change milk to oat milk and save it",
        "delete the bread and save",
        "close the window",
        "change salt to pepper",
        'open mousepad, wait until "Untitled" appears',
    )

    def outcome(goal: str, *before: str) -> tuple[str, str]:
        agent = AgentCore(OfflineBrain(before), standard_toolbelt(eyes), desktop, eyes=eyes)
        ended = [*agent.run(goal)][-1].data
        return ended["outcome"], ended["summary"]

    texts = ["milk\nbread\nsalt", "oat milk\nbread\nsalt", "oat milk\nsalt"]
    for at, text in enumerate(texts):
        assert outcome(goals[at], *goals[:at])[0] == "done"
        assert file.read_text().strip() == text
    assert outcome(goals[3], *goals[:3])[0] == "done"
    name, told = outcome(goals[4], *goals[:3])
    assert name == "failed"
    assert "salt" in told
    assert file.read_text().strip() == texts[-1]


NOTES: Final = (
    'open the text editor, type "Shop", press enter, type "milk", press enter, type "bread and butter", press enter, '
    'type "Call Bert", press enter, type "eggs"'
)


def during(goal: str, done: int, said: str, first: str = NOTES) -> Remaining:
    """What is left of a follow-up after some of its steps, once something is said, after all that was done before."""
    before = [one for one in parse_instructions(first) if not isinstance(one, NotUnderstood)]
    every: list[Instruction] = [
        one for one in read_goal(goal, [first], is_document=True) if not isinstance(one, NotUnderstood | Talk)
    ]
    after = Remaining(every, min(done, len(every)), earlier=before).after(said)
    return replace(after, every=[*before, *after.every])


@pytest.mark.parametrize("done", range(12))
@pytest.mark.parametrize("said", ["undo that", "please undo the change", "take that back", "undo"])
@pytest.mark.parametrize("goal", ["move Call Bert to the top", "change milk to oat milk", "undo that", "add sugar"])
def test_a_change_that_is_undone_while_it_is_made_is_undone_whole(goal: str, said: str, done: int) -> None:
    after = during(goal, done, said)

    assert not after.unclear
    assert written(after) == "Shop\nmilk\nbread and butter\nCall Bert\neggs"


def test_what_is_said_besides_is_done_to_the_text_as_it_was() -> None:
    after = during("move Call Bert to the top", 5, "undo that and change milk to tea")

    assert not after.unclear
    assert written(after) == "Shop\ntea\nbread and butter\nCall Bert\neggs"


@pytest.mark.parametrize("first", [NOTES, f"{NOTES}, save it as a.txt"])
@pytest.mark.parametrize("said", ["delete that", "undo that and make it nicer"])
def test_a_part_of_a_change_is_not_undone(said: str, first: str) -> None:
    left = during("move Call Bert to the top", 3, "thanks", first)
    after = during("move Call Bert to the top", 3, said, first)

    assert after.unclear
    assert after.every == left.every


def test_a_save_after_a_change_that_is_undone_is_made() -> None:
    saved = f"{NOTES}, save it as a.txt"
    assert during("remove milk and save it", 4, "undo that", saved).left()[-1] == "save it"
    assert during("remove milk and save it", 10, "undo that", saved).every[-1].text == "save it"


def test_a_run_is_told_to_undo_its_change() -> None:
    given = [one for one in read_goal("change eggs to figs", [NOTES]) if not isinstance(one, NotUnderstood | Talk)]
    tools = {Check: "check", Press: "press", Type: "type_text"}
    past = tuple(
        Step(at, Thought(""), Action(tools[type(one)], {}), Observation(ok=True, text="", data={"present": True}))
        for at, one in enumerate(given, 1)
    )[:2]
    prompt = Prompt("", "change eggs to figs", "", past=lambda: past, said=(Word(3, "undo that"),))
    heard, _ = heard_of(prompt, Given(given, (NOTES,), is_document=False))

    assert heard.remaining.left() == ['type "eggs"']


def test_a_text_that_is_not_there_any_longer_may_be_in_a_window_that_is_closed() -> None:
    brain = OfflineBrain.following(['open mousepad, type "milk and bread", save it as a.txt'])
    problem = Problem("TARGET_NOT_FOUND", '"milk and bread" is not on the screen.')
    seen = Observation(ok=False, text="", error=problem)
    look = Step(1, Thought(""), Action("wait_for", {"text": "milk and bread", "timeout": 3.0}), seen)
    reply = json.loads(brain.think(Prompt("", "change bread to butter", "", past=lambda: (look,))).text)

    assert reply["action"]["tool"] == "fail"
    assert reply["action"]["args"]["reason"].endswith('If its window is closed, say "open it again" first.')


def test_a_file_that_was_saved_before_another_one_is_opened_again_and_changed() -> None:
    other = 'open the text editor, type "9:00 Start\n10:00 End", save it as day.txt'
    before = SHOPPING, "add eggs", other, "open list.txt again"
    given = read_goal("add butter and save it", before, is_document=True)
    understood = [one for one in given if not isinstance(one, NotUnderstood)]

    assert len(understood) == len(given)
    assert typed_at_end([*done_before(before, is_document=True), *understood]) == "milk\nbread\nsalt\nbutter"
    assert typed_at_end(done_before((*before, "open day.txt again"), is_document=True)) == "9:00 Start\n10:00 End"


def test_a_file_is_saved_in_a_folder_of_its_own_once_it_is_saved() -> None:
    given = read_goal("save it in my Documents folder", [SHOPPING.replace("list.txt", "~/Music/list.txt")])

    assert [one.file for one in given if isinstance(one, DialogClosed)] == ["~/Documents/list.txt"]
