"""Every file that is written says the version of its form, and one of a newer version is refused and left alone."""

import json
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest

from mark_i.config.paths import profile_folder, runs_folder
from tests.support import Run, action, events, script


@pytest.fixture
def profile(mark_i: Run, tmp_path: Path) -> Path:
    """The folder of a profile with settings, a fact, a conversation and a run that was interrupted."""
    remember = action("remember", fact="The door is green.")
    plenty = script(tmp_path / "plenty.jsonl", remember, {"answer": "Green."})
    few = script(tmp_path / "few.jsonl", action("list_files"))
    assert mark_i("config", "set", "style", "strict").returncode == 0
    assert mark_i("ask", "which door?", "--brain", plenty, "--yes", "--session", "s").returncode == 6
    assert mark_i("ask", "and now?", "--brain", few, "--max-steps", "1").returncode == 3
    return profile_folder()


def test_every_file_says_its_version(profile: Path) -> None:
    files = [file for file in profile.rglob("*") if file.is_file() and file.stat().st_size and file.suffix != ".lock"]
    lines = [line for file in files if file.suffix == ".jsonl" for line in file.read_bytes().splitlines()]
    assert len(lines) > 10
    of_runs = [line for file in (profile / "runs").rglob("*.jsonl") for line in file.read_bytes().splitlines()]
    assert {json.loads(line)["version"] for line in of_runs} == {2}
    assert {json.loads(line)["version"] for line in {*lines} - {*of_runs}} == {1}
    assert [json.loads(file.read_bytes())["version"] for file in files if file.suffix == ".json"] == [2, 2]
    assert [tomllib.loads(file.read_text())["version"] for file in files if file.suffix == ".toml"] == [1]
    with closing(sqlite3.connect(profile / "memory.sqlite")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (1,)
    known = {".json", ".jsonl", ".toml", ".sqlite"}
    assert {file.suffix for file in files} <= known | {".sqlite-wal", ".sqlite-shm"}


def last_run() -> Path:
    return max(runs_folder().iterdir())


@pytest.mark.parametrize("name", ["run.json", "steps.jsonl"])
def test_a_run_of_a_newer_version_is_refused_and_left_alone(profile: Path, mark_i: Run, name: str) -> None:
    file = last_run() / name
    assert file.is_relative_to(profile)
    file.write_bytes(file.read_bytes().replace(b'"version": 2', b'"version": 3', 1))
    before = {one: one.read_bytes() for one in last_run().iterdir() if one.is_file()}

    resumed = mark_i("run", "--resume", "last", "--max-steps", "9")

    assert resumed.returncode == 1
    [said] = resumed.stderr.splitlines()
    assert str(file if name != "run.json" else last_run()) in said
    assert "It has version 3, and this MARK-I knows up to 2." in said
    assert {one: one.read_bytes() for one in before} == before
    assert sorted(one.name for one in last_run().iterdir()) == sorted({*(one.name for one in before), "frames"})
    if name == "run.json":
        assert mark_i("runs", "show", "last").stderr == f"{said}\n"
        assert json.loads(mark_i("runs", "list", "--json").stdout)[0]["outcome"] == "unreadable"
        assert mark_i("ask", "again", "--brain", f"replay:{last_run().name}").returncode != 0


def test_a_run_without_a_version_is_of_the_first(profile: Path, mark_i: Run) -> None:
    assert profile
    for file in (last_run() / name for name in ("run.json", "steps.jsonl", "decisions.jsonl")):
        file.write_bytes(file.read_bytes().replace(b'"version": 2,', b""))
    assert mark_i("runs", "show", "last").returncode == 0


def test_newer_files_of_a_profile_are_refused_and_left_alone(profile: Path, mark_i: Run, tmp_path: Path) -> None:
    conversation, settings = profile / "sessions" / "s.jsonl", profile / "settings.toml"
    conversation.write_bytes(conversation.read_bytes().replace(b'"version": 1', b'"version": 2'))
    brain = script(tmp_path / "recall.jsonl", action("recall", query="door"), action("fail", reason="No."))

    asked = mark_i("ask", "who?", "--session", "s", "--brain", brain)
    assert (asked.returncode, asked.stderr.count("\n")) == (1, 1)
    assert f"The session {conversation} cannot be read. It has version 2" in asked.stderr

    with closing(sqlite3.connect(profile / "memory.sqlite")) as database:
        database.execute("PRAGMA user_version = 2")
    told = events(mark_i("ask", "which door?", "--brain", brain, "--json").stdout)
    [recalled] = [one["observation"] for one in told if one["event"] == "step" and one["action"]["tool"] == "recall"]
    assert recalled["error"]["code"] == "TOOL_ERROR"
    assert "It has version 2, and this MARK-I knows up to 1." in recalled["error"]["message"]

    settings.write_text(settings.read_text().replace("version = 1", "version = 2"))
    before = settings.read_bytes()
    for arguments in (("ask", "x", "--brain", brain), ("config", "set", "style", "default"), ("config", "show")):
        refused = mark_i(*arguments)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
        assert f"{settings} cannot be read. It has version 2" in refused.stderr
    assert settings.read_bytes() == before
