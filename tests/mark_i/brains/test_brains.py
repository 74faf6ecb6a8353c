"""Every vendor's real SDK against a server on this machine that speaks its protocol."""

import importlib
import inspect
import json
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import httpx2
import numpy as np
import pydantic
import pytest
from PIL import Image

from mark_i import Limits, Oversight
from mark_i.agent import AgentCore
from mark_i.brain import Brain, Picture, Prompt, Reply
from mark_i.brains import brain_named
from mark_i.brains.access import Access, Coordinates
from mark_i.brains.faults import UNKNOWN, Diagnosis, asked_to_wait
from mark_i.brains.google_faults import google_fault
from mark_i.brains.prices import Counts
from mark_i.brains.remote import MAX_MESSAGE_CHARS, MAX_REPLY_TOKENS, RemoteBrain, Service
from mark_i.budget import Budget
from mark_i.events import Event, Outcome
from mark_i.guard.risk import Answer, Approval
from mark_i.loop.model_calls import MAX_TRIES
from mark_i.prompts.screenshot import picture_of
from mark_i.testing import ANTHROPIC, GEMINI, KINDS, OPENAI, Fault, ModelServer, Protocol
from mark_i.testing.protocols import Received, RefusedError
from tests.support import Unhurried, action, reacting
from tests.x_servers import Servers
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import BusyError, Frame, ModelError, Point, Size, Usage

PROTOCOLS: Final = {"gemini": GEMINI, "gemini-legacy": GEMINI, "openai": OPENAI, "anthropic": ANTHROPIC}
VENDORS: Final = tuple(PROTOCOLS)
SCHEMAS: Final = ("gemini", "openai")  # whose services can be told the form of a reply
FINISH: Final = {"thought": "It is done.", "action": {"tool": "finish", "args": {"summary": "Moved."}}}
REASONS: Final = {
    "limit": "a limit is reached",
    "error": "internal problem",
    "unavailable": "internal problem",
    "cut": "broke off",
    "refused": "broke off",
    "empty": "The reply is empty",
}
BLANK: Final = Image.new("RGB", (200, 100), "white")
PROMPT: Final = Prompt("You are MARK-I.", "Click Save", "")


def move(x: float, y: float) -> dict[str, Any]:
    return {"thought": "There.", "action": {"tool": "move", "args": {"target": {"x": x, "y": y}}}}


def server_for(vendor: str, replies: list[Any], **options: Any) -> ModelServer:
    return ModelServer(PROTOCOLS[vendor], replies, **options)


def brain_for(vendor: str, server: ModelServer, key: str | None = None, **options: Any) -> RemoteBrain:
    brain = brain_named(vendor, Access(lambda _vendor: key or server.key, server.base_url, **options))
    assert isinstance(brain, RemoteBrain)
    return brain


def own_prices(folder: Path) -> Path:
    """Prices of the default models, for a service at another address than the vendor's."""
    key = "a-key-of-nobody"
    names = [brain_named(vendor, Access(lambda _vendor: key)).name.partition(":")[2] for vendor in VENDORS]
    file = folder / "prices.toml"
    table = '[models."{}"]\ninput = 2\ncached = 0.2\noutput = 10\n'
    file.write_text("".join(map(table.format, dict.fromkeys(names))))
    return file


class Impatient:
    """A brain with little time for the call whose answer never comes, and plenty for the others."""

    def __init__(self, brain: RemoteBrain, server: ModelServer, place: int) -> None:
        self.name, self.sight, self.space = brain.name, brain.sight, brain.space
        self._brain, self._server, self._place = brain, server, place

    def think(self, prompt: Prompt) -> Reply:
        self._brain._seconds = 0.2 if self._server.requests + 1 == self._place else 60.0
        return self._brain.think(prompt)


def run(brain: Brain, budget: Budget | None = None, control: Control | None = None) -> tuple[Outcome, list[Event]]:
    """A run on a desktop of one colour."""
    control = control or Control()
    desktop = FakeDesktop(lambda _: BLANK, control)
    eyes = Eyes(desktop, control)
    agent = AgentCore(brain, standard_toolbelt(eyes), desktop, limits=Limits(budget or Budget()), eyes=eyes)
    events = list(agent.run("Move the mouse"))
    assert events[-1].outcome is not None
    return events[-1].outcome, events


