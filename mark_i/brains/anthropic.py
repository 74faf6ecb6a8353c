"""Anthropic's models, through Anthropic's SDK (the extra `anthropic`). The stable part of a prompt is cached.

Its schemas cannot leave `args` open, so none is sent: the prompt describes the form of a reply.
"""

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from mark_i.brain import Prompt, Space
from mark_i.brains.access import Access
from mark_i.brains.faults import BLOCKED, Diagnosis
from mark_i.brains.http import http_client
from mark_i.brains.openai_anthropic_faults import sdk_fault
from mark_i.brains.options import Negotiation, Option
from mark_i.brains.prices import Counts
from mark_i.brains.remote import MAX_REPLY_TOKENS, Answer, RemoteBrain, Unanswered, Vendor, checked_key, native_calls
from mark_i.extras import require
from world_model import Size

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

VENDOR: Final = Vendor("Anthropic API", "anthropic", "anthropic", "ANTHROPIC_API_KEY")
MODEL: Final = "claude-sonnet-5-5"  # unless another one is named
SIGHT_PX: Final = 1568  # pixels of the longer side
# The service scales pictures of more than 1,568 tokens down for these models, and they name places on the result.
SMALL_SIGHT_MODELS: Final = ("claude-3", "claude-haiku-4", "claude-sonnet-4", "claude-opus-4")
SMALL_SIGHT_PX: Final = 1200
FULL_SIGHT_MODELS: Final = ("claude-opus-4-7", "claude-opus-4-8")
CUT_OFF: Final = frozenset({"max_tokens", "model_context_window_exceeded"})
PAGE: Final = 1000  # models in one answer, the most that the service allows
PATCH_PX: Final = 28  # pixels of a side of what is counted as a token


def anthropic(model: str, access: Access) -> RemoteBrain:
    """Return a brain for one of Anthropic's models; an empty `model` is `MODEL`.

    Raises:
        UsageError: the SDK is not installed.
        ModelError: there is no key, or it cannot be one.
    """
    require("anthropic")
    key = checked_key(access.key_for(VENDOR.keys), VENDOR)
    return access.brain(AnthropicService(key, model or MODEL, access), model or MODEL, key)


class AnthropicService:
    """Anthropic's API through its SDK."""

    def __init__(self, key: str, model: str, access: Access) -> None:
        self.vendor = VENDOR
        near = model.startswith(SMALL_SIGHT_MODELS) and not model.startswith(FULL_SIGHT_MODELS)
        self.sight = access.scaled_sight(SMALL_SIGHT_PX if near else SIGHT_PX)
        self.space: Space = access.space("image")
        self._key, self._model, self._access = key, model, access
        self._negotiation = Negotiation(self.fault)

    def connect(self) -> Callable[[Prompt, int | None], Answer]:
        """Return a function that makes one request and returns its answer."""
        return partial(self._ask, self._client)

    def models(self) -> list[str]:
        """Ask for the models that can be chosen, newest first."""
        return [one.id for one in self._client.models.list(limit=PAGE)]

    def fault(self, error: Exception) -> Diagnosis:
        """Diagnose an exception of the SDK, or of the HTTP client below it."""
        import anthropic as sdk  # noqa: PLC0415 - it takes a second, and most runs need none

        return sdk_fault(error, sdk)

    def picture_tokens(self, size: Size) -> int:
        """Estimate how many tokens a picture counts as."""
        return -(-size.width // PATCH_PX) * -(-size.height // PATCH_PX)

    @cached_property
    def _client(self) -> "Anthropic":
        """The SDK's client, with this key and this address; headers that it finds in the environment are sent too."""
        from anthropic import Anthropic  # noqa: PLC0415 - as above

        seconds = self._access.seconds
        address = self._access.base_url or "https://api.anthropic.com"
        return Anthropic(
            api_key=self._key, base_url=address, timeout=seconds, max_retries=0, http_client=http_client(seconds)
        )

    def _ask(self, client: "Anthropic", prompt: Prompt, longest: int | None) -> Answer:
        content: list[dict[str, Any]] = [{"type": "text", "text": prompt.text}]
        for picture in prompt.pictures:
            source = {"type": "base64", "media_type": picture.mime_type, "data": picture.base64}
            content.append({"type": "image", "source": source})
        stable: Any = [{"type": "text", "text": prompt.system, "cache_control": {"type": "ephemeral"}}]
        messages: Any = [{"role": "user", "content": content}]
        create: Any = partial(client.messages.create, model=self._model, max_tokens=longest or MAX_REPLY_TOKENS)
        ask = partial(create, system=stable, messages=messages)
        return _answer(*self._negotiation.ask(ask, self._options()))

    def _options(self) -> list[Option]:
        """Return the options that not every model takes."""
        level = self._access.thinking
        return [Option(("effort", "outputconfig"), {"output_config": {"effort": level}})] if level else []


def _answer(message: "Message", notices: tuple[str, ...]) -> Answer:
    text = "".join(block.text for block in message.content if block.type == "text")
    if message.stop_reason == "refusal":
        raise Unanswered(BLOCKED, "refusal")
    if calls := [block for block in message.content if block.type == "tool_use"]:  # as with OpenAI's models
        text = native_calls(text, [(call.name, call.input) for call in calls])
    cut_off, ended = message.stop_reason in CUT_OFF, str(message.stop_reason)
    return Answer(text, _counts(message), cut_off, notices, ended)


def _counts(message: "Message") -> Counts:
    """Of the three counts of input, each leaves out what the others count."""
    usage = message.usage
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    return Counts(usage.input_tokens + read + written, usage.output_tokens, read, written)
