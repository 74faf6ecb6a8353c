"""Gemini, through Google's own SDK, `google-genai`: one prompt is one request and one reply.

Not covered: the SDK's retries and continuations (one call is one request), native tool calls, prices.
"""

import json
from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from mark_i.brain import Prompt, Reply, Space
from toolbelt.control import Control
from world_model import ModelError, Usage

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.errors import APIError
    from google.genai.types import GenerateContentConfig, GenerateContentResponse

MODEL: Final = "gemini-3.8-flash"  # where none is named
SIGHT: Final = 1440  # Google's guide to computer use recommends a screen of 1440 x 900 pixels
TIMEOUT: Final = 60.0  # seconds for one call, from the first lookup of a name to the last byte
API_VERSION: Final = "v1beta"  # `v1`, the SDK's own choice, does not know names such as `gemini-flash-latest`
LONGEST: Final = 600  # characters of an error message; only what the service said is cut

# `args` is whatever the tool takes. Of the two dialects only `response_json_schema` can say that: in the other one,
# `response_schema`, an object without named properties is refused, or always comes back empty.
SCHEMA: Final = {
    "type": "object",
    "properties": {
        "thought": {"type": "string"},
        "action": {
            "type": "object",
            "properties": {
                "tool": {"type": "string"},
                "args": {"type": "object", "additionalProperties": True},
            },
            "required": ["tool", "args"],
        },
        "answer": {"type": "string"},
        "style": {"type": "string", "enum": ["default", "strict", "summary", "verbatim"]},
    },
    "required": ["thought"],
}

OTHER_MODEL: Final = "name another model with --brain gemini:MODEL"
NO_KEY: Final = "The Gemini brain needs an API key. Set GEMINI_API_KEY, or use --brain offline, which needs none."
BAD_KEY: Final = (
    "The Gemini API key has characters in it that no key has. Copy it to GEMINI_API_KEY again, or use --brain offline, "
    "which needs none."
)
REFUSED_KEY: Final = (
    "The Gemini API refused the key. Check GEMINI_API_KEY and what it may be used for, or use --brain offline, "
    "which needs none."
)
UNKNOWN_MODEL: Final = (
    f"The Gemini API has no model {{model}}. Please {OTHER_MODEL}, and check --base-url if you gave one."
)
LIMIT: Final = f"The Gemini API takes no more requests for now: a limit is reached. Wait a minute, or {OTHER_MODEL}."
REFUSED: Final = (
    f"The Gemini API did not accept the request. Please {OTHER_MODEL}, and check --base-url if you gave one."
)
TROUBLE: Final = f"The Gemini API has trouble of its own. Try again in a minute, or {OTHER_MODEL}."
LATE: Final = f"The Gemini API gave no answer within {{seconds:g}} seconds. Try again, or {OTHER_MODEL}."
NO_ADDRESS: Final = "The address of the Gemini API is none that can be called. Check --base-url."
UNREACHABLE: Final = (
    "The Gemini API cannot be reached. Check the network, the proxy, and --base-url if you gave one; "
    "--brain offline needs no network."
)
BROKEN_OFF: Final = "The connection to the Gemini API broke off. Try again; --brain offline needs no network."
ODD: Final = "What the Gemini API answered is no reply of a model. Try again, and check --base-url if you gave one."
UNKNOWN: Final = "The Gemini SDK could not make the call. Check the name of the model, and --base-url if you gave one."
BLOCKED: Final = f"Gemini refused the prompt. Word the goal differently, or {OTHER_MODEL}."
SILENT: Final = f"Gemini gave an answer without text. Word the goal differently, or {OTHER_MODEL}."
STATUSES: Final = {401: REFUSED_KEY, 403: REFUSED_KEY, 404: UNKNOWN_MODEL, 429: LIMIT}


class GeminiBrain:
    """A Gemini model, asked over the network.

    Args:
        key: an API key of the Gemini API.
        model: any name that the service knows; None for `MODEL`.
        base_url: where a gateway speaks for the service.

    Raises:
        ModelError: there is no key, or it cannot be one.
    """

    def __init__(self, key: str | None, model: str | None = None, base_url: str | None = None) -> None:
        self._key = (key or "").strip()
        if not self._key:
            raise ModelError(NO_KEY)
        if not (self._key.isascii() and self._key.isprintable()):  # the HTTP client would quote it when it refuses it
            raise ModelError(BAD_KEY)
        self._model = model or MODEL
        self._base_url = base_url
        self.name = f"gemini:{self._model}"
        self.sight = SIGHT
        self.space: Space = "thousandths"

    def think(self, prompt: Prompt) -> Reply:
        """One request; it ends after `TIMEOUT` seconds, whatever the other side does.

        Raises:
            ModelError: there is no text to be had; the message says why and what to do, and never holds the key.
        """
        try:
            client = self._client  # made outside the time limit: it has nothing to do with the service
            # The HTTP client's own timeout begins anew with each byte, so a slow drip would outlive it.
            response = Control().call(partial(self._ask, client, prompt), TIMEOUT)
        except Exception as error:
            raise model_error(error, self._model, self._key) from error
        if not (text := response.text) or text.isspace():
            raise ModelError(_line(*_silence(response), self._key))
        first = response.candidates[0] if response.candidates else None
        cut_off = first is not None and first.finish_reason == "MAX_TOKENS"
        return Reply(text, _usage(response), cut_off)

    @cached_property
    def _client(self) -> "Client":
        """The SDK's client; whatever the environment says, it uses this key, and no Google Cloud credentials."""
        from google import genai  # noqa: PLC0415 - it takes more than a second, and most runs of MARK-I need none
        from google.genai import types  # noqa: PLC0415

        options = types.HttpOptions(base_url=self._base_url, api_version=API_VERSION, timeout=int(TIMEOUT * 1000))
        return genai.Client(api_key=self._key, vertexai=False, http_options=options)

    def _ask(self, client: "Client", prompt: Prompt) -> "GenerateContentResponse":
        from google.genai import types  # noqa: PLC0415 - as above

        parts = [types.Part.from_text(text=prompt.text)]
        if prompt.picture:
            parts.append(types.Part.from_bytes(data=prompt.picture.content, mime_type=prompt.picture.mime_type))
        content = types.Content(role="user", parts=parts)
        return client.models.generate_content(model=self._model, contents=content, config=_config(prompt))


