"""The brain without a model: what comes next follows from the goal and from the steps that worked."""

import re
from dataclasses import replace
from typing import Any

import pytest

from mark_i.brain import Prompt
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.brains.offline.looking import echo_of, value_of
from mark_i.brains.offline.seen import ON_THE_WAY
from mark_i.replies import Decision, parse
from toolbelt.ocr.lines import Line, Word
from world_model import Action, Observation, Place, Problem, Region, ScreenChange, Step, Thought

GOAL = 'open xterm, type "hello" into Name, press ctrl+s, click Save'
ORDER = ["open_app", "type_text", "press", "click"]
AMBIGUOUS = Problem("TARGET_AMBIGUOUS", '"Save" is on the screen 2 times.', ("Name a point.",))
IN_THE_MENU = Line("Save", Region(10, 100, 60, 20))
IN_THE_BAR = Line("Save", Region(400, 10, 60, 20))


def think(goal: str, *steps: Step, screen: tuple[Line, ...] = ()) -> Decision:
    prompt = Prompt("", goal, "", past=lambda: steps, read=lambda: screen)
    return parse(OfflineBrain().think(prompt).text)


def args_of(goal: str, *steps: Step) -> dict[str, Any]:
    return dict(think(goal, *steps).action.args)


def worked(index: int, *regions: Region, data: object = None) -> Step:
    screen = ScreenChange(changed=bool(regions), regions=regions)
    return Step(index, Thought(""), Action("press"), Observation(ok=True, text="", data=data, screen=screen))


def went_wrong(index: int, error: Problem, tool: str = "click", **args: object) -> Step:
    return Step(index, Thought(""), Action(tool, args), Observation(ok=False, text="", error=error))


@pytest.mark.parametrize("done", range(4))
def test_the_next_instruction_is_the_one_after_those_that_worked(done: int) -> None:
    decision = think(GOAL, *(worked(index) for index in range(1, done + 1)))

    assert decision.action.tool == ORDER[done]
    assert f"Instruction {done + 1} of 4" in decision.thought.text


def test_a_failed_step_that_is_retried_counts_once() -> None:
    steps = worked(1), went_wrong(2, AMBIGUOUS, target="Name"), worked(3)

    assert think(GOAL, *steps).action.tool == "press"


