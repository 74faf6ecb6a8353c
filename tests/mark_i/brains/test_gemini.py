"""The real SDK against a local server that speaks the Gemini protocol. Nothing here needs a network or a real key."""

import base64
import io
import json
import re
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import pytest
from PIL import Image

from mark_i.agent import AgentCore
from mark_i.brain import Picture, Prompt
from mark_i.brains.access import Access
from mark_i.brains.gemini import MODEL, gemini
from mark_i.brains.options import SCHEMA
from mark_i.brains.remote import MAX_MESSAGE_CHARS, RemoteBrain
from toolbelt.control import Control
from toolbelt.desktops.fake import FakeDesktop
from toolbelt.perception.eyes import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import ModelError, Point, Usage

KEY: Final = "AIzaSy-a-key-that-nobody-may-see"
GIVE_UP: Final = 10.0  # seconds a server thread stays when a test forgets it
PROMPT: Final = Prompt("You are MARK-I.", "Click Save", "")
FINISH: Final = {"thought": "It is done.", "action": {"tool": "finish", "args": {"summary": "Clicked."}}}
CLICK: Final = {"thought": "Save.", "action": {"tool": "click", "args": {"target": {"x": 500, "y": 500}}}}


class Service(ThreadingHTTPServer):
    """What stands in for the Gemini API: it keeps what it was asked, and gives its answers one after the other."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.asked: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.answers: deque[Answer] = deque()
        self.closing = threading.Event()

    def handle_error(self, *_: object) -> None:
        """A client that went away is what some tests are about."""


class Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.paths.append(self.path)
        found = re.fullmatch(r"/v1beta/models/([^/:]+):generateContent", self.path)
        if self.headers["x-goog-api-key"] != KEY:
            self.give(*refusal(400, "INVALID_ARGUMENT", "API key not valid.", "API_KEY_INVALID"))
        elif not found or found[1] not in {MODEL, "gemini-2.5-flash"}:
            self.give(*refusal(404, "NOT_FOUND", f"{self.path} is not found for API version v1beta."))
        else:
            self.server.answers.popleft()(self)

    def give(self, status: int, body: bytes, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(length or len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Tests have nothing to read there."""


Answer = Callable[[Handler], object]


def refusal(
    status: int, name: str, message: str, reason: str | None = None, wait: str | None = None
) -> tuple[int, bytes]:
    error: dict[str, Any] = {"code": status, "message": message, "status": name}
    if wait:
        error["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": wait}]
    if reason:
        info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason, "domain": "googleapis.com"}
        error["details"] = [info]
    return status, json.dumps({"error": error}).encode()


def body(status: int, content: bytes) -> Answer:
    return lambda handler: handler.give(status, content)


def said(text: object, finish: str = "STOP", **usage: int) -> Answer:
    words = text if isinstance(text, str) else json.dumps(text)
    part = {"text": words, "thoughtSignature": base64.b64encode(b"signature").decode()}
    candidate = {"content": {"parts": [part], "role": "model"}, "finishReason": finish, "index": 0}
    answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL, "responseId": "r1"}
    return body(200, json.dumps(answer).encode())


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.closing.set()
        server.shutdown()
        thread.join()


def brain_with(key: str | None, url: str | None = None, model: str = "", seconds: float = 60) -> RemoteBrain:
    return gemini(model, Access(lambda _vendor: key, url, seconds))


@pytest.fixture
def brain(service: Service) -> RemoteBrain:
    return brain_with(KEY, service.url)


def picture(width: int, height: int) -> Image.Image:
    return Image.new("RGB", (width, height), "white")


def agent_with(brain: RemoteBrain, width: int = 1000, height: int = 800) -> tuple[AgentCore, FakeDesktop]:
    control = Control()
    desktop = FakeDesktop(lambda _: picture(width, height), control)
    eyes = Eyes(desktop, control)
    return AgentCore(brain, standard_toolbelt(eyes), desktop, eyes=eyes), desktop


def image_in(asked: dict[str, Any]) -> Image.Image:
    part = asked["contents"][0]["parts"][-1]["inlineData"]
    assert part.get("mimeType", part.get("mime_type")) == "image/jpeg"  # the service takes both spellings
    image = Image.open(io.BytesIO(base64.urlsafe_b64decode(part["data"])))
    image.load()
    return image


