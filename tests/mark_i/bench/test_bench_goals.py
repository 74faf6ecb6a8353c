"""The benches of whole goals: tasks of MiniWoB++ and of one's own, from the set-up to the table."""

import json
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mark_i.assembly.run_config import RunConfig
from mark_i.bench import miniwob
from mark_i.bench.episodes import EPISODES, Episode, Kept, figures, played, write_table
from mark_i.bench.tasks import read_tasks
from mark_i.brains.offline.brain import OfflineBrain
from mark_i.cli.commands.bench import bench
from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from mark_i.runs.store import find_run
from tests.support import Run
from toolbelt import extras
from toolbelt.control import Control
from world_model import JournalError, UsageError

INSTALLED = find_spec("miniwob") is not None and find_spec("selenium") is not None
needs_packages = pytest.mark.skipif(not INSTALLED, reason="The extra bench is not installed")
ABOUT = {"bench": "miniwob", "brain": "offline"}


def episode(task: str, number: int, *, solved: bool = True, usd: float | None = 0.25) -> Episode:
    goal, said = f"Do <b>{task}</b>.", "It is <script>alert(1)</script> there."
    return Episode(task, number, goal, solved, "done", said, 0.5 + number, 2, 100, usd, ["click", "finish"])


@pytest.mark.usefixtures("browser", "benchmark", "display")
@needs_packages
def test_an_episode_is_solved() -> None:
    with miniwob.miniwob(["click-test-2"], RunConfig(OfflineBrain()), Control()) as play:
        found = play("click-test-2", 0)

    assert found.solved, found
    assert (found.task, found.number, found.outcome) == ("click-test-2", 0, "done")
    assert found.steps >= 1
    assert any('"click"' in action for action in found.actions)


@needs_packages
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


def test_an_interrupted_bench_resumes_and_repeats_nothing(tmp_path: Path) -> None:
    wanted = list(product(("one", "two"), range(2)))
    measured: list[tuple[str, int]] = []

    def play(task: str, number: int) -> Episode:
        if len(measured) == 3:
            raise KeyboardInterrupt
        measured.append((task, number))
        return episode(task, number)

    with pytest.raises(KeyboardInterrupt):
        played(Kept(tmp_path, ABOUT), wanted, play, lambda *_: None)
    with (tmp_path / EPISODES).open("a") as file:
        file.write('{"task": "tw')  # what a kill leaves
    told: list[tuple[int, int, str]] = []
    measured.clear()
    found = played(Kept(tmp_path, ABOUT), wanted, play, lambda *words: told.append(words))

    assert measured == [("two", 1)]
    assert [(one.task, one.number) for one in found] == wanted
    assert told[0] == (0, 4, "one 0")
    assert told[-1] == (4, 4, "")
    assert Kept(tmp_path, ABOUT).find("two", 1) == episode("two", 1)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (json.dumps({"version": 1, **ABOUT, "brain": "gemini"}) + "\n", "It holds another measurement. Say another"),
        (json.dumps({"version": 2, **ABOUT}) + "\n", "It has version 2, and this MARK-I knows up to 1."),
        (json.dumps({"version": 1, **ABOUT}) + '\n{"task": "one"}\n', 'a line that is not an episode: {"task": "one"}'),
        ("My notes.\n", "It holds another measurement."),
    ],
)
def test_what_is_not_ours_is_left_as_it_is(tmp_path: Path, content: str, reason: str) -> None:
    (tmp_path / EPISODES).write_text(content)

    with pytest.raises(UsageError) as raised:
        Kept(tmp_path, ABOUT)

    assert reason in str(raised.value)
    assert (tmp_path / EPISODES).read_text() == content


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(JournalError, match="--out"):
        Kept(tmp_path / "file" / "measured", ABOUT)


def test_the_figures_and_the_page(tmp_path: Path) -> None:
    episodes = [episode("one", 0), episode("one", 1, solved=False), episode("two", 0, usd=None)]

    found = figures(Kept(None, ABOUT), episodes)
    write_table(tmp_path, found)

    one, two = found["tasks"]
    assert one == {"task": "one", "solved": 1, "of": 2, "median_steps": 2, "median_s": 1.0, "tokens": 200, "usd": 0.5}
    assert (two["usd"], found["all"]["usd"], found["all"]["tokens"]) == (None, None, 300)
    assert [(miss["task"], miss["number"]) for miss in found["missed"]] == [("one", 1)]
    assert json.loads((tmp_path / "figures.json").read_text()) == found
    page = (tmp_path / "table.html").read_text()
    assert "2 of 3 episodes solved" in page
    assert "Do &lt;b&gt;one&lt;/b&gt;." in page
    assert "<script" not in page


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


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / EPISODES).read_text().splitlines()[1:]]


def test_goals_of_ones_own_are_set_up_reached_and_checked(tmp_path: Path, mark_i: Run) -> None:
    file, out = tmp_path / "goals.toml", tmp_path / "measured"
    file.write_text(TASKS)
    command = ("bench", "tasks", str(file), "--tries", "1", "--brain", "offline", "--out", str(out))

    done = mark_i(*command, "--json")

    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {row["task"]: row["solved"] for row in found["tasks"]} == {"typed": 1, "wrong": 0, "broken": 0}, found
    typed, wrong, broken = read(out)
    assert typed["goal"] == 'Type "bread" and press enter.'
    assert find_run(runs_folder(DEFAULT_PROFILE), typed["run"]).is_dir()
    assert wrong["outcome"] in {"done", "done_unverified"}, "what the agent says does not count"
    assert (broken["outcome"], broken["steps"]) == ("not begun", 0)
    assert "no such thing" in broken["said"]
    assert (out / "table.html").is_file()

    again = mark_i(*command)
    assert "1 of 3" in again.stdout
    assert "broken 0: Press shift." in again.stdout
    assert read(out) == [typed, wrong, broken]


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
        read_tasks(file, DEFAULT_PROFILE)

    assert [word in str(raised.value) for word in (*words, str(file))] == [True] * (len(words) + 1)
    assert "\n" not in str(raised.value).replace(str(file), "")


@pytest.mark.parametrize("command", ["miniwob", "tasks"])
def test_help_has_an_example(command: str) -> None:
    assert f"mark-i bench {command} " in CliRunner().invoke(bench, [command, "--help"]).output
