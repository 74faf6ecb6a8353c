"""`mark-i desktop`, `--keep` and `--on`: several runs in turn on one desktop, and nothing lost for good."""

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mark_i.assembly.kept_desktops import (
    _locked,
    borrowed,
    end_lost,
    kept_named,
    listed,
    names_of,
    start_kept,
    stop_kept,
)
from mark_i.assembly.run_config import RunConfig
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.cli.desktop_choice import DesktopChoice, placed
from mark_i.cli.main import program
from mark_i.cli.telling import LOGGED, Telling
from mark_i.config.paths import DEFAULT_PROFILE, desktops_folder, runs_folder
from mark_i.doctor.examining import _kept
from tests.support import CAP_S, Run, action, events, processes_with, script, soon
from toolbelt.control import Control
from toolbelt.desktops import KeptDesktop, VirtualDesktop
from toolbelt.desktops.virtual.xvfb_keeper import MARK
from world_model import DesktopError, Journal, MarkIError, Size, UsageError, read_run

SIZE = Size(640, 480)
BORROWED_AND_KILLED = """
import os
from mark_i.assembly.kept_desktops import borrowed
with borrowed("default", "work", "20260131-9"):
    os.kill(os.getpid(), 9)
"""
NEEDS = pytest.mark.usefixtures("display")


@pytest.fixture(autouse=True)
def ended(home: Path) -> Iterator[None]:
    """End the desktops that a test leaves."""
    yield
    for file in desktops_folder().glob("*.json"):
        KeptDesktop.read(file).end()


@pytest.fixture
def kept(display: None, control: Control) -> KeptDesktop:
    return start_kept(DEFAULT_PROFILE, "work", SIZE, control)


def told(*arguments: str) -> str:
    """What a command prints, within this process."""
    result = CliRunner().invoke(program, ["desktop", *arguments], standalone_mode=False, catch_exceptions=False)
    return result.output


def files() -> list[str]:
    return sorted(file.name for file in desktops_folder().iterdir())


# Runs in turn -------------------------------------------------------------------------------------------------------


def test_a_desktop_that_is_kept_is_used_by_the_next_run_and_stopped(mark_i: Run, tmp_path: Path) -> None:
    typed = tmp_path / "typed.txt"
    terminal = action("open_app", name="xterm", args=["-T", "Letters", "-e", f"cat > {typed}"])
    brain = script(tmp_path / "first.jsonl", terminal, action("fail", reason="enough"))
    first = mark_i("run", "open it", "--virtual", "640x480", "--keep", "--brain", brain, "--yes")
    last = first.stdout.splitlines()[-1]
    assert first.returncode == 1, first.stderr
    assert last == "The desktop d1 stays open. To go on: mark-i run --on d1 GOAL. To end it: mark-i desktop stop d1"
    kept = kept_named(DEFAULT_PROFILE, "d1")

    keys = action("type_text", text="abc", enter=True), action("fail", reason="enough")
    second = mark_i("run", "type", "--on", "d1", "--json", "--yes", "--brain", script(tmp_path / "b.jsonl", *keys))
    assert events(second.stdout)[0]["desktop"].startswith("kept desktop d1, 640x480 (display :")
    assert second.returncode == 1, second.stdout
    assert soon(lambda: typed.read_text() == "abc\n")
    (row,) = json.loads(told("list", "--json"))
    assert (row["name"], row["size"], row["used"], row["run"], row["windows"]) == (
        "d1",
        "640x480",
        False,
        None,
        ["Letters"],
    )
    assert len(list(runs_folder().iterdir())) == 2

    assert told("stop", "d1") == "The desktop d1 is stopped.\n"
    assert processes_with(f"{MARK}={kept.mark}") == []
    assert files() == []


