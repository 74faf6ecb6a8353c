"""Which brain plans when nobody named one: a key that is there is used, and the model used last comes first."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.assembly import brain_choice
from mark_i.assembly.brain_choice import DefaultBrain, default_brain, planner
from mark_i.brains.providers import VENDORS
from mark_i.config.api_keys import VARIABLES, Keys
from mark_i.config.paths import runs_folder
from mark_i.config.settings import Settings, save
from mark_i.extras import EXTRAS, Extra
from mark_i.runs.store import newest
from mark_i.testing import ANTHROPIC, ModelServer
from tests.support import Run, events
from world_model import read_about

KEY: Final = "a-key-that-nobody-may-see"
ANSWER: Final = {"thought": "I know it.", "answer": "Because."}


def chosen(**settings: Any) -> DefaultBrain:
    return default_brain(Settings(**settings), Keys())


def with_key(monkeypatch: pytest.MonkeyPatch, *vendors: str) -> None:
    for vendor in vendors:
        monkeypatch.setenv(VARIABLES[vendor], KEY)


def ran(brain: str, /, outcome: str | None = "done", base_url: str | None = None, **settings: object) -> Path:
    """A run of the past, newer than those made before."""
    runs = runs_folder()
    folder = runs / f"run-{len(list(runs.iterdir())) if runs.exists() else 0:03}"
    folder.mkdir(parents=True)
    about = {
        "brain": brain,
        "settings": {"base_url": base_url, **settings},
        "outcome": outcome and {"outcome": outcome},
    }
    (folder / "run.json").write_text(json.dumps(about))
    (folder / "steps.jsonl").touch()
    return folder


@pytest.mark.parametrize("vendor", VENDORS)
def test_the_only_key_decides(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_key(monkeypatch, vendor)

    assert chosen() == DefaultBrain(vendor, "key", VENDORS[vendor])
    assert f"there is a key for {VENDORS[vendor].title}" in chosen().notice


def test_a_key_in_any_place_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\n")
    assert planner(Settings(), Keys()) == "anthropic"
    Keys().save("openai", KEY, in_file=True)
    assert planner(Settings(), Keys()) == "openai"
    assert planner(Settings(), Keys("work")) == "anthropic", "a profile has keys of its own"


def test_without_a_key_it_is_offline_and_says_how_to_save_one() -> None:
    assert chosen() == DefaultBrain("offline", "no_key")
    assert "mark-i config set gemini.key" in chosen().notice


def test_what_is_set_comes_before_every_key(monkeypatch: pytest.MonkeyPatch) -> None:
    with_key(monkeypatch, "gemini")
    ran("gemini:some-model")

    assert chosen(brain="offline") == DefaultBrain("offline", "set")
    assert chosen(brain="offline").notice == ""


def test_the_model_used_last_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with_key(monkeypatch, "gemini", "openai", "anthropic")
    assert chosen().brain == "gemini"
    ran("openai:some-model")
    ran("anthropic:another")
    assert chosen() == DefaultBrain("anthropic:another", "used_last", VENDORS["anthropic"])
    assert "used last is used: anthropic:another." in chosen().notice
    ran("gemini-computer:third")
    assert chosen().brain == "gemini-computer:third"
    assert planner(Settings(), Keys("work")) == "gemini", "a profile has runs of its own"


def test_a_last_model_that_cannot_be_used_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    with_key(monkeypatch, "openai")
    ran("openai:good", "failed")
    ran("openai:wrong-name", "model_error")
    ran("openai:running", None)
    ran("openai:elsewhere", base_url="http://localhost:11434/v1")
    ran("gemini:no-key")
    for brain in ("offline", "scripted", "mcp", "mine:Clerk"):
        ran(brain)
    (ran("openai:damaged") / "run.json").write_text("{")

    assert chosen().brain == "openai:good"
    assert chosen(base_url="http://localhost:11434/v1").brain == "openai:elsewhere"


def test_the_offline_brain_stays_where_it_was_chosen_in_place_of_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    ran("offline")  # without a key, it was not chosen
    with_key(monkeypatch, "openai")
    assert chosen().brain == "openai"
    ran("openai:some-model")
    ran("offline", brain="offline")
    assert chosen() == DefaultBrain("offline", "used_last")
    assert "used last is used: offline." in chosen().notice
    ran("offline", brain="offline", skill={"name": "greet", "values": {}})
    ran("openai:wrong-name", "model_error")
    assert chosen().brain == "offline"
    assert chosen(base_url="http://localhost:11434/v1").brain == "openai", "a model was set up since"
    ran("openai:some-model")
    ran("offline", brain="offline", skill={"name": "greet", "values": {}})
    assert chosen().brain == "openai:some-model"


def test_a_run_records_that_no_model_was_wanted(mark_i: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def recorded() -> object:
        assert mark_i("run", "open xterm", "--brain", "offline", "--virtual").returncode == 0
        return read_about(next(newest(runs_folder())))[0]["settings"].get("brain")

    assert recorded() is None
    assert planner(Settings(), Keys()) == "offline"
    with_key(monkeypatch, "openai")
    assert planner(Settings(), Keys()) == "openai"
    assert recorded() == "offline"
    assert planner(Settings(), Keys()) == "offline"


def test_a_key_without_its_sdk_is_passed_over_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(brain_choice, "EXTRAS", {**EXTRAS, "openai": Extra("The SDK for OpenAI", ("no_such_module",))})
    with_key(monkeypatch, "openai")
    assert chosen() == DefaultBrain("offline", "no_sdk", VENDORS["openai"])
    assert chosen().notice.endswith("pip install 'mark-i[openai]'")
    with_key(monkeypatch, "anthropic")
    assert chosen().brain == "anthropic"


def test_a_run_uses_the_key_that_is_there_and_says_so(mark_i: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with_key(monkeypatch, "anthropic")
    with ModelServer(ANTHROPIC, [ANSWER, ANSWER], key=KEY) as server:
        save({"base_url": server.base_url})
        runs = [events(mark_i("ask", "Why?", "--json").stdout) for _ in range(2)]

    brains = [told[0]["brain"] for told in runs]
    notices = [[one["text"] for one in told if one["event"] == "notice"] for told in runs]
    assert brains[0] == brains[1]
    assert brains[0].startswith("anthropic:")
    assert "there is a key for Anthropic" in notices[0][0]
    assert f"the one that was used last is used: {brains[0]}." in notices[1][0]
