"""The fleet benchmark: its supervisor is the real one, and what is calculated follows from what is measured."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mark_i.bench import fleet_scale
from mark_i.bench.fleet_scale import needs, sizes, supervised
from mark_i.config.paths import DEFAULT_PROFILE, runs_folder
from mark_i.fleet.folder import RESULTS, FleetFolder, Result
from mark_i.testing import Received
from toolbelt.control import Control
from world_model import Halt


def test_each_simulated_run_is_told_once_by_the_real_supervisor(
    control: Control, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet_scale, "STEP_S", 0.01)

    figures = supervised(tmp_path / "simulated", 20, control)

    told = [json.loads(line) for line in (tmp_path / "simulated" / "out" / RESULTS).read_text().splitlines()]
    assert len({one["id"] for one in told}) == len(told) == figures["simulated_runs"] == 20
    assert figures["supervisor_ms_for_an_event"] > 0


def test_a_stop_ends_the_simulated_runs(tmp_path: Path) -> None:
    control = Control()
    control.stop()

    with pytest.raises(Halt):
        supervised(tmp_path / "simulated", 20, control)

    assert not FleetFolder(tmp_path / "simulated" / "out").results


def test_sizes_are_those_of_requests_journals_and_results(tmp_path: Path) -> None:
    out = FleetFolder(tmp_path)
    out.begin(tmp_path / "fleet.toml", [])
    for number, steps in ((1, 2), (2, 6)):
        run = runs_folder(DEFAULT_PROFILE) / f"run-{number}"
        (run / "frames").mkdir(parents=True)
        (run / "steps.jsonl").write_bytes(b"x" * 100)
        (run / "frames" / "1.png").write_bytes(b"x" * 300)
        result = Result(str(number), "task", 0, number, "Type.", "openai", solved=True, outcome="done", said="Typed.")
        out.add(replace(result, steps=steps, run=run.name))
    received = [Received("key", "model", "sys", "text", None, None, {"a": "x" * size}) for size in (10, 30)]

    assert sizes(tmp_path, received) == {
        "bytes_to_the_model_a_step": 20 + len('{"a": ""}'),
        "characters_to_the_model_a_step": len("systext"),
        "bytes_of_the_journal_a_step": 100,
        "bytes_of_a_result": (tmp_path / RESULTS).stat().st_size // 2,
    }


def test_needs_follow_from_what_was_measured() -> None:
    measured = {
        "mb_each_beside_the_program": 100.0,
        "mb_of_the_program": 2.0,
        "mb_of_all": 300.0,
        "bytes_to_the_model_a_step": 50_000,
        "bytes_of_the_journal_a_step": 20_000,
        "bytes_of_a_result": 400,
    }

    assert needs(measured) == {
        "calculated_mb_of_a_machine": 1320,
        "calculated_mb_a_second_to_models": 10.0,
        "calculated_mb_a_second_of_journals": 4.0,
        "calculated_kb_of_results": 400,
    }
