"""The benchmark of elements: it shows described screens in real toolkits, and compares what is found with the truth."""

import os

import pytest

from mark_i.bench import elements
from mark_i.bench.screens.described import FAMILIES, Truth, screens_of
from mark_i.bench.screens.scored import Places, score
from tests.support import Run
from toolbelt.control import Control
from toolbelt.elements import Element
from world_model import Region

SAVE = Region(100, 100, 80, 30)
PLACES = Places({0: SAVE, 1: Region(100, 200, 200, 30)}, (Region(0, 0, 400, 300),))
TRUTH = [Truth(0, "button", "Save as…"), Truth(1, "textbox", "Name", "Ada")]


def test_there_are_sixty_screens_and_each_element_has_a_name() -> None:
    screens = [screen for family in FAMILIES for screen in screens_of(family)]

    assert len(screens) >= 60
    assert len({(one.family, one.name) for one in screens}) == len(screens)
    assert {one.role for screen in screens for one in screen.truth if not one.name and screen.family != "tk"} == set()


def test_an_element_is_right_with_its_role_and_about_its_name() -> None:
    found = [Element("button", SAVE.grown(-4), "save as"), Element("textbox", PLACES.boxes[1], "Name:", "Ada")]

    result = score(TRUTH, PLACES, found)

    assert (result.found, result.right, result.values, result.invented, result.misses) == (2, 2, 1, 0, [])


def test_what_is_missing_wrong_or_invented_is_listed() -> None:
    found = [Element("textbox", PLACES.boxes[1], "Street", "Ada"), Element("button", Region(300, 20, 40, 20), "Go")]

    result = score(TRUTH, PLACES, found)

    assert (result.found, result.right, result.said, result.invented) == (1, 0, 2, 1)
    assert [one.partition(":")[0] for one in result.misses] == ["not found", "wrong", "invented"]


def test_what_a_menu_covers_is_no_truth() -> None:
    said = {
        "clients": [[0, 0, 400, 300]],
        "places": {"0": SAVE.to_list(), "1": [100, 200, 200, 30]},
        "covers": [{"box": [90, 90, 120, 60], "own": []}],
    }

    assert set(Places.read(said, TRUTH).boxes) == {1}


@pytest.mark.timing
@pytest.mark.usefixtures("benchmark", "display")
def test_two_screens_are_shown_and_their_elements_found(monkeypatch: pytest.MonkeyPatch, control: Control) -> None:
    monkeypatch.setattr(elements, "screens_of", lambda family: list(screens_of(family))[:1])

    figures = elements.measured(("qt6", "tk"), control, lambda _told: None)

    rows = {row["family"]: row for row in figures["families"]}
    assert figures["all"]["screens"] == len(rows) == 2, figures["missing"]
    assert rows["qt6"]["joined"]["right_percent"] == 100, figures["misses"]
    assert rows["qt6"]["pixels"]["right_percent"] < 100
    assert rows["tk"]["joined"]["right_percent"] >= rows["tk"]["pixels"]["right_percent"]  # by what is drawn
    assert all(row["joined"]["found_percent"] >= 90 for row in rows.values())
    assert figures["all"]["p50_ms"] > 0


@pytest.mark.usefixtures("benchmark")
def test_a_toolkit_that_is_missing_is_told_in_one_line(mark_i: Run) -> None:
    done = mark_i("bench", "elements", "--family", "chromium", env={**os.environ, "PATH": "/nowhere"})

    assert done.returncode != 0
    assert "apt-get install chromium" in done.stderr
    assert len(done.stderr.splitlines()) == 1