def model_error(error: Exception, model: str, key: str) -> ModelError:
    """What the SDK or its HTTP client raised, as ours: one line with what happened, what to do, and what was said."""
    from google.genai.errors import APIError  # noqa: PLC0415 - the SDK is loaded when there is an error of it

    if isinstance(error, APIError):
        meaning, said = _status_meaning(error), f"{error.code} {error.status or ''} {error.message or ''}"
    else:
        meaning, said = _meaning(error), f"{type(error).__name__}: {error}".rstrip(": ")
    return ModelError(_line(meaning.format(model=model, seconds=TIMEOUT), said, key))


def _config(prompt: Prompt) -> "GenerateContentConfig":
    from google.genai import types  # noqa: PLC0415 - as above

    return types.GenerateContentConfig(
        system_instruction=prompt.system,
        temperature=0,
        response_mime_type="text/plain" if prompt.plain else "application/json",
        response_json_schema=None if prompt.plain else SCHEMA,
        automatic_continuation=False,  # otherwise one call may become any number of requests
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )


def _status_meaning(error: "APIError") -> str:
    """What an answer with an HTTP status other than 200 means."""
    if "API_KEY_INVALID" in _reasons(error.details):  # comes with 400, as a malformed request does
        return REFUSED_KEY
    return STATUSES.get(error.code) or (TROUBLE if error.code >= 500 else REFUSED)  # noqa: PLR2004 - 5xx: the server's


def _reasons(body: Any) -> list[Any]:  # noqa: ANN401 - JSON values have no narrower type
    """The machine-readable reasons in the body of an error: `{"error": {"details": [{"reason": ...}]}}`."""
    inner = body.get("error") if isinstance(body, Mapping) else None
    details = inner.get("details") if isinstance(inner, Mapping) else None
    return [each.get("reason") for each in details if isinstance(each, Mapping)] if isinstance(details, list) else []


def _meaning(error: Exception) -> str:
    """What an exception without an HTTP status means."""
    import httpx2  # noqa: PLC0415 - the HTTP client of the SDK, which is loaded when there is an error of it
    from google.genai import errors  # noqa: PLC0415
    from pydantic import ValidationError  # noqa: PLC0415

    # The SDK walks through an answer before it has checked it: the wrong shape ends as any of the last four.
    odd = (json.JSONDecodeError, UnicodeError, ValidationError, errors.UnknownApiResponseError, httpx2.DecodingError)
    odd_shape = (TypeError, AttributeError, LookupError, RecursionError)
    connection = (httpx2.HTTPError, httpx2.StreamError, httpx2.CookieConflict, errors.ContinuationInterruptedError)
    meanings: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
        ((TimeoutError, httpx2.TimeoutException), LATE),
        ((httpx2.InvalidURL, httpx2.UnsupportedProtocol), NO_ADDRESS),
        ((httpx2.ConnectError, httpx2.ProxyError), UNREACHABLE),
        ((*odd, *odd_shape), ODD),
        ((*connection, OSError), BROKEN_OFF),
    )
    return next((text for kinds, text in meanings if isinstance(error, kinds)), UNKNOWN)


def _silence(response: "GenerateContentResponse") -> tuple[str, str]:
    """Why there is no text, and what was said about it."""
    feedback = response.prompt_feedback
    if feedback and feedback.block_reason:
        return BLOCKED, feedback.block_reason.value
    if not response.candidates:
        return SILENT, "no candidates"
    reason = response.candidates[0].finish_reason
    return SILENT, reason.value if reason else "no finish reason"


def _usage(response: "GenerateContentResponse") -> Usage:
    """Thinking is paid for as output. Prices are not known here, so the cost is 0."""
    counts = response.usage_metadata
    if not counts:
        return Usage()
    return Usage(
        counts.prompt_token_count or 0, (counts.candidates_token_count or 0) + (counts.thoughts_token_count or 0)
    )


def _line(meaning: str, said: str, key: str) -> str:
    """One line. The key is taken out of what was said before that is cut, so that no part of it stays."""
    line = f"{meaning} (It said: {' '.join(said.replace(key, '[key]').split())})"
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 4]}...)"
