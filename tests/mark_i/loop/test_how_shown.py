"""How evidence that was confirmed is shown, as values for whoever tells a person of it."""

from pathlib import Path
from typing import Any

import pytest

from mark_i.loop.file_evidence import FileFacts
from mark_i.loop.how_shown import how_shown, saved_by
from mark_i.loop.outcome import concluded, unproven
from tests.mark_i.loop.known_facts import CLICK, Made, did, facts, typed
from toolbelt.tool import Ending
from world_model import Observation, ScreenChange

GOAL = "save the letter as letter.txt"
LONG = "x" * 200
SAVED = {"how": "appeared", "texts": ["report.txt was saved"]}


def screen(**more: Any) -> Made:
    return "click", {}, Observation(ok=True, text="Clicked.", screen=ScreenChange(changed=True, **more))


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ({"text": "letter.txt"}, {"how": "title"}),
        ({"text": "Dear reader"}, {"how": "screen"}),
        ({"text": "12 cups"}, {"how": "result"}),
        ({"text": "a.txt"}, {"how": "file"}),
        ({"text": "News", "state": "checked"}, None),
        ({"file": "letter.txt", "text": "Dear"}, None),
        ({"observation": 99}, None),
        ({"observation": "1"}, None),
    ],
)
def test_a_text_is_where_a_person_finds_it_first(piece: dict[str, Any], shown: object) -> None:
    count = did("read_screen", "There are 12 cups", changed=False)
    known = facts(GOAL, count, screen=["Dear reader", "letter.txt"], titles=("letter.txt - Editor",))

    assert how_shown(piece, known) == shown


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        (screen(opened=("Save As",), appeared=("Name:",)), {"how": "opened", "texts": ["Save As"]}),
        (screen(opened=("",), closed=("Save As",)), {"how": "closed", "texts": ["Save As"]}),
        (screen(became=("checkbox", "News", "checked")), {"how": "became", "texts": ["News", "checked"]}),
        (screen(became=("checkbox", "", "checked")), {"how": "changed"}),
        (screen(appeared=("File", "letter.txt", "Help")), {"how": "appeared", "texts": ["letter.txt"]}),
        (screen(appeared=("File", "Edit", "Help")), {"how": "appeared", "texts": ["File", "Edit"]}),
        (screen(appeared=("Front",)), {"how": "changed"}),
        (screen(), {"how": "changed"}),
        (did("read_screen", "12 cups", appeared=["Mail"]), {"how": "result", "texts": ["12 cups"]}),
        (("read_file", {}, Observation(ok=True, text="Dear reader")), {"how": "result", "texts": ["Dear reader"]}),
        (("read_file", {}, Observation(ok=True, text=LONG)), {"how": "result"}),
    ],
)
def test_a_step_is_known_by_the_most_telling_of_what_it_did(step: Made, shown: object) -> None:
    assert how_shown({"observation": 1}, facts(GOAL, step, titles=("Front",))) == shown


def test_the_outcome_says_how_its_evidence_is_shown_and_the_agent_is_not_told() -> None:
    known = facts("save the report", CLICK)
    ending = Ending(done=True, summary="Saved it.", evidence=({"observation": 1}, {"text": "x"}), kind="deed")

    outcome = concluded(ending, known, "default")

    proven, other = outcome.evidence[:2]
    assert proven == {"observation": 1, "confirmed": True, "shown": SAVED}
    assert "shown" not in other
    assert [piece.keys() & {"shown"} for piece in unproven(outcome).data or ()] == [set()] * len(outcome.evidence)


@pytest.mark.parametrize(
    ("name", "began", "is_found"),
    [("letter.txt", 0.0, True), ("letter.txt", 9e12, False), ("Dear reader.", 0.0, False), ("other.txt", 0.0, False)],
)
def test_a_file_that_was_saved_under_a_typed_name_is_known(
    name: str, began: float, *, is_found: bool, tmp_path: Path
) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader")
    known = facts(GOAL, typed(name), files=FileFacts(GOAL, (tmp_path,), began))

    assert saved_by({"observation": 1}, known) == (tmp_path / "letter.txt" if is_found else None)
    assert saved_by({"text": name}, known) is None