@pytest.mark.parametrize(
    ("instruction", "action"),
    [
        ("open xterm with -e top", Action("open_app", {"name": "xterm", "args": ["-e", "top"]})),
        ("open xterm", Action("open_app", {"name": "xterm"})),
        ("click Save", Action("click", {"target": "Save"})),
        ("click the second Delete", Action("click", {"target": {"text": "Delete", "nth": 2}})),
        ("click the OK button", Action("click", {"target": {"text": "OK", "role": "button"}})),
        (
            "click the field under Email",
            Action("click", {"target": {"role": "textbox", "beside": "Email", "side": "below"}}),
        ),
        ("tick Milk", Action("tick", {"target": {"text": "Milk", "role": "checkbox"}})),
        ("untick Milk", Action("tick", {"target": {"text": "Milk", "role": "checkbox"}, "off": True})),
        ("select Large from the list", Action("select", {"options": ["Large"]})),
        ("select A and B from the Size list", Action("select", {"options": ["A", "B"], "target": "Size"})),
        ('type "hi" into the text field', Action("type_text", {"text": "hi", "into": {"role": "textbox"}})),
        ("tell me the total", Action("read_screen", {})),
        ("tick all boxes", Action("marks", {})),
        ("click at 0, 300", Action("click", {"target": {"x": 0, "y": 300}})),
        ("double-click notes", Action("double_click", {"target": "notes"})),
        ("right-click notes", Action("right_click", {"target": "notes"})),
        ('type "hi" and press enter', Action("type_text", {"text": "hi", "enter": True})),
        ('type "hi" into Name', Action("type_text", {"text": "hi", "into": "Name"})),
        ("press f5", Action("press", {"keys": "f5"})),
        ("scroll up twice", Action("scroll", {"direction": "up", "amount": 2})),
        ("wait until Saved appears", Action("wait_for", {"text": "Saved", "timeout": 30.0})),
        ("wait up to 5 seconds for Saved", Action("wait_for", {"text": "Saved", "timeout": 5.0})),
        ("wait up to 0 seconds for Saved", Action("wait_for", {"text": "Saved", "timeout": 0.0})),
        ("wait until Saving disappears", Action("wait_for", {"text": "Saving", "timeout": 30.0, "gone": True})),
        ("wait 3 seconds", Action("wait", {"seconds": 3.0})),
        ("check that Saved is shown", Action("wait_for", {"text": "Saved", "timeout": 3.0})),
        ("when the price is below 60", Action("wait_for", {"text": "price", "timeout": 600.0, "number": "< 60"})),
        ("check that the total is at least 5", Action("wait_for", {"text": "total", "timeout": 3.0, "number": ">= 5"})),
        ("drag notes.txt onto Work", Action("drag", {"start": "notes.txt", "end": "Work"})),
        (
            "drag the second icon to 5, 9",
            Action("drag", {"start": {"role": "image", "nth": 2}, "end": {"x": 5, "y": 9}}),
        ),
        ("scroll to the end of the page", Action("scroll", {"direction": "down", "until": True})),
        ("how many Delete buttons are there?", Action("marks", {})),
        ('how many "Delete" are there?', Action("read_screen", {})),
        ("how many windows are open?", Action("list_windows", {})),
        ("what is on my screen?", Action("read_screen", {})),
        ("wait for the page to load", Action("wait_until_still", {"timeout": 30.0})),
        ("copy it", Action("press", {"keys": "ctrl+c"})),
        ("check that Error is not shown", Action("wait_for", {"text": "Error", "timeout": 3.0, "gone": True})),
        ("close the window", Action("close_window", {})),
        ("close xterm", Action("close_window", {"title": "xterm"})),
    ],
)
def test_each_instruction_is_one_action(instruction: str, action: Action) -> None:
    assert think(instruction).action == action


def test_the_thought_says_where_the_target_is_read() -> None:
    assert think("click Save", screen=(IN_THE_BAR,)).thought.text.endswith('I read "Save" at 430, 20.')
    assert 'I cannot read "Save" yet' in think("click Save").thought.text


@pytest.mark.parametrize("steps", [(), (worked(1),)], ids=["at the start", "later"])
def test_a_goal_not_understood_fails_at_once_and_names_the_part(steps: tuple[Step, ...]) -> None:
    decision = think("open xterm, juggle three balls, click Save", *steps)

    assert decision.action.tool == "fail"
    assert '"juggle three balls"' in decision.action.args["reason"]
    assert decision.thought.text == decision.action.args["reason"]
    assert decision.thought.text.count("open xterm") == 1, "only in the example"


def test_of_a_goal_not_understood_nothing_is_done() -> None:
    reason = args_of("juggle three balls")["reason"]
    assert "Nothing was done." in reason
    assert "a model (in the settings, or with --brain) understands more." in reason


@pytest.mark.parametrize("goal", ["", "  \n "])
def test_a_goal_without_an_instruction_fails_and_shows_one(goal: str) -> None:
    decision = think(goal)

    assert decision.action.tool == "fail"
    assert "holds no instruction" in decision.action.args["reason"]
    assert "press ctrl+s" in decision.action.args["reason"]


def test_a_step_that_failed_ends_the_run_with_its_reason() -> None:
    missing = Problem("TARGET_NOT_FOUND", '"Save" is not on the screen.', ('On the screen: "Open".',))

    decision = think("press f5, click Save", worked(1), went_wrong(2, missing, target="Save"))

    assert decision.action == Action(
        "fail", {"reason": 'This did not work: click Save. "Save" is not on the screen. On the screen: "Open".'}
    )


