"""The spans of a run, in the terms of OpenTelemetry's conventions for generative AI (version 0.1).

    invoke_agent MARK-I       the run, with its outcome and its tokens
        chat MODEL            each call of a model, with its tokens
        execute_tool NAME     each tool, with its error code

They hold names, numbers and codes. What was wanted, thought, typed or seen is in none of them.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context

from mark_i.startup_check import our_version
from world_model import Usage
from world_model.journal import Listener, unheard

SEND_MAX_S: Final = 2.0  # at the end of a run, for what was not sent yet
AGENT: Final = "MARK-I"
PROVIDERS: Final = {"gemini": "gcp.gemini", "gemini-legacy": "gcp.gemini"}  # as the conventions call them
MODELLESS: Final = frozenset({"offline", "skill"})  # brains that call a model only for what does not fit
SUCCESSES: Final = frozenset({"done", "done_unverified", "stopped"})  # a person's stop is no error
OTHER: Final = "_OTHER"  # what the conventions call an error without a name
NS_PER_MS: Final = 1_000_000

_SILENT: Final = logging.NullHandler()  # or Python would print the exporter's log to standard error


class RunSpans:
    """Makes the spans of one run from the records of its journal.

    Args:
        run: the name of its folder.
        tracer: makes them.
    """

    def __init__(self, run: str, tracer: Tracer) -> None:
        self._tracer = tracer
        self._outcome: str | None = None
        self._usage = Usage()
        self._asked: tuple[str, int] | None = None  # the brain, and since when
        self._deciding: tuple[str, int] | None = None  # the tool, and since when
        self._run = tracer.start_span(
            f"invoke_agent {AGENT}",
            kind=SpanKind.INTERNAL,
            attributes={
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": AGENT,
                "gen_ai.agent.version": our_version(),
                "mark_i.run": run,
            },
        )
        self._inside = set_span_in_context(self._run)

    def __call__(self, name: str, data: Mapping[str, Any]) -> None:
        """Take a record of the journal."""
        match name:
            case "prompts":
                self._end_call(OTHER)
                self._asked = data["brain"], time.time_ns()
            case "replies":
                self._replied(data)
            case "decisions":
                self._end_call(OTHER)
                self._deciding = data["tool"], time.time_ns()
            case "steps":
                self._acted(data)
            case "run":
                self._ended(data)

    def end(self, error: str) -> None:
        """End the span of the run; if the journal has not said how it ended, with this error."""
        if self._outcome is None:
            _fail(self._run, error)
        self._run.end()

    def _replied(self, data: Mapping[str, Any]) -> None:
        if data.get("foreseen") or self._asked is None:
            return
        now, usage = time.time_ns(), Usage(**data["usage"])
        brain, asked = self._asked
        self._asked = None
        self._usage += usage
        if not usage.tokens and _provider_and_model(brain)[0] in MODELLESS:
            return
        began = min(asked, now - round(data.get("ms", 0.0) * NS_PER_MS))  # a call may begin before its prompt is due
        span = self._chat(brain, began)
        span.set_attributes(_tokens(usage))
        span.end(now)

    def _end_call(self, error: str) -> None:
        """End the call of a model that has given no reply."""
        if self._asked:
            span = self._chat(*self._asked)
            _fail(span, error)
            span.end()
        self._asked = None

    def _chat(self, brain: str, began: int) -> Span:
        provider, model = _provider_and_model(brain)
        told = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, "gen_ai.request.model": model}
        return self._span(f"chat {model}", SpanKind.CLIENT, told, began)

    def _acted(self, step: Mapping[str, Any]) -> None:
        """Make the span of a tool: it lasted as long as the step says, before the screen settled."""
        error, timing, now = step["observation"]["error"], step["timing"], time.time_ns()
        ended = now - round((timing["settle_ms"] + timing["other_ms"]) * NS_PER_MS)
        name = "" if error and error["code"] == "UNKNOWN_TOOL" else step["action"]["tool"]  # else a model's words
        span = self._tool(name, ended - round(timing["act_ms"] * NS_PER_MS))
        span.set_attribute("mark_i.step", step["index"])
        if error:
            _fail(span, error["code"])
            if error["refused_by"]:
                span.set_attribute("mark_i.refused_by", error["refused_by"])
        span.end(ended)
        self._deciding = None

    def _tool(self, name: str, began: int) -> Span:
        told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "function"}
        named = {"gen_ai.tool.name": name} if name else {}
        return self._span(f"execute_tool {name}".rstrip(), SpanKind.INTERNAL, told | named, began)

    def _span(self, name: str, kind: SpanKind, attributes: Mapping[str, str], began: int) -> Span:
        return self._tracer.start_span(name, self._inside, kind, attributes, start_time=began)

    def _ended(self, about: Mapping[str, Any]) -> None:
        outcome = about["outcome"].get("outcome")
        error = about["outcome"].get("cause") or outcome or OTHER
        self._end_call(error)
        if self._deciding:  # a stop, or the end of the desktop, came within it
            span = self._tool(*self._deciding)
            _fail(span, error)
            span.end()
        provider, model = _provider_and_model(str(about.get("brain", "")))
        self._run.set_attributes({"gen_ai.provider.name": provider, "gen_ai.request.model": model})
        self._run.set_attributes(_tokens(self._usage))
        if outcome:
            self._outcome = outcome
            self._run.set_attribute("mark_i.outcome", outcome)
            if outcome not in SUCCESSES:
                _fail(self._run, error)


class _Exporter(OTLPSpanExporter):
    """Sends spans, and keeps whether any was lost."""

    lost = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = SpanExportResult.FAILURE
        try:
            result = super().export(spans)
        finally:
            self.lost = self.lost or result is not SpanExportResult.SUCCESS
        return result


@contextmanager
def sent(run: str, variable: str, warn: Callable[[str], None]) -> Iterator[Listener]:
    """Yield what makes the spans of a run, and send them, at the end for no longer than two seconds.

    Args:
        run: the name of its folder.
        variable: of the environment, says where to.
        warn: is told if they do not arrive.
    """
    logging.getLogger("opentelemetry").addHandler(_SILENT)
    try:
        exporter = _Exporter()
        processor = BatchSpanProcessor(exporter)
    except ValueError as fault:  # a variable has a value that means nothing
        warn(f"The run is not traced: {fault}")
        yield unheard
        return
    resource = Resource.create({SERVICE_NAME: "mark-i"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(processor)
    spans = RunSpans(run, provider.get_tracer("mark_i", our_version()))
    error = OTHER
    try:
        yield spans
    except BaseException as raised:
        error = type(raised).__name__
        raise
    finally:
        spans.end(error)
        sending = threading.Thread(target=provider.shutdown, name="spans", daemon=True)
        sending.start()
        sending.join(SEND_MAX_S)
        if exporter.lost or sending.is_alive():
            warn(f"Spans of this run did not reach the address in {variable}.")


def _fail(span: Span, error: str) -> None:
    span.set_status(Status(StatusCode.ERROR))
    span.set_attribute("error.type", error)


def _tokens(usage: Usage) -> dict[str, int]:
    cached = {"gen_ai.usage.cache_read.input_tokens": usage.cached_tokens} if usage.cached_tokens else {}
    return {
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        **cached,
    }


def _provider_and_model(brain: str) -> tuple[str, str]:
    """Split the name of a brain: `gemini:MODEL`, or a word that stands for both."""
    provider, _, model = brain.partition(":")
    return PROVIDERS.get(provider, provider), model or provider
