"""How an action and its evidence read to a person."""

from typing import Any

import pytest

from mark_i.wording import NOTHING_SHOWS, action_sentence, evidence_lines, evidence_sentence, says_all


@pytest.mark.parametrize(
    ("tool", "args", "told"),
    [
        ("click", {"target": {"x": 9, "y": -4}}, "Click on the point 9, -4"),
        ("click", {"target": {"mark": 12}}, "Click on mark 12"),
        ("click", {"target": {"image": "/a/b/save.png"}}, "Click on the image save.png"),
        ("double_click", {"target": {"text": "Zoë", "beside": "Milk"}}, 'Double-click on "Zoë" beside "Milk"'),
        ("click", {"target": {"role": "button", "text": "Delete", "nth": 2}}, 'Click on the button "Delete" number 2'),
        ("click", {"target": {"role": "textbox"}}, "Click on the textbox"),
        ("drag", {"start": "A", "end": {"x": 1, "y": 2}}, 'Drag from "A" to the point 1, 2'),
        (
            "drag",
            {"start": "A", "via": ["B", {"x": 1, "y": 2}], "end": "C"},
            'Drag from "A" to "C" via "B", the point 1, 2',
        ),
        ("type_text", {"text": "a\nb", "into": "Name", "enter": True}, 'Type "a b" into "Name" and press Enter'),
        ("type_text", {"text": "x", "replace": True, "enter": True}, 'Type "x" over what is there and press Enter'),
        ("type_text", {"text": "x", "into": None, "enter": False}, 'Type "x"'),
        ("type_text", {"text": "y" * 90}, f'Type "{"y" * 44}…"'),
        ("press", {"keys": "ctrl+s"}, "Press ctrl+s"),
        ("press", {"keys": "delete", "times": 9}, "Press delete 9 times"),
        ("click", {"target": "Milk", "holding": "ctrl"}, 'Click on "Milk" with ctrl held'),
        ("write_file", {"path": "notes.txt", "text": "long " * 99}, "Write the file notes.txt"),
        ("select", {"options": ["Small", "Large"]}, 'Select "Small", "Large"'),
        ("open_ticket", {"title": "No coffee", "days": 3}, 'Use open_ticket: title "No coffee" days 3'),
        ("undo", {}, "Use undo"),
        ("click", {}, "Use click"),
    ],
)
def test_an_action_is_said_as_a_person_would(tool: str, args: dict[str, Any], told: str) -> None:
    assert action_sentence(tool, args, None) == told
    assert action_sentence(tool, args, "Checkout") == f"{told} in Checkout"


def test_words_that_are_no_text_can_be_drawn() -> None:
    assert action_sentence("click", {"target": "\ud800"}, "\udc00") == 'Click on "?" in ?'


def test_a_place_is_told_unless_the_target_is_one() -> None:
    assert action_sentence("click", {"target": "Delete"}, "Files", "3, 2") == 'Click on "Delete" at 3, 2 in Files'
    assert action_sentence("click", {"target": {"x": 3, "y": 2}}, at="3, 2") == "Click on the point 3, 2"


@pytest.mark.parametrize(
    ("tool", "args", "all_of_it"),
    [
        ("click", {"target": "Delete", "holding": "ctrl"}, True),
        ("press", {"keys": "enter", "times": None}, True),
        ("type_text", {"text": "x" * 44, "enter": False}, True),
        ("type_text", {"text": "x" * 45}, False),
        ("write_file", {"path": "notes.txt", "text": "x"}, False),
        ("run_command", {"program": "rm", "args": ["-rf", "/"]}, False),
        ("open_ticket", {"title": "No coffee"}, True),
        ("undo", {}, True),
    ],
)
def test_a_sentence_that_leaves_something_out_is_known(tool: str, args: dict[str, Any], *, all_of_it: bool) -> None:
    assert says_all(tool, args) is all_of_it


def shown(how: str, *texts: str) -> dict[str, Any]:
    return {"shown": {"how": how, "texts": [*texts]}}


@pytest.mark.parametrize(
    ("piece", "told"),
    [
        ({"text": "a.txt", **shown("title")}, '"a.txt" is shown in the title of a window'),
        ({"text": "Saved", **shown("screen")}, '"Saved" is shown on the screen'),
        ({"text": "42", **shown("result")}, '"42" is what a tool returned'),
        ({"text": "Saved"}, '"Saved" was found'),
        ({"text": "News", "state": "checked"}, '"News" is checked'),
        ({"file": "/tmp/a.txt"}, "the file /tmp/a.txt is there"),
        ({"file": "a.txt", "text": "Dear reader"}, 'the file a.txt has "Dear reader"'),
        ({"file": "a.txt", "text": ""}, "the file a.txt is empty"),
        ({"file": "a.txt", "exists": False}, "the file a.txt is gone"),
        ({"observation": 3, **shown("opened", "Save As")}, 'the window "Save As" opened'),
        ({"observation": 3, **shown("closed", "A", "B")}, 'the window "A" and the window "B" closed'),
        ({"observation": 3, **shown("appeared", "Saved", "Now")}, '"Saved" and "Now" appeared'),
        ({"observation": 3, **shown("became", "News", "checked")}, '"News" became checked'),
        ({"observation": 3, **shown("result", "12 files")}, 'step 3 returned "12 files"'),
        ({"observation": 3, "shown": {"how": "changed"}}, "step 3 changed the screen"),
        ({"observation": 3, "text": "Saved", **shown("opened", "A")}, 'step 3 shows "Saved"'),
        ({"observation": 3, **shown("kept", "/tmp/a.txt")}, "the file /tmp/a.txt has what step 3 typed"),
        ({"observation": 3, **shown("named", "/tmp/a.txt")}, "the file /tmp/a.txt is there"),
        ({"observation": 3}, "what step 3 shows"),
        ({"observation": 3, "shown": {"how": "of a newer version"}}, "what step 3 shows"),
        (
            {"observation": 1, "file": "a.txt", "text": "x", **shown("result", "Done")},
            'the file a.txt has "x" and step 1 returned "Done"',
        ),
        ({"text": "tea\nsalt", "was": "tea\nmilk"}, 'the text is now "tea salt"'),
        ({"text": "", "was": "milk\n"}, '"milk" is gone from the text'),
        ({"text": 'a\nb\ud800"'}, '“a b?"” was found'),
    ],
)
def test_what_was_checked_reads_as_a_sentence(piece: dict[str, Any], told: str) -> None:
    assert evidence_sentence({**piece, "confirmed": True}, why=True) == told


