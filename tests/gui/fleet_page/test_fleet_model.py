"""The Fleets page as values: its state, and where the tiles of the wall are."""

import functools
from pathlib import Path

import pytest
from PIL import Image

from gui.fleet_page.model import (
    FleetEnded,
    FleetFailed,
    FleetMessage,
    FleetReportRequested,
    FleetReportWritten,
    FleetSeen,
    FleetStarted,
    FleetState,
    StopRequested,
    reduce_fleet,
)
from gui.fleet_page.run_picture import RunPicture
from gui.fleet_page.wall_layout import laid_out
from mark_i.fleet import FleetNow, RunNow, RunState

FOLDER, FILE = Path("/fleets/notes"), Path("/fleets/notes.toml")


def seen(*states: RunState, running: bool = True, at_s: float = 0.0, folder: Path = FOLDER) -> FleetSeen:
    runs = tuple(RunNow(str(number), f"note, try {number}", state) for number, state in enumerate(states, 1))
    return FleetSeen(folder, FleetNow(str(FILE), running, runs), at_s)


def after(*messages: FleetMessage) -> FleetState:
    return functools.reduce(reduce_fleet, messages, FleetState())


def test_the_wall_has_first_what_goes_on_and_then_what_failed() -> None:
    fleet = after(seen("solved", "waiting", "failed", "running", "unknown", "running"))

    assert [one.id for one in fleet.runs] == ["4", "6", "3", "5", "1", "2"]


def test_the_counts_tell_how_far_and_how_fast_it_is() -> None:
    first = seen("solved", "running", "running", "waiting", at_s=100.0)
    fleet = after(first, seen("solved", "solved", "failed", "running", at_s=130.0))

    assert fleet.counts == "3 of 4 ended: 2 solved, 1 not · 1 left · 4.0 a minute · about 0:15 to go"
    assert fleet.status == ("busy", "Running")
    assert after(first).counts == "1 of 4 ended: 1 solved, 0 not · 3 left"
    assert after(seen("solved", "failed", running=False)).counts == "2 of 2 ended: 1 solved, 1 not"


def test_only_an_interrupted_fleet_goes_on() -> None:
    assert not after(seen("solved", "waiting")).goes_on
    assert not after(seen("solved", "failed", running=False)).goes_on
    stopped = after(seen("running", "waiting"), StopRequested(), seen("unknown", "waiting", running=False))
    assert stopped.goes_on
    assert stopped.status == ("stopped", "Interrupted")


def test_a_stop_lasts_until_the_fleet_has_ended() -> None:
    stopping = after(seen("running"), StopRequested(), seen("running", at_s=1.0))

    assert stopping.status == ("paused", "Stopping …")
    again = functools.reduce(reduce_fleet, [seen("waiting", running=False), seen("running")], stopping)
    assert again.status == ("busy", "Running")


def test_a_file_with_a_fault_leaves_the_open_fleet_as_it_is() -> None:
    fleet = after(seen("solved", running=False), FleetStarted(FILE))
    assert fleet.starting == FILE
    failed = reduce_fleet(fleet, FleetFailed("notes.toml, line 1: no."))

    assert (failed.starting, failed.message, failed.is_error) == (None, "notes.toml, line 1: no.", True)
    assert failed.now == fleet.now


def test_why_a_fleet_ended_is_told_of_the_open_one_only() -> None:
    spent = FleetEnded(FOLDER, "The budget of the fleet is spent.")

    assert after(FleetStarted(FILE), seen("waiting"), spent).message == "The budget of the fleet is spent."
    assert not after(seen("waiting", folder=Path("/another")), spent).message
    assert after(FleetStarted(FILE), spent).starting is None


def test_the_report_is_told_and_forgotten_with_its_fleet() -> None:
    writing = after(seen("solved"), FleetReportRequested())
    assert writing.reporting
    written = reduce_fleet(writing, FleetReportWritten(FOLDER / "report.html"))

    assert (written.reporting, written.message) == (False, "Report: /fleets/notes/report.html")
    assert not reduce_fleet(written, seen("solved", folder=Path("/another"))).message


# The wall ------------------------------------------------------------------------------------------------------------


def test_a_few_tiles_are_as_large_as_they_may_be_and_many_as_small() -> None:
    few, many = laid_out(3, (1000, 600), 1.0), laid_out(300, (1000, 600), 1.0)

    assert (few.columns, few.width) == (3, 320)
    assert few.whole - few.gap <= 600
    assert many.columns == 5
    assert many.whole > 600
    assert laid_out(3, (100, 600), 1.0).columns == 1, "there is always one"
    assert laid_out(300, (2000, 600), 2.0).columns == many.columns


@pytest.mark.parametrize("count", [0, 1, 7, 300])
def test_each_tile_is_found_where_it_is(count: int) -> None:
    wall = laid_out(count, (1000, 600), 1.0)

    for number in range(count):
        x, y = wall.corner(number)
        assert wall.at(x, y) == number
        assert wall.at(x + wall.width - 1, y + wall.height - 1) == number
        assert wall.at(x, y + wall.height) is None
        assert number in wall.within(y, y)
    assert wall.at(0, wall.whole) is None
    assert len(wall.within(0, 600)) <= 4 * wall.columns, "only those in view"


def test_an_ended_run_without_a_screen_has_an_empty_picture(tmp_path: Path) -> None:
    assert RunPicture(tmp_path, "", (200, 120)).small() == Image.new("RGBA", (1, 1))
    assert RunPicture(tmp_path, "0" * 32, (200, 120)).small() is None, "it may not be on the disk yet"