def answering(answer: str, *arguments: str) -> tuple[str, int]:
    """What a person at a terminal sees of a command, who gives that answer, and the exit code."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mark_i", "desktop", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.write(ours, answer.encode())
    shown = b""
    with contextlib.suppress(OSError):  # the last one on the other side has gone
        while more := os.read(ours, 4096):
            shown += more
    os.close(ours)
    return shown.decode(), process.wait(CAP_S)


def test_a_person_is_asked_before_what_is_not_saved_is_lost(mark_i: Run, kept: KeptDesktop, tmp_path: Path) -> None:
    terminal = action("open_app", name="xterm", args=["-T", "*notes.txt - Editor"])
    brain = script(tmp_path / "first.jsonl", terminal, action("fail", reason="enough"))
    mark_i("run", "open it", "--on", kept.name, "--brain", brain, "--yes")

    shown, code = answering("n\n", "stop", kept.name)
    assert "Not saved: *notes.txt - Editor. Stop anyway?" in shown
    assert code != 0
    assert kept.is_open

    shown, code = answering("y\n", "stop", "--all")
    assert "Not saved" in shown
    assert code == 0
    assert not kept.is_open


def test_of_two_runs_at_once_the_second_is_refused_in_a_line(mark_i: Run, kept: KeptDesktop, tmp_path: Path) -> None:
    with borrowed(DEFAULT_PROFILE, "work", "20260131-1") as used:
        assert used == kept
        brain = script(tmp_path / "brain.jsonl", action("fail", reason="enough"))
        done = mark_i("run", "goal", "--on", "work", "--brain", brain)
        assert (done.returncode, done.stdout) == (2, "")
        line = "The desktop work is used by the run 20260131-1. Stop it first: mark-i stop 20260131-1."
        assert done.stderr == f"mark-i: {line}\n"
        assert list(runs_folder().iterdir()) == []
        assert "nobody" not in told("list")
        assert "the run 20260131-1" in told("list")
        with pytest.raises(UsageError, match="Stop it first"):
            stop_kept(DEFAULT_PROFILE, "work")

    assert "nobody" in told("list")
    assert kept.is_open


def test_a_run_that_was_killed_leaves_the_desktop_free(kept: KeptDesktop) -> None:
    done = subprocess.run([sys.executable, "-c", BORROWED_AND_KILLED], check=False, timeout=CAP_S)
    assert done.returncode == -signal.SIGKILL

    (row,) = listed(DEFAULT_PROFILE)
    assert (row.used, row.run) == (False, None)
    with _locked(kept.file):  # by somebody who is no run
        assert [(one.used, one.run) for one in listed(DEFAULT_PROFILE)] == [(True, None)]
    with borrowed(DEFAULT_PROFILE, "work", "next"):
        assert [one.run for one in listed(DEFAULT_PROFILE)] == ["next"]


@NEEDS
def test_a_program_is_told_at_once_that_a_desktop_stays(capsys: pytest.CaptureFixture[str]) -> None:
    config = RunConfig(OfflineBrain(), profile="mine")
    with placed(config, DesktopChoice(SIZE, keep=True), Telling(as_json=True)) as there:
        assert (there.on, there.virtual) == ("d1", SIZE)
        (notice,) = there.notices
    kept_named("mine", "d1").end()

    assert "mark-i run --on d1 --profile mine GOAL" in notice
    assert capsys.readouterr() == ("", f"{notice}\n")


@pytest.mark.parametrize("keep", [False, True])
def test_a_watched_run_has_a_window_that_ends_with_the_desktop(
    desktop: VirtualDesktop, monkeypatch: pytest.MonkeyPatch, *, keep: bool
) -> None:
    monkeypatch.setenv("DISPLAY", desktop._environment["DISPLAY"])
    config = RunConfig(OfflineBrain())

    with placed(config, DesktopChoice(SIZE, keep, watch=True), LOGGED) as there:
        assert (there.on, there.virtual) == ("d1", SIZE)
        assert soon(lambda: [one.title for one in desktop.windows()] == ["MARK-I: the desktop d1"])
        kept = kept_named(DEFAULT_PROFILE, "d1")

    assert names_of(DEFAULT_PROFILE) == (["d1"] if keep else [])
    assert kept.is_open is keep
    kept.end()
    assert soon(lambda: desktop.windows() == [])


def test_a_watched_desktop_that_ended_by_itself_is_no_second_error(
    desktop: VirtualDesktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", desktop._environment["DISPLAY"])

    with placed(RunConfig(OfflineBrain()), DesktopChoice(SIZE, watch=True), LOGGED):
        kept_named(DEFAULT_PROFILE, "d1").end()

    assert names_of(DEFAULT_PROFILE) == []
    assert soon(lambda: desktop.windows() == [])


@NEEDS
def test_without_a_display_to_watch_on_nothing_is_started(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with (
        pytest.raises(DesktopError, match=r"^The window of --watch needs a display, and none can be opened"),
        placed(RunConfig(OfflineBrain()), DesktopChoice(SIZE, watch=True), LOGGED),
    ):
        pytest.fail("The run begins.")
    assert list(home.rglob("*.json")) == []


def test_who_asks_something_without_a_screen_has_nothing_to_watch() -> None:
    config = RunConfig(OfflineBrain(), screen=False)
    with pytest.raises(UsageError, match="leave out --keep, --on and --watch"):
        placed(config, DesktopChoice(watch=True), LOGGED).__enter__()


def test_a_resumed_run_has_a_desktop_of_its_old_size_unless_one_is_chosen() -> None:
    assert DesktopChoice(keep=True).like(SIZE) == DesktopChoice(SIZE, keep=True)
    for chosen in (DesktopChoice(on="work"), DesktopChoice(Size(64, 64))):
        assert chosen.like(SIZE) == chosen


def test_a_follow_up_goes_on_where_the_run_before_was(kept: KeptDesktop, tmp_path: Path) -> None:
    settings = {"on": kept.name, "virtual": str(SIZE)}
    Journal(tmp_path / "run", {"goal": "write", "settings": settings}).close({"outcome": "done"})
    before = read_run(tmp_path / "run")

    assert DesktopChoice().after(before, DEFAULT_PROFILE).on == kept.name
    assert DesktopChoice(keep=True).after(before, DEFAULT_PROFILE) == DesktopChoice(on=kept.name)
    assert DesktopChoice(Size(320, 240)).after(before, DEFAULT_PROFILE) == DesktopChoice(Size(320, 240))
    kept.end()
    assert DesktopChoice().after(before, DEFAULT_PROFILE) == DesktopChoice(SIZE)


def test_a_desktop_in_use_does_not_keep_the_others_from_being_stopped(kept: KeptDesktop, control: Control) -> None:
    start_kept(DEFAULT_PROFILE, "another", SIZE, control)
    start_kept(DEFAULT_PROFILE, "zebra", SIZE, control)
    with borrowed(DEFAULT_PROFILE, "work", "run"), pytest.raises(UsageError, match="The desktop work is used"):
        told("stop", "--all")
    assert names_of(DEFAULT_PROFILE) == ["work"]

    assert told("stop", "--all") == "The desktop work is stopped.\n"
    assert told("stop", "--all") == "No desktop is open. Start one: mark-i desktop start\n"


# Names and sizes ----------------------------------------------------------------------------------------------------


@NEEDS
def test_desktops_are_started_with_and_without_a_name_and_size() -> None:
    assert json.loads(told("start", "64x64", "--json"))["name"] == "d1"
    started = told("start", "mine", "640x480")
    assert started.startswith("The desktop mine is open (640x480).\n")
    assert "mark-i run --on mine GOAL" in started
    found = {one.desktop.name: str(one.desktop.size) for one in listed(DEFAULT_PROFILE)}
    assert found == {"d1": "64x64", "mine": "640x480"}
    assert names_of("other") == []
    with pytest.raises(UsageError, match="There is a desktop mine already"):
        told("start", "mine")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["desktop", "start", "../x"], "cannot be a desktop"),
        (["desktop", "start", "x" * 33], "cannot be a desktop"),
        (["desktop", "start", "1x1", "640x480"], "cannot be a desktop"),
        (["desktop", "start", "mine", "huge"], "is not a size"),
        (["desktop", "stop"], "Give NAME or --all"),
        (["desktop", "stop", "nowhere"], "There is no desktop 'nowhere'. None is open"),
        (["desktop", "view", "../x"], "There is no desktop '../x'"),
        (["run", "goal", "--on", "nowhere"], "There is no desktop 'nowhere'"),
        (["run", "goal", "--on", "d1", "--virtual"], "leave out --virtual"),
        (["run", "goal", "--on", "d1", "--keep"], "leave out --keep"),
        (["run", "goal", "--keep"], "Only a virtual desktop can be kept"),
        (["demo", "--live", "--keep"], "Only a virtual desktop can be kept"),
    ],
    ids=lambda one: one if isinstance(one, str) else " ".join(one),
)
def test_what_cannot_be_is_wrong_usage(arguments: list[str], named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")  # so that without --virtual it would be the person's own desktop
    brain = ["--brain", "offline"] if arguments[0] == "run" else []
    with pytest.raises((UsageError, click.UsageError)) as raised:
        CliRunner().invoke(program, [*arguments, *brain], standalone_mode=False, catch_exceptions=False)

    assert named in str(raised.value)


# Lost desktops ------------------------------------------------------------------------------------------------------


def lose(kept: KeptDesktop) -> int:
    """Kill the keeper as a crash does, while a program runs; return the program's id."""
    pid = os.posix_spawnp("sleep", ["sleep", "1000"], os.environ | {MARK: kept.mark})
    os.kill(kept.keeper, signal.SIGKILL)
    assert soon(lambda: not kept.is_open)
    return pid


