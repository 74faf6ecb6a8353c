"""Gemini, through Google's SDK `google-genai`: one prompt is one request and one reply.

Not covered: the SDK's retries and continuations (one call is one request).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from mark_i.brain import Prompt, Space
from mark_i.brains.access import Access
from mark_i.brains.faults import BLOCKED, BROKEN_OFF, ODD, Diagnosis, words_of
from mark_i.brains.google_faults import details_of, google_fault
from mark_i.brains.http import client_options, http_fault
from mark_i.brains.options import SCHEMA, SCHEMA_WORDS, Negotiation, Option
from mark_i.brains.prices import Counts
from mark_i.brains.remote import Answer, RemoteBrain, Unanswered, Vendor, checked_key, native_calls
from mark_i.extras import require
from world_model import Size

if TYPE_CHECKING:
    from google.genai import Client
    from google.genai.types import GenerateContentResponse

NATIVE: Final = "gemini-computer"  # the brain that uses the model's own functions for mouse and keyboard
# They complement our JSON form, which covers what has no function: other tools, and the end.
FUNCTIONS: Final = (
    "# Mouse and keyboard\nUse your own functions for the mouse and the keyboard, one in a reply. For every other "
    "tool, and for the end, reply with the JSON that is described above."
)
VENDOR: Final = Vendor("Gemini API", "gemini", "gemini", "GEMINI_API_KEY")
MODEL: Final = "gemini-3.8-flash"  # unless another one is named
SIGHT_PX: Final = 1440  # Google's guide to computer use recommends a screen of 1440 x 900 pixels
API_VERSION: Final = "v1beta"  # `v1`, the SDK's own choice, does not know names such as `gemini-flash-latest`

PAGE: Final = 1000  # models in one answer, the most that the service allows
PICTURE_TOKENS: Final = {"low": 280, "medium": 560, "high": 1120}
THINKING_TOKENS: Final = {
    "low": 1024,
    "medium": 8192,
    "high": 24576,
}  # tokens; what came after these models is told a level
BUDGETED: Final = ("gemini-2.",)
# Ends of a reply for its content; a safety filter is not asked twice.
BLOCKING: Final = frozenset(
    {
        "SAFETY",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "MODEL_ARMOR",
    }
)


def gemini(model: str, access: Access) -> RemoteBrain:
    """Return a brain for a Gemini model; an empty `model` is `MODEL`.

    Raises:
        UsageError: the SDK is not installed.
        ModelError: there is no key, or it cannot be one.
    """
    return _brain(VENDOR, model, access)


def gemini_computer(model: str, access: Access) -> RemoteBrain:
    """Return the same with the desktop functions that these models were trained on, and Google's safety checks.

    Raises:
        UsageError: the SDK is not installed.
        ModelError: there is no key, or it cannot be one.
    """
    return _brain(replace(VENDOR, brain=NATIVE), model, access)


def _brain(vendor: Vendor, model: str, access: Access) -> RemoteBrain:
    require("gemini")
    key = checked_key(access.key_for(vendor.keys), vendor)
    return access.brain(GeminiService(key, model or MODEL, access, vendor), model or MODEL, key)


class GeminiService:
    """Gemini's API through the SDK."""

    def __init__(self, key: str, model: str, access: Access, vendor: Vendor) -> None:
        self.vendor = vendor
        native = vendor.brain == NATIVE  # its functions name places in one way only
        self.sight = SIGHT_PX if native else access.sight(SIGHT_PX)
        self.space: Space = "thousandths" if native else access.space("thousandths")
        self._key, self._model, self._access = key, model, access
        self._negotiation = Negotiation(self.fault)

    def connect(self) -> Callable[[Prompt, int | None], Answer]:
        """Return a function that makes one request and returns its answer."""
        return partial(self._ask, self._client)

    def models(self) -> list[str]:
        """Ask for the models that can be chosen."""
        listed = self._client.models.list(config={"page_size": PAGE})
        return model_names((one.name, one.supported_actions) for one in listed)

    def fault(self, error: Exception) -> Diagnosis:
        """Diagnose an exception of the SDK, or of the HTTP client below it."""
        from google.genai.errors import APIError, ContinuationInterruptedError, UnknownApiResponseError  # noqa: PLC0415

        if isinstance(error, APIError):
            said = f"{error.code} {error.status or ''} {error.message or words_of(error.details)}"
            headers = getattr(error.response, "headers", None) or {}
            return google_fault(error.code, said, details_of(error.details), headers)
        if isinstance(error, UnknownApiResponseError | ContinuationInterruptedError):
            meaning = ODD if isinstance(error, UnknownApiResponseError) else BROKEN_OFF
            return Diagnosis(meaning, f"{type(error).__name__}: {error}")
        return http_fault(error)

    def picture_tokens(self, size: Size) -> int:  # noqa: ARG002 - it is the same for all sizes
        """Estimate how many tokens a picture counts as."""
        return PICTURE_TOKENS[self._access.image_detail]

    @cached_property
    def _client(self) -> "Client":
        """The SDK's client. It uses this key and no Google Cloud credentials, whatever the environment says."""
        from google import genai  # noqa: PLC0415 - it takes more than a second, and most runs of MARK-I need none
        from google.genai import types  # noqa: PLC0415

        options = types.HttpOptions(
            base_url=self._access.base_url,
            api_version=API_VERSION,
            timeout=int(self._access.seconds * 1000),
            client_args=client_options(self._access.seconds),
        )
        return genai.Client(api_key=self._key, vertexai=False, http_options=options)

    def _ask(self, client: "Client", prompt: Prompt, longest: int | None) -> Answer:
        from google.genai import types  # noqa: PLC0415 - as above

        parts = [types.Part.from_text(text=prompt.text)]
        parts += [types.Part.from_bytes(data=one.content, mime_type=one.mime_type) for one in prompt.pictures]
        content = types.Content(role="user", parts=parts)
        system = f"{prompt.system}\n\n{FUNCTIONS}" if self._native(prompt) else prompt.system

        def ask(**options: Any) -> "GenerateContentResponse":  # noqa: ANN401 - each has its own type
            """Send one request with these options."""
            config = types.GenerateContentConfig(
                system_instruction=system,
                automatic_continuation=False,  # otherwise one call may become any number of requests
                automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
                max_output_tokens=longest,
                tools=self._tools() if self._native(prompt) else None,
                **options,
            )
            return client.models.generate_content(model=self._model, contents=content, config=config)

        return _answer(*self._negotiation.ask(ask, self._options(prompt)))

    def _native(self, prompt: Prompt) -> bool:
        """Whether to offer the model's own functions: if it sees the screen and an action is wanted."""
        return self.vendor.brain == NATIVE and prompt.picture is not None and not prompt.plain

    def _tools(self) -> list[Any]:
        from google.genai import types  # noqa: PLC0415 - as above

        desktop = types.Environment.ENVIRONMENT_DESKTOP
        return [types.Tool(computer_use=types.ComputerUse(environment=desktop, enable_prompt_injection_detection=True))]

    def _options(self, prompt: Prompt) -> list[Option]:
        """Return the options that not every model takes."""
        from google.genai import types  # noqa: PLC0415 - as above

        options = [Option(("temperature",), {"temperature": 0})]
        if not prompt.plain and not self._native(prompt):
            schema = {"response_mime_type": "application/json", "response_json_schema": SCHEMA}
            options.append(Option(("responsemimetype", *SCHEMA_WORDS), schema, silent=True))
        if prompt.picture:
            resolution = f"MEDIA_RESOLUTION_{self._access.image_detail.upper()}"
            options.append(Option(("mediaresolution",), {"media_resolution": resolution}))
        if level := self._access.thinking:
            budgeted = self._model.startswith(BUDGETED)
            how = {"thinking_budget": THINKING_TOKENS[level]} if budgeted else {"thinking_level": level.upper()}
            options.append(Option(("thinking",), {"thinking_config": types.ThinkingConfig.model_validate(how)}))
        return options