def notices(events: list[Event]) -> list[str]:
    return [event.data["text"] for event in events if event.event == "notice"]


def checked(message: str, key: str) -> str:
    assert key not in message
    assert "\n" not in message
    assert len(message) <= MAX_MESSAGE_CHARS
    return message


SPACES: Final[tuple[tuple[str, Coordinates | None], ...]] = (
    *((vendor, None) for vendor in VENDORS),
    ("gemini", "pixels"),
    ("openai", "normalized"),
    ("anthropic", "normalized"),
)


@pytest.fixture(scope="module")
def wide(x_servers: Servers) -> Iterator[VirtualDesktop]:
    with x_servers.desktop(Size(1920, 1080), Control()) as desktop:
        yield desktop


@pytest.mark.parametrize(("vendor", "coordinates"), SPACES)
def test_the_same_run_through_every_vendor(vendor: str, coordinates: Coordinates | None, wide: VirtualDesktop) -> None:
    """What a model means by its numbers differs; where the mouse goes does not."""
    points = [Point(960, 540), Point(1919, 1079), Point(0, 0), Point(431, 702)]
    brain = brain_named(vendor, Access(lambda _vendor: "key", coordinates=coordinates))
    scale = {"thousandths": (1000 / 1920, 1000 / 1080), "image": (brain.sight / 1920, brain.sight / 1920)}[brain.space]
    replies = [move((point.x + 0.5) * scale[0], (point.y + 0.5) * scale[1]) for point in points]
    with server_for(vendor, [*replies, FINISH]) as server:
        brain = brain_for(vendor, server, coordinates=coordinates)
        control = Control()
        eyes = Eyes(wide, control)
        agent = AgentCore(brain, standard_toolbelt(eyes), wide, eyes=eyes)
        where = [wide.pointer() for event in agent.run("Move the mouse") if event.step]
        assert not server.complaints
    steps = list(agent.world_model)
    assert [step.action.args["target"] for step in steps[:-1]] == [{"x": point.x, "y": point.y} for point in points]
    assert where[:-1] == points
    assert steps[0].usage == Usage(1000, 50, None)  # the service is not the vendor's
    longest = max(received.image.width for received in server.received if received.image)
    assert longest == brain.sight
    assert all(received.system == server.received[0].system for received in server.received)
    assert all((received.schema is not None) == (vendor in SCHEMAS) for received in server.received)
    assert "Move the mouse" in server.received[0].text


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("place", [1, 3], ids=["first", "last"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "late"])
def test_every_fault_at_the_start_and_at_the_end_ends_well(vendor: str, place: int, kind: Any) -> None:
    replies = [move(10, 10), move(20, 20), FINISH]
    with server_for(vendor, replies, faults={place: Fault(kind)}) as server:
        brain = brain_for(vendor, server)
        outcome, events = run(Impatient(brain, server, place) if kind in ("hang", "drip") else brain)
    told = notices(events)
    if kind in REASONS:
        assert outcome.name == "done_unverified"
        assert len(told) == 1
        assert REASONS[kind] in checked(told[0], server.key)
        assert ("asked again" if kind == "empty" else "Trying again in") in told[0]
        assert server.requests == len(replies) + 1
    else:
        assert outcome.name == "model_error"
        assert not told
        assert server.requests == place
        checked(outcome.summary, server.key)
    assert sum(event.step is not None for event in events) == (len(replies) if kind in REASONS else place - 1)


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_does_not_pass_is_given_up_after_a_few_tries(vendor: str) -> None:
    with server_for(vendor, [FINISH], faults={number: Fault("unavailable") for number in range(1, 9)}) as server:
        outcome, events = run(brain_for(vendor, server))
    assert outcome.name == "model_error"
    assert "internal problem" in checked(outcome.summary, server.key)
    assert server.requests == MAX_TRIES
    assert len(notices(events)) == MAX_TRIES - 1


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_wait_that_is_asked_for_is_kept(vendor: str) -> None:
    control = Unhurried()
    with server_for(vendor, [FINISH], faults={1: Fault("limit", 2)}) as server:
        outcome, events = run(brain_for(vendor, server), control=control)
    assert control.waits[0] == 2
    assert outcome.name == "done_unverified"
    assert "again in 2 s" in notices(events)[0]