@pytest.mark.parametrize("finder", ["list", "start", "stop", "doctor"])
def test_a_lost_desktop_is_found_told_of_and_ended(kept: KeptDesktop, finder: str) -> None:
    pid = lose(kept)

    if finder == "doctor":
        line = _kept(DEFAULT_PROFILE).told
    else:
        line = told(finder, *{"start": ["new", "64x64"], "stop": ["--all"], "list": []}[finder])

    assert "The desktop work was lost" in line
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGTERM
    assert processes_with(f"{MARK}={kept.mark}") == []
    assert files() == (["new.json", "new.lock"] if finder == "start" else [])
    assert end_lost(DEFAULT_PROFILE) == []


def test_a_run_on_a_desktop_that_is_gone_is_a_desktop_error(mark_i: Run, kept: KeptDesktop) -> None:
    pid = lose(kept)

    done = mark_i("run", "goal", "--on", "work", "--brain", "offline")

    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == "mark-i: The desktop work is gone, and nothing of it is left. Start another one.\n"
    assert os.waitpid(pid, 0)[0] == pid
    assert files() == []


def test_a_lost_desktop_is_left_while_a_run_is_still_ending_on_it(kept: KeptDesktop) -> None:
    with borrowed(DEFAULT_PROFILE, "work", "run"):
        pid = lose(kept)
        assert end_lost(DEFAULT_PROFILE) == []

    assert len(end_lost(DEFAULT_PROFILE)) == 1
    os.waitpid(pid, 0)


def test_a_file_that_describes_no_desktop_is_told_of_and_left(home: Path) -> None:
    file = desktops_folder() / "odd.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")

    assert "odd.json describes no desktop" in told("list")
    with pytest.raises(MarkIError, match=r"odd\.json describes no desktop"):
        told("stop", "odd")

    assert file.exists()
    file.unlink()
