"""Brains that are no vendor's: replies of an earlier run, and a class of one's own."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i import Limits
from mark_i.agent import AgentCore
from mark_i.assembly.options import run_config_of
from mark_i.brain import Prompt, Reply
from mark_i.brains import brain_named
from mark_i.brains.remote import RemoteBrain
from mark_i.brains.scripted import ScriptedBrain
from mark_i.budget import Budget
from mark_i.config.settings import save
from mark_i.testing import GEMINI, OPENAI, ModelServer
from tests.support import Run, action, events, script
from toolbelt.standard import standard_toolbelt
from toolbelt.tools.files import Files
from world_model import Usage

OWN: Final = """
from mark_i import Reply

class Mine:
    name, sight, space = "mine", 0, "pixels"

    def think(self, prompt):
        return Reply('{"thought": "I know it.", "answer": "You asked: ' + prompt.goal + '"}')

class Demanding(Mine):
    def __init__(self, wish): pass

class Blind:
    name, sight, space = "blind", "far", "elsewhere"

nothing = None
"""

LOOKING: Final = """
from mark_i import Reply

class Looking:
    name, sight, space = "looks", 0, "pixels"

    def think(self, prompt):
        return Reply('{"thought": "I look.", "action": {"tool": "list_files", "args": {}}}')
"""
ROOT: Final = Path(__file__).parents[3]


@pytest.mark.usefixtures("processes")
def test_a_brain_of_ones_own_lies_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_brains.py").write_text(OWN)
    (tmp_path / "tomlkit.py").write_text("raise SystemExit('a file of the current folder took the place of a library')")
    command = [str(Path(sys.executable).parent / "mark-i"), "ask", "Why?", "--brain", "my_brains:Mine", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert events(ran.stdout)[-1]["summary"] == "You asked: Why?", ran.stderr


def test_a_run_of_ones_own_brain_goes_on_with_it(tmp_path: Path, mark_i: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_brains.py").write_text(LOOKING)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    first = mark_i("ask", "Why?", "--brain", "my_brains:Looking", "--max-steps", "1", "--json", cwd=tmp_path)
    assert events(first.stdout)[-1]["outcome"] == "limit_steps", first.stderr

    resumed = mark_i("run", "--resume", "last", "--max-steps", "3", "--json", cwd=tmp_path)

    assert events(resumed.stdout)[0]["brain"] == "looks", resumed.stderr


@pytest.mark.parametrize("module", ["my_gemini", "openai_own", "replays"])
def test_a_module_may_be_named_like_one_of_ours(module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"{module}.py").write_text(OWN)
    assert brain_named(f"{module}:Mine").name == "mine"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my_brains:Yours", "no class Yours"),
        ("my_brains:nothing", "no class nothing"),
        ("my_brains:Demanding", "without arguments"),
        ("my_brains:Blind", "a sight in pixels; a space, one of pixels"),
        ("broken:Mine", "cannot be loaded"),
        ("nowhere.to_be_found:Mine", "there is no such module"),
        ("my-brains:Mine", "not the name of a Python module"),
        ("gemni:flash", "Did you mean gemini?"),
        ("chatty", "There is no brain named 'chatty'"),
        ("replay:", "There are no runs yet"),
        ("replay:nothing", "There are no runs yet"),
    ],
)
def test_what_is_no_brain_is_told_in_one_line(
    name: str, message: str, mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_brains.py").write_text(OWN)
    (tmp_path / "broken.py").write_text("def think(:\n")
    failed = mark_i("ask", "Why?", "--brain", name)
    assert failed.returncode == 2
    assert message in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_a_replay_does_what_the_run_did(mark_i: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the numbers of the model were no pixels."""
    monkeypatch.setenv("GEMINI_API_KEY", "a-key-that-nobody-may-see")
    replies = [action("move", target={"x": 500, "y": 250}), action("finish", summary="Moved.")]
    with ModelServer(GEMINI, replies) as server:
        first = mark_i("run", "Move", "--virtual", "800x600", "--base-url", server.base_url, "--json")
    again = mark_i("run", "Move", "--virtual", "800x600", "--brain", "replay:last", "--json")
    steps = [[one["action"] for one in events(ran.stdout) if one["event"] == "step"] for ran in (first, again)]
    assert steps[0] == steps[1]
    assert steps[0][0]["args"]["target"] == {"x": 400, "y": 150}
    assert events(again.stdout)[0]["brain"] == f"replay:{events(first.stdout)[0]['run']}"
    assert events(again.stdout)[-1]["exit_code"] == events(first.stdout)[-1]["exit_code"]


def test_a_replay_ends_where_its_replies_end(mark_i: Run, tmp_path: Path) -> None:
    file = script(tmp_path / "replies.jsonl", action("list_files", path="."))
    assert mark_i("ask", "Why?", "--brain", file).returncode == 4
    ended = mark_i("ask", "Why?", "--brain", "replay:last")
    assert ended.returncode == 4
    assert "has no reply left: there were 1" in " ".join(ended.stdout.split())


def test_a_run_in_which_no_model_spoke_cannot_be_replayed(mark_i: Run, tmp_path: Path) -> None:
    with ModelServer(GEMINI, []) as server:
        assert mark_i("ask", "Why?", "--brain", "gemini", "--base-url", server.base_url).returncode in (1, 4)
    file = script(tmp_path / "replies.jsonl", action("list_files", path="."))
    mark_i("ask", "Why?", "--brain", file, "--max-tokens", "1")
    failed = mark_i("ask", "Why?", "--brain", "replay:last")
    assert failed.returncode == 2
    assert "has no replies of a model" in failed.stderr


