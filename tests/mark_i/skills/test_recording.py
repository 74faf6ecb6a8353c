"""A person is recorded with real programs, and what they showed is done again with other values."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from mark_i.assembly.kept_desktops import kept_named, start_kept, stop_kept
from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from tests.support import CAP_S, Run, end, events, soon, xdotool
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.ocr import find
from toolbelt.perception import Eyes
from world_model import Size

APPS = Path(__file__).parents[2] / "apps"
BEGUN, SECRET = "Recording. Show it now.", "A password: it is not recorded."
PASSWORD: Final = "s3cret-Word"


@pytest.fixture
def desktop(display: None, home: Path) -> Iterator[VirtualDesktop]:
    """A kept desktop, which the recording uses, too."""
    start_kept(DEFAULT_PROFILE, "work", Size(1024, 768), Control())
    try:
        with closing(VirtualDesktop.attach(kept_named(DEFAULT_PROFILE, "work"), Control())) as there:
            yield there
    finally:
        stop_kept(DEFAULT_PROFILE, "work")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path, for programs."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def write_program(file: Path, *command: object) -> None:
    file.write_text(f"#!/bin/sh\nexec {' '.join(map(str, command))}\n")
    file.chmod(0o755)


class Recording:
    """A recording in a process of its own, whose lines can be waited for."""

    def __init__(self, name: str, goal: str, *more: str) -> None:
        command = [sys.executable, "-m", "mark_i", "skill", "record", name, "--goal", goal, "--on", "work", *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.told = ""

    def until(self, text: str) -> None:
        """Read its lines until one has a text."""
        assert self.process.stdout
        while text not in self.told:
            line = self.process.stdout.readline()
            assert line, self.told
            self.told += line

    def ended(self) -> int:
        """Wait for its end."""
        self.told += self.process.communicate(timeout=CAP_S)[0]
        return self.process.returncode


@pytest.fixture
def recordings() -> Iterator[list[Recording]]:
    """Those that a test started, which end with it."""
    started: list[Recording] = []
    yield started
    for one in started:
        end(one.process)


def place_of(desktop: VirtualDesktop, text: str) -> list[str]:
    """Where a text is on the screen, once it is there, as xdotool takes it."""
    eyes = Eyes(desktop, Control())
    [found, *_] = find(text, eyes.until(lambda lines: find(text, lines), CAP_S))
    return [str(found.point.x), str(found.point.y)]


def test_a_text_that_was_shown_is_written_again_with_another_value(
    mark_i: Run, desktop: VirtualDesktop, program: Path, tmp_path: Path, recordings: list[Recording]
) -> None:
    kept = tmp_path / "note.txt"
    write_program(program / "jotter", "/usr/bin/python3", APPS / "note_qt.py", kept)
    recording = Recording("jot", 'write "Dear Ann, 7>5!" in the note and close it', "--open", "jotter")
    recordings.append(recording)
    recording.until(BEGUN)
    assert soon(Path(f"{kept}.ready").exists)

    xdotool(desktop, "type", "Dear Anne")
    xdotool(desktop, "key", "BackSpace")
    xdotool(desktop, "type", ", 7>5!")
    xdotool(desktop, "key", "ctrl+q")
    assert soon(lambda: kept.exists() and not desktop.windows())
    xdotool(desktop, "key", "ctrl+alt+Escape")

    assert recording.ended() == 0, recording.told
    shown = json.loads(mark_i("skill", "show", "jot", "--json").stdout)
    assert [(one["tool"], one["args"]) for one in shown["steps"]] == [
        ("open_app", {"name": "jotter"}),
        ("type_text", {"text": "{text}"}),
        ("press", {"keys": "ctrl+q"}),
    ]
    assert kept.read_bytes() == b"Dear Ann, 7>5!"
    again = mark_i("skill", "run", "jot", "--virtual", "1024x768", "--set", "text=Dear Ben, {8}", "--json")
    assert events(again.stdout)[-1]["outcome"] == "done", events(again.stdout)[-1]
    assert kept.read_bytes() == b"Dear Ben, {8}"
    checked = mark_i("skill", "check", "jot")
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "The skill jot is kept."), checked.stdout


@pytest.mark.parametrize("toolkit", ["gtk", "qt"])
def test_a_password_is_not_recorded_and_typed_by_its_name(
    mark_i: Run,
    desktop: VirtualDesktop,
    program: Path,
    tmp_path: Path,
    recordings: list[Recording],
    monkeypatch: pytest.MonkeyPatch,
    toolkit: str,
) -> None:
    kept = tmp_path / "login.txt"
    write_program(program / "doorway", "/usr/bin/python3", APPS / "login.py", toolkit, kept)
    recording = Recording("login", "enter as ada", "--open", "doorway")
    recordings.append(recording)
    recording.until(BEGUN)
    at = place_of(desktop, "Enter")

    xdotool(desktop, "type", "ada")
    xdotool(desktop, "key", "Tab")
    xdotool(desktop, "type", PASSWORD)
    recording.until(SECRET)
    xdotool(desktop, "mousemove", *at, "click", "1")
    assert soon(lambda: kept.exists() and not desktop.windows())
    xdotool(desktop, "key", "ctrl+alt+Escape")

    assert recording.ended() == 0, recording.told
    assert kept.read_text() == f"ada\n{PASSWORD}\n"
    written = [file for file in runs_folder().parent.rglob("*") if file.is_file()]
    assert [file for file in written if PASSWORD.encode() in file.read_bytes()] == []
    assert PASSWORD not in recording.told
    shown = json.loads(mark_i("skill", "show", "login", "--json").stdout)
    texts = [one["args"]["text"] for one in shown["steps"] if one["tool"] == "type_text"]
    assert texts == ["{text}", "{{secret:password}}"]
    monkeypatch.setenv("MARK_I_SECRET_PASSWORD", PASSWORD)
    again = mark_i("skill", "run", "login", "--virtual", "1024x768", "--set", "text=bob", "--json")
    assert events(again.stdout)[-1]["outcome"] == "done", events(again.stdout)[-1]
    assert kept.read_text() == f"bob\n{PASSWORD}\n"


def test_what_may_be_a_password_is_listed_and_not_printed(
    desktop: VirtualDesktop, program: Path, tmp_path: Path, recordings: list[Recording]
) -> None:
    kept = tmp_path / "typed.txt"
    write_program(program / "mute", sys.executable, APPS / "mute_tk.py", kept)
    recording = Recording("mute", "enter it", "--open", "mute")
    recordings.append(recording)
    recording.until(BEGUN)
    assert soon(Path(f"{kept}.ready").exists)

    xdotool(desktop, "type", PASSWORD)
    xdotool(desktop, "key", "Return")
    assert soon(lambda: kept.exists() and not desktop.windows())
    xdotool(desktop, "key", "ctrl+alt+Escape")

    assert recording.ended() == 0, recording.told
    assert kept.read_text() == PASSWORD
    assert "No program said whether step 2 typed a password (11 letters)." in recording.told
    assert recording.told.count('Type "***"') == 2
    assert PASSWORD not in recording.told


@pytest.mark.usefixtures("desktop")
def test_a_recording_of_nothing_is_one_line_and_leaves_nothing(mark_i: Run, recordings: list[Recording]) -> None:
    recording = Recording("empty", "do it")
    recordings.append(recording)
    recording.until(BEGUN)

    stopped = mark_i("stop")

    assert stopped.returncode == 0, stopped.stderr
    assert recording.ended() == 1
    told = "mark-i: Nothing was recorded: nobody used the mouse or the keyboard on that desktop."
    assert recording.told.splitlines()[-1] == told
    assert [*runs_folder().glob("*/run.json")] == []


@pytest.mark.parametrize(
    ("environment", "arguments", "code", "told"),
    [
        ({}, ["x", "--goal", "g"], 5, "There is no display here to record."),
        ({"WAYLAND_DISPLAY": "wayland-0"}, ["x", "--goal", "g"], 5, "On Wayland no program sees what you do in others"),
        ({}, ["x", "--virtual"], 2, "Say with --goal what you show."),
        ({}, ["x", "--virtual", "--goal", " "], 2, "The goal is empty."),
        ({}, ["a b", "--goal", "g"], 2, "'a b' cannot be a skill"),
        ({}, ["x", "--goal", "g", "--on", "nowhere"], 2, "There is no desktop 'nowhere'."),
    ],
)
def test_what_cannot_be_recorded_is_one_line(
    mark_i: Run, environment: dict[str, str], arguments: list[str], code: int, told: str
) -> None:
    done = mark_i("skill", "record", *arguments, env={**os.environ, **environment}, stdin=subprocess.DEVNULL)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (code, "", 1), done.stderr
    assert done.stderr.startswith(f"mark-i: {told}")