@pytest.mark.parametrize(
    ("piece", "why", "told"),
    [
        ({"observation": 3, "reason": "Observation 3 changed nothing."}, True, "Observation 3 changed nothing"),
        ({"observation": 3, "reason": "Observation 3 changed nothing."}, False, "what step 3 shows"),
        ({"file": "a.txt", "reason": "There is no file a.txt."}, False, "the file a.txt"),
        ({"text": "Saved"}, True, '"Saved"'),
        ({"observation": 3, "text": "Saved"}, False, '"Saved"'),
        ({"observation": 3, "file": "a.txt"}, False, "the file a.txt"),
        ({"doubt": 'The dialog "Save" is still open.'}, False, 'The dialog "Save" is still open'),
        ({"page": 3}, True, "page 3"),
    ],
)
def test_what_was_not_verified_says_why_where_that_is_asked_for(piece: dict[str, Any], *, why: bool, told: str) -> None:
    assert evidence_sentence({**piece, "confirmed": False}, why=why) == told


def test_steps_of_which_nothing_else_is_known_are_told_together() -> None:
    one, two, three = ({"observation": index, "confirmed": False} for index in (3, 4, 9))
    said = {"text": "Sent", "confirmed": False}
    assert evidence_lines([one], why=True) == ("Not verified: what step 3 shows.",)
    assert evidence_lines([one, said, two, three, one], why=True) == (
        'Not verified: "Sent"; what steps 3, 4 and 9 show.',
    )
    assert evidence_lines([one, said, two], why=False) == ('Not verified: "Sent".',)
    assert evidence_lines([one], why=False) == ()


def test_a_step_that_proves_nothing_is_not_told_beside_success() -> None:
    step = {"observation": 9, "confirmed": False, "reason": "Observation 9 is only what the agent typed itself."}
    saved = {"text": "Saved", "confirmed": True, **shown("screen")}
    assert evidence_lines([saved, {**step, "saved": "/tmp/a.txt"}], why=False) == (
        'Checked: "Saved" is shown on the screen.',
    )
    assert evidence_lines([saved, {**step, "saved": "/tmp/a.txt"}], why=True) == (
        'Checked: "Saved" is shown on the screen.',
        "Not verified: Observation 9 is only what the agent typed itself.",
    )


def test_what_was_typed_into_a_file_is_told_once_whatever_it_proves() -> None:
    only = 'Observation 2 is only what the agent typed itself, not "print it".'
    one = {"observation": 2, "confirmed": False, "reason": only, **shown("kept", "/tmp/a.txt")}
    two = {"observation": 3, "confirmed": True, **shown("kept", "/tmp/a.txt")}
    named = {"observation": 9, "confirmed": False, "reason": only, **shown("named", "/tmp/a.txt")}
    there = {"file": "a.txt", "path": "/tmp/a.txt", "confirmed": True}

    kept = "Checked: the file /tmp/a.txt has what steps 2 and 3 typed."
    assert evidence_lines([there, one, two, named, one], why=False) == (kept,)
    assert evidence_lines([one, two, named], why=True) == (kept, f"Not verified: {only}")
    assert evidence_lines([named], why=False) == ("Checked: the file /tmp/a.txt is there.",)


def test_a_step_that_says_nothing_of_the_goal_is_no_reason_for_a_person() -> None:
    idle = {"observation": 2, "confirmed": False, "idle": True, "reason": "Observation 2 has nothing of the goal."}
    said = {"text": "Sent", "confirmed": False}
    assert evidence_lines([idle, said], why=True) == ('Not verified: "Sent".',)
    assert evidence_lines([idle], why=True) == (f"Not verified: {NOTHING_SHOWS}.",)
    assert evidence_lines([idle], why=False) == ()


def test_a_step_that_only_changed_the_screen_is_left_out_where_others_tell_more() -> None:
    changed = {"observation": 3, "confirmed": True, **shown("changed")}
    said = {"text": "Sent", "confirmed": True, **shown("screen")}
    assert evidence_lines([changed, said], why=False) == ('Checked: "Sent" is shown on the screen.',)
    assert evidence_lines([changed], why=False) == ("Checked: step 3 changed the screen.",)


def test_evidence_is_one_line_of_each_kind_and_says_nothing_twice() -> None:
    pieces = [
        {"text": "a.txt", "confirmed": True, **shown("title")},
        {"text": "Sent", "confirmed": False, "reason": '"Sent" was there before anything was done.'},
        {"file": "a.txt", "text": "Dear", "confirmed": True},
        {"text": "a.txt", "confirmed": True, **shown("title")},
    ]
    assert evidence_lines(pieces, why=True) == (
        'Checked: "a.txt" is shown in the title of a window; the file a.txt has "Dear".',
        'Not verified: "Sent" was there before anything was done.',
    )
    assert evidence_lines([], why=True) == ()
