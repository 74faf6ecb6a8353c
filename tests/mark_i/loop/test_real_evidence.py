"""What proves a deed and what does not, in runs with real programs: a terminal and an editor."""

import os
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import AgentCore, Eyes, ScriptedBrain, standard_toolbelt
from mark_i.events import Event
from tests.support import CAP_S, action, finish
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find

CREATE: Final = "create report.txt"
NAME: Final = "report.txt"
LONG_AGO_S: Final = 1_600_000_000.0


def typed(line: str) -> dict[str, object]:
    return action("type_text", text=line, enter=True)


def shell(desktop: VirtualDesktop, folder: Path, shows: str, command: str) -> None:
    """Open a terminal in a folder, in which a command has already been run."""
    folder.mkdir(exist_ok=True)
    desktop.launch(["xterm", "-e", f"cd '{folder}'; export PS1='$ '; {command}; exec sh"])
    assert Eyes(desktop, desktop.control).until(lambda lines: find(shows, lines), CAP_S)


def ran(desktop: VirtualDesktop, folder: Path, goal: str, *replies: Any) -> list[Event]:
    eyes, brain = Eyes(desktop, desktop.control), ScriptedBrain(replies)
    return list(AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, folders=(folder,)).run(goal))


def outcome(events: list[Event]) -> str:
    return str(events[-1].data["outcome"])


def refusals(events: list[Event]) -> list[list[str]]:
    """What the agent was told each time that it was sent back from the end."""
    seen = [event.data["observation"] for event in events if event.event == "step"]
    return [one["error"]["hints"] for one in seen if one["error"] and one["error"]["code"] == "NO_CHANGE"]


def read_so_far() -> int:
    """How many bytes this process has read from files."""
    counts = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counts["rchar"])


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A folder in that of the run; in it is an older file with the name of the one that is to be created."""
    folder = tmp_path / "archive"
    folder.mkdir()
    (folder / NAME).touch()
    return folder


# What is not done -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("evidence", [NAME, {"observation": 1}, {"observation": 1, "text": NAME}], ids=str)
@pytest.mark.parametrize("line", ["true", "ls", "clear; ls -l"])
def test_a_name_that_was_there_before_creates_no_file(
    desktop: VirtualDesktop, tmp_path: Path, archive: Path, line: str, evidence: object
) -> None:
    shell(desktop, archive, NAME, "ls")

    events = ran(desktop, tmp_path, CREATE, typed(line), finish(evidence), finish(evidence))

    assert (len(refusals(events)), outcome(events)) == (1, "done_unverified")


def test_a_name_that_a_look_finds_elsewhere_creates_no_file(
    desktop: VirtualDesktop, tmp_path: Path, archive: Path
) -> None:
    steps = [action("open_app", name="xterm", args=["-e", "sh"]), action("list_files", path=str(archive))]

    events = ran(desktop, tmp_path, CREATE, *steps, finish({"observation": 2}), finish(NAME))

    assert (len(refusals(events)), outcome(events)) == (1, "done_unverified")


def test_a_name_that_a_window_has_covered_creates_no_file(
    desktop: VirtualDesktop, tmp_path: Path, archive: Path
) -> None:
    shell(desktop, archive, NAME, "ls")
    desktop.launch(["xterm", "-geometry", "140x50+0+0", "-e", "echo on top; exec sh"])
    eyes = Eyes(desktop, desktop.control)
    assert eyes.until(lambda lines: find("on top", lines) and not find(NAME, lines), CAP_S)

    events = ran(desktop, tmp_path, CREATE, typed("exit"), finish(NAME), finish({"observation": 1}))

    assert (len(refusals(events)), outcome(events)) == (1, "done_unverified")


# What is done -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "command", "evidence"),
    [
        ("copy old.txt to new.txt", "cp -p old.txt new.txt", {"file": "new.txt"}),
        ("rename old.txt to new.txt", "mv old.txt new.txt", {"file": "new.txt"}),
        ("move old.txt into the folder kept", "mv old.txt kept", {"file": "kept/old.txt"}),
        ("Remove old.txt", "rm old.txt", {"file": "old.txt", "exists": False}),
        ("Remove the line 'two' from old.txt", "sed -i /two/d old.txt", {"file": "old.txt", "text": "three"}),
        ("Remove the spaces and save it as new.txt", "tr -d ' ' < old.txt > new.txt", {"file": "new.txt"}),
    ],
)
def test_a_file_is_proven_whatever_its_times(
    desktop: VirtualDesktop, tmp_path: Path, goal: str, command: str, evidence: object
) -> None:
    old = tmp_path / "old.txt"
    old.write_text("one\ntwo\nthree\n")
    os.utime(old, (LONG_AGO_S, LONG_AGO_S))
    (tmp_path / "kept").mkdir()
    shell(desktop, tmp_path, "ready", "echo ready")

    events = ran(desktop, tmp_path, goal, typed(command), finish(evidence))

    assert outcome(events) == "done", events[-1].data


def test_a_file_in_a_folder_that_nobody_named_is_proven_by_its_path(
    desktop: VirtualDesktop, tmp_path: Path, archive: Path
) -> None:
    (archive / NAME).unlink()
    shell(desktop, archive, "ready", "echo ready")
    steps = [typed('>rep""ort.txt; ls'), finish(NAME), finish({"file": f"archive/{NAME}"})]

    events = ran(desktop, tmp_path, CREATE, *steps)

    assert (refusals(events), outcome(events)) == (
        [[f'No new file {NAME} was found. Give its path as "file".']],
        "done",
    )


def test_a_status_that_has_gone_since_is_proven_by_its_observation(desktop: VirtualDesktop, tmp_path: Path) -> None:
    shell(desktop, tmp_path, "ready", "echo ready")
    status = {"observation": 1, "text": "Backup finished"}

    events = ran(desktop, tmp_path, "make a backup", typed("echo Back''up finished"), typed("clear"), finish(status))

    assert outcome(events) == "done", events[-1].data


def test_a_doubtful_piece_spoils_no_good_ones(desktop: VirtualDesktop, tmp_path: Path) -> None:
    shell(desktop, tmp_path, "ready", "echo ready")
    pieces = [{"observation": 1}, "ready", {"file": NAME}]

    events = ran(desktop, tmp_path, CREATE, typed("cd ."), typed(f"touch {NAME}"), finish(*pieces))

    assert (refusals(events), outcome(events)) == ([], "done"), events[-1].data


def test_a_huge_file_that_was_never_written_is_not_done_and_not_read(desktop: VirtualDesktop, tmp_path: Path) -> None:
    shell(desktop, tmp_path, "ready", "echo ready")
    whole, part = {"file": NAME}, {"file": NAME, "text": "total"}
    read = read_so_far()

    events = ran(desktop, tmp_path, CREATE, typed(f"truncate -s 2G {NAME}"), finish(whole), finish(part))

    assert (tmp_path / NAME).stat().st_size == 2 << 30
    path = tmp_path / NAME
    assert refusals(events) == [[f'Parts of {path} were never written. Say with "text" what it holds.']]
    assert outcome(events) == "done_unverified"
    assert read_so_far() - read < 200_000_000