def test_of_two_equal_texts_the_one_that_just_changed_is_meant() -> None:
    in_the_bar, in_the_menu = worked(1, Region(390, 0, 200, 40)), worked(2, Region(0, 90, 200, 200))
    failed = went_wrong(4, AMBIGUOUS, "double_click", target="Save")

    decision = think(
        "press f1, press f2, press f3, double-click Save",
        *(in_the_bar, in_the_menu, worked(3), failed),
        screen=(IN_THE_BAR, IN_THE_MENU),
    )

    assert decision.action == Action("double_click", {"target": {"x": 40, "y": 110}})
    assert "more than once" in decision.thought.text


@pytest.mark.parametrize(
    "steps",
    [
        (),
        (worked(1),),
        (worked(1, Region(700, 700, 10, 10)),),
        (worked(1, Region(0, 0, 800, 600)),),
    ],
    ids=["at the start", "nothing changed", "it changed elsewhere", "it changed everywhere"],
)
def test_equal_texts_that_cannot_be_told_apart_are_an_error(steps: tuple[Step, ...]) -> None:
    failed = went_wrong(len(steps) + 1, AMBIGUOUS, target="Save")

    decision = think("press f5, click Save", *steps, failed, screen=(IN_THE_BAR, IN_THE_MENU))

    assert decision.action.tool == "fail"
    assert '"Save" is on the screen 2 times. Name a point.' in decision.action.args["reason"]


def test_there_is_no_third_try() -> None:
    again = went_wrong(3, Problem("OFF_SCREEN", "40, 110 is outside of the desktop."), target={"x": 40, "y": 110})
    steps = worked(1, Region(0, 90, 200, 200)), went_wrong(2, AMBIGUOUS, target="Save"), again

    decision = think("press f5, click Save", *steps, screen=(IN_THE_BAR, IN_THE_MENU))

    assert decision.action.tool == "fail"
    assert "outside of the desktop" in decision.action.args["reason"]


def test_a_pause_is_no_evidence() -> None:
    opened = worked(1, Region(0, 0, 9, 9))
    waited = Step(2, Thought(""), Action("wait", {"seconds": 2.0}), Observation(ok=True, text="Waited 2 s."))

    assert args_of("open xterm, wait 2 seconds", opened, waited)["evidence"] == [{"observation": 1}]


def test_the_last_step_and_its_text_are_the_evidence() -> None:
    shown = Region(0, 0, 9, 9)
    steps = worked(1, shown), worked(2), worked(3, data={"seen": True}), went_wrong(4, AMBIGUOUS), worked(5)

    decision = think(GOAL, *steps)

    assert decision.action == Action(
        "finish",
        {
            "summary": 'Opened xterm, typed "hello" into "Name", pressed ctrl+s and clicked "Save".',
            "evidence": [{"observation": 1}, {"observation": 3}, {"observation": 5}],
            "kind": "deed",
        },
    )


# What only repeats the goal ----------------------------------------------------------------------------------------

BUTTON = Line("Save", Region(100, 200, 60, 20))


def lines(*texts: str, x: int = 0, y: int = 0) -> tuple[Line, ...]:
    """A paragraph, its words twelve pixels a letter."""
    found = []
    for row, text in enumerate(texts):
        words, at = [], x
        for word in text.split():
            words.append(Word(word, Region(at, y + 25 * row, 12 * len(word), 20)))
            at += 12 * (len(word) + 1)
        found.append(Line(text, Region(x, y + 25 * row, 12 * len(text), 20), tuple(words)))
    return tuple(found)


@pytest.mark.parametrize(
    "shown",
    [
        ("click the text Save and press f5",),
        ("click the text", "Save and press f5"),
        ("cIick tbe text", "Save and press t5"),
        ('$ mark-i run "click the text Save and press f5"',),
    ],
    ids=["as it is", "over two lines", "read a little wrong", "in a terminal"],
)
def test_what_only_repeats_the_goal_is_not_clicked(shown: tuple[str, ...]) -> None:
    goal = "click the text Save and press f5"

    assert think(goal, screen=(*lines(*shown), BUTTON)).action.args == {"target": {"x": 130, "y": 210}}
    assert think(goal, screen=lines(*shown)).action.tool == "scroll"


def test_other_lines_that_name_it_are_no_repetition() -> None:
    echo = echo_of("click Save", lines("click Open", "Save your work", "Save"))

    assert not echo


