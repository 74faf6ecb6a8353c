"""The benches of whole goals, which are fleets: tasks of MiniWoB++ and of one's own, from the set-up to the results."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from mark_i.bench import miniwob, miniwob_page
from mark_i.bench.tasks import read_tasks
from mark_i.cli.commands.bench import bench
from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from mark_i.fleet.folder import RESULTS
from mark_i.runs.store import find_run
from tests.support import Run, finish, script, soon
from toolbelt import extras
from toolbelt.control import Control
from world_model import UsageError, read_frame, read_run

needs_package = pytest.mark.skipif(find_spec("miniwob") is None, reason="The extra bench is not installed")
BEGUN = """
import os, sys
from mark_i.bench import miniwob, miniwob_page
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop

desktop = VirtualDesktop(miniwob.SIZE, Control())
begin = desktop.launch([*miniwob.PROGRAM, "begin", miniwob.pages(["click-test-2"])["click-test-2"], "0", sys.argv[1]])
assert desktop.control.until(lambda: not begin.running(), 60)
print(begin.failure(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files, with a short path, as Chromium needs it for its sockets."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def left(temporary: Path) -> list[Path]:
    return list(temporary.glob("mark-i-*"))


@pytest.mark.usefixtures("browser", "benchmark", "display")
@needs_package
def test_an_episode_is_a_run_of_a_fleet(tmp_path: Path, mark_i: Run, temporary: Path) -> None:
    out = tmp_path / "measured"
    command = ("bench", "miniwob", "--tasks", "click-test-2", "--seeds", "1", "--out", str(out))

    done = mark_i(*command)

    assert (done.returncode, "1 of 1" in done.stdout) == (0, True), done.stdout + done.stderr
    [found] = results(out)
    assert (found["goal"], found["solved"], found["outcome"]) == ("Click button ONE.", True, "done")
    run = find_run(runs_folder(DEFAULT_PROFILE), found["run"])
    shots = [shot.digest for step in read_run(run, images=False).steps for shot in (step.before, step.after) if shot]
    frames = [frame.pixels for digest in shots if (frame := read_frame(run, digest))]
    assert frames
    beside = 162 * miniwob_page.SCALE
    for pixels in frames:
        assert pixels.shape[:2] == (miniwob.SIZE.height, miniwob.SIZE.width)
        assert len(np.unique(pixels[:, beside:].reshape(-1, 3), axis=0)) == 1, "the scores are not for the agent"
    assert left(temporary) == []

    assert mark_i(*command).returncode == 0
    assert results(out) == [found], "what has ended is not done again"
    other = mark_i(*command[:-3], "2", *command[-2:])
    assert (other.returncode, "measured.toml holds another fleet" in other.stderr) == (2, True), other.stderr


@pytest.mark.usefixtures("browser", "benchmark", "display")
@needs_package
def test_the_page_judges_and_its_goal_is_the_one_that_is_given(tmp_path: Path, mark_i: Run, temporary: Path) -> None:
    file, brain = tmp_path / "some.toml", script(tmp_path / "replies.jsonl", finish(), finish())
    miniwob.write_fleet(file, ["click-test-2", "click-test"], 1, {"brain": brain}, Control())
    table = tmp_path / "some.csv"
    assert table.read_text() == "seed,click_test_2,click_test\n0,Click button ONE.,Click the button.\n"
    table.write_text(table.read_text().replace("Click the button.", "Click TWO."))

    assert mark_i("fleet", "run", str(file)).returncode == 1

    said, shown = sorted(results(tmp_path / "some"), key=lambda one: str(one["id"]))
    assert (said["solved"], "The episode has not ended" in said["said"]) == (False, True), said
    assert (shown["outcome"], "The page shows another goal: Click the button." in shown["said"]) == ("not begun", True)
    assert left(temporary) == []


@pytest.mark.usefixtures("browser", "benchmark", "display")
@needs_package
def test_nothing_is_left_of_chromium_when_a_run_is_killed(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-c", BEGUN, "Click button ONE."]
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=temporary) as run:
        assert run.stdout
        assert run.stdout.readline() == "None\n"
        assert len(left(temporary)) == 2, "the folders of the desktop and of Chromium"
        run.kill()

    assert soon(lambda: not left(temporary))
    programs = Path("/proc")
    assert soon(lambda: not [one for one in programs.glob("[0-9]*/cmdline") if str(temporary).encode() in read(one)])


def read(file: Path) -> bytes:
    """The content of a file of a process, which may be gone."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


@needs_package
def test_every_task_has_a_page_and_no_other_is_taken() -> None:
    assert len(miniwob.SUITED) >= 20
    assert list(miniwob.pages(miniwob.SUITED)) == list(miniwob.SUITED)
    assert set(miniwob.SUITED) < set(miniwob.pages())
    assert len(miniwob.pages()) >= 100
    with pytest.raises(UsageError, match=r"no task click-tets\. Did you mean click-test"):
        miniwob.pages(["click-test", "click-tets"])


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda _: None)

    with pytest.raises(UsageError, match=r"MiniWoB.* is not installed.*mark-i\[bench\]"):
        miniwob.pages(["click-test"])


@needs_package
def test_what_cannot_be_used_is_told_before_anything_is_written(tmp_path: Path, mark_i: Run) -> None:
    for wrong in (("--brain", "nobody"), ("--tasks", "click-tets"), ("--base-url", "http://127.0.0.1:9/v1")):
        refused = mark_i("bench", "miniwob", *wrong, "--out", str(tmp_path / "measured"))
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1), refused.stderr
        assert not [*tmp_path.iterdir()]


@needs_package
def test_a_file_that_is_not_ours_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "notes.toml"
    file.write_bytes(b"My notes. \xff")

    with pytest.raises(UsageError, match=r"notes\.toml holds another fleet\. Say another folder with --out"):
        miniwob.write_fleet(file, ["click-test"], 1, {}, Control())

    assert file.read_bytes() == b"My notes. \xff"


TASKS = """
[[task]]
name = "typed"
setup = "xterm -e 'cat > typed.txt' &"
goal = 'Type "bread" and press enter.'
check = "grep -qx bread typed.txt"

[[task]]
name = "wrong"
goal = 'Press shift.'
check = "test -e nothing"

[[task]]
name = "broken"
goal = 'Press shift.'
setup = "echo no such thing >&2; false"
check = "true"
"""


def results(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / RESULTS).read_text().splitlines()]


def test_goals_of_ones_own_are_set_up_reached_and_checked(tmp_path: Path, mark_i: Run) -> None:
    file, out = tmp_path / "goals.toml", tmp_path / "goals"
    file.write_text(TASKS)
    command = ("bench", "tasks", str(file), "--tries", "1", "--brain", "offline")

    done = mark_i(*command, "--json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["solved"] == 1
    typed, wrong, broken = sorted(results(out), key=lambda one: str(one["id"]))
    assert (typed["goal"], typed["solved"]) == ('Type "bread" and press enter.', True)
    assert find_run(runs_folder(DEFAULT_PROFILE), typed["run"]).is_dir()
    assert not wrong["solved"]
    assert wrong["outcome"] in {"done", "done_unverified"}, "what the agent says does not count"
    assert (broken["outcome"], broken["steps"]) == ("not begun", 0)
    assert "no such thing" in broken["said"]
    assert (out / "report.html").is_file()

    again = mark_i(*command)
    assert "1 of 3" in again.stdout
    assert "broken, try 1: Not begun: The set-up failed" in again.stdout
    assert len(results(out)) == 3, "what has ended is not done again"
    other = mark_i(*command, "--max-steps", "7")
    assert (other.returncode, "max_steps was None and is 7 now" in other.stderr) == (2, True), other.stderr


def test_options_come_before_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "goals.toml"
    file.write_text(f'[defaults]\nbrain = "gemini"\nmax_steps = 3\ntries = 5\n{TASKS}')

    found = read_tasks(file, {"brain": "offline", "max_steps": None, "tries": 2, "size": "800x600"})

    assert {(one.brain, one.max_steps, one.tries, one.size) for one in found.task} == {("offline", 3, 2, "800x600")}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, ["cannot be read", "No such file"]),
        ("[[task]", ["is not valid TOML"]),
        ("", ["task: field required"]),
        ('[[task]]\nname = "a"\ngoal = "b"\n', ["the task 'a' needs a goal and a check"]),
        (
            '[[task]]\nname = "a"\ngoal = "b"\ncheck = "true"\nchekc = "x"\n',
            ["line 5, task 1, chekc: there is no such key"],
        ),
        ('[[task]]\nname = "a"\ngoal = "b"\ncheck = "true"\n' * 2, ["line 6, another task has the name 'a'"]),
    ],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, content: str | None, words: Sequence[str]) -> None:
    file = tmp_path / "goals.toml"
    if content is not None:
        file.write_text(content)

    with pytest.raises(UsageError) as raised:
        read_tasks(file, {})

    assert [word in str(raised.value) for word in (*words, str(file))] == [True] * (len(words) + 1)
    assert "\n" not in str(raised.value).replace(str(file), "")


@pytest.mark.parametrize("command", ["miniwob", "tasks"])
def test_help_has_an_example(command: str) -> None:
    assert f"mark-i bench {command} " in CliRunner().invoke(bench, [command, "--help"]).output
