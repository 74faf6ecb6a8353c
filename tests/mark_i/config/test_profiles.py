"""Profiles: settings, runs, sessions, memory, keys, policies and tools of one are nothing to another, also at once."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.config.paths import profile_folder, runs_folder, sessions_folder, tools_folder
from mark_i.config.settings import load
from mark_i.runs.store import going_on
from tests.gui.opened_window import CAP_S, Window
from tests.support import Run, action, events, script
from tests.x_servers import Servers
from toolbelt.control import Control
from toolbelt.perception.eyes import Eyes
from world_model import Size, read_run

CHECKOUT: Final = Path(__file__).parents[3]
BOTH: Final = ("one", "two")
KEY: Final = "sk-a-key-that-nobody-may-see"
DENIES: Final = '[[rules]]\ndo = "deny"\ntool = "remember"\nwhy = "Nothing is kept here."\n'
TOOL: Final = '''
from mark_i import tool

@tool(risk="look")
def only_here() -> str:
    """Say where this is."""
    return "in one"
'''


def asked(profile: str, brain: str, *more: str) -> subprocess.Popen[str]:
    """A question that is being answered."""
    command = [sys.executable, "-m", "mark_i", "ask", "Where is it?", "--profile", profile, "--brain", brain]
    return subprocess.Popen(
        [*command, "--yes", "--json", *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def observed(profile: str) -> list[Any]:
    """What the tools said in the only run of a profile."""
    [folder] = runs_folder(profile).iterdir()
    return [step.observation for step in read_run(folder, images=False).steps]


@pytest.mark.usefixtures("processes")
def test_two_profiles_at_once_share_nothing(tmp_path: Path) -> None:
    replies = {
        name: [
            action("remember", fact=f"The key is in drawer {name}."),
            action("recall", query="key drawer"),
            {"thought": "I know it.", "answer": f"In drawer {name}."},
        ]
        for name in BOTH
    }
    brains = {name: script(tmp_path / f"{name}.jsonl", *replies[name]) for name in BOTH}
    running = {name: asked(name, brains[name], "--session", "s") for name in BOTH}
    said = {name: process.communicate(timeout=CAP_S)[0] for name, process in running.items()}

    for name in BOTH:
        assert f"In drawer {name}." in events(said[name])[-1]["summary"]
        _, recalled, *_ = observed(name)
        assert [one["fact"] for one in recalled.data] == [f"The key is in drawer {name}."]
        [session] = sessions_folder(name).rglob("*.json*")
        assert f"drawer {name}" in session.read_text(encoding="utf-8")
    assert not profile_folder("default").exists()


def test_a_policy_holds_in_its_own_profile_alone(mark_i: Run, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(DENIES)
    assert mark_i("config", "set", "policy", str(policy), "--profile", "one").returncode == 0
    kept, done = action("remember", fact="It rains."), {"thought": "So.", "answer": "So."}
    for name in BOTH:
        asked(name, script(tmp_path / f"{name}.jsonl", kept, done, done)).communicate(timeout=CAP_S)

    denied, allowed = observed("one")[0], observed("two")[0]
    assert denied.error.code == "DENIED"
    assert "Nothing is kept here." in denied.error.message
    assert (allowed.ok, allowed.text) == (True, "Remembered.")


def test_a_key_and_a_secret_are_those_of_their_profile(
    mark_i: Run, keyring: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(CHECKOUT))  # with that keyring, the current folder is another
    assert mark_i("config", "set", "openai.key", "--profile", "one", input=f"{KEY}\n").returncode == 0
    assert mark_i("config", "set", "secret.bank", "--profile", "two", input="hunter2-hunter2\n").returncode == 0

    told = {name: json.loads(mark_i("config", "show", "--json", "--profile", name).stdout) for name in BOTH}

    assert [told[name]["keys"]["openai"] for name in BOTH] == ["keyring", "none"]
    assert [told[name]["secrets"] for name in BOTH] == [[], ["bank"]]
    assert keyring.exists()


def test_a_tool_file_is_a_tool_of_its_profile(mark_i: Run) -> None:
    tools_folder("one").mkdir(parents=True)
    (tools_folder("one") / "here.py").write_text(TOOL)

    assert mark_i("tools", "call", "only_here", "--profile", "one").stdout == "in one\n"
    missing = mark_i("tools", "call", "only_here", "--profile", "two")
    assert missing.returncode == 2
    assert "only_here" in missing.stderr


def test_stopping_all_runs_stops_none_of_another_profile(mark_i: Run, tmp_path: Path, control: Control) -> None:
    waiting = script(tmp_path / "waits.jsonl", action("ask_user", question="Which one?"))
    with asked("one", waiting) as run:
        assert control.until(lambda: runs_folder("one").exists() and going_on(runs_folder("one")), CAP_S)

        other = mark_i("stop", "--all", "--profile", "two")
        assert (other.returncode, other.stderr) == (2, "mark-i: No run is running.\n")
        assert run.poll() is None

        assert mark_i("stop", "--all", "--profile", "one").returncode == 0
        assert run.wait(CAP_S) == 130


@pytest.fixture(scope="module")  # before there is a home, which is not to stand in its environment
def screen(x_servers: Servers) -> Iterator[Eyes]:
    control = Control()
    with x_servers.desktop(Size(1000, 900), control) as desktop:
        yield Eyes(desktop, control)


def test_the_window_of_a_profile_runs_in_it(screen: Eyes, home: Path, mark_i: Run, tmp_path: Path) -> None:
    done = {"thought": "I know it.", "answer": "Nothing."}
    brain = script(tmp_path / "brain.jsonl", done, done)
    assert mark_i("config", "set", "brain", brain, "--profile", "work").returncode == 0

    with contextlib.closing(Window(screen, home, "--profile", "work")) as window:
        assert window.wait(lambda: window.titles() == ["MARK-I: work"])
        assert window.sees("What is available")
        window.click('open the text editor, type "Hello there"')
        window.click("Run")
        assert window.sees("Nothing.")

    [folder] = runs_folder("work").iterdir()
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["brain"] == brain
    assert load("work").brain == brain
    assert [one.name for one in (home / "profiles").iterdir()] == ["work"]


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("brain", "geminni", "There is no brain named 'geminni'. Did you mean gemini?"),
        ("vision_brain", "mine", "There is no brain named 'mine'."),
        ("policy", "none.toml", "none.toml cannot be read: No such file or directory; check the path."),
        ("workflow", "raect", "There is no workflow 'raect', and no such file."),
        ("workflow", "none.json", "none.json"),
        ("gemini.key", None, "Key for gemini: nothing was given."),
        ("secret.bank", None, "Secret bank: nothing was given."),
    ],
)
def test_what_every_run_would_refuse_is_not_set(mark_i: Run, key: str, value: str | None, complaint: str) -> None:
    before = mark_i("config", "show").stdout
    ran = mark_i("config", "set", key, *([value] if value else []), stdin=subprocess.DEVNULL)
    assert ran.returncode == 2
    assert complaint in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert mark_i("config", "show").stdout == before


def test_a_workflow_holds_in_whatever_folder_a_run_is_started(mark_i: Run, tmp_path: Path) -> None:
    assert mark_i("workflow", "copy", "ask", "mine.json", cwd=tmp_path).returncode == 0
    assert mark_i("config", "set", "workflow", "mine.json", cwd=tmp_path).returncode == 0
    assert str(tmp_path / "mine.json") in mark_i("config", "show").stdout
    assert mark_i("config", "set", "workflow", "react", cwd=tmp_path).returncode == 0
    assert load().workflow == "react"


def test_a_policy_holds_in_whatever_folder_a_run_is_started(mark_i: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('act = "ask"\n')
    assert mark_i("config", "set", "policy", "mine.toml", cwd=tmp_path).returncode == 0
    assert str(tmp_path / "mine.toml") in mark_i("config", "show").stdout
