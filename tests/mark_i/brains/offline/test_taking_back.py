"""What the person said last can be taken back: the plan is as before it, and no text is lost that was not meant."""

from dataclasses import replace
from typing import Final

import pytest
from PIL import Image

from mark_i import AgentCore, FakeDesktop, standard_toolbelt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.corrections import Remaining
from mark_i.brains.offline.instructions import NotUnderstood, parse_instructions
from mark_i.events import Event
from mark_i.human.words import Words
from mark_i.loop.witness import Witness
from tests.mark_i.brains.offline import plans
from tests.mark_i.brains.offline.plans import written
from toolbelt.perception import Eyes

GOAL: Final = (
    'open the text editor, type "bread", press enter, wait 10 seconds, type "fish", press enter, '
    'type "gifts", press enter, type "peas", save it as list.txt'
)
PARTY: Final = 'type "Friday at six", press enter, type "bring cake", press enter, type "bye", save'


def begun(done: int, goal: str = GOAL) -> Remaining:
    """What is left of a goal once so many of its instructions are done."""
    return plans.begun(done, goal)


@pytest.mark.parametrize(
    "said",
    [
        "Wait no, undo that",
        "Take that back please",
        "I take that back",
        "Scratch that, sorry",
        "No, that's not what I meant. Take that back please",
        "forget what I just said, keep it as it was",
        "never mind what I said before",
        "scrap my last message",
        "please ignore that last message of mine",
        "undo my last change please",
        "I changed my mind, leave everything as it was",
        "actually go back to how it was before",
        "change it back please",
        "keep the fish after all",
        "I want the fish back",
        "the fish was fine",
        "take back the steak",
        "fish after all please",
        "no, not steak after all",
        "could we undo that?",
        "please disregard that",
        "leave the fish as it was",
        "I'd like the fish back",
        "back to the original please",
        "keep everything as it was before my last message",
    ],
)
def test_the_last_word_is_taken_back(said: str) -> None:
    before = begun(2)
    after = before.after("write steak instead of fish").after(said)

    assert not after.unclear
    assert after.every == before.every


@pytest.mark.parametrize(
    "said", ["scrap my last message, I want the gifts line back", "we do need the gifts after all"]
)
def test_what_was_left_out_comes_back(said: str) -> None:
    after = begun(3).after("leave out the gifts").after(said)

    assert not after.unclear
    assert after.every == begun(3).every


@pytest.mark.parametrize(
    "said", ["scrap my last message", "undo my last change", "forget what I just said", "keep it as it was"]
)
def test_what_was_typed_is_never_my_last_message(said: str) -> None:
    after = begun(2).after(said)

    assert after.unclear
    assert after.every == begun(2).every


def test_what_was_typed_last_or_said_last_is_asked_about() -> None:
    after = begun(2).after("write steak instead of fish").after("delete that")

    assert "it could mean what was typed last, or what you said last" in after.unclear[0][1]
    assert written(after) == "bread\nsteak\ngifts\npeas"


def test_what_you_did_may_be_what_was_typed() -> None:
    assert begun(2).after("write steak instead of fish").after("take back what you just did").unclear
    assert not begun(2).after("take back what you just did").unclear


def test_only_one_word_is_taken_back_however_often_that_is_said() -> None:
    after = begun(2).after("write steak instead of fish").after("undo that").after("take that back please")

    assert "taken back already" in after.unclear[0][1]
    assert after.every == begun(2).every


def test_a_word_that_changed_nothing_is_forgotten_and_none_before_it() -> None:
    after = begun(2).after("write steak instead of fish").after("make it nicer").after("forget what I just said")

    assert not after.unclear
    assert written(after) == "bread\nsteak\ngifts\npeas"
    assert written(after.after("scrap my last change")) == "bread\nfish\ngifts\npeas"


def test_something_else_can_be_said_in_its_place() -> None:
    after = begun(2).after("write steak instead of fish").after("undo that and write soup instead of peas")
    assert written(after) == "bread\nfish\ngifts\nsoup"
    assert "press f6" in [one.text for one in begun(2).after("press f5").after("undo that and press f6").every]
    assert "press f5" not in [one.text for one in begun(2).after("press f5").after("undo that and press f6").every]


def test_what_else_a_word_changed_stays_if_only_a_part_is_wanted_back() -> None:
    after = begun(2).after("leave out the gifts and add honey at the end").after("keep the gifts after all")
    assert written(after) == "bread\nfish\ngifts\npeas\nhoney"


