"""The vendors' protocols on the wire, as far as one request with an image and one reply need them."""

import base64
import binascii
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image, UnidentifiedImageError

from world_model import Size, Usage

MIME_TYPES: Final = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}
IMAGES_MAX: Final = 2  # the screen, and a part of it


class RefusedError(Exception):
    """The vendor would refuse a request, with this HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Received:
    """The contents of a valid request.

    Attributes:
        key: The API key.
        model: The name of the model that is asked.
        system: The system prompt, with role, rules and tools.
        text: The user's message.
        image: The size of the decoded image; None if none was sent.
        schema: The schema that the reply must follow; None for plain text.
        body: The whole request.
    """

    key: str
    model: str
    system: str
    text: str
    image: Size | None
    schema: Mapping[str, Any] | None
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Protocol:
    """The protocol of one vendor.

    Attributes:
        name: The name of the brain that speaks it.
        prefix: The path that the base URL adds to the server's address.
        read: Parses a path, headers with lower-case names, and a body; raises `RefusedError`.
        reply: Makes the body of a reply from its text and usage.
        wrong: A body with values of the wrong types.
        empty: A body without text.
        blocked: A body that says that the prompt was refused.
        refusal: Makes the body of an error from a status and a message.
        list_path: The path of the list of models.
        key_of: Finds the key in the headers.
        listing: Makes the body of that list from the names of models.
    """

    name: str
    prefix: str
    read: Callable[[str, Mapping[str, str], Mapping[str, Any]], Received]
    reply: Callable[[str, Usage], dict[str, Any]]
    wrong: Mapping[str, Any]
    empty: Mapping[str, Any]
    blocked: Mapping[str, Any]
    refusal: Callable[[int, str], dict[str, Any]]
    list_path: str
    key_of: Callable[[Mapping[str, str]], str]
    listing: Callable[[Sequence[str]], dict[str, Any]]


def _need(condition: object, message: str, status: int = 400) -> None:
    if not condition:
        raise RefusedError(status, message)


def _size(data: str, mime_type: str) -> Size:
    """Return the size of an image, after checking that it has the stated type."""
    try:
        content = base64.b64decode(data.replace("-", "+").replace("_", "/"), validate=True)
        with Image.open(io.BytesIO(content)) as image:
            image.load()
            _need(MIME_TYPES.get(str(image.format)) == mime_type, f"The image is not {mime_type}.")
            return Size(*image.size)
    except (binascii.Error, UnidentifiedImageError, OSError, SyntaxError) as error:
        raise RefusedError(400, f"The image cannot be decoded: {error}") from error


def _is_schema(schema: Any) -> bool:  # noqa: ANN401 - JSON values have no narrower type
    return isinstance(schema, Mapping) and schema.get("type") == "object" and isinstance(schema.get("properties"), dict)


def _gemini_read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Received:
    found = re.fullmatch(r"/v1beta/models/([^/:?]+):generateContent(?:\?.*)?", path)
    if found is None:
        raise RefusedError(404, f"{path} is not found for API version v1beta.")
    contents = body.get("contents")
    if not isinstance(contents, list) or len(contents) != 1 or contents[0].get("role", "user") != "user":
        raise RefusedError(400, "There must be one content, with the role user.")
    system = _of(body, "systemInstruction", "system_instruction") or {"parts": []}
    config = _of(body, "generationConfig", "generation_config") or {}
    texts = [part["text"] for part in contents[0]["parts"] if "text" in part]
    pictures = [data for part in contents[0]["parts"] if (data := _of(part, "inlineData", "inline_data"))]
    _need(len(texts) == 1 and len(pictures) <= IMAGES_MAX, "There must be one text and at most two images.")
    schema = _of(config, "responseJsonSchema", "response_json_schema")
    as_json = _of(config, "responseMimeType", "response_mime_type") == "application/json"
    _need(
        schema is None or (as_json and _is_schema(schema)),
        "The schema is not valid, or the reply is not requested as JSON.",
    )
    images = [_size(one["data"], str(_of(one, "mimeType", "mime_type"))) for one in pictures]
    told = "".join(part.get("text", "") for part in system["parts"])
    return Received(_gemini_key(headers), found[1], told, texts[0], _first(images), schema, body)


def _gemini_key(headers: Mapping[str, str]) -> str:
    return headers.get("x-goog-api-key", "")


def _gemini_models(names: Sequence[str]) -> dict[str, Any]:
    """Return a list of models that write texts, and one that does not."""
    writing = [{"name": f"models/{name}", "supportedGenerationMethods": ["generateContent"]} for name in names]
    return {"models": [*writing, {"name": "models/an-embedding", "supportedGenerationMethods": ["embedContent"]}]}


def _of(body: Mapping[str, Any], *names: str) -> Any:  # noqa: ANN401 - JSON values have no narrower type
    """Return the value under either spelling; the service accepts both."""
    return next((body[name] for name in names if name in body), None)


def _first(images: list[Size]) -> Size | None:
    return images[0] if images else None


def _gemini_reply(text: str, usage: Usage) -> dict[str, Any]:
    """Return a reply with the text, or with a call if the text is `{"functionCall": {"name", "args"}}`."""
    part = json.loads(text) if text.startswith('{"functionCall"') else {"text": text}
    content = {"parts": [part], "role": "model"}
    counts = {
        "promptTokenCount": usage.input_tokens,
        "candidatesTokenCount": usage.output_tokens,
        "cachedContentTokenCount": usage.cached_tokens,
        "totalTokenCount": usage.tokens,
    }
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": counts}


def _gemini_refusal(status: int, message: str) -> dict[str, Any]:
    names = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED"}
    error: dict[str, Any] = {"code": status, "message": message, "status": names.get(status, "UNAVAILABLE")}
    if status == 401:  # noqa: PLR2004 - Google sends a 400 with details
        info = {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
        }
        error |= {"code": 400, "status": "INVALID_ARGUMENT", "details": [info]}
    return {"error": error}


def _openai_read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Received:
    _need(path == "/v1/chat/completions", f"There is no {path}.", 404)
    messages = body.get("messages")
    _need(
        isinstance(messages, list) and [one.get("role") for one in messages] == ["system", "user"], "Roles are wrong."
    )
    system, user = body["messages"]
    _need(isinstance(system["content"], str), "Contents are wrong.")
    content = user["content"] if isinstance(user["content"], list) else [{"type": "text", "text": user["content"]}]
    texts = [part["text"] for part in content if part["type"] == "text"]
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    details = {part["image_url"].get("detail", "auto") for part in content if part["type"] == "image_url"}
    _need(details <= {"auto", "low", "high", "original"}, f"There is no such detail: {details}.")
    _need(len(texts) == 1 and len(urls) <= IMAGES_MAX, "There must be one text and at most two images.")
    wanted = body.get("response_format")
    schema = wanted["json_schema"]["schema"] if wanted else None
    _need(wanted is None or (wanted["type"] == "json_schema" and _is_schema(schema)), "The schema is not valid.")
    found = [re.fullmatch(r"data:(image/\w+);base64,(.+)", url) for url in urls]
    _need(all(found), "The image is not a data URL.")
    images = [_size(one[2], one[1]) for one in found if one]
    return Received(
        _openai_key(headers), str(body.get("model")), system["content"], texts[0], _first(images), schema, body
    )


def _openai_key(headers: Mapping[str, str]) -> str:
    return headers.get("authorization", "").removeprefix("Bearer ")


def _openai_models(names: Sequence[str]) -> dict[str, Any]:
    listed = [
        {"id": name, "object": "model", "created": len(names) - index, "owned_by": "us"}
        for index, name in enumerate(names)
    ]
    return {"object": "list", "data": listed}


def _openai_reply(text: str, usage: Usage) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None}
    return _completion([{"index": 0, "message": message, "finish_reason": "stop"}]) | {
        "usage": {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.tokens,
            "prompt_tokens_details": {"cached_tokens": usage.cached_tokens},
        }
    }


def _completion(choices: list[dict[str, Any]]) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}


def _openai_refusal(status: int, message: str) -> dict[str, Any]:
    codes = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
    kind = "server_error" if status >= 500 else "invalid_request_error"  # noqa: PLR2004 - 5xx are server errors
    return {"error": {"message": message, "type": kind, "param": None, "code": codes.get(status)}}


def _anthropic_read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Received:
    _need(path == "/v1/messages", f"There is no {path}.", 404)
    _need(headers.get("anthropic-version"), "anthropic-version: header is required")
    _need(isinstance(body.get("max_tokens"), int), "max_tokens: Field required")
    _need("temperature" not in body, "`temperature` is deprecated for this model.")
    messages, system = body.get("messages"), body.get("system")
    if not isinstance(messages, list) or [one.get("role") for one in messages] != ["user"]:
        raise RefusedError(400, "messages: there must be one, with the role user.")
    if not isinstance(system, list) or system[-1].get("cache_control") != {"type": "ephemeral"}:
        raise RefusedError(400, "system: its last block must be marked for the cache.")
    content = messages[0]["content"]
    texts = [part["text"] for part in content if part["type"] == "text"]
    sources = [part["source"] for part in content if part["type"] == "image"]
    _need(len(texts) == 1 and len(sources) <= IMAGES_MAX, "There must be one text and at most two images.")
    images = [_size(source["data"], source["media_type"]) for source in sources]
    told = "".join(block["text"] for block in system)
    return Received(_anthropic_key(headers), str(body.get("model")), told, texts[0], _first(images), None, body)


def _anthropic_key(headers: Mapping[str, str]) -> str:
    return headers.get("x-api-key") or _openai_key(headers)


def _anthropic_models(names: Sequence[str]) -> dict[str, Any]:
    made = "2026-01-01T00:00:00Z"
    listed = [
        {"id": name, "type": "model", "display_name": name, "created_at": made, "lifecycle": "active"} for name in names
    ]
    return {"data": listed, "has_more": False, "first_id": None, "last_id": None}


def _message(content: list[dict[str, Any]], stop: str, usage: Usage = Usage()) -> dict[str, Any]:
    counts = {
        "input_tokens": usage.input_tokens - usage.cached_tokens,
        "cache_read_input_tokens": usage.cached_tokens,
        "cache_creation_input_tokens": 0,
        "output_tokens": usage.output_tokens,
    }
    whole = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content}
    return whole | {"stop_reason": stop, "stop_sequence": None, "usage": counts}


def _anthropic_reply(text: str, usage: Usage) -> dict[str, Any]:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}  # newer models send it first
    return _message([thinking, {"type": "text", "text": text}], "end_turn", usage)


def _anthropic_refusal(status: int, message: str) -> dict[str, Any]:
    kinds = {400: "invalid_request_error", 401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error"}
    return {
        "type": "error",
        "error": {"type": kinds.get(status, "api_error"), "message": message},
        "request_id": "req_1",
    }


GEMINI: Final = Protocol(
    "gemini",
    "",
    _gemini_read,
    _gemini_reply,
    wrong={"candidates": [{"content": {"parts": 5}}]},
    empty={"candidates": [], "usageMetadata": {"promptTokenCount": 9}},
    blocked={"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
    refusal=_gemini_refusal,
    list_path="/v1beta/models",
    key_of=_gemini_key,
    listing=_gemini_models,
)
OPENAI: Final = Protocol(
    "openai",
    "/v1",
    _openai_read,
    _openai_reply,
    wrong=_completion([]) | {"choices": "no"},
    empty=_completion([{"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": "stop"}]),
    blocked=_completion(
        [{"index": 0, "message": {"role": "assistant", "content": None, "refusal": "No."}, "finish_reason": "stop"}]
    ),
    refusal=_openai_refusal,
    list_path="/v1/models",
    key_of=_openai_key,
    listing=_openai_models,
)
ANTHROPIC: Final = Protocol(
    "anthropic",
    "",
    _anthropic_read,
    _anthropic_reply,
    wrong=_message([], "end_turn") | {"content": 5},
    empty=_message([], "end_turn"),
    blocked=_message([], "refusal"),
    refusal=_anthropic_refusal,
    list_path="/v1/models",
    key_of=_anthropic_key,
    listing=_anthropic_models,
)


def encoded(body: Mapping[str, Any]) -> bytes:
    """Encode a body for the wire."""
    return json.dumps(body).encode()