@pytest.mark.parametrize(("wait", "seconds"), [(30, 10.0), (3600, None), (61, None)])
def test_no_wait_is_longer_than_the_run_has(wait: float, seconds: float | None) -> None:
    with server_for("openai", [FINISH], faults={1: Fault("limit", wait)}) as server:
        began = time.monotonic()
        outcome, events = run(brain_for("openai", server), Budget(seconds=seconds))
        assert time.monotonic() - began < 30  # the wait that the service asks for
    assert outcome.name == "model_error"
    assert "a limit is reached" in outcome.summary
    assert server.requests == 1
    assert not notices(events)


def test_a_stop_is_felt_while_a_service_is_waited_for() -> None:
    with server_for("openai", [FINISH], faults={1: Fault("limit", 50)}) as server:
        control = Control()
        agent = AgentCore(brain_for("openai", server), standard_toolbelt(None), oversight=Oversight(control=control))
        began = time.monotonic()
        for event in agent.run("What is this?"):
            if event.event == "notice":
                threading.Timer(0.1, control.stop).start()
            outcome = event.outcome
        assert time.monotonic() - began < 50
    assert outcome is not None
    assert outcome.name == "stopped"


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_wrong_key_and_an_unknown_model_are_told_at_once(vendor: str) -> None:
    with server_for(vendor, [FINISH], models=["another"]) as server:
        wrong, _ = run(brain_for(vendor, server, "an-old-key"))
        unknown, _ = run(brain_for(vendor, server))
        requests = server.requests
    assert (wrong.name, unknown.name) == ("model_error", "model_error")
    assert "refused the key" in checked(wrong.summary, "an-old-key")
    assert "has no model" in checked(unknown.summary, server.key)
    assert requests == 2


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_key_and_an_sdk_are_needed(vendor: str) -> None:
    with pytest.raises(ModelError, match=r"_API_KEY.*--brain offline"):
        brain_named(vendor, Access(lambda _vendor: None))


def test_a_service_of_ones_own_needs_no_key() -> None:
    with server_for("openai", [FINISH], key="none") as server:
        brain = brain_named("openai:llama-vision", Access(base_url=server.base_url))
        assert brain.think(PROMPT).usage.cost_usd is None
    assert server.received[0].model == "llama-vision"


def without(protocol: Protocol, word: Callable[[Any], bool], message: str) -> Protocol:
    """The protocol of a service that refuses something."""

    def read(path: str, headers: Any, body: Any) -> Received:
        if word(body):
            raise RefusedError(400, message)
        return protocol.read(path, headers, body)

    return replace(protocol, read=read)


REFUSALS: Final = [
    (OPENAI, "temperature", "Unsupported value: 'temperature' does not support 0 with this model."),
    (OPENAI, "response_format", "'response_format.type' is not supported by this model."),
    (GEMINI, "temperature", "temperature is no longer supported."),
    (GEMINI, "mediaResolution", "Media resolution is not supported for this model."),
    (GEMINI, "responseJsonSchema", "JSON mode is not enabled for this model."),
    (GEMINI, "mediaResolution", 'Invalid JSON payload received. Unknown name "mediaResolution" at generation_config'),
]


@pytest.mark.parametrize(("protocol", "option", "message"), REFUSALS)
def test_what_a_model_does_not_take_is_left_out_from_then_on(protocol: Protocol, option: str, message: str) -> None:
    strict = without(protocol, lambda body: option in {**body, **body.get("generationConfig", {})}, message)
    prompt = Prompt("You are MARK-I.", "Click Save", "", picture=seen())
    with ModelServer(strict, [FINISH] * 3) as server:
        brain = brain_for(protocol.name, server)
        replies = [brain.think(prompt) for _ in range(3)]
        assert [len(reply.notices) for reply in replies] == [1, 0, 0]
        assert "no longer sent" in replies[0].notices[0]
        assert server.requests == 4
        assert server.complaints == [message]
        assert all(received.image for received in server.received)


