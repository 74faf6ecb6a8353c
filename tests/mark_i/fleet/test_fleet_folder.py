"""The folder of a fleet: what a kill leaves in it, and what is refused."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from mark_i.config.paths import DEFAULT_PROFILE
from mark_i.fleet.file import Job, jobs_of, read_file
from mark_i.fleet.folder import ABOUT, RESULTS, FleetFolder, Result
from world_model import JournalError, UsageError

RESULT = Result("001-note-try1", "note", 0, 1, "Press shift.", "offline", True, "done", "Pressed shift.")  # noqa: FBT003


def jobs(folder: Path) -> tuple[Job, ...]:
    file = folder / "goals.toml"
    file.write_text('[[task]]\nname = "note"\ngoal = "Press shift."\ntries = 2\n')
    return jobs_of(read_file(file), file, DEFAULT_PROFILE)


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    folder = FleetFolder(tmp_path / "out")
    folder.begin(tmp_path / "goals.toml", jobs(tmp_path))
    folder.add(RESULT)
    return folder.path


def test_a_line_that_a_kill_tore_is_dropped(begun: Path) -> None:
    file = begun / RESULTS
    whole = file.read_bytes()
    file.write_bytes(whole + b'{"id": "001-no')

    again = FleetFolder(begun)
    again.add(replace(RESULT, id="001-note-try2"))

    assert list(again.results) == ["001-note-try1", "001-note-try2"]
    assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == list(again.results)


def test_a_result_is_there_once(begun: Path) -> None:
    FleetFolder(begun).add(replace(RESULT, said="again"))

    assert [json.loads(line) for line in (begun / RESULTS).read_text().splitlines()] == [asdict(RESULT)]


@pytest.mark.parametrize("line", [b"My notes.\n", b'{"id": 1}\n', b"\xff\n"])
def test_a_line_that_is_no_result_is_told_and_left(begun: Path, line: bytes) -> None:
    file = begun / RESULTS
    file.write_bytes(file.read_bytes() + line)

    with pytest.raises(UsageError, match=r"results\.jsonl, line 2: it is not a result"):
        FleetFolder(begun)
    assert file.read_bytes().endswith(line)


def test_the_same_is_taken_up_and_another_is_refused_with_the_difference(tmp_path: Path, begun: Path) -> None:
    wanted = jobs(tmp_path)
    FleetFolder(begun).begin(tmp_path / "goals.toml", wanted)

    def told(*others: Job) -> str:
        with pytest.raises(UsageError) as raised:
            FleetFolder(begun).begin(tmp_path / "goals.toml", others)
        return str(raised.value)

    changed = replace(wanted[1], goal="Press ctrl.")
    assert "in the run '001-note-try2', goal was 'Press shift.' and is 'Press ctrl.' now" in told(wanted[0], changed)
    assert "it has the run '001-note-try2', which the file has not" in told(wanted[0])
    assert "the file has the run 'more', which it has not" in told(*wanted, replace(changed, id="more"))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("notes.txt", "My notes.", "is not empty and holds no fleet"),
        (ABOUT, "My notes.", "cannot be read"),
        (ABOUT, "[]", "describes no fleet|has version"),
        (ABOUT, '{"version": 2, "jobs": []}', "It has version 2, and this MARK-I knows up to 1"),
    ],
)
def test_what_is_not_ours_is_refused_and_left(tmp_path: Path, name: str, content: str, words: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / name).write_text(content)

    with pytest.raises(UsageError, match=words):
        FleetFolder(folder)
    assert (folder / name).read_text() == content


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UsageError, match="cannot be read: Not a directory"):
        FleetFolder(tmp_path / "file" / "out")
    folder = FleetFolder(tmp_path / "out")
    (tmp_path / "out").touch()  # meanwhile
    with pytest.raises(JournalError, match="cannot be written: File exists"):
        folder.begin(tmp_path / "goals.toml", jobs(tmp_path))