def model_names(listed: Iterable[tuple[str | None, Sequence[str] | None]]) -> list[str]:
    """Return the names of the listed models that write texts; each comes with what it can do."""
    return [(name or "").removeprefix("models/") for name, able in listed if "generateContent" in (able or ())]


def _answer(response: "GenerateContentResponse", notices: tuple[str, ...]) -> Answer:
    first = response.candidates[0] if response.candidates else None
    reason = first.finish_reason.value if first and first.finish_reason else "no finish reason"
    parts = (first.content.parts if first and first.content else None) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    feedback = response.prompt_feedback
    if not first and feedback and feedback.block_reason:
        raise Unanswered(BLOCKED, feedback.block_reason.value)
    if reason in BLOCKING:
        raise Unanswered(BLOCKED, reason)
    if calls := [part.function_call for part in parts if part.function_call]:
        text = native_calls(text, [(call.name or "", call.args or {}) for call in calls])
    ended = reason if first else "no candidates"
    return Answer(text, _counts(response), reason == "MAX_TOKENS", notices, ended)


def _counts(response: "GenerateContentResponse") -> Counts:
    """Thinking is paid for as output, and what a tool brought as input."""
    counts = response.usage_metadata
    if not counts:
        return Counts()
    return Counts(
        (counts.prompt_token_count or 0) + (counts.tool_use_prompt_token_count or 0),
        (counts.candidates_token_count or 0) + (counts.thoughts_token_count or 0),
        counts.cached_content_token_count or 0,
    )