@pytest.mark.parametrize("done", [1, 2, 3, 4])
def test_a_text_that_was_corrected_already_is_typed_as_it_was(done: int) -> None:
    corrected = begun(1, PARTY).after("not Friday but Saturday")
    assert written(corrected).startswith("Saturday at six\n")

    after = replace(corrected, done=done).after("take that back please")
    assert not after.unclear
    assert written(after) == "Friday at six\nbring cake\nbye"


@pytest.mark.parametrize(("word", "done"), [("not Friday but Saturday", 5), ("press f5", 2)])
def test_what_cannot_simply_be_taken_back_is_asked_about(word: str, done: int) -> None:
    corrected = replace(begun(1, PARTY).after(word), done=done)
    after = corrected.after("undo that")

    assert after.unclear
    assert after.every == corrected.every


def test_a_wait_that_a_word_left_out_goes_on_with_what_was_left_of_it() -> None:
    before = begun(3)
    before.cut(6.0)
    after = before.after("skip the wait").after("undo that")

    assert [getattr(one, "left_s", None) for one in after.every[3:5]] == [6.0, None]
    later = before.after("write steak instead of fish")
    later.cut(2.0)
    assert getattr(later.after("undo that").every[3], "left_s", None) == 2.0


LETTER: Final = (
    'open the text editor, type "Dear Paul", press enter, wait 5 seconds, type "see you on Friday", press enter, '
    'type "Bye" into Name, press f2'
)


@pytest.mark.parametrize(
    ("words", "goal"),
    [
        ([(2, "undo that, it should say Dear Paula")], LETTER.replace("Paul", "Paula")),
        ([(3, "not Paul but Paula"), (5, "undo that")], LETTER),
        ([(5, "not Friday but Monday"), (7, "make it nicer")], LETTER.replace("Friday", "Monday")),
        ([(5, "not Friday but Monday"), (7, "take that back please")], LETTER),
        ([(2, "take back Paul")], LETTER.replace("Paul", "")),
        ([(3, "take back Dear Paul")], LETTER.replace('type "Dear Paul", press enter, ', "")),
        (
            [(3, "skip the wait"), (4, "write Later instead of Bye")],
            LETTER.replace("Bye", "Later").replace("wait 5 seconds, ", ""),
        ),
        ([(7, "undo that, I want Later")], LETTER.replace("Bye", "Later")),
        ([(1, 'write "a \\"b\\" c" instead of Dear Paul'), (1, "scrap my last change")], LETTER),
        (
            [(3, "wait 9 seconds instead"), (3, "then press f5"), (3, "press f5 again at the end")],
            LETTER.replace("5 s", "9 s") + ", press f5, press f5",
        ),
        ([(2, 'type "x" before "see you on Friday"')], LETTER.replace('type "see', 'type "x", press enter, type "see')),
    ],
)
def test_the_goal_that_a_run_leaves_can_be_run_from_the_start(words: list[tuple[int, str]], goal: str) -> None:
    after = begun(0, LETTER)
    ordered = after.every
    for done, said in words:
        after.done = done
        after = after.after(said)
    left = parse_instructions(after.goal(LETTER, ordered))

    assert not any(isinstance(one, NotUnderstood) for one in left)
    assert [replace(one, text="") for one in left] == [replace(one, text="") for one in begun(0, goal).every]
    assert [replace(one, text="") for one in parse_instructions(after.goal("", ()))] == [
        replace(one, text="") for one in left
    ]


def test_a_word_that_stops_a_run_is_no_part_of_the_goal_that_it_leaves() -> None:
    desktop = FakeDesktop(lambda inputs: Image.new("RGB", (320, 240), (len(inputs) * 40 % 256, 90, 120)))
    words, eyes, told = Words(), Eyes(desktop, desktop.control), list[Event]()
    said = {1: "press f9 instead of f4", 2: "Please stop"}
    for event in AgentCore(OfflineBrain(), standard_toolbelt(eyes), desktop, eyes=eyes, words=words).run(
        "press f1, press f2, press f3, press f4"
    ):
        told.append(event)
        if event.event == "step" and event.data["index"] in said:
            words.say(said[event.data["index"]])

    assert told[-1].data["outcome"] == "stopped"
    assert told[-1].data["goal"].splitlines() == ["press f1", "press f2", "press f3", "press f9"]


def test_a_goal_that_a_brain_does_not_understand_by_itself_holds_no_stop() -> None:
    witness = Witness(*[None] * 6)  # type: ignore[arg-type]  # it only listens
    witness.goal = "write a letter"
    witness.say("to Paul")
    witness.say("Please stop")
    assert witness.goal == "write a letter\nto Paul"