# Looking further, again, and at all of them ------------------------------------------------------------------------

MISSING = Problem("TARGET_NOT_FOUND", '"Save" is not on the screen.')
STALE = Problem("STALE_TARGET", "What is at 1, 2 is not what was there.")


def scrolled(index: int, *, changed: bool = True) -> Step:
    screen = ScreenChange(changed=changed)
    return Step(index, Thought(""), Action("scroll"), Observation(ok=True, text="", screen=screen))


def test_a_missing_target_is_scrolled_to_within_its_instruction() -> None:
    missing = went_wrong(1, MISSING, target="Save")

    assert think("click Save", missing, screen=(IN_THE_BAR,)).action.tool == "scroll"
    assert think("click Save", missing, scrolled(2), screen=(BUTTON,)).action.tool == "click"


def test_what_is_far_down_is_scrolled_to_until_nothing_moves() -> None:
    def tool_after(*steps: Step) -> str:
        return think("click Save", *steps, screen=lines("Open")).action.tool

    missing = went_wrong(1, MISSING, target="Save")
    found_nothing = [missing, scrolled(2), missing]

    assert tool_after(*found_nothing) == "scroll"
    assert tool_after(*found_nothing, scrolled(3)) == "click", "it may be there, and not be read"
    assert tool_after(*found_nothing, scrolled(3, changed=False), missing) == "fail"
    assert tool_after(*(missing, scrolled(2)) * 20, missing) == "fail", "the page has no end"


def test_the_persons_own_scrolling_is_no_search() -> None:
    goal = "scroll down, scroll down, click Save"

    assert think(goal, scrolled(1), scrolled(2), screen=lines("Open")).action.tool == "click"


def test_scrolling_in_vain_fails_and_names_the_missing_text() -> None:
    steps = went_wrong(1, MISSING, target="Save"), scrolled(2, changed=False), went_wrong(3, MISSING, target="Save")

    assert think("click Save", *steps, screen=(IN_THE_BAR,)).action == Action(
        "fail", {"reason": 'This did not work: click Save. "Save" is not on the screen.'}
    )


def test_scrolling_ends_where_the_text_is_or_nothing_moves() -> None:
    goal = "scroll up until Save appears"

    assert think(goal, screen=lines("Open")).action == Action("scroll", {"direction": "up", "amount": 5})
    assert think(goal, scrolled(1), screen=(BUTTON,)).action.tool == "wait_for"
    assert think(goal, scrolled(1, changed=False), screen=lines("Open")).action.tool == "fail"


def test_what_moved_is_looked_for_again_but_not_for_ever() -> None:
    stale = went_wrong(1, STALE, target="Save"), went_wrong(2, STALE, target="Save")

    assert think("click Save", stale[0], screen=(BUTTON,)).action == Action("click", {"target": "Save"})
    assert think("click Save", *stale, screen=(BUTTON,)).action.tool == "fail"


def test_what_was_not_clicked_since_it_moved_is_clicked_in_its_turn() -> None:
    places = {"7": 20, "19": 40, "41": 60}
    rows = [
        {"mark": at, "role": "text", "text": text, "place": [9, y, 9, 9]} for at, (text, y) in enumerate(places.items())
    ]
    marks = replace(seen(1, "marks", rows), note=ON_THE_WAY)
    clicked = Observation(ok=True, text="", places=(Place(13, 24, "7"),))
    moved = Observation(ok=False, text="", error=STALE, places=(Place(13, 44),))
    steps = [
        Step(index, Thought(""), Action("click"), observation, note=ON_THE_WAY)
        for index, observation in enumerate((clicked, moved), 2)
    ]

    def target(*steps: Step) -> int:
        return int(args_of("click the numbers in ascending order", marks, *steps)["target"]["y"])

    assert target(steps[0]) == target(*steps) == 44


def seen(index: int, tool: str, data: object) -> Step:
    return Step(index, Thought(""), Action(tool), Observation(ok=True, text="", data=data))


