"""Odd replies and refusals of services, with the real SDKs: what is asked again, what is left out, what is told."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from mark_i.agent import AgentCore
from mark_i.brain import Picture, Prompt
from mark_i.brains import brain_named
from mark_i.brains.access import Access
from mark_i.brains.remote import RemoteBrain
from mark_i.brains.replay import ReplayBrain
from mark_i.budget import Budget
from mark_i.events import Outcome
from mark_i.loop.model_calls import MAX_REASKS
from mark_i.loop.parts import Limits
from mark_i.testing import ANTHROPIC, GEMINI, OPENAI, ModelServer, Protocol
from mark_i.testing.protocols import Received, RefusedError, encoded
from tests.odd_replies import candidate, choice, message, odd
from tests.support import action
from toolbelt.standard import standard_toolbelt
from toolbelt.tool import tool
from world_model import BusyError, Journal, ModelError, Usage

PROTOCOLS: Final = {"gemini": GEMINI, "gemini-legacy": GEMINI, "openai": OPENAI, "anthropic": ANTHROPIC}
PROMPT: Final = Prompt("You are MARK-I.", "Look it up", "")
PIXEL: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8ffff3f0005fe02fe0def46b8"
    "0000000049454e44ae426082"
)
SEEN: Final = replace(PROMPT, picture=Picture(PIXEL, "image/png"))
FINISH: Final = action("finish", summary="It is 7.")


def brain_for(vendor: str, server: ModelServer, **options: Any) -> RemoteBrain:
    brain = brain_named(vendor, Access(lambda _vendor: server.key, server.base_url, **options))
    assert isinstance(brain, RemoteBrain)
    return brain


@tool(risk="look")
def look_up(word: str) -> str:
    """Look a word up."""
    return f"{word}: 7"


def run(brain: RemoteBrain, journal: Journal | None = None) -> tuple[Outcome, list[str]]:
    agent = AgentCore(brain, standard_toolbelt(None, look_up), journal=journal, limits=Limits(Budget(steps=5)))
    events = list(agent.run("Look seven up"))
    assert events[-1].outcome is not None
    return events[-1].outcome, [event.data["text"] for event in events if event.event == "notice"]


BLANK: Final = {"text": " \n"}
THINKING: Final = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
ODD: Final[list[Any]] = [
    *[
        (vendor, candidate(reason), reason)
        for vendor in ("gemini", "gemini-legacy")
        for reason in ("STOP", "OTHER", "RECITATION", "MALFORMED_FUNCTION_CALL")
    ],
    ("gemini", candidate("UNEXPECTED_TOOL_CALL"), "UNEXPECTED_TOOL_CALL"),
    pytest.param(
        "gemini",
        candidate("A_REASON_OF_TOMORROW"),
        "A_REASON_OF_TOMORROW",
        marks=pytest.mark.filterwarnings("ignore:.*is not a valid FinishReason"),
    ),
    ("gemini", candidate("STOP", BLANK), "STOP"),
    ("gemini", candidate("STOP", {"text": "Hm", "thought": True}), "STOP"),
    ("gemini", candidate("MAX_TOKENS"), "cut off"),
    ("gemini", {"candidates": [], "usageMetadata": {"promptTokenCount": 1000}}, "no candidates"),
    ("openai", choice("stop", ""), "stop"),
    ("openai", choice("stop", None), "stop"),
    ("openai", choice("stop", None, reasoning_content="Hm."), "stop"),
    ("openai", choice("stop", []), "stop"),
    ("openai", choice("stop", [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}]), "stop"),
    ("openai", choice("tool_calls", None, tool_calls=[]), "tool_calls"),
    ("openai", choice("length", None), "cut off"),
    ("openai", choice("length", '{"thought": "I wi'), "cut off"),
    ("openai", {**choice("stop", None), "choices": []}, "no choices"),
    ("anthropic", message("end_turn"), "end_turn"),
    ("anthropic", message("end_turn", THINKING), "end_turn"),
    ("anthropic", message("pause_turn"), "pause_turn"),
    ("anthropic", message("max_tokens", THINKING), "cut off"),
]


@pytest.mark.parametrize(("vendor", "body", "reason"), ODD)
def test_an_odd_reply_is_asked_again_with_the_reason(vendor: str, body: dict[str, Any], reason: str) -> None:
    with ModelServer(odd(PROTOCOLS[vendor], body, body), [FINISH] * 3) as server:
        outcome, told = run(brain_for(vendor, server))
    assert outcome.name == "done_unverified"
    assert outcome.answer == "It is 7."
    assert [reason in one for one in told] == [True, True]
    assert "could not be used" not in server.received[0].text
    assert [reason in received.text for received in server.received[1:]] == [True, True]


@pytest.mark.parametrize(("vendor", "body", "reason"), ODD[:: len(ODD) // 6])
def test_nothing_but_odd_replies_is_a_failure_of_the_model(vendor: str, body: dict[str, Any], reason: str) -> None:
    with ModelServer(odd(PROTOCOLS[vendor], *[body] * 9), [FINISH] * 9) as server:
        outcome, _ = run(brain_for(vendor, server))
    assert outcome.name == "model_error"
    assert server.requests == 1 + MAX_REASKS
    assert reason in outcome.summary
    assert "--brain" in outcome.summary


BLOCKED: Final = [
    ("gemini", candidate("SAFETY"), "SAFETY"),
    ("gemini-legacy", candidate("SAFETY"), "SAFETY"),
    ("gemini", candidate("PROHIBITED_CONTENT", {"text": '{"thought": "Half'}), "PROHIBITED_CONTENT"),
    ("openai", choice("content_filter", None), "content_filter"),
    ("openai", choice("content_filter", '{"thought": "Half'), "content_filter"),
    ("openai", choice("stop", None, refusal="I will not."), "I will not."),
    ("anthropic", message("refusal"), "refusal"),
]


@pytest.mark.parametrize(("vendor", "body", "reason"), BLOCKED)
def test_a_block_for_safety_ends_the_run_as_a_failure(vendor: str, body: dict[str, Any], reason: str) -> None:
    with ModelServer(odd(PROTOCOLS[vendor], body), [FINISH]) as server:
        outcome, _ = run(brain_for(vendor, server))
        requests = server.requests
    assert (outcome.name, requests) == ("model_error", 1)
    assert "refused the prompt" in outcome.summary
    assert reason in outcome.summary


def test_an_empty_reply_is_paid_for_and_replayed(tmp_path: Path) -> None:
    journal = Journal(tmp_path, {"brain": "openai:m", "goal": "Look seven up"})
    with ModelServer(odd(OPENAI, choice("stop", None)), [FINISH] * 2, usage=Usage(1000, 50)) as server:
        outcome, _ = run(brain_for("openai:m", server), journal)
    assert outcome.name == "done_unverified"
    told = [json.loads(line) for line in (journal.folder / "replies.jsonl").read_text().splitlines()]
    assert [one["usage"]["input_tokens"] for one in told] == [1000, 1000]
    assert [bool(one.get("flaw")) for one in told] == [True, False]
    replay = ReplayBrain(journal.folder)
    assert [bool(replay.think(PROMPT).flaw) for _ in range(2)] == [True, False]


@pytest.mark.parametrize(
    "parts",
    [
        [{"type": "text", "text": json.dumps(FINISH)}],
        [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": json.dumps(FINISH)}],
        [{"type": "output_text", "text": json.dumps(FINISH)[:20]}, {"text": json.dumps(FINISH)[20:]}],
        [json.dumps(FINISH)],
    ],
)
def test_content_as_a_list_of_parts_is_read(parts: list[Any]) -> None:
    with ModelServer(odd(OPENAI, choice("stop", parts)), [FINISH]) as server:
        outcome, told = run(brain_for("openai", server))
        assert server.requests == 1
    assert (outcome.answer, told) == ("It is 7.", [])


def test_a_prompt_without_a_picture_is_plain_text() -> None:
    with ModelServer(OPENAI, [FINISH, FINISH]) as server:
        brain = brain_for("openai", server)
        brain.think(PROMPT)
        brain.think(SEEN)
    first, second = (received.body["messages"][1]["content"] for received in server.received)
    assert first == PROMPT.text
    assert [part["type"] for part in second] == ["text", "image_url"]


DETAILS: Final = [
    ({"detail": "Model not loaded"}, "Model not loaded"),
    ({"detail": [{"type": "missing", "loc": ["body", "seed"], "msg": "Field required"}]}, "body.seed: Field required"),
    ({"detail": {"msg": "No GPU", "code": 3}}, "No GPU"),
    ({"detail": {"reason": "No GPU"}}, "No GPU"),
    ({"errors": ["No GPU"]}, "No GPU"),
    ({"error": {"description": "No GPU"}}, "No GPU"),
]


@pytest.mark.parametrize("vendor", ["openai", "anthropic", "gemini"])
@pytest.mark.parametrize(("body", "expected"), DETAILS)
def test_what_a_service_says_is_told_whatever_its_form(vendor: str, body: dict[str, Any], expected: str) -> None:
    with ModelServer(refusing(PROTOCOLS[vendor], 422, body), []) as server, pytest.raises(ModelError) as caught:
        brain_for(vendor, server).think(PROMPT)
    assert expected in str(caught.value)


def refusing(protocol: Protocol, status: int, body: Mapping[str, Any], word: str = "") -> Protocol:
    """The protocol of a service that answers so to every request with that word in it."""

    def read(path: str, headers: Mapping[str, str], request: Mapping[str, Any]) -> Received:
        if word in json.dumps(request):
            raise RefusedError(status, "")
        return protocol.read(path, headers, request)

    return replace(protocol, read=read, refusal=lambda _status, _message: dict(body))


SCHEMA_REFUSALS: Final = [
    (400, {"error": {"message": "response_format is not supported", "type": "invalid_request_error"}}, 0),
    (422, {"detail": [{"type": "extra", "loc": ["body", "response_format"], "msg": "Extra inputs"}]}, 0),
    (400, {"error": {"message": "Bad request."}}, 0),
    (422, {"detail": "Unprocessable"}, 0),
    (500, {"error": {"message": "JSON schema conversion failed: failed to parse grammar"}}, 0),
    (500, {"detail": "Internal Server Error"}, 1),
]


@pytest.mark.parametrize(("vendor", "word"), [("openai", "json_schema"), ("gemini", "JsonSchema")])
@pytest.mark.parametrize(("status", "body", "failures"), SCHEMA_REFUSALS)
def test_a_refused_schema_is_left_out_from_then_on(
    vendor: str, word: str, status: int, body: dict[str, Any], failures: int
) -> None:
    with ModelServer(refusing(PROTOCOLS[vendor], status, body, word), [FINISH] * 3) as server:
        brain = brain_for(vendor, server)
        for _ in range(failures):  # the first one may be any trouble, and the same call is made again
            with pytest.raises(BusyError):
                brain.think(PROMPT)
        replies = [brain.think(PROMPT) for _ in range(3)]
        assert server.requests == failures + 1 + 3
    assert [len(reply.notices) for reply in replies] == [1, 0, 0]
    assert "is no longer sent" in replies[0].notices[0]
    assert all(received.schema is None for received in server.received)


def test_trouble_that_passes_does_not_cost_the_schema() -> None:
    broken = [True, False, True, False]
    body = encoded({"detail": "Internal Server Error"})

    def read(path: str, headers: Mapping[str, str], request: Mapping[str, Any]) -> Received:
        if broken.pop(0):
            raise RefusedError(500, body.decode())
        return OPENAI.read(path, headers, request)

    with ModelServer(replace(OPENAI, read=read), [FINISH] * 2) as server:
        brain = brain_for("openai", server)
        for _ in range(2):
            with pytest.raises(BusyError):
                brain.think(PROMPT)
            assert not brain.think(PROMPT).notices
    assert all(received.schema for received in server.received)


BLIND: Final = [
    (400, "Invalid content type. image_url is only supported by certain models."),
    (400, "this model does not support image input"),
    (404, "No endpoints found that support image input"),
    (422, "messages[1]: unknown variant `image_url`, expected `text`"),
    (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
    (400, "m is not a multimodal model"),
    (400, "At most 0 image(s) may be provided in one prompt."),
]


@pytest.mark.parametrize("vendor", ["openai", "gemini", "anthropic"])
@pytest.mark.parametrize(("status", "said"), BLIND)
def test_a_model_without_sight_says_which_setting_helps(vendor: str, status: int, said: str) -> None:
    marker = {"openai": "image_url", "gemini": "inlineData", "anthropic": "media_type"}[vendor]
    strict = refusing(PROTOCOLS[vendor], status, {"error": {"message": said}}, marker)
    with ModelServer(strict, [FINISH]) as server:
        with pytest.raises(ModelError, match=r"takes no images.*coordinates marks") as caught:
            brain_for(vendor, server).think(SEEN)
        assert not isinstance(caught.value, BusyError)
        assert brain_for(vendor, server, coordinates="marks").think(PROMPT).text


@pytest.mark.parametrize("said", ["Unsupported image format: image/bmp.", "The image is too large.", "Not supported."])
def test_a_faulty_image_is_not_taken_for_a_model_without_sight(said: str) -> None:
    with (
        ModelServer(refusing(OPENAI, 400, {"error": {"message": said}}), []) as server,
        pytest.raises(ModelError, match="did not accept"),
    ):
        brain_for("openai", server).think(SEEN)
