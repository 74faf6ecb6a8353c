"""What people say of a text that was typed: it is done as they meant it, or they are asked which of two they mean."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from mark_i import AgentCore, Prompt, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.dialogs import NEVER_SAVED
from mark_i.brains.offline.following import ABOVE, examples_after, read_goal
from mark_i.brains.offline.instructions import Check, Held, Instruction, NotUnderstood, Open, Press, Talk, Type
from mark_i.brains.offline.seen import LOOKED
from tests.mark_i.brains.offline.plans import begun, written
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception import Eyes
from world_model import Action, Observation, Step, Thought

LIST: Final = (
    'open the text editor, type "Shopping:", press enter, type "2 kg flour", press enter, type "milk", press enter, '
    'type "6 eggs", press enter, type "salt", save it as list.txt'
)
LUNCH: Final = (
    'open the text editor, type "Dear Mr Brown,", press enter, type "I have a cold and we come to lunch on Friday at '
    '12:30.", press enter, type "We will be 4 people.", press enter, type "Sue", save it as lunch.txt'
)
CALL: Final = 'open the text editor, type "Call Peter at 9 am on Tuesday", save it as call.txt'
TIMES: Final = 'open the text editor, type "lunch at 12, dinner at 7", save it as times.txt'
NOTE: Final = 'open the text editor, type "milk", press enter, type "bread", press enter, type "salt"'

SAVED: Final = f"{NOTE}, save it as list.txt"


def after(goal: str, said: str, *, is_document: bool = False) -> str:
    """The text after a follow-up."""
    every = list[Instruction](begun(0, goal).every)
    given = read_goal(said, [goal], is_document=is_document)
    assert not [one for one in given if isinstance(one, NotUnderstood)], given
    every += [one for one in given if not isinstance(one, NotUnderstood | Check | Talk)]
    return written(Remaining(every, 0))


@pytest.mark.parametrize(
    ("goal", "said", "changed"),
    [
        (LIST, "move milk to the top", ("2 kg flour\nmilk", "milk\n2 kg flour")),
        (LIST, "put salt first please", ("2 kg flour\nmilk\n6 eggs\nsalt", "salt\n2 kg flour\nmilk\n6 eggs")),
        (LIST, "move the eggs to the bottom", ("6 eggs\nsalt", "salt\n6 eggs")),
        (LIST, "move the milk line to the end of the list", ("milk\n6 eggs\nsalt", "6 eggs\nsalt\nmilk")),
        (LIST, "put milk last", ("milk\n6 eggs\nsalt", "6 eggs\nsalt\nmilk")),
        (LIST, "milk goes last", ("milk\n6 eggs\nsalt", "6 eggs\nsalt\nmilk")),
        (LIST, "the salt belongs at the top", ("2 kg flour\nmilk\n6 eggs\nsalt", "salt\n2 kg flour\nmilk\n6 eggs")),
        (LIST, "move salt above the eggs", ("6 eggs\nsalt", "salt\n6 eggs")),
        (LIST, "move milk below the eggs", ("milk\n6 eggs", "6 eggs\nmilk")),
        (LIST, "put the salt before the milk", ("milk\n6 eggs\nsalt", "salt\nmilk\n6 eggs")),
        (LIST, "add sugar above milk", ("milk", "sugar\nmilk")),
        (LIST, "sign it with Maria and Paul", ("salt", "salt\nMaria and Paul")),
        (LIST, "add ham and olives at the bottom", ("salt", "salt\nham\nolives")),
        (LIST, "remove the eggs", ("6 eggs\n", "")),
        (LIST, "not 6 eggs but 10", ("6", "10")),
        (LIST, "only 1 kg flour", ("2 kg", "1 kg")),
        (LIST, "12 eggs please", ("6", "12")),
        (LIST, "great, that's everything, add tea", ("salt", "salt\ntea")),
        (CALL, "add Lena at the bottom", ("Tuesday", "Tuesday\nLena")),
        (CALL, "put bring cake below", ("Tuesday", "Tuesday\nbring cake")),
        (CALL, "sign it with Sue and Tom", ("Tuesday", "Tuesday\nSue and Tom")),
        (CALL, "remove Tuesday", (" on Tuesday", "")),
        (CALL, "it's at 10 now", ("9 am", "10 am")),
        (CALL, "half past 9", ("9 am", "half past 9 am")),
        (CALL, "on Wednesday", ("Tuesday", "Wednesday")),
        (CALL, "we moved it to Thursday", ("Tuesday", "Thursday")),
        (CALL, "it starts an hour later, 10 am", ("9 am", "10 am")),
        (CALL, "two days later, so Thursday please", ("Tuesday", "Thursday")),
        (CALL, "everything is 30 minutes earlier: 8:30 am", ("9 am", "8:30 am")),
        (CALL, "make that Peter Brown", ("Peter", "Peter Brown")),
        (LUNCH, "there will be 55 of us", ("4", "55")),
        (LUNCH, "we're only 3 now", ("4", "3")),
        (LUNCH, "actually 6 of us", ("4", "6")),
        (LUNCH, "5 people", ("4", "5")),
        (LUNCH, "it's at 1 now", ("12:30", "1")),
        (LUNCH, "half past 1", ("12:30", "half past 1")),
        (LUNCH, "quarter to 1", ("12:30", "quarter to 1")),
        (LUNCH, "1 o'clock", ("12:30", "1 o'clock")),
        (LUNCH, "it's at 1 and there will be 6 of us", ("12:30.\nWe will be 4", "1.\nWe will be 6")),
        (TIMES, "dinner is at 8", ("at 7", "at 8")),
        (TIMES, "lunch at 1", ("at 12", "at 1")),
    ],
)
def test_a_wish_changes_what_it_names(goal: str, said: str, changed: tuple[str, str]) -> None:
    assert after(goal, said) == written(begun(0, goal)).replace(*changed)


@pytest.mark.parametrize(
    ("goal", "said", "reason"),
    [
        (CALL, "add Lena", 'add a line "Lena"'),
        (CALL, "add Lena at the end", 'add a line "Lena"'),
        (CALL, "Lena is missing", 'add a line "Lena"'),
        (CALL, "make that Paul Brown", "cannot start with"),
        (CALL, "without Peter", 'leave out "Call Peter at 9 am on Tuesday"'),
        (LUNCH, "he doesn't need to know about the cold, leave that out", '"cold"'),
        (LUNCH, "leave out the cold", "which words"),
        (LUNCH, "make it 8", '"12:30" or "4"'),
        (TIMES, "half past 7", '"12" or "7"'),
        (TIMES, "it's at 8 now", '"12" or "7"'),
        (LIST, "salt is missing", "it stands there already"),
        (LIST, "move milk after the flour", "it stands there already"),
        (LIST, "delete the butter", "no text that I typed has that"),
        (NOTE, "remove milk", ABOVE),
    ],
)
def test_what_may_mean_two_things_is_asked_in_plain_words(goal: str, said: str, reason: str) -> None:
    [unclear] = read_goal(said, [goal])

    assert isinstance(unclear, NotUnderstood)
    assert reason in unclear.reason
    assert "before you said so" not in unclear.reason


def test_a_signature_is_not_put_below_another() -> None:
    goal = (
        'open the text editor, type "Hi", press enter, type "Best regards", press enter, type "Sue", save it as a.txt'
    )
    after = begun(len(begun(0, goal).every), goal).after("sign it with Sue and Tom")

    assert not after.unclear
    assert written(after) == "Hi\nBest regards\nSue and Tom"


@pytest.mark.parametrize(
    ("goal", "said", "name", "args"),
    [
        (LIST, "open it again", "text editor", ("list.txt",)),
        (LIST, "reopen it please", "text editor", ("list.txt",)),
        (LIST, "ok great, open the file again", "text editor", ("list.txt",)),
        (LIST, "open the program again", "text editor", ()),
        ('open mousepad with "a b.txt"', "open it again", "mousepad", ("a b.txt",)),
        ("open the calculator", "open it once more", "calculator", ()),
    ],
)
def test_what_was_opened_or_saved_is_opened_again(goal: str, said: str, name: str, args: tuple[str, ...]) -> None:
    given = read_goal(said, [goal, "close the window"])

    assert [(one.name, one.args) for one in given if isinstance(one, Open)] == [(name, args)]
    assert any(isinstance(one, Check) for one in given) is ("list.txt" in args)


@pytest.mark.parametrize(
    ("said", "name", "args"),
    [
        ("now open list.txt", "text editor", ("~/a/list.txt",)),
        ('open the file list.txt please, add a line "x"', "text editor", ("~/a/list.txt",)),
        ("open list.txt with the browser", "the browser", ("list.txt",)),
        ("open other.txt", "other.txt", ()),
    ],
)
def test_a_file_that_was_saved_is_opened_by_its_name(said: str, name: str, args: tuple[str, ...]) -> None:
    given = read_goal(said, [f"{NOTE}, save it as ~/a/list.txt", "close the window"])

    assert [(one.name, one.args) for one in given if isinstance(one, Open)] == [(name, args)]
    assert not any(isinstance(one, Check | NotUnderstood) for one in given)


def test_a_file_is_changed_once_it_is_open_again_and_seen() -> None:
    [at_once] = read_goal("open it again and undo that", [SAVED])
    [unseen] = read_goal("change milk to tea", [SAVED, "open it again"])

    assert isinstance(at_once, NotUnderstood)
    assert 'say "open it again" first' in at_once.reason
    assert isinstance(unseen, NotUnderstood)
    assert "cannot see all of the text of that file" in unseen.reason


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (["change milk to tea"], "tea\nbread\nsalt"),
        (["tea instead of milk", "add eggs"], "tea\nbread\nsalt\neggs"),
        (["change milk to tea and save it", "close it", "open it again", "change tea to stew"], "stew\nbread\nsalt"),
        (["change milk to tea", "undo that"], "milk\nbread\nsalt"),
        (["press f5"], "milk\nbread\nsalt"),
        (['type " and pepper"', "change pepper to sugar"], "milk\nbread\nsalt and sugar"),
    ],
)
def test_a_file_that_is_open_again_is_changed_like_a_text_that_was_typed(said: Sequence[str], text: str) -> None:
    goals, shown = [SAVED, "close it"], "milk\nbread\nsalt"
    for goal in ("open it again", *said):
        given = read_goal(goal, goals, is_document=True)
        assert not [one for one in given if isinstance(one, NotUnderstood)], given
        shown = shown_after(shown, given)
        goals.append(goal)

    assert shown == text


@pytest.mark.parametrize(
    ("said", "saves"),
    [
        ("change milk to tea", False),
        ("change milk to tea and save it", True),
        ('add "eggs" at the end', False),
        ("add eggs at the end, then save", True),
        ("drop the bread and save everything", True),
        ("it isn't milk, it's tea", False),
    ],
)
def test_a_file_is_opened_and_changed_by_one_goal(said: str, saves: bool) -> None:  # noqa: FBT001
    at_once = read_goal(f"open it again and {said}", [SAVED, "close it"])
    in_turn = read_goal(said, [SAVED, "close it", "open it again"], is_document=True)
    [held] = [one for one in at_once if isinstance(one, Held)]
    now = [SAVED, "close it", f"open it again and {said}"]

    assert held.content == "milk\nbread\nsalt"
    changes = at_once[at_once.index(held) + 1 :]
    assert [(type(one), getattr(one, "keys", "")) for one in changes] == [
        (type(one), getattr(one, "keys", "")) for one in in_turn if not isinstance(one, Check)
    ]
    assert any(isinstance(one, Press) and one.keys == "ctrl+s" for one in changes) is saves
    again = read_goal("add a line Z", now)
    assert shown_after(shown_after(held.content, changes), again) == f"{shown_after(held.content, changes)}\nZ"


def test_a_file_that_does_not_hold_what_was_saved_is_not_changed() -> None:
    goal, field = "open it again and change milk to tea", {"value": "milk\nbeer", "states": ["focused"]}
    brain, past = OfflineBrain([SAVED, "close it"]), list[Step]()

    for _ in range(9):
        action = json.loads(brain.think(Prompt("", goal, "", past=lambda: tuple(past))).text)["action"]
        if action["tool"] in {"fail", "finish"}:
            break
        seen = Observation(ok=True, text="", data=[field] if action["tool"] == "marks" else None)
        note = "on the way" if action["tool"] == "wait" else ""
        past.append(Step(len(past) + 1, Thought(""), Action(action["tool"], action["args"]), seen, note=note))

    assert action["tool"] == "fail"
    assert "I cannot see all of its text, so I change nothing in it." in action["args"]["reason"]
    assert [step.action.tool for step in past] == ["open_app", "press", "wait_for", "marks", "wait", "marks"]


@pytest.mark.usefixtures("patience")
def test_an_editor_changes_the_file_that_it_opens_again(desktop: VirtualDesktop, tmp_path: Path) -> None:
    eyes, file = Eyes(desktop, desktop.control), tmp_path / "list.txt"
    first = f'open mousepad, type "milk", press enter, type "bread", save it as {file}'
    goals = [first, "close it", "just open it again", "tea instead of milk", "save it"]

    for at, goal in enumerate(goals):
        agent = AgentCore(OfflineBrain.following(goals[:at]), standard_toolbelt(eyes), desktop, eyes=eyes)
        ended = [*agent.run(goal)][-1].data
        assert ended["outcome"].startswith("done"), ended["summary"]

    assert file.read_text().rstrip("\n") == "tea\nbread"


def shown_after(shown: str, given: Sequence[Instruction | NotUnderstood]) -> str:
    """What the file shows, with the caret at its end, after some instructions."""
    for one in given:
        match one:
            case Press(keys="backspace", times=times):
                shown = shown[: len(shown) - times]
            case Press(keys="enter"):
                shown += "\n"
            case Type(content=str(content)):
                shown += content
    return shown


@pytest.mark.parametrize("before", [(), (LIST,)])
@pytest.mark.parametrize(
    "said",
    [
        "thats it, close the editor",
        "thanks, close the editor",
        "all good, close the editor",
        "ok great, now close the editor",
        "we're done, close the editor please",
        "finished. close the editor",
        "nice one, that's all, close the editor",
        "everything is fine, close the editor",
    ],
)
def test_a_kind_word_before_an_instruction_is_none(said: str, before: tuple[str, ...]) -> None:
    assert [one.text.removesuffix(" please") for one in read_goal(said, before)] == ["close the editor"]


@pytest.mark.parametrize("goal", [LIST, LUNCH, CALL, NOTE, "open the text editor"])
@pytest.mark.parametrize(
    "said",
    ["remove the butter", "add something about cheese", "this is wrong", "it should be nicer", "the milk is stale"],
)
def test_an_example_is_never_refused(goal: str, said: str) -> None:
    for example in examples_after(said, [goal]).split("; "):
        assert not [one for one in read_goal(example, [goal]) if isinstance(one, NotUnderstood)]
        assert "ctrl+s" not in example


@pytest.mark.parametrize(
    ("said", "text"),
    [("change milk to oat milk", "oat milk\nbread\nsalt"), ("move salt to the top", "salt\nmilk\nbread")],
)
@pytest.mark.parametrize("held", ["milk\nbread\nsalt", "Notes\nmilk\nbread\nsalt", "salt", None])
def test_lines_are_changed_once_they_are_seen_in_one_field(said: str, text: str, held: str | None) -> None:
    rows = [] if held is None else [{"role": "textbox", "value": held, "states": ["focused"]}]
    look = Step(1, Thought(""), Action("marks", {}), Observation(ok=True, text="", data=rows), note=LOOKED)

    def tool(*past: Step) -> str:
        reply = OfflineBrain.following([NOTE]).think(Prompt("", said, "", past=lambda: past))
        return str(json.loads(reply.text)["action"]["tool"])

    assert tool() == "marks"
    assert (tool(look) == "wait_for") is (held is not None and held.endswith("milk\nbread\nsalt"))
    assert after(NOTE, said, is_document=True) == text


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize(
    ("goals", "text", "hints"),
    [
        (("change milk to oat milk", "remove the bread"), "oat milk\nsalt", [True, True, True]),
        (("undo that",), "", [True, False]),
    ],
)
def test_a_text_that_was_never_saved_is_changed(
    desktop: VirtualDesktop, tmp_path: Path, goals: Sequence[str], text: str, hints: Sequence[bool]
) -> None:
    eyes, file = Eyes(desktop, desktop.control), tmp_path / "note.txt"
    first = NOTE.replace("the text editor", "mousepad")

    told = list[str]()
    for at, goal in enumerate(every := [first, *goals, f"save it as {file}"]):
        brain = OfflineBrain.following(every[:at])
        ended = [*AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes).run(goal)][-1].data
        assert ended["outcome"].startswith("done"), ended["summary"]
        told.append(ended["summary"])

    assert file.read_text().rstrip("\n") == text
    assert NEVER_SAVED in told[0]
    assert NEVER_SAVED not in told[-1]


@pytest.mark.parametrize("said", ["forget that", "no wait, forget it", "forget about that"])
def test_what_is_forgotten_is_what_was_said_last(said: str) -> None:
    assert written(begun(0, CALL).after("make it Thursday").after(said)) == written(begun(0, CALL))