def failure(brain: RemoteBrain) -> str:
    """The message of the error that a thought ends with; what holds for each is checked here."""
    with pytest.raises(ModelError) as caught:
        brain.think(PROMPT)
    return checked(str(caught.value))


def refusal_or_flaw(brain: RemoteBrain) -> str:
    """What is wrong with an answer: an error, or a reply that the model is asked for again."""
    try:
        return brain.think(PROMPT).flaw
    except ModelError as error:
        return checked(str(error))


def checked(message: str) -> str:
    assert KEY not in message
    assert KEY[:12] not in message
    assert "\n" not in message
    assert len(message) <= MAX_MESSAGE_CHARS
    assert "--brain" in message or "--base-url" in message, "it says what to do"
    return message


def test_what_is_sent(service: Service, brain: RemoteBrain) -> None:
    service.answers.append(said(FINISH, promptTokenCount=1200, candidatesTokenCount=30, thoughtsTokenCount=12))
    jpeg = io.BytesIO()
    picture(64, 48).save(jpeg, "JPEG")
    reply = brain.think(Prompt("You are MARK-I.", "Click Save", "", picture=Picture(jpeg.getvalue(), "image/jpeg")))
    assert json.loads(reply.text) == FINISH
    assert reply.usage == Usage(1200, 42, None)  # the service is not the vendor's
    assert service.paths == [f"/v1beta/models/{MODEL}:generateContent"]
    (asked,) = service.asked
    assert asked.keys() == {"contents", "systemInstruction", "generationConfig"}
    assert [part["text"] for part in asked["systemInstruction"]["parts"]] == ["You are MARK-I."]
    (content,) = asked["contents"]
    assert content["role"] == "user"
    assert content["parts"][0] == {"text": PROMPT.text}
    assert image_in(asked).size == (64, 48)
    assert asked["generationConfig"] == {
        "temperature": 0,
        "responseMimeType": "application/json",
        "responseJsonSchema": SCHEMA,
        "mediaResolution": "MEDIA_RESOLUTION_HIGH",
    }


def test_without_a_picture_only_text_is_sent(service: Service) -> None:
    brain = brain_with(KEY, service.url, "gemini-2.5-flash")
    service.answers.append(said(FINISH))
    assert brain.think(PROMPT).usage == Usage(cost_usd=None)
    assert brain.name == "gemini:gemini-2.5-flash"
    assert len(service.asked[0]["contents"][0]["parts"]) == 1


def test_the_environment_decides_nothing(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "another key")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v1")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "/nowhere.json")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    service.answers.append(said(FINISH))
    assert brain_with(KEY, service.url).think(PROMPT).text


def test_points_come_back_as_pixels(service: Service, brain: RemoteBrain) -> None:
    service.answers.extend([said(CLICK), said(FINISH)])
    agent, desktop = agent_with(brain)
    assert agent.execute_command("Click Save").name == "done_unverified"
    assert desktop.inputs[:2] == [("move", Point(500, 400)), ("click", Point(500, 400), "left", 1)]
    assert [image_in(asked).size for asked in service.asked] == [(1000, 800)] * 2
    assert "Save." in service.asked[1]["contents"][0]["parts"][0]["text"], "the scratchpad goes along"


def test_a_large_screen_is_sent_smaller(service: Service, brain: RemoteBrain) -> None:
    service.answers.append(said(FINISH))
    agent, _ = agent_with(brain, 2880, 1800)
    agent.execute_command("Nothing")
    assert image_in(service.asked[0]).size == (1440, 900)


def test_garbage_is_asked_again_with_the_reason(service: Service, brain: RemoteBrain) -> None:
    service.answers.extend([said("I would click it."), said(FINISH)])
    agent, _ = agent_with(brain)
    assert agent.execute_command("What is this?").name == "done_unverified"
    first, second = (asked["contents"][0]["parts"][0]["text"] for asked in service.asked)
    assert "could not be used" not in first
    assert "Your last reply could not be used" in second
    assert "I would click it." in second


def test_words_are_asked_for_without_a_schema(service: Service, brain: RemoteBrain) -> None:
    service.answers.append(said("Saved."))
    assert brain.think(Prompt("Be brief.", "Click Save", "", plain=True)).text == "Saved."
    assert service.asked[0]["generationConfig"] == {"temperature": 0}