@pytest.mark.parametrize("vendor", VENDORS)
def test_what_was_enlarged_is_sent_after_the_screen(vendor: str) -> None:
    closeup = picture_of(Frame(np.zeros((32, 96, 3), np.uint8), Point(0, 0)), 96)
    prompt = Prompt("You are MARK-I.", "Click Save", "", picture=seen(), closeup=closeup)
    with server_for(vendor, [FINISH]) as server:
        brain = brain_for(vendor, server)
        brain.think(prompt)
        body = json.dumps(server.received[0].body).replace("-", "+").replace("_", "/")  # Gemini's base64 is for URLs
        assert 0 < body.index(seen().base64) < body.index(closeup.base64)
        assert brain.expected(prompt).input_tokens > brain.expected(replace(prompt, closeup=None)).input_tokens


def seen() -> Picture:
    return picture_of(Frame(np.full((48, 64, 3), 255, np.uint8), Point(0, 0)), 64)


def test_a_refusal_of_something_else_is_told() -> None:
    strict = without(OPENAI, lambda _body: True, "This model cannot see.")
    with ModelServer(strict, [FINISH]) as server, pytest.raises(ModelError, match=r"did not accept.*cannot see"):
        brain_for("openai", server).think(PROMPT)
    assert server.requests == 2, "once more without the form of a reply"


def test_levels_of_thinking_and_of_detail_reach_every_vendor() -> None:
    told: dict[str, Callable[[Any], bool]] = {
        "gemini:gemini-2.5-pro": lambda body: (
            set(body["generationConfig"]["thinkingConfig"].values()) == {1024}
            and body["generationConfig"]["mediaResolution"] == "MEDIA_RESOLUTION_LOW"
        ),
        "gemini": lambda body: set(body["generationConfig"]["thinkingConfig"].values()) == {"LOW"},
        "openai": lambda body: (
            body["reasoning_effort"] == "low" and body["messages"][1]["content"][1]["image_url"]["detail"] == "low"
        ),
        "anthropic": lambda body: body["output_config"] == {"effort": "low"},
    }
    prompt = Prompt("You are MARK-I.", "Click Save", "", picture=seen())
    for name, right in told.items():
        with server_for(name.partition(":")[0], [FINISH]) as server:
            brain_for(name, server, thinking="low", image_detail="low").think(prompt)
            assert right(server.received[0].body), (name, server.received[0].body)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_brain_of_marks_is_sent_no_picture(vendor: str) -> None:
    with server_for(vendor, [FINISH]) as server:
        brain = brain_for(vendor, server, coordinates="marks")
        assert (brain.sight, brain.space) == (0, "marks")
        run(brain)
    assert server.received[0].image is None
    assert "On the screen: mark" in server.received[0].text or "mark" in server.received[0].system


@pytest.mark.parametrize("vendor", ["gemini", "openai", "anthropic"])
def test_what_was_cached_is_counted_and_is_cheaper(vendor: str, tmp_path: Path) -> None:
    prices = own_prices(tmp_path)
    with server_for(vendor, [FINISH, FINISH], usage=Usage(2000, 50, cached_tokens=1500)) as server:
        cached = brain_for(vendor, server, prices=prices).think(PROMPT).usage
        server.usage = Usage(2000, 50)
        new = brain_for(vendor, server, prices=prices).think(PROMPT).usage
    assert (cached.input_tokens, cached.output_tokens, cached.cached_tokens) == (2000, 50, 1500)
    assert cached.cost_usd is not None
    assert new.cost_usd is not None
    assert 0 < cached.cost_usd < new.cost_usd


def test_an_answer_of_another_shape_is_told_in_words() -> None:
    with server_for("openai", [], faults={1: Fault("types")}) as server, pytest.raises(ModelError) as caught:
        brain_for("openai", server).think(PROMPT)
    assert "(It said: an answer of another shape)" in str(caught.value)