def test_all_of_them_are_used_by_their_marks_one_after_the_other() -> None:
    listed = [
        {"mark": 4, "role": "button", "text": "Delete", "holds": "", "place": [0, 0, 9, 9]},
        {"mark": 5, "role": "text", "text": "Delete all", "holds": "", "place": [0, 0, 9, 9]},
        {"mark": 9, "role": "button", "text": "delete", "holds": "", "place": [0, 0, 9, 9]},
    ]
    goal, marks = "click all Delete buttons, press f5", seen(1, "marks", listed)

    assert think(goal, marks).action == Action("click", {"target": {"mark": 4}})
    assert think(goal, marks, worked(2)).action == Action("click", {"target": {"mark": 9}})
    assert think(goal, marks, worked(2), worked(3)).action == Action("press", {"keys": "f5"})
    assert "None is on the screen" in args_of("tick all boxes", seen(1, "marks", listed))["reason"]


MARKS = [
    {"mark": 1, "role": "button", "text": "Delete", "place": [0, 0, 9, 9]},
    {"mark": 2, "role": "link", "text": "Terms", "place": [0, 20, 9, 9]},
    {"mark": 3, "role": "button", "text": "delete", "place": [0, 40, 9, 9]},
    {"mark": 4, "role": "text", "text": "Delete all of them", "place": [0, 60, 99, 9]},
]


# Values ------------------------------------------------------------------------------------------------------------

TABLE = (
    Line("Price", Region(100, 0, 50, 20)),
    Line("Stock", Region(200, 0, 50, 20)),
    Line("Milk", Region(0, 30, 40, 20)),
    Line("2.50", Region(100, 30, 40, 20)),
    Line("7", Region(200, 30, 10, 20)),
    Line("Colour", Region(0, 60, 60, 20)),
    Line("Sky blue", Region(100, 60, 80, 20)),
    Line("Total: 9.50", Region(0, 90, 90, 20)),
)


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("Colour", None, "Sky blue"),
        ("total", None, "9.50"),
        ("Milk", "price", "2.50"),
        ("Milk", "stock", "7"),
        ("Milk", None, None),
        ("Milk", "weight", None),
        ("Tot", None, None),
        ("Bread", None, None),
    ],
)
def test_a_value_stands_right_of_its_name_or_behind_it(name: str, column: str | None, value: str | None) -> None:
    assert value_of(name, TABLE, column) == value


def test_a_centred_heading_names_the_column_below_it() -> None:
    heads = (
        Line("Name", Region(60, 0, 40, 20)),
        Line("Size", Region(220, 0, 30, 20)),
        Line("Owner", Region(365, 0, 40, 20)),
    )
    whole = (
        Line("beta.txt", Region(4, 30, 60, 20)),
        Line("7 KB", Region(160, 30, 34, 20)),
        Line("Bob", Region(310, 30, 26, 20)),
    )
    others = Line("gamma.txt", Region(4, 60, 70, 20)), Line("Cy", Region(310, 60, 16, 20))
    lines = (*heads, *whole, *others)

    assert [value_of("beta.txt", lines, column) for column in ("size", "owner", "date")] == ["7 KB", "Bob", None]
    assert value_of("gamma.txt", lines, "owner") == "Cy"  # the only one there is


def test_a_value_is_typed_and_one_that_cannot_be_told_is_not() -> None:
    goal = "enter the value of {} into Code"

    assert think(goal.format("Colour"), screen=TABLE).action.args["text"] == "Sky blue"
    assert "cannot tell" in args_of(goal.format("Milk"))["reason"]


def test_what_was_asked_for_is_the_answer() -> None:
    data = [{"text": line.text, "place": line.region.to_list()} for line in TABLE]
    read = seen(1, "read_screen", data)

    assert think("tell me the price of Milk", read).action == Action(
        "finish", {"summary": "price of Milk: 2.50", "evidence": [{"observation": 1}], "kind": "answer"}
    )
    assert args_of("tell me the weight of Milk", read)["reason"].startswith(
        "This did not work: tell me the weight of Milk. "
    )


