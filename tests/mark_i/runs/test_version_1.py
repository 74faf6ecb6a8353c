"""Runs that were recorded before observations had places, kept as they were written then."""

import json
import shutil
from pathlib import Path

import pytest

from mark_i.config.paths import runs_folder
from mark_i.prompts.coordinates import Spaces, in_coordinates_of
from mark_i.runs.step_images import shots_of
from tests.support import Run, action, events, script
from world_model import Place, Point, Region, Step, read_run

JOURNALS = Path(__file__).parents[2] / "vectors" / "journals"
SCREEN = Region(0, 0, 400, 320)
PLACES = {
    2: (Place(103, 215, "At 10, 20."),),
    3: (Place(100, 150),),
    4: (Place(214, 73, "Name:"),),
    5: (Place(67, 113, "Urgent"),),
    7: (Place(98, 112, "Urgent"), Place(250, 200)),
    8: (Place(79, 69),),
    9: (Place(79, 69),),
    13: (Place(100, 150),),
}


@pytest.fixture
def form() -> Path:
    """A run that filled in a form, in the folder of runs."""
    return Path(shutil.copytree(JOURNALS / "form", runs_folder() / "20261125-132024-fa8ce8"))


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """A run that was killed after its second step, in the folder of runs; its work folder is there."""
    folder = Path(shutil.copytree(JOURNALS / "killed", runs_folder() / "20261125-132048-387118"))
    about = (folder / "run.json").read_text(encoding="utf-8")
    (folder / "run.json").write_text(about.replace("/home/ann", str(tmp_path)), encoding="utf-8")
    return folder


def in_thousandths(step: Step) -> Step:
    return in_coordinates_of(step, Spaces("thousandths", SCREEN, SCREEN.size))


def test_places_come_from_the_words_of_its_tools() -> None:
    steps = read_run(JOURNALS / "form").steps
    assert {step.index: step.observation.places for step in steps if step.observation.places} == PLACES


def test_its_steps_become_steps_of_today() -> None:
    for step in read_run(JOURNALS / "form", images=False).steps:
        assert Step.from_dict(json.loads(json.dumps(step.to_dict()))).observation == step.observation
        assert step.observation.to_dict()["places"] == [place.to_dict() for place in step.observation.places]


def test_a_brain_reads_its_places_in_its_own_numbers() -> None:
    steps = dict(enumerate(map(in_thousandths, read_run(JOURNALS / "form").steps), start=1))
    assert steps[2].observation.text == 'Clicked "At 10, 20." at 258, 673.'
    assert steps[7].observation.text == 'Dragged from "Urgent" at 246, 351 to 626, 626.'
    assert steps[6].observation.error
    assert steps[6].observation.error.hints[0].endswith('There are "Note" at 211, 514; "Note" at 561, 514.')
    assert steps[10].observation.error
    assert steps[10].observation.error.hints == ("It reaches from 1, 1 to 998, 998.",)
    assert steps[11].observation.text.splitlines()[-1] == '"At 10, 20." at 258, 673'


def test_its_pictures_are_ringed_where_it_acted(tmp_path: Path) -> None:
    rings = [shots_of(step, tmp_path)[0] for step in read_run(JOURNALS / "form").steps]
    points = {index: shot.point for index, shot in enumerate(rings, start=1) if shot and shot.point}
    assert points == {index: places[0].point for index, places in PLACES.items()}
    assert points[7] == Point(98, 112)


def test_it_is_played_back_and_reported(form: Path, mark_i: Run, tmp_path: Path) -> None:
    told = events(mark_i("runs", "replay", form.name, "--json").stdout)
    steps = {event["index"]: event["observation"] for event in told if event["event"] == "step"}
    assert steps[4]["text"] == 'Typed 3 characters into the field "Name:" at 214, 73.'
    assert steps[4]["places"] == [{"x": 214, "y": 73, "name": "Name:", "role": None}]
    assert told[-1]["outcome"] == "done_unverified"

    page = tmp_path / "report.html"
    assert mark_i("runs", "report", form.name, "--out", str(page)).returncode == 0
    assert "Dragged from" in page.read_text(encoding="utf-8")


def test_its_places_are_found_again_by_todays_code(form: Path, mark_i: Run) -> None:
    checked = json.loads(mark_i("runs", "replay", form.name, "--check", "--json").stdout)
    assert (checked["steps"], checked["changes"]) == (14, [])


def test_a_place_that_is_elsewhere_today_is_told(form: Path, mark_i: Run) -> None:
    file = form / "steps.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("at 103, 215.", "at 13, 215."), encoding="utf-8")
    [change] = json.loads(mark_i("runs", "replay", form.name, "--check", "--json").stdout)["changes"]
    assert (change["step"], change["what"], change["then"], change["today"]) == (2, "place", "13, 215", "103, 215")


def test_it_is_resumed_and_its_new_steps_are_of_today(killed: Path, mark_i: Run, tmp_path: Path) -> None:
    before = (killed / "steps.jsonl").read_bytes()
    done = [action("wait", seconds=1)] * 2  # in the place of the replies that were used before the kill
    click = action("click", target={"x": 60, "y": 60})
    brain = script(tmp_path / "brain.jsonl", *done, click, action("fail", reason="Enough."))

    told = events(mark_i("run", "--resume", killed.name, "--brain", brain, "--json").stdout)

    after = (killed / "steps.jsonl").read_bytes()
    assert after.startswith(before)
    assert [json.loads(line)["version"] for line in after.splitlines()] == [1, 1, 2, 2]
    places = [step.observation.places for step in read_run(killed).steps]
    assert places == [(), (), (Place(60, 60),), ()]
    assert told[-1]["outcome"] == "failed"
