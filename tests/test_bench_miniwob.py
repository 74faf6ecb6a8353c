"""The bench of small web tasks: an episode runs from the page's words to the page's reward."""

import shutil
from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from mark_i.bench import miniwob
from mark_i.cli_bench import bench, tell_tasks
from toolbelt.control import Control
from world_model import UsageError

INSTALLED = find_spec("miniwob") is not None and find_spec("selenium") is not None
needs_packages = pytest.mark.skipif(not INSTALLED, reason="The extra bench is not installed")
MISS = {"seed": 3, "goal": "Click it.", "solved": False, "ended": "It is not there."}
FIGURES = {
    "tasks": [{"task": "click-it", "solved": 1, "of": 2, "median_s": 0.5, "missed": [MISS]}],
    "solved": 1,
    "of": 2,
}


@needs_packages
@pytest.mark.skipif(not (shutil.which("chromium") and shutil.which("chromedriver")), reason="There is no chromedriver")
def test_an_episode_is_solved() -> None:
    told: list[str] = []

    figures = miniwob.measured(["click-test-2"], 1, Control(), told.append)

    [row] = figures["tasks"]
    assert (figures["solved"], figures["of"]) == (1, 1), row
    assert row["task"] == "click-test-2"
    assert told == ["click-test-2: episode 1 of 1"]


@needs_packages
def test_every_supported_task_has_a_page_and_no_other_is_taken() -> None:
    assert len(miniwob.TASKS) >= 20
    assert list(miniwob.pages(miniwob.TASKS)) == list(miniwob.TASKS)
    with pytest.raises(UsageError, match="no task click-nothing"):
        miniwob.pages(["click-test", "click-nothing"])


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(miniwob, "find_spec", lambda _: None)

    with pytest.raises(UsageError, match=r"miniwob and selenium.*mark-i\[bench\]"):
        miniwob.pages(["click-test"])


def test_the_table_names_what_was_missed(capsys: pytest.CaptureFixture[str]) -> None:
    tell_tasks(FIGURES)

    told = capsys.readouterr().out
    assert "1 of 2" in told
    assert "click-it 3: Click it. It is not there." in told


def test_help_has_an_example() -> None:
    assert "mark-i bench miniwob --tasks" in CliRunner().invoke(bench, ["miniwob", "--help"]).output