@pytest.mark.parametrize("tokens", ["ten", [1], {"a": 1}, 10.5, -10_000, pytest.param(10**400, id="vast")])
def test_a_count_of_tokens_that_is_none_is_no_reply(tokens: Any) -> None:
    usage = {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": 15}
    protocol = replace(OPENAI, reply=lambda text, seen: {**OPENAI.reply(text, seen), "usage": usage})
    with ModelServer(protocol, [FINISH]) as server:
        outcome, _ = run(brain_for("openai", server), Budget(tokens=100_000))
    assert outcome.name == "model_error"
    assert "not a reply of a model" in checked(outcome.summary, server.key)
    assert "as a number of tokens" in outcome.summary


@pytest.mark.parametrize("vendor", VENDORS)
def test_no_vendor_can_give_tokens_back(vendor: str) -> None:
    with server_for(vendor, [FINISH], usage=Usage(-10_000, 50)) as server:
        outcome, _ = run(brain_for(vendor, server), Budget(tokens=100_000))
    assert outcome.name == "model_error"
    assert "not a reply of a model" in outcome.summary


def calling(vendor: str) -> Protocol:
    """The vendor's protocol, whose model answers with a call of its own of what it is told to use."""

    def reply(text: str, usage: Usage) -> dict[str, Any]:
        said, use = json.loads(text)["thought"], json.loads(text)["action"]
        body = PROTOCOLS[vendor].reply(said, usage)
        if vendor == "anthropic":
            body["content"].append({"type": "tool_use", "id": "t1", "name": use["tool"], "input": use["args"]})
            body["stop_reason"] = "tool_use"
        elif vendor == "openai":
            function = {"name": use["tool"], "arguments": json.dumps(use["args"])}
            body["choices"][0]["message"]["tool_calls"] = [{"id": "t1", "type": "function", "function": function}]
            body["choices"][0]["message"]["content"] = said or None
            body["choices"][0]["finish_reason"] = "tool_calls"
        else:
            parts = body["candidates"][0]["content"]["parts"]
            parts.append({"functionCall": {"name": use["tool"], "args": use["args"]}})
        return body

    return replace(PROTOCOLS[vendor], reply=reply)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_native_call_is_read_from_every_vendor(vendor: str) -> None:
    silent = {**move(10, 20), "thought": ""}
    with ModelServer(calling(vendor), [move(5, 10), silent, FINISH]) as server:
        outcome, events = run(brain_for(vendor, server))
    steps = [event.step for event in events if event.step]
    assert [step.action.tool for step in steps] == ["move", "move", "finish"]
    assert [step.thought.text for step in steps] == ["There.", "", "It is done."]
    assert steps[0].action.args["target"] != steps[1].action.args["target"]
    assert (outcome.name, outcome.summary) == ("done_unverified", "Moved.")


def raised_by(module: ModuleType) -> list[type[Exception]]:
    found = [value for value in list(vars(module).values()) if inspect.isclass(value) and issubclass(value, Exception)]
    return [each for each in found if not issubclass(each, Warning)]


ERRORS: Final = {
    "gemini": ("google.genai.errors", "httpx2"),
    "gemini-legacy": (
        "google.api_core.exceptions",
        "requests.exceptions",
        "google.generativeai.types.generation_types",
    ),
    "openai": ("openai", "httpx2"),
    "anthropic": ("anthropic", "httpx2"),
}


def made(kind: type[Exception]) -> Exception:
    """One without its constructor, as each has another; what it is told by is set all the same."""
    if kind is pydantic.ValidationError:
        return pydantic.ValidationError.from_exception_data("a secret", [])
    names = {base.__name__ for base in kind.__mro__}
    if "GoogleAPICallError" in names:
        return kind("a secret")
    if "RetryError" in names and "GoogleAPIError" in names:
        return kind("a secret", OSError())
    error = kind.__new__(kind, "a secret")
    error.args = ("a secret",)
    values: dict[str, Any] = {
        "details": [],
        "body": None,
        "response": httpx2.Response(418),
        "status_code": 418,
        "request_id": "r1",
        "message": "a secret",
    }
    for name, value in values.items():
        if not hasattr(type(error), name) or name == "message":
            error.__dict__[name] = value
    if not hasattr(error, "code"):
        error.__dict__["code"] = 418
    return error


def loaded(module: str) -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Google's say at import that they will end some day
        return importlib.import_module(module)


def cases() -> list[tuple[str, type[Exception]]]:
    found = [
        (vendor, kind) for vendor, modules in ERRORS.items() for module in modules for kind in raised_by(loaded(module))
    ]
    return found + [(vendor, kind) for vendor in VENDORS for kind in (pydantic.ValidationError, OSError, TimeoutError)]


# Mistakes of the caller in what it asks of the SDK, or kinds that one request without streams can never meet.
OF_THE_CALLER: Final = {
    "GoogleAPIError",
    "DuplicateCredentialArgs",
    "IncompleteIterationError",
    "BrokenResponseError",
    "AsyncRestUnsupportedParameterError",
    "OpenAIError",
    "LengthFinishReasonError",
    "ContentFilterFinishReasonError",
    "WebSocketQueueFullError",
    "WebSocketConnectionClosedError",
    "_AmbiguousModuleClientUsageError",
    "AnthropicError",
    "RetryableError",
    "CredentialsError",
    "IdentityTokenFileError",
    "WorkloadIdentityError",
}


def test_every_error_of_every_sdk_has_a_meaning(subtests: pytest.Subtests) -> None:
    services: dict[str, Service] = {}
    for vendor in VENDORS:
        brain = brain_named(vendor, Access(lambda _vendor: "key"))
        assert isinstance(brain, RemoteBrain)
        services[vendor] = brain._service
    kinds = cases()
    assert len(kinds) > 150
    for vendor, kind in kinds:
        with subtests.test(vendor=vendor, kind=kind.__name__):
            meaning = services[vendor].fault(made(kind))
            assert isinstance(meaning, Diagnosis)
            unknown = meaning.meaning == UNKNOWN
            assert not unknown or issubclass(kind, ValueError) or kind.__name__ in OF_THE_CALLER


def test_a_stop_leaves_a_call_and_its_late_reply_is_dropped() -> None:
    with server_for("anthropic", [move(1, 1)], faults={1: Fault("late", 1)}) as server:
        control = Control()
        agent = AgentCore(brain_for("anthropic", server), standard_toolbelt(None), oversight=Oversight(control=control))

        def stop() -> None:
            Control().until(lambda: server.requests or None, 60)
            control.stop()

        threading.Thread(target=stop).start()
        events = list(agent.run("What is this?"))
        answered = server.answered
        assert Control().until(lambda: server.answered or None, 60), "its reply came all the same"
    assert not answered
    assert events[-1].data["outcome"] == "stopped"
    assert not list(agent.world_model)
    assert events[-1].data["usage"]["input_tokens"] == 0


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_service_that_says_the_key_is_not_quoted(vendor: str) -> None:
    key = "AIzaSy-a-key-that-nobody-may-see"
    loud = without(PROTOCOLS[vendor], lambda _body: True, f"The key {key} is not for this.")
    with ModelServer(loud, [], key=key) as server, pytest.raises(ModelError) as caught:
        brain_for(vendor, server).think(PROMPT)
    assert "The key [key] is not for this." in checked(str(caught.value), key)
    assert key not in "".join(traceback.format_exception(caught.value))


def test_the_functions_are_never_left_out_and_keep_their_numbers() -> None:
    """Without them Google would not look for instructions on the screen, and nobody would be asked."""
    strict = without(GEMINI, lambda body: "tools" in body, "Computer Use is not enabled for this model.")
    with ModelServer(strict, [FINISH]) as server:
        brain = brain_named(
            "gemini-computer", Access(lambda _vendor: server.key, server.base_url, coordinates="pixels")
        )
        assert (brain.space, brain.sight > 0) == ("thousandths", True)
        with pytest.raises(ModelError, match="Computer Use is not enabled"):
            brain.think(Prompt("You are MARK-I.", "Click Save", "", picture=seen()))
    assert server.requests == 1


def test_a_wait_is_a_number_or_a_date() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    assert asked_to_wait({"retry-after": "7"}) == 7
    assert asked_to_wait({"retry-after-ms": "1500", "retry-after": "7"}) == 1.5
    assert 50 < (asked_to_wait({"retry-after": soon}) or 0) <= 100
    assert asked_to_wait({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    for nothing in ({}, {"retry-after": "soon"}, {"retry-after": "-1"}, {"retry-after": "1e999"}):
        assert asked_to_wait(nothing) is None


def test_a_day_is_not_waited_for() -> None:
    details: list[Mapping[str, Any]] = [
        {"violations": [{"quotaId": "GenerateRequestsPerDayPerProject"}]},
        {"retryDelay": "3s"},
    ]
    assert google_fault(429, "", details[1:], {}).wait == 3
    assert (google_fault(429, "", details, {}).wait or 0) > 3600


@pytest.mark.parametrize(("code", "kind"), [(401, ModelError), (429, BusyError), ("server_error", BusyError)])
def test_an_error_with_status_200_means_what_it_says(code: Any, kind: type[Exception]) -> None:
    odd = replace(
        OPENAI, reply=lambda text, usage: {"error": {"code": code, "message": f"No: {text[:0]}{usage.tokens}"}}
    )
    with ModelServer(odd, [FINISH]) as server, pytest.raises(ModelError) as caught:
        brain_for("openai", server).think(PROMPT)
    assert type(caught.value) is kind


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_reply_may_cost_no_more_than_is_left(vendor: str, tmp_path: Path) -> None:
    with server_for(vendor, [FINISH] * 2) as server:
        brain = brain_for(vendor, server, prices=own_prices(tmp_path))
        brain.think(replace(PROMPT, usd_left=0.002))
        brain.think(replace(PROMPT, usd_left=1000.0))
    assert brain.price is not None
    names = {"openai": "max_completion_tokens", "anthropic": "max_tokens"}
    told = [
        received.body[names[vendor]] if vendor in names else received.body["generationConfig"]["maxOutputTokens"]
        for received in server.received
    ]
    assert 0 < brain.price.of(Counts(0, told[0])) <= 0.002
    assert told[1] == MAX_REPLY_TOKENS


def test_busy_is_a_model_error_for_who_does_not_wait() -> None:
    with server_for("gemini", [FINISH], faults={1: Fault("limit", 7)}) as server, pytest.raises(BusyError) as caught:
        brain_for("gemini", server).think(PROMPT)
    assert caught.value.wait == 7


def native(name: str, **args: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args}}


def test_geminis_own_functions_for_a_desktop() -> None:
    replies = [
        native("move", y=500, x=250, intent="To the list."),
        native("type", text="hello", press_enter=True),
        native("hotkey", keys=["ctrl", "s"]),
        action("finish", summary="Typed."),
    ]
    with ModelServer(GEMINI, replies) as server:
        brain = brain_named("gemini-computer", Access(lambda _vendor: server.key, server.base_url))
        assert isinstance(brain, RemoteBrain)
        outcome, events = run(brain)
    assert outcome.name == "done_unverified"
    steps = [event.step for event in events if event.step]
    assert [(step.action.tool, dict(step.action.args)) for step in steps[:3]] == [
        ("move", {"target": {"x": 50, "y": 50}}),
        ("type_text", {"text": "hello", "enter": True}),
        ("press", {"keys": "ctrl+s"}),
    ]
    assert all(step.observation.ok for step in steps)
    assert steps[0].thought.text == "To the list."
    [offered] = server.received[0].body["tools"]
    told = {name.replace("_", "").lower(): value for name, value in offered["computerUse"].items()}  # both are right
    assert told == {"environment": "ENVIRONMENT_DESKTOP", "enablepromptinjectiondetection": True}
    assert server.received[0].schema is None
    assert "Use your own functions" in server.received[0].system


@pytest.mark.parametrize("answer", ["yes", "no", "nobody is there"])
def test_what_needs_consent_is_not_done_without_it(answer: str) -> None:
    decision = {"decision": "require_confirmation", "explanation": "This buys a ticket."}
    replies = [native("click", y=500, x=250, safety_decision=decision), action("fail", reason="I may not.")]
    asked: list[str] = []

    def agree(approval: Approval) -> Answer:
        asked.append(approval.why)
        return Answer("once" if answer == "yes" else "no")

    with ModelServer(GEMINI, replies) as server:
        brain = brain_named("gemini-computer", Access(lambda _vendor: server.key, server.base_url))
        control = Control()
        desktop = FakeDesktop(reacting(lambda _: BLANK), control)
        eyes = Eyes(desktop, control)
        options: dict[str, Any] = {} if answer == "nobody is there" else {"oversight": Oversight(approve=agree)}
        agent = AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes, **options)
        agent.execute_command("Buy a ticket")
    done = answer == "yes"
    assert (("click", Point(50, 50), "left", 1) in desktop.inputs) == done
    first = next(iter(agent.world_model)).observation
    assert first.ok == done
    assert done or (first.error is not None and first.error.code == "DENIED")
    assert asked == ([] if answer == "nobody is there" else ["This buys a ticket."])
