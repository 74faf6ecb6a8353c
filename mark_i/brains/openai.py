"""OpenAI's chat completions, through OpenAI's SDK; with another address, any service that speaks the protocol.

These are Ollama, vLLM, LM Studio, llama.cpp, OpenRouter and most others. Not covered: the responses API.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from mark_i.brain import Prompt, Space
from mark_i.brains.access import Access
from mark_i.brains.faults import BLOCKED, REFUSED_KEY, TROUBLE, WANTS_KEY, Diagnosis, status_meaning, words_of
from mark_i.brains.http import http_client
from mark_i.brains.openai_anthropic_faults import sdk_fault
from mark_i.brains.options import SCHEMA, SCHEMA_WORDS, Negotiation, Option
from mark_i.brains.prices import Counts
from mark_i.brains.remote import Answer, RemoteBrain, Unanswered, Vendor, checked_key, native_calls
from mark_i.extras import require
from world_model import Size

if TYPE_CHECKING:
    from openai import OpenAI
    from openai.types.chat import ChatCompletion

VENDOR: Final = Vendor("OpenAI API", "openai", "openai", "OPENAI_API_KEY")
MODEL: Final = "gpt-6.2-sol"  # unless another one is named
SIGHT_PX: Final = 1920  # pixels of the longer side; what has more than 2,500 patches is scaled down by the service
DETAIL: Final = {"low": "low", "medium": "auto", "high": "high"}
PATCH_PX: Final = 32  # pixels of a side
TOKENS_PER_PATCH: Final = 1.2
# Parts of the names of OpenAI's models that do not chat about a picture.
NO_CHAT: Final = re.compile(
    r"embedding|moderation|whisper|tts|audio|realtime|transcribe|translate|image|dall-e|sora|codex|search|instruct"
    r"|^(?:babbage|davinci|gpt-3)"
)
ANY_KEY: Final = "none"  # for a local service that needs no key; the SDK wants one
FORMAT: Final = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": False}}


def openai(model: str, access: Access) -> RemoteBrain:
    """Return a brain for a model behind OpenAI's protocol; an empty `model` is `MODEL`.

    Raises:
        UsageError: the SDK is not installed.
        ModelError: there is no key where one is needed, or it cannot be one.
    """
    require("openai")
    vendor, key = VENDOR, access.key_for(VENDOR.keys)
    if access.base_url:
        vendor = replace(VENDOR, title=f"service at {urlsplit(access.base_url).netloc}")
        key = key or ANY_KEY
    key = checked_key(key, vendor)
    return access.brain(OpenAIService(key, model or MODEL, access, vendor), model or MODEL, key)


class OpenAIService:
    """OpenAI's protocol through its SDK."""

    def __init__(self, key: str, model: str, access: Access, vendor: Vendor) -> None:
        self.vendor = vendor
        self.sight = access.sight(SIGHT_PX)
        self.space: Space = access.space("image")
        self._key, self._model, self._access = key, model, access
        self._negotiation = Negotiation(self.fault)

    def connect(self) -> Callable[[Prompt, int | None], Answer]:
        """Return a function that makes one request and returns its answer."""
        return partial(self._ask, self._client)

    def models(self) -> list[str]:
        """Ask for the models that can be chosen, newest first; OpenAI's own list has others, too."""
        found = sorted(self._client.models.list(), key=lambda one: -(one.created or 0))
        names = [one.id for one in found]
        return names if self._access.base_url else [name for name in names if not NO_CHAT.search(name)]

    def fault(self, error: Exception) -> Diagnosis:
        """Diagnose an exception of the SDK, or of the HTTP client below it."""
        import openai as sdk  # noqa: PLC0415 - it takes a second, and most runs need none

        fault = sdk_fault(error, sdk)
        if self._key == ANY_KEY and fault.meaning == REFUSED_KEY:
            return replace(fault, meaning=WANTS_KEY)
        return fault

    def picture_tokens(self, size: Size) -> int:
        """Estimate how many tokens a picture counts as."""
        return int(-(-size.width // PATCH_PX) * -(-size.height // PATCH_PX) * TOKENS_PER_PATCH)

    @cached_property
    def _client(self) -> "OpenAI":
        """The SDK's client, with this key and this address; headers that it finds in the environment are sent too."""
        from openai import OpenAI  # noqa: PLC0415 - as above

        seconds = self._access.seconds
        return OpenAI(
            api_key=self._key,
            base_url=self._access.base_url or "https://api.openai.com/v1",
            organization="",
            project="",
            timeout=seconds,
            max_retries=0,
            http_client=http_client(seconds),
        )

    def _ask(self, client: "OpenAI", prompt: Prompt, longest: int | None) -> Answer:
        user = {"role": "user", "content": self._content(prompt)}
        messages: Any = [{"role": "system", "content": prompt.system}, user]
        ask = partial(client.chat.completions.create, model=self._model, messages=messages)
        return _answer(*self._negotiation.ask(ask, self._options(prompt, longest)))

    def _content(self, prompt: Prompt) -> str | list[dict[str, Any]]:
        """Return the user's message: plain text without an image, since some services read no list of parts."""
        if not prompt.pictures:
            return prompt.text
        detail = DETAIL[self._access.image_detail]
        images = [{"url": f"data:{one.mime_type};base64,{one.base64}", "detail": detail} for one in prompt.pictures]
        shown = [{"type": "image_url", "image_url": image} for image in images]
        return [{"type": "text", "text": prompt.text}, *shown]

    def _options(self, prompt: Prompt, longest: int | None) -> list[Option]:
        """Return the options that not every model takes."""
        options = []
        if self._access.base_url:  # OpenAI's own models no longer take a temperature
            options.append(Option(("temperature",), {"temperature": 0}))
        if not prompt.plain:
            options.append(Option(("responseformat", *SCHEMA_WORDS), {"response_format": FORMAT}, silent=True))
        if self._access.thinking:
            options.append(Option(("reasoningeffort",), {"reasoning_effort": self._access.thinking}))
        if longest:
            options.append(Option(("maxcompletiontokens",), {"max_completion_tokens": longest}))
        return options


def _answer(response: "ChatCompletion", notices: tuple[str, ...]) -> Answer:
    if not response.choices and (error := getattr(response, "error", None)):  # how some gateways report errors
        code = error.get("code") if isinstance(error, dict) else None
        raise Unanswered(status_meaning(code) if isinstance(code, int) else TROUBLE, words_of(error))
    if not response.choices:
        return Answer("", _counts(response), notices=notices, ended="no choices")
    first = response.choices[0]
    if first.finish_reason == "content_filter" or first.message.refusal:
        raise Unanswered(BLOCKED, first.message.refusal or "content_filter")
    text = _text(first.message.content)
    if calls := first.message.tool_calls:  # though none was offered
        functions = [one.function for one in calls if one.type == "function"]
        text = native_calls(text, [(function.name, function.arguments) for function in functions])
    cut_off, ended = first.finish_reason == "length", str(first.finish_reason)
    return Answer(text, _counts(response), cut_off, notices, ended)


def _text(content: Any) -> str:  # noqa: ANN401 - the SDK passes on whatever a service sent
    """Return the text of a message: some services send a list of parts, and its thinking is not part of the reply."""
    if not isinstance(content, list):
        return content or ""
    texts = [part.get("text") if isinstance(part, dict) else part for part in content]
    return "".join(text for text in texts if isinstance(text, str))


def _counts(response: "ChatCompletion") -> Counts:
    usage = response.usage
    if not usage:
        return Counts()
    details = usage.prompt_tokens_details
    read, written = (details.cached_tokens, details.cache_write_tokens) if details else (0, 0)
    return Counts(usage.prompt_tokens or 0, usage.completion_tokens or 0, read or 0, written or 0)