def test_nothing_but_garbage_ends_the_run(service: Service, brain: RemoteBrain) -> None:
    service.answers.extend([said("Hm."), *[said('{"thought": "Hm", "action"', "MAX_TOKENS")] * 3])
    outcome = agent_with(brain)[0].execute_command("Click Save")
    assert outcome.name == "model_error"
    assert "4 times in a row" in outcome.summary
    assert "cut off" in outcome.summary
    assert len(service.asked) == 4


def test_an_error_ends_the_run(service: Service, brain: RemoteBrain) -> None:
    service.answers.extend([body(*refusal(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", wait="0.01s"))] * 4)
    outcome = agent_with(brain)[0].execute_command("Click Save")
    assert outcome.name == "model_error"
    assert not service.answers, "it was asked four times"
    assert "Quota exceeded." in outcome.summary


@pytest.mark.parametrize("key", [None, "", "  \n"])
def test_no_key(key: str | None) -> None:
    with pytest.raises(ModelError, match=r"GEMINI_API_KEY.*--brain offline"):
        brain_with(key)


@pytest.mark.parametrize("key", [KEY + "\n" + KEY, KEY + "€"])
def test_a_key_that_is_none(key: str) -> None:
    with pytest.raises(ModelError, match="GEMINI_API_KEY") as caught:
        brain_with(key)
    checked(str(caught.value))


def test_refused_key(service: Service) -> None:
    with pytest.raises(ModelError, match=r"refused the key.*GEMINI_API_KEY.*API key not valid") as caught:
        brain_with("AIzaSy-an-old-key", service.url).think(PROMPT)
    assert "an-old-key" not in str(caught.value)


def test_unknown_model(service: Service) -> None:
    assert "has no model gemini-9." in failure(brain_with(KEY, service.url, "gemini-9"))


def test_statuses(service: Service, brain: RemoteBrain, subtests: pytest.Subtests) -> None:
    meanings = {401: "refused the key", 403: "refused the key", 400: "did not accept", 413: "did not accept"}
    meanings |= {429: "a limit is reached", 500: "internal problem", 503: "internal problem"}
    for status, expected in meanings.items():
        with subtests.test(status=status):
            answer = body(*refusal(status, "NAME", f"The words\nof the service about {KEY}"))
            service.answers.extend([answer] * (2 if status == 400 else 1))
            message = failure(brain)
            assert expected in message
            assert f"(It said: {status} NAME The words of the service about [key])" in message
    tries = len(meanings) + 1  # after the 400, once without the form of a reply
    assert len(service.asked) == tries, "the SDK does not try again on its own"


def test_answers_that_are_no_reply(service: Service, brain: RemoteBrain, subtests: pytest.Subtests) -> None:
    bodies = [b"<html>Log in</html>", b"\xff\xfe", b"[]", b"[1]", b'"text"', b"5", b"null", b"true", b"[" * 100_000]
    bodies += [b'{"candidates": 5}', b'{"candidates": "no"}', b'{"candidates": [5]}', b'{"candidates": [']
    bodies += [b'{"candidates": [{"content": {"parts": 5}}]}', b'{"candidates": [{"content": []}]}']
    bodies += [b'{"usageMetadata": {"promptTokenCount": "many"}}']
    for content in bodies:
        with subtests.test(content=content[:40]):
            service.answers.append(body(200, content))
            assert re.search("not a reply of a model|The reply is empty", refusal_or_flaw(brain))


def test_errors_with_odd_bodies(service: Service, brain: RemoteBrain, subtests: pytest.Subtests) -> None:
    for content in (b"<html>Bad Gateway</html>", b"[1]", b'"text"', b"null", b'{"error": "no"}', b"\xff", b""):
        with subtests.test(content=content):
            service.answers.append(body(502, content))
            assert re.search("internal problem|not a reply of a model", failure(brain))
    service.answers.append(body(204, b""))
    assert "did not accept" in failure(brain)


def test_a_long_error_is_cut_without_a_part_of_the_key(service: Service, brain: RemoteBrain) -> None:
    for shift in range(len(KEY)):
        service.answers.append(body(*refusal(500, "INTERNAL", "x" * shift + f" {KEY}" * 99)))
        assert failure(brain).endswith("...)")


def test_answers_without_text(service: Service, brain: RemoteBrain, subtests: pytest.Subtests) -> None:
    blank, thought = {"text": " \n"}, {"text": "Hm", "thought": True}
    candidates: list[tuple[dict[str, Any], str]] = [
        ({}, "no finish reason"),
        ({"content": {"parts": [blank]}, "finishReason": "STOP"}, "STOP"),
        ({"content": {"parts": [thought]}, "finishReason": "STOP"}, "STOP"),
        ({"content": {"parts": []}, "finishReason": "STOP"}, "STOP"),
        ({"finishReason": "OTHER"}, "OTHER"),
        ({"finishReason": "RECITATION"}, "use your own words"),
        ({"finishReason": "MALFORMED_FUNCTION_CALL"}, "Call no function"),
        ({"finishReason": "UNEXPECTED_TOOL_CALL"}, "Call no function"),
    ]
    answers: list[tuple[dict[str, Any], str]] = [
        ({"candidates": [candidate]}, reason) for candidate, reason in candidates
    ]
    answers += [({}, "no candidates"), ({"candidates": []}, "no candidates")]
    for answer, expected in answers:
        with subtests.test(answer=answer):
            service.answers.append(body(200, json.dumps(answer).encode()))
            assert expected in brain.think(PROMPT).flaw
    service.answers.append(body(200, b""))
    assert "no candidates" in brain.think(PROMPT).flaw


def test_a_block_for_safety_is_a_clear_failure(service: Service, brain: RemoteBrain, subtests: pytest.Subtests) -> None:
    part = {"content": {"parts": [{"text": "Half an ans"}]}}
    answers: list[tuple[dict[str, Any], str]] = [
        ({"candidates": [{**content, "finishReason": reason}]}, reason)
        for content in ({}, part)
        for reason in ("SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII")
    ]
    answers += [({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "PROHIBITED_CONTENT")]
    for answer, reason in answers:
        with subtests.test(answer=answer):
            service.answers.append(body(200, json.dumps(answer).encode()))
            message = failure(brain)
            assert "refused the prompt" in message
            assert reason in message


def test_connection_refused(service: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert service.url != f"http://127.0.0.1:{port}"
    assert "cannot be reached" in failure(brain_with(KEY, f"http://127.0.0.1:{port}"))


@pytest.mark.parametrize("url", ["nonsense", "ftp://127.0.0.1", "http://[", "http://127.0.0.1:99999"])
def test_addresses_that_are_none(url: str, service: Service) -> None:
    assert "--base-url" in failure(brain_with(KEY, url))
    assert not service.asked


def test_a_connection_that_breaks_off(service: Service, brain: RemoteBrain) -> None:
    service.answers.append(lambda handler: handler.give(200, b'{"candidates": [', length=1000))
    assert "broke off" in failure(brain)
    service.answers.append(lambda handler: handler.connection.shutdown(socket.SHUT_RDWR))
    assert "broke off" in failure(brain)


def never(handler: Handler) -> None:
    handler.server.closing.wait(GIVE_UP)


def drip(handler: Handler) -> None:
    handler.give(200, b"{", length=1_000_000)
    while not handler.server.closing.wait(0.02):
        handler.wfile.write(b" ")


@pytest.mark.parametrize("answer", [never, drip])
def test_no_answer_can_hang(service: Service, answer: Answer) -> None:
    brain = brain_with(KEY, service.url, seconds=0.3)
    service.answers.append(answer)
    began = time.monotonic()
    message = failure(brain)
    assert "no answer within 0.3 seconds" in message
    assert time.monotonic() - began < GIVE_UP / 2


def test_a_stop_does_not_wait_for_the_model(service: Service, brain: RemoteBrain) -> None:
    agent, _ = agent_with(brain)
    waiting = threading.Event()

    def stop(handler: Handler) -> None:
        agent.control.stop()
        waiting.set()
        never(handler)

    service.answers.append(stop)
    assert agent.execute_command("Click Save").name == "stopped"
    assert waiting.is_set()


def test_nothing_but_thinking_is_an_answer_that_was_cut_off(service: Service, brain: RemoteBrain) -> None:
    """It was paid for all the same."""
    candidate = {"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}
    usage = {"promptTokenCount": 100, "thoughtsTokenCount": 5000}
    service.answers.append(body(200, json.dumps({"candidates": [candidate], "usageMetadata": usage}).encode()))
    reply = brain.think(PROMPT)
    assert (reply.text, reply.cut_off, reply.usage.output_tokens) == ("", True, 5000)