def test_a_value_that_no_single_text_holds_is_read_in_the_field_of_its_name() -> None:
    nothing = seen(1, "read_screen", [])
    read = seen(2, "read_value", {"value": "42", "place": [0, 0, 9, 9]})

    assert think("tell me the total", nothing).action == Action("read_value", {"label": "total"})
    assert args_of("tell me the total", nothing, read)["summary"] == "total: 42"
    assert think("tell me the price of Milk", nothing).action.tool == "fail"


def test_a_question_is_answered_with_yes_or_no() -> None:
    goal, late = "is the Save button there?", Problem("TIMEOUT", '"Save" is not on the screen after 3 s.')
    missing = went_wrong(1, late, "wait_for", text="Save", timeout=3.0)

    assert args_of(goal, seen(1, "wait_for", {"seen": True}))["summary"] == 'Yes, "Save" is on the screen.'
    assert think(goal, missing).action == Action("wait_for", {"text": "Save", "timeout": 3.0, "gone": True})
    assert args_of(goal, missing, seen(2, "wait_for", {"seen": False}))["summary"] == 'No, "Save" is not on the screen.'
    assert think("check that Save is shown", missing).action.tool == "fail"


def test_several_answers_are_told_one_after_the_other() -> None:
    there, windows = seen(1, "wait_for", {"seen": True}), seen(2, "list_windows", [{"title": "A"}])

    told = args_of("is Edit visible? how many windows are open?", there, windows)["summary"]

    assert told == 'Yes, "Edit" is on the screen. There is 1 window: "A".'


def test_each_value_is_looked_for_on_a_screen_of_its_own() -> None:
    read = seen(1, "read_screen", [{"text": line.text, "place": line.region.to_list()} for line in TABLE])

    assert think("tell me the price of Milk, tell me the weight of Milk", read).action == Action("read_screen")


@pytest.mark.parametrize(
    ("goal", "tool", "data", "told"),
    [
        ("how many Delete buttons are there?", "marks", MARKS, 'There are 2 buttons with the text "Delete".'),
        ("how many checkboxes are there?", "marks", MARKS, "There are no checkboxes."),
        ("how many links do you see", "marks", MARKS, "There is 1 link."),
        ('how many "Delete" are there?', "read_screen", MARKS, '"Delete" is on the screen 3 times.'),
        (
            "how many windows are open?",
            "list_windows",
            [{"title": "A"}, {"title": "B"}],
            'There are 2 windows: "A", "B".',
        ),
        ("what's on my screen?", "read_screen", MARKS[:2], "On the screen:\nDelete\nTerms"),
    ],
)
def test_what_was_counted_or_read_is_the_answer(goal: str, tool: str, data: object, told: str) -> None:
    ending = args_of(goal, seen(1, tool, data))

    assert (ending["summary"], ending["kind"]) == (told, "answer")


# Told in words -----------------------------------------------------------------------------------------------------


def did(index: int, tool: str, *appeared: str, **args: object) -> Step:
    screen = ScreenChange(changed=True, appeared=appeared)
    return Step(index, Thought(""), Action(tool, args), Observation(ok=True, text="", screen=screen))


def test_the_end_tells_what_was_done_and_what_came_up() -> None:
    goal = 'open mousepad, type "Hello" and press enter, press tab twice, click the second Save button beside "A"'
    steps = did(1, "open_app"), did(2, "type_text", text="Hello"), did(3, "press"), did(4, "press")

    told = args_of(goal, *steps, did(5, "click", "Saved", "Hello"))["summary"]

    assert told == (
        'Opened mousepad, typed "Hello" and pressed enter, pressed tab twice and clicked the second "Save" button '
        'beside "A". The screen then showed "Saved".'
    )


def test_the_end_tells_nothing_of_what_was_in_a_dialog_that_saved() -> None:
    goal = 'open mousepad, type "Hello", save it as a.txt'
    steps = did(1, "open_app"), did(2, "type_text", text="Hello"), did(3, "press"), did(4, "press")
    closed = seen(6, "list_windows", [{"title": "a.txt - Mousepad"}])

    told = args_of(goal, *steps, did(5, "type_text", "7.0 kB", text="a.txt"), closed)["summary"]

    assert told == 'Opened mousepad, typed "Hello" and saved it as "a.txt".'


