"""A Python without tkinter, as Debian has it before python3-tk is installed: all works but the window."""

import json
import os
from pathlib import Path

import pytest

from tests.support import Run, action, events, script

HIDDEN = "import sys; sys.modules.update(dict.fromkeys(('tkinter', '_tkinter')))"
NEEDS_TK = "needs Tk for Python. On Debian and Ubuntu: sudo apt-get install python3-tk"


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of a Python to which `import tkinter` fails."""
    folder = tmp_path / "hidden"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(HIDDEN)
    return os.environ | {"PYTHONPATH": str(folder)}


def test_run_works_without_tkinter(mark_i: Run, bare: dict[str, str], tmp_path: Path) -> None:
    replies = (
        action("click", target={"x": 9, "y": 9}),
        action("type_text", text="é"),
        action("fail", reason="That was all."),
    )
    brain = script(tmp_path / "brain.jsonl", *replies)

    done = mark_i("run", "click", "--virtual", "640x480", "--brain", brain, "--yes", "--json", env=bare)

    told = events(done.stdout)
    assert (done.returncode, told[-1]["outcome"]) == (1, "failed"), done.stderr
    assert [one["observation"]["ok"] for one in told if one["event"] == "step"][:2] == [True, True]


def test_the_demo_writes_the_file_that_was_asked_for_without_tkinter(mark_i: Run, bare: dict[str, str]) -> None:
    done = mark_i("demo", "--virtual", "1280x800", "--json", env=bare)

    told = events(done.stdout)
    assert (done.returncode, told[-1]["outcome"]) == (0, "done"), done.stderr
    assert sum(event["event"] == "step" for event in told) >= 8
    assert "holds exactly what was asked for" in done.stderr
    picture = Path(done.stderr.rpartition("The final screen: ")[2].strip())
    assert picture.stat().st_size > 1000


def test_the_doctor_names_tkinter_and_continues(mark_i: Run, bare: dict[str, str]) -> None:
    done = mark_i("doctor", "--virtual", "--json", env=bare)

    found = {one["name"]: one for one in json.loads(done.stdout)["findings"]}
    assert done.returncode == 0, done.stdout
    assert found["The window"]["told"] == f"It {NEEDS_TK}"
    assert found["Clicks, typing and reading"]["told"] == f"Not tried: the doctor's own window {NEEDS_TK}"
    assert found["Looking"]["told"].startswith("A capture of the whole desktop takes ")
    assert found["The model"]["there"]


def test_the_window_says_in_a_line_that_tkinter_is_missing(mark_i: Run, bare: dict[str, str]) -> None:
    done = mark_i("gui", env=bare)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"mark-i: The window {NEEDS_TK}\n"


def test_a_run_that_cannot_be_watched_is_not_begun(mark_i: Run, bare: dict[str, str], home: Path) -> None:
    done = mark_i("run", "--watch", "open xterm", env=bare)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"mark-i: The window {NEEDS_TK}\n"
    assert list(home.rglob("run.json")) == []


def test_a_library_that_ends_the_program_is_no_stop(mark_i: Run, tmp_path: Path) -> None:
    (tmp_path / "ending.py").write_text(
        "import sys\nclass Ending:\n    name, sight, space = 'ending', 0, 'pixels'\n"
        "    def think(self, prompt):\n        sys.exit('NOTE: install me.\\nRun this.')\n"
    )

    done = mark_i(
        "run",
        "anything",
        "--virtual",
        "640x480",
        "--brain",
        "ending:Ending",
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )

    assert done.returncode == 1
    assert "A library ended the program: NOTE: install me. Run this." in done.stderr
    assert "Traceback" not in done.stderr
