"""Files that are attached to a goal: the run has copies, its brain is told where, and its tools read them."""

import json
from pathlib import Path

import pytest

from mark_i.config.paths import runs_folder
from mark_i.runs.attachments import MAX_FILES, attach, attached, checked
from tests.support import Run, action, events, script
from world_model import UsageError, read_run


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_of_one_name_are_both_there(tmp_path: Path) -> None:
    first, second = (written(tmp_path / folder / "report.txt", folder) for folder in ("one", "two"))

    attach(checked([str(first), str(second), str(first)]), tmp_path / "work")

    assert {file.name: file.read_text() for file in attached(tmp_path / "work")} == {
        "report.txt": "one",
        "report-2.txt": "two",
    }
    assert attached(tmp_path / "elsewhere") == ()


def test_what_cannot_be_attached_is_one_line(tmp_path: Path) -> None:
    many = [written(tmp_path / str(number), "") for number in range(MAX_FILES + 1)]
    for files, reason in (([tmp_path], "is a folder"), ([tmp_path / "none"], "No such file"), (many, "too many")):
        with pytest.raises(UsageError, match=reason):
            checked(files)


def test_a_run_is_told_of_its_files_and_reads_them(mark_i: Run, tmp_path: Path) -> None:
    file = written(tmp_path / "notes.txt", "The order number is 4711.")
    read = action("python_repl", code="print(open('attached/notes.txt').read())")
    brain = script(tmp_path / "b.jsonl", read, action("finish", summary="4711", evidence=[{"observation": 1}]))

    done = mark_i("ask", "which order", "--brain", brain, "--json", "--yes", "--attach", str(file))

    folder = runs_folder() / events(done.stdout)[-1]["run"]
    copy = folder / "work" / "attached" / "notes.txt"
    prompt = json.loads((folder / "prompts.jsonl").read_text().splitlines()[0])["text"]
    assert f"The person attached {copy}." in prompt
    assert "4711" in read_run(folder, images=False).steps[0].observation.text


def test_a_file_that_is_not_there_starts_nothing(mark_i: Run, tmp_path: Path) -> None:
    done = mark_i("ask", "which order", "--brain", "offline", "--attach", str(tmp_path / "none.txt"))

    assert done.returncode == 2
    assert "none.txt cannot be attached: No such file or directory; check the path." in done.stderr
    assert not runs_folder().exists()