@pytest.mark.parametrize(
    ("goal", "step", "told"),
    [
        ("drag A onto B", did(1, "drag"), 'Dragged "A" to "B".'),
        ("Open the text editor", did(1, "open_app"), "Opened the text editor."),
        ("untick Milk", did(1, "tick"), 'Unticked "Milk".'),
        ("select A and B from the Size list", did(1, "select"), 'Selected "A" and "B" in "Size".'),
        ("open my Work folder", did(1, "double_click"), 'Double-clicked "Work".'),
        ("scroll to the bottom", did(1, "scroll"), "Scrolled down to the end."),
        (
            "enter the value of Colour into Code",
            did(1, "type_text", text="Blue"),
            'Typed the value of "Colour", "Blue" into "Code".',
        ),
        ("check that Error is not shown", seen(1, "wait_for", {"seen": False}), 'Saw that "Error" was not there.'),
        (
            "wait until the price is below 60",
            seen(1, "wait_for", {"seen": True, "numbers": [59.0]}),
            "Saw that price was 59.",
        ),
    ],
)
def test_each_kind_of_deed_is_told_in_the_past(goal: str, step: Step, told: str) -> None:
    assert args_of(goal, step)["summary"] == told


def test_a_phrase_that_is_several_deeds_is_told_as_one() -> None:
    opened = ScreenChange(changed=True, opened=("Save As",))
    saved = [
        Step(1, Thought(""), Action("press"), Observation(ok=True, text="", screen=opened)),
        *(did(2, "press"), did(3, "type_text", text="a.txt")),
    ]
    filled = did(1, "click"), did(2, "press"), did(3, "press"), did(4, "type_text", text="Bob")

    saved.append(seen(4, "list_windows", [{"title": "a.txt"}]))
    assert args_of("save it as a.txt", *saved)["summary"] == 'Saved it as "a.txt".'
    assert args_of("set Name to Bob", *filled)["summary"] == 'Typed "Bob" into "Name".'


# What is said to the program itself --------------------------------------------------------------------------------


@pytest.mark.parametrize("goal", ["hello", "help", "thanks!", "what time is it?", "hello, what can you do?"])
def test_talk_is_answered_at_once_without_evidence(goal: str) -> None:
    decision = think(goal)

    assert (decision.action.tool, decision.action.args["kind"]) == ("finish", "answer")
    assert "evidence" not in decision.action.args


def test_the_time_is_told_beside_what_is_done() -> None:
    told = args_of("open xterm, what time is it?", did(1, "open_app"))["summary"]

    assert re.fullmatch(r"Opened xterm\.\nIt is \d\d:\d\d\.", told)


def test_a_greeting_before_an_instruction_is_left_out() -> None:
    assert think("Hello, please open xterm. Thanks!").action == Action("open_app", {"name": "xterm"})


def test_a_name_is_typed_only_into_a_dialog_that_came_up() -> None:
    goal = 'save it as "a.txt"'
    dialog = Step(
        1,
        Thought(""),
        Action("press"),
        Observation(ok=True, text="", screen=ScreenChange(changed=True, opened=("Save As",))),
    )

    assert think(goal).action == Action("press", {"keys": "ctrl+shift+s"})
    assert think(goal, dialog).action == Action("press", {"keys": "ctrl+a"})
    assert think(goal, dialog, worked(2)).action == Action("type_text", {"text": "a.txt", "enter": True})
    typed = dialog, worked(2), did(3, "type_text", text="a.txt")
    still, gone = ([{"title": title}, {"title": "Notes"}] for title in ("Save As", "a.txt"))
    assert think(goal, *typed).action == Action("list_windows")
    assert think(goal, *typed, seen(4, "list_windows", still)).action == Action("wait", {"seconds": 1.0})
    assert think(goal, *typed, *[seen(4, "list_windows", still)] * 10).action.tool == "fail"
    assert think(goal, *typed, seen(4, "list_windows", gone)).action.tool == "finish"
    assert "No dialog came up" in args_of(goal, did(1, "press"))["reason"]
