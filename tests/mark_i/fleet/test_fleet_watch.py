"""What a fleet does now, as whoever watches its folder sees it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from mark_i.fleet.file import Job, jobs_of, read_file
from mark_i.fleet.folder import LEASE, RESULTS, UNKNOWN, FleetFolder, Result
from mark_i.fleet.watch import FleetWatch
from mark_i.runs.store import LOCK
from world_model import Action, Frame, Journal, Observation, Step, Thought, UsageError

PRESS = Action("press", {"keys": "shift"})
NAME = "20260101-000000-000000"


@pytest.fixture
def jobs(tmp_path: Path) -> tuple[Job, ...]:
    file = tmp_path / "goals.toml"
    file.write_text('[[task]]\nname = "note"\ngoal = "Press shift."\ntries = 4\n')
    return jobs_of(read_file(file), file, DEFAULT_PROFILE)


@pytest.fixture
def folder(tmp_path: Path, jobs: tuple[Job, ...]) -> FleetFolder:
    found = FleetFolder(tmp_path / "goals")
    found.begin(tmp_path / "goals.toml", jobs)
    return found


def result(job: Job, outcome: str, *, solved: bool = False) -> Result:
    return Result(job.id, job.task, job.row, job.number, "Press shift.", "offline", solved, outcome, "So.", steps=2)


def frame(shade: int) -> Frame:
    return Frame(np.full((40, 64, 3), shade, np.uint8))


def step(index: int) -> Step:
    return Step(
        index, Thought("I press."), PRESS, Observation(ok=True, text="Pressed."), frame(index), frame(index + 1)
    )


@contextmanager
def going_on(folder: FleetFolder, job: Job) -> Iterator[Journal]:
    """A run at which a process is, and its journal."""
    task = folder.task(job.id)
    task.path.mkdir(parents=True)
    with FileLock(task.path / LEASE):
        journal = Journal(runs_folder() / NAME, {"goal": "Press shift."})
        task.begin(NAME)
        yield journal
        journal.close({"outcome": "done"})


def test_each_run_is_in_one_state(folder: FleetFolder, jobs: tuple[Job, ...]) -> None:
    watch = FleetWatch(folder.path, DEFAULT_PROFILE)
    assert [one.state for one in watch.look().runs] == ["waiting"] * 4
    assert not watch.look().running

    for job, one in zip(jobs, ("done", "done", "limit_time", UNKNOWN), strict=True):
        folder.add(result(job, one, solved=job is jobs[0]))

    runs = watch.look().runs
    assert [one.state for one in runs] == ["solved", "failed", "failed", "unknown"]
    assert [one.told for one in runs] == ["Done", "Check failed", "Time limit reached", "Not known"]
    assert (runs[0].title, runs[0].steps, runs[0].said) == ("note, try 1", 2, "So.")
    with FileLock(folder.path / LOCK):
        assert watch.look().running


def test_a_run_that_goes_on_tells_its_steps_and_newest_screen(folder: FleetFolder, jobs: tuple[Job, ...]) -> None:
    watch = FleetWatch(folder.path, DEFAULT_PROFILE)
    with going_on(folder, jobs[1]) as journal:
        now = watch.look().runs[1]
        assert (now.state, now.run, now.steps, now.screen) == ("running", NAME, 0, "")
        journal.add(step(1))
        journal.add(step(2))
        now = watch.look().runs[1]
        assert (now.steps, now.screen) == (2, frame(3).digest)

    assert watch.look().runs[1].state == "waiting", "its process is gone, and it has no result"
    folder.add(result(jobs[1], "done", solved=True))
    assert watch.look().runs[1].state == "solved"


def test_a_line_that_is_being_written_is_left_alone_and_read_once_whole(
    folder: FleetFolder, jobs: tuple[Job, ...]
) -> None:
    folder.add(result(jobs[0], "done", solved=True))
    folder.add(result(jobs[1], "done"))
    file = folder.path / RESULTS
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])

    watch = FleetWatch(folder.path, DEFAULT_PROFILE)
    assert [one.state for one in watch.look().runs] == ["solved", "waiting", "waiting", "waiting"]
    assert file.read_bytes() == whole[:-20]

    file.write_bytes(whole)
    assert [one.state for one in watch.look().runs] == ["solved", "failed", "waiting", "waiting"]


def test_a_folder_without_a_fleet_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no fleet in"):
        FleetWatch(tmp_path / "nothing", DEFAULT_PROFILE)
