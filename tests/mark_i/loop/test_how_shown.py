"""How evidence that was confirmed is shown, as values for whoever tells a person of it."""

from pathlib import Path
from typing import Any

import pytest

from mark_i.loop.file_evidence import FileFacts, files_before
from mark_i.loop.how_shown import how_shown, in_file, saved_by
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
    assert saved_by({"text": name}, known) == (tmp_path / "letter.txt" if is_found else None)
    assert saved_by({"text": "other"}, known) is None


@pytest.mark.parametrize(
    "title", ["{}/week.txt - Editor", "*{}/week.txt \u2014 Editor", "week.txt ({}) - Editor", "{}/week.txt"]
)
def test_a_file_is_known_by_a_title_that_says_where_it_is(title: str, tmp_path: Path) -> None:
    folder = tmp_path / "my notes"
    folder.mkdir()
    (folder / "week.txt").write_text("6 eggs\n2 apples")
    titles = ("Desktop", title.format(folder), "/gone.txt - Editor")
    known = facts(GOAL, CLICK, titles=titles, files=FileFacts(GOAL, (tmp_path,)))
    later = facts(GOAL, CLICK, titles=titles, files=FileFacts(GOAL, (tmp_path,), began=9e12))

    for piece in ({"text": "week.txt"}, {"text": "6 eggs\n2 apples", "was": "6 eggs"}):
        assert saved_by(piece, known) == folder / "week.txt"
        assert saved_by(piece, later) is None
    assert saved_by({"text": "gone.txt"}, known) is None
    assert saved_by({"text": "7 eggs"}, known) is None
    assert saved_by({"file": "week.txt", "text": "6 eggs"}, known) is None


@pytest.mark.parametrize(
    ("goal", "text", "how"),
    [
        ("write Dear Bob into letter.txt", "Dear Bob", "kept"),
        ("write Dear Bob into a file", "Dear Bob", None),  # nobody knows in which
        ("write Dear Ann into letter.txt", "Dear Ann", None),
        ("write hello into letter.txt", "hello", None),  # it was there before
        ("write Dear Bob into letter.txt and save it as copy.txt", "copy.txt", "named"),
        ("write Dear Bob into letter.txt", "old.txt", None),
        ('write "Dear Ann" into copy.txt', "copy.txt", None),
    ],
)
def test_a_file_shows_what_was_typed_if_it_came_of_the_run(
    goal: str, text: str, how: str | None, tmp_path: Path
) -> None:
    letter, copy = tmp_path / "letter.txt", tmp_path / "copy.txt"
    letter.write_text("hello\n")
    (tmp_path / "old.txt").write_text("Dear Bob")
    files = FileFacts(goal, (tmp_path,), 0.0, files_before(goal, [tmp_path]))
    letter.write_text("hello\nDear Bob\n")
    copy.write_text("Dear Bob")

    shows = in_file({"observation": 1}, facts(goal, typed(text), files=files))

    assert shows == (how and {"how": how, "texts": [str(letter if how == "kept" else copy)]})
    assert in_file({"observation": 1, "text": text}, facts(goal, typed(text), files=files)) is None
    assert in_file({"observation": 1}, facts(goal, CLICK, files=files)) is None


def test_a_text_in_a_file_does_not_prove_what_is_to_be_done_with_it(tmp_path: Path) -> None:
    goal = "write Dear Bob into letter.txt and print it"
    files = FileFacts(goal, (tmp_path,), 0.0, files_before(goal, [tmp_path]))
    (tmp_path / "letter.txt").write_text("Dear Bob")
    ending = Ending(done=True, summary="I did it.", evidence=({"observation": 1},), kind="deed")

    outcome = concluded(ending, facts(goal, typed("Dear Bob"), files=files), "default")

    [piece] = outcome.evidence[:1]
    assert (outcome.name, piece["confirmed"]) == ("done_unverified", False)
    assert piece["shown"] == {"how": "kept", "texts": [str(tmp_path / "letter.txt")]}
    assert '"print it"' in piece["reason"]


def test_a_step_that_failed_shows_in_no_file(tmp_path: Path) -> None:
    goal = "write Dear Bob into letter.txt"
    files = FileFacts(goal, (tmp_path,), 0.0, files_before(goal, [tmp_path]))
    (tmp_path / "letter.txt").write_text("Dear Bob")
    failed = ("type_text", {"text": "Dear Bob"}, Observation(ok=False, text=""))
    ending = Ending(done=True, summary="I did it.", evidence=({"observation": 1},), kind="deed")

    outcome = concluded(ending, facts(goal, failed, files=files), "default")

    assert "shown" not in outcome.evidence[0]