def test_without_a_key_it_says_how_to_add_one(mark_i: Run) -> None:
    ran = mark_i("ask", "wait until the moon is full", "--json")
    told = [one["text"] for one in events(ran.stdout) if one["event"] == "notice"]
    assert any("mark-i config set gemini.key" in text for text in told)


def test_a_wrong_key_is_told_in_one_line(mark_i: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "an-old-key")
    with ModelServer(GEMINI, []) as server:
        ran = mark_i("run", "Move", "--virtual", "800x600", "--base-url", server.base_url, "--json")
    assert ran.returncode == 4
    assert "refused the key" in events(ran.stdout)[-1]["summary"]
    assert "an-old-key" not in ran.stdout + ran.stderr
    assert not [one for one in events(ran.stdout) if one["event"] == "notice" and "again" in one["text"]]


def test_a_replay_leaves_undone_what_the_run_left_undone(
    mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reply that was cut off is no decision, also the second time."""
    monkeypatch.chdir(tmp_path)
    cut = replace(OPENAI, reply=lambda text, usage: cut_off(OPENAI.reply(text, usage)))
    write, read = action("write_file", path="a.txt", text="half"), {"thought": "I know it.", "answer": "Because."}
    with ModelServer(cut, [write, read], key="none") as server:
        first = mark_i("ask", "Why?", "--brain", "openai:mine", "--base-url", server.base_url, "--json")
    again = mark_i("ask", "Why?", "--brain", "replay:last", "--json")
    for ran in (first, again):
        assert [one["action"]["tool"] for one in events(ran.stdout) if one["event"] == "step"] == ["finish"]
    assert not (tmp_path / "a.txt").exists()


def cut_off(body: dict[str, Any]) -> dict[str, Any]:
    if "write_file" in body["choices"][0]["message"]["content"]:
        body["choices"][0]["finish_reason"] = "length"
    return body


def test_a_run_is_gone_on_with_where_it_was_begun(mark_i: Run) -> None:
    """No prompt goes to the maker of a protocol because the run spoke it with another."""
    with ModelServer(OPENAI, [action("list_files", path=".")] * 9, key="none") as server:
        begun = mark_i("ask", "Why?", "--brain", "openai:mine", "--base-url", server.base_url, "--max-tokens", "2500")
        assert begun.returncode == 3
        before = server.requests
        assert mark_i("runs", "resume", "last", "--max-tokens", "5000").returncode in (1, 3, 4, 6)
        assert server.requests > before > 0


def chosen(**options: Any) -> dict[str, Any]:
    names = ("brain", "reply_brain", "vision_brain", "base_url", "style", "max_cost", "max_steps")
    return {**dict.fromkeys(names), "single_model": False, "profile": "default", **options}


def test_an_address_is_for_the_brain_that_it_was_given_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "a-key-that-nobody-may-see")
    local = "http://localhost:11434/v1"
    config = run_config_of(
        chosen(brain="openai:mine", base_url=local, reply_brain="gemini", vision_brain="openai:eyes")
    )
    assert isinstance(config.brain, RemoteBrain)
    assert isinstance(config.reply, RemoteBrain)
    assert isinstance(config.vision, RemoteBrain)
    assert addresses(config.brain, config.reply, config.vision) == [local, None, local]
    save({"brain": "openai:mine", "base_url": local})
    other, same = run_config_of(chosen(brain="gemini")).brain, run_config_of(chosen(brain="openai:yours")).brain
    assert isinstance(other, RemoteBrain)
    assert isinstance(same, RemoteBrain)
    assert addresses(other, same) == [None, local]


def test_one_model_for_everything_overrides_the_profile() -> None:
    save({"brain": "offline", "reply_brain": "offline"})
    assert run_config_of(chosen()).reply is not None
    save({"single_model": True})
    assert run_config_of(chosen()).reply is None


def addresses(*brains: RemoteBrain) -> list[str | None]:
    return [vars(brain._service)["_access"].base_url for brain in brains]


@pytest.mark.parametrize(
    "address",
    [
        "localhost:11434",
        "ftp://localhost/v1",
        "http://",
        "http://[::1/v1",
        "http://a:99999/",
        "http://bob:hunter2@a/v1",
        "x",
    ],
)
def test_addresses_that_are_none_are_told_in_one_line(address: str, mark_i: Run) -> None:
    failed = mark_i("ask", "Why?", "--brain", "openai:mine", "--base-url", address)
    assert failed.returncode == 2
    assert "base_url must be an address" in failed.stderr
    assert failed.stderr.count("\n") == 1


def test_a_limit_of_cost_does_not_hold_over_what_nobody_knows(tmp_path: Path) -> None:
    brain = ScriptedBrain([action("list_files", path=".")] * 9)
    monkey = Usage(1000, 10, None)
    thinks = brain.think

    def think(prompt: Prompt) -> Reply:
        return replace(thinks(prompt), usage=monkey)

    brain.think = think  # type: ignore[method-assign]
    agent = AgentCore(brain, standard_toolbelt(None, Files([tmp_path])), limits=Limits(Budget(usd=5)))
    outcome = agent.execute_command("Why?")
    assert outcome.name == "limit_cost"
    assert "not known" in outcome.summary
    assert len(agent.world_model) == 1
