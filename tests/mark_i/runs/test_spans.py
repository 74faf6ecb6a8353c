"""Spans of a run: what a real collector receives, what is in none of them, and a collector that is not there."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Status
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from mark_i.runs.spans import NS_PER_MS, RunSpans
from mark_i.testing import OPENAI, ModelServer
from tests.collector import collecting, told
from tests.support import Run, action, events, script

pytestmark = pytest.mark.usefixtures("display")
ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
TYPED: Final = "only-for-the-screen"
GOAL: Final = "a-goal-for-nobody-else"
THOUGHT: Final = "a-thought-of-its-own"
ENDS: Final = action("finish", summary="good.jsonl is here.", kind="answer", evidence=[{"observation": 1}])
LOOKS: Final = action("list_files", path=".")


@pytest.fixture
def looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """A run of two steps."""
    monkeypatch.chdir(tmp_path)
    return (
        "run",
        "Which file is here?",
        "--virtual",
        "640x480",
        "--brain",
        script(tmp_path / "good.jsonl", LOOKS, ENDS),
    )


def test_a_run_its_calls_and_its_tools_are_spans(mark_i: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    types = {**action("type_text", text=TYPED), "thought": THOUGHT}
    lost = action("click", target={"text": "no such thing"})
    with collecting() as (collector, address), ModelServer(OPENAI, [types, "{", lost, ENDS, ENDS, ENDS]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv(ENDPOINT, address)
        brain = ("--brain", "openai:gpt-4o", "--base-url", server.base_url)
        ran = mark_i("run", GOAL, *brain, "--virtual", "640x400", "--yes", "--ahead", "1", "--json")

    ended = events(ran.stdout)[-1]
    [run], calls = collector.named("invoke_agent MARK-I"), collector.named("chat gpt-4o")
    [typed], [clicked] = collector.named("execute_tool type_text"), collector.named("execute_tool click")
    assert ended["event"] == "ended", ran.stdout + ran.stderr
    assert collector.resources["service.name"] == "mark-i"
    assert not run.parent_span_id
    assert {span.parent_span_id for span in collector.spans if span is not run} == {run.span_id}
    assert len(calls) == server.answered, "also the reply that could not be used"
    assert told(calls[0]) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.usage.input_tokens": 1000,
        "gen_ai.usage.output_tokens": 50,
    }
    assert told(run)["gen_ai.usage.input_tokens"] == ended["usage"]["input_tokens"] == 1000 * len(calls)
    assert (told(run)["mark_i.run"], told(run)["mark_i.outcome"]) == (ended["run"], ended["outcome"])
    assert (told(typed)["mark_i.step"], told(typed)["gen_ai.tool.name"]) == (1, "type_text")
    assert typed.status.code == Status.STATUS_CODE_UNSET
    assert (clicked.status.code, told(clicked)["error.type"]) == (
        Status.STATUS_CODE_ERROR,
        "TARGET_NOT_FOUND",
    )
    assert run.start_time_unix_nano < calls[0].end_time_unix_nano <= typed.start_time_unix_nano
    assert typed.start_time_unix_nano < typed.end_time_unix_nano < clicked.start_time_unix_nano
    for private in (TYPED, GOAL, THOUGHT, server.key, "no such thing"):
        assert private.encode() not in collector.raw


def test_a_failure_is_the_error_of_its_run(mark_i: Run, looking: tuple[str, ...], tmp_path: Path) -> None:
    script(tmp_path / "good.jsonl", LOOKS)
    with collecting() as (collector, address):
        ran = mark_i(*looking, env={**os.environ, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{address}/v1/traces"})
    [run], calls = collector.named("invoke_agent MARK-I"), collector.named(f"chat {tmp_path}/good.jsonl")
    assert ran.returncode == 4, ran.stdout + ran.stderr
    assert (run.status.code, told(run)["error.type"]) == (Status.STATUS_CODE_ERROR, "model_error")
    assert [told(call).get("error.type") for call in calls] == [None, "model_error"]


def test_a_tool_that_is_none_is_not_named(mark_i: Run, looking: tuple[str, ...], tmp_path: Path) -> None:
    script(tmp_path / "good.jsonl", action(TYPED), LOOKS, ENDS)
    with collecting() as (collector, address):
        ran = mark_i(*looking, env={**os.environ, ENDPOINT: address})
    assert told(*collector.named("execute_tool"))["error.type"] == "UNKNOWN_TOOL", ran.stdout + ran.stderr
    assert TYPED.encode() not in collector.raw


def test_a_run_without_a_model_has_no_calls_of_one(mark_i: Run, tmp_path: Path) -> None:
    with collecting() as (collector, address):
        orders = ("run", "Press shift.", "--virtual", "640x480", "--brain", "offline")
        ran = mark_i(*orders, env={**os.environ, ENDPOINT: address}, cwd=tmp_path)
    assert {span.name.split()[0] for span in collector.spans} == {"invoke_agent", "execute_tool"}, ran.stderr


def test_a_collector_that_is_down_costs_a_line(mark_i: Run, looking: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    ran = mark_i(*looking, env={**os.environ, ENDPOINT: address})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stderr == f"Spans of this run did not reach the address in {ENDPOINT}.\n"


def test_spans_of_a_fleet_that_do_not_arrive_are_told(mark_i: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    file = tmp_path / "goals.toml"
    file.write_text(
        '[[task]]\nname = "key"\nbrain = "offline"\nsize = "640x400"\ngoal = "Press shift."\ncheck = "true"\n'
    )
    ran = mark_i("fleet", "run", str(file), "--json", env={**os.environ, ENDPOINT: address})
    [notice] = [one for one in events(ran.stdout) if one["event"] == "notice"]
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert notice["text"] == f"key, try 1: Spans of this run did not reach the address in {ENDPOINT}."


def test_a_collector_that_hangs_does_not_hold_the_run(mark_i: Run, looking: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes the connection, and never answers
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        ran = mark_i(*looking, env={**os.environ, ENDPOINT: address, "OTEL_EXPORTER_OTLP_TIMEOUT": "100000"})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stderr == f"Spans of this run did not reach the address in {ENDPOINT}.\n"


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf, not grpc."),
        ("OTEL_BSP_MAX_QUEUE_SIZE", "-1", "The run is not traced: max_queue_size must be a positive integer."),
        ("OTEL_SDK_DISABLED", "true", ""),
        ("OTEL_TRACES_EXPORTER", "none", ""),
    ],
)
def test_what_cannot_be_sent_is_told_and_the_run_goes_on(
    variable: str, value: str, line: str, mark_i: Run, looking: tuple[str, ...]
) -> None:
    with collecting() as (collector, address):
        ran = mark_i(*looking, env={**os.environ, ENDPOINT: address, variable: value})
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not collector.spans
    assert line in ran.stderr
    assert ran.stderr.count("\n") == bool(line)


def made_of(*records: tuple[str, dict[str, Any]]) -> dict[str, ReadableSpan]:
    """The spans that the records of a journal make, by their names."""
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans = RunSpans("a-run", provider.get_tracer("test"))
    for name, data in records:
        spans(name, data)
    spans.end("Bug")
    return {span.name: span for span in exporter.get_finished_spans()}


def test_a_call_lasts_as_long_as_it_took_also_if_it_began_early() -> None:
    asked = ("prompts", {"brain": "gemini:flash"})
    usage = {"input_tokens": 10, "output_tokens": 2, "cost_usd": None, "cached_tokens": 8}
    spans = made_of(asked, ("replies", {"usage": usage, "ms": 3_600_000.0}), ("run", {"outcome": {"outcome": "done"}}))
    call, run = spans["chat flash"], spans["invoke_agent MARK-I"]
    assert call.end_time is not None
    assert call.start_time is not None
    assert call.end_time - call.start_time == 3_600_000 * NS_PER_MS
    assert (
        dict(call.attributes or {}).items()
        >= {
            "gen_ai.provider.name": "gcp.gemini",
            "gen_ai.usage.cache_read.input_tokens": 8,
        }.items()
    )
    assert run.status.status_code is StatusCode.UNSET


def test_what_was_refused_or_broken_off_is_an_error_and_what_was_planned_is_no_call() -> None:
    usage = {"input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0}
    error = {"code": "DENIED", "refused_by": "person"}
    timing = {"act_ms": 0.0, "settle_ms": 5.0, "other_ms": 1.0}
    step = {"index": 1, "action": {"tool": "run_command"}, "observation": {"error": error}, "timing": timing}
    spans = made_of(
        ("replies", {"usage": usage, "foreseen": True}),
        ("decisions", {"tool": "run_command"}),
        ("steps", step),
        ("decisions", {"tool": "click"}),
        ("run", {"brain": "offline", "outcome": {"outcome": "desktop_error"}}),
    )
    assert {name: (span.attributes or {}).get("error.type") for name, span in spans.items()} == {
        "execute_tool run_command": "DENIED",
        "execute_tool click": "desktop_error",
        "invoke_agent MARK-I": "desktop_error",
    }
    assert (spans["execute_tool run_command"].attributes or {})["mark_i.refused_by"] == "person"


def test_a_run_whose_journal_was_not_closed_ends_with_what_was_raised() -> None:
    [run] = made_of(("words", {"text": "hello"})).values()
    assert (run.status.status_code, (run.attributes or {})["error.type"]) == (StatusCode.ERROR, "Bug")


def test_nothing_of_it_is_loaded_when_it_is_off() -> None:
    code = "import sys, mark_i.assembly.compose; print([name for name in sys.modules if 'opentelemetry' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "[]\n", done.stderr
