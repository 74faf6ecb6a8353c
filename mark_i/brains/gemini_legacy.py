"""Gemini through `google-generativeai`, which is no longer supported (the extra `gemini-legacy`).

It takes neither a reply schema nor a level of thinking; for less detail it gets a smaller picture.
"""

import re
import warnings
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, Final

from mark_i.brain import Prompt, Space
from mark_i.brains.access import Access
from mark_i.brains.faults import BLOCKED, BROKEN_OFF, LATE, NO_ADDRESS, ODD, UNKNOWN, UNREACHABLE, Diagnosis, Meaning
from mark_i.brains.gemini import BLOCKING, MODEL, PAGE, PICTURE_TOKENS, SIGHT_PX, model_names
from mark_i.brains.google_faults import google_fault
from mark_i.brains.http import http_fault
from mark_i.brains.prices import Counts
from mark_i.brains.remote import Answer, RemoteBrain, Unanswered, Vendor, checked_key, native_calls
from mark_i.extras import require
from world_model import Size

VENDOR: Final = Vendor("Gemini API", "gemini-legacy", "gemini", "GEMINI_API_KEY")
REFUSED: Final = re.compile("Failed to establish a new connection|NameResolutionError|Tunnel connection failed")


def gemini_legacy(model: str, access: Access) -> RemoteBrain:
    """Return a brain for a Gemini model; an empty `model` is the default of `gemini`.

    Raises:
        UsageError: the SDK is not installed.
        ModelError: there is no key, or it cannot be one.
    """
    require("gemini-legacy")
    key = checked_key(access.key_for(VENDOR.keys), VENDOR)
    return access.brain(LegacyService(key, model or MODEL, access), model or MODEL, key)


class LegacyService:
    """Gemini's API through the old SDK, which keeps one key for the whole process: the newest."""

    def __init__(self, key: str, model: str, access: Access) -> None:
        self.vendor = VENDOR
        self.sight = access.scaled_sight(SIGHT_PX)
        self.space: Space = access.space("thousandths")
        self._key, self._model, self._access = key, model, access

    def connect(self) -> Callable[[Prompt, int | None], Answer]:
        """Return a function that makes one request and returns its answer."""
        return partial(self._ask, self._sdk)

    def models(self) -> list[str]:
        """Ask for the models that can be chosen."""
        options = {"timeout": self._access.seconds, "retry": None}
        listed = self._sdk.list_models(page_size=PAGE, request_options=options)
        return model_names((one.name, one.supported_generation_methods) for one in listed)

    def fault(self, error: Exception) -> Diagnosis:
        """Diagnose an exception of the SDK, or of requests below it."""
        from google.api_core.exceptions import GoogleAPICallError, GoogleAPIError, RetryError  # noqa: PLC0415 - as for _sdk
        from google.generativeai.types import BlockedPromptException, StopCandidateException  # noqa: PLC0415
        from google.protobuf.json_format import ParseError  # noqa: PLC0415
        from requests import RequestException  # noqa: PLC0415
        from urllib3.exceptions import HTTPError  # noqa: PLC0415

        said = f"{type(error).__name__}: {error}"
        if isinstance(error, GoogleAPICallError):
            details = [one for one in error.details if isinstance(one, Mapping)]
            headers = getattr(error.response, "headers", None) or {}
            return google_fault(int(error.code or 0), f"{error.code} {error.message}", details, headers)
        if isinstance(error, RequestException):
            return Diagnosis(_http_meaning(error), said)
        if isinstance(error, BlockedPromptException | StopCandidateException):
            return Diagnosis(BLOCKED, said)
        if isinstance(error, HTTPError):
            return Diagnosis(BROKEN_OFF, said)
        if isinstance(error, ParseError | RetryError):
            return Diagnosis(ODD if isinstance(error, ParseError) else LATE, said)
        return Diagnosis(UNKNOWN, said) if isinstance(error, GoogleAPIError) else http_fault(error)

    def picture_tokens(self, size: Size) -> int:  # noqa: ARG002 - it is the same for all sizes
        """Estimate how many tokens a picture counts as."""
        return PICTURE_TOKENS["high"]

    @cached_property
    def _sdk(self) -> Any:  # noqa: ANN401 - the SDK ships no types
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns at each import that its support has ended
            from google import generativeai  # noqa: PLC0415 - it takes two seconds, and few need it
        options = {"api_endpoint": self._access.base_url} if self._access.base_url else {}
        sdk: Any = generativeai
        sdk.configure(api_key=self._key, transport="rest", client_options=options)
        return sdk

    def _ask(self, sdk: Any, prompt: Prompt, longest: int | None) -> Answer:  # noqa: ANN401 - as above
        model = sdk.GenerativeModel(self._model, system_instruction=prompt.system)
        contents: list[Any] = [prompt.text]
        contents += [{"mime_type": one.mime_type, "data": one.content} for one in prompt.pictures]
        kind = "text/plain" if prompt.plain else "application/json"
        config = {"temperature": 0, "response_mime_type": kind, "max_output_tokens": longest}
        # By default the SDK retries for ten minutes.
        options = {"timeout": self._access.seconds, "retry": None}
        return _answer(model.generate_content(contents, generation_config=config, request_options=options))


def _http_meaning(error: Exception) -> Meaning:
    import requests.exceptions as kinds  # noqa: PLC0415 - as above

    meanings: tuple[tuple[tuple[type[Exception], ...], Meaning], ...] = (
        ((kinds.Timeout,), LATE),
        ((kinds.InvalidURL, kinds.InvalidSchema, kinds.MissingSchema, kinds.InvalidProxyURL), NO_ADDRESS),
        ((kinds.ProxyError, kinds.SSLError), UNREACHABLE),
        ((kinds.JSONDecodeError, kinds.ContentDecodingError, kinds.TooManyRedirects), ODD),
    )
    found = next((text for classes, text in meanings if isinstance(error, classes)), None)
    return found or (UNREACHABLE if REFUSED.search(str(error)) else BROKEN_OFF)


def _answer(response: Any) -> Answer:  # noqa: ANN401 - as above
    first = response.candidates[0] if response.candidates else None
    reason = first.finish_reason.name if first else "no candidates"
    parts = first.content.parts if first else ()
    text = "".join(part.text for part in parts)
    if not first and response.prompt_feedback.block_reason:
        raise Unanswered(BLOCKED, response.prompt_feedback.block_reason.name)
    if reason in BLOCKING:
        raise Unanswered(BLOCKED, reason)
    if calls := [part.function_call for part in parts if part.function_call]:
        called = [type(call).to_dict(call) for call in calls]
        text = native_calls(text, [(call["name"], call["args"]) for call in called])
    return Answer(text, _counts(response.usage_metadata), reason == "MAX_TOKENS", ended=reason)


def _counts(usage: Any) -> Counts:  # noqa: ANN401 - as above
    """Count the tokens. Thinking is only in the total; it is paid for as output."""
    output = max(usage.candidates_token_count, usage.total_token_count - usage.prompt_token_count)
    return Counts(usage.prompt_token_count, output, usage.cached_content_token_count)
