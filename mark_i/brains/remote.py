"""What all models reached over a network share: a time limit, a price, and errors in one line."""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Final, Protocol

from mark_i.brain import Prompt, Reply, Space, tokens_in
from mark_i.brains.prices import Counts, Price
from mark_i.prompts.screenshot import size_of
from toolbelt.control import Control
from world_model import BusyError, ModelError, Size, Usage

TIMEOUT_S: Final = 60.0  # seconds for one call, from the first lookup of a name to the last byte
MAX_MESSAGE_CHARS: Final = 600  # of an error message; only the service's own words are cut
MAX_REPLY_CHARS: Final = 1_000_000  # a decision has a few hundred
MAX_CALL_TOKENS: Final = 10**9  # real calls have a million at most
MAX_REPLY_TOKENS: Final = 16_000  # including thinking, if the service requires a limit
EXPECTED_OUTPUT_TOKENS: Final = 300  # of a reply, until the first one is counted
MIN_KEY_CHARS: Final = 8  # anything shorter is not a key, and would be redacted within other words

OTHER_MODEL: Final = "name another model with --brain {brain}:MODEL"
NO_KEY: Final = (
    "The {title} needs an API key. Save one on the Settings page of the window or with "
    "`mark-i config set {keys}.key`, or set {variable}; or use --brain offline, which needs none."
)
BAD_KEY: Final = (
    "The API key for the {title} has characters in it that no key has. Check {variable}, or save the key again on the "
    "Settings page of the window or with `mark-i config set {keys}.key`; or use --brain offline, which needs none."
)
REFUSED_KEY: Final = (
    "The {title} refused the key. Check {variable}, or the key saved on the Settings page of the window or with "
    "`mark-i config set {keys}.key`, and what it may be used for; or use --brain offline, which needs none."
)
NO_CREDIT: Final = "The account at the {title} has no credit left. Add some there, or {other}."
UNKNOWN_MODEL: Final = "The {title} has no model {model}. Please {other}, and check --base-url if you gave one."
LIMIT: Final = "The {title} accepts no more requests for now: a limit is reached. Wait a minute, or {other}."
REFUSED: Final = "The {title} did not accept the request. Please {other}, and check --base-url if you gave one."
TROUBLE: Final = "The {title} has an internal problem. Try again in a minute, or {other}."
LATE: Final = (
    "The {title} gave no answer within {seconds:g} seconds. Try again, {other}, or allow more on the "
    "Settings page of the window or with `mark-i config set model_seconds`."
)
NO_ADDRESS: Final = "The address of the {title} is not valid. Check --base-url."
UNREACHABLE: Final = (
    "The {title} cannot be reached. Check the network, the proxy, and --base-url if you gave one; "
    "--brain offline needs no network."
)
BROKEN_OFF: Final = "The connection to the {title} broke off. Try again; --brain offline needs no network."
ODD: Final = "The answer of the {title} is not a reply of a model. Try again, and check --base-url if you gave one."
UNKNOWN: Final = (
    "The SDK for the {title} could not make the call. Check the name of the model, and --base-url if you gave one."
)
BLOCKED: Final = "The {title} refused the prompt. Word the goal differently, or {other}."
BLIND: Final = (
    "The model {model} takes no images. Name one that sees with --brain {brain}:MODEL, let another model describe the "
    "screen with --vision-brain, or work without images: `mark-i config set coordinates marks`."
)

# How services refuse an image, and what they say of an image that has a fault.
NO_IMAGES: Final = re.compile(
    r"(?=.*(?:image|vision|multi-?modal))"
    r".*(?:support|unknown variant|at most 0|not a multi-?modal|text[- ]only|mmproj|cannot process|not allowed)",
    re.IGNORECASE | re.DOTALL,
)
BAD_IMAGE: Final = re.compile(
    r"format|mime|media[ _]type|too (?:large|big|many)|size|dimension|resolution", re.IGNORECASE
)

# What a model is told about a reply without text, by the service's word for how it ended.
EMPTY: Final = "The reply is empty ({ended})."
BAD_CALL: Final = "Call no function: write the JSON as plain text."
ENDED_BY: Final[Mapping[str, str]] = {
    "MALFORMED_FUNCTION_CALL": BAD_CALL,
    "UNEXPECTED_TOOL_CALL": BAD_CALL,
    "TOO_MANY_TOOL_CALLS": BAD_CALL,
    "MALFORMED_RESPONSE": "Write nothing but one JSON object.",
    "RECITATION": "The service withheld it since it repeats a published text: use your own words.",
    "LANGUAGE": "The service does not know its language: write in English.",
}

TEMPORARY: Final = frozenset({LIMIT, TROUBLE, UNREACHABLE, BROKEN_OFF})  # the same call may work later
STATUSES: Final = {401: REFUSED_KEY, 402: NO_CREDIT, 403: REFUSED_KEY, 404: UNKNOWN_MODEL, 408: TROUBLE, 429: LIMIT}


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor of models, as messages name it.

    Attributes:
        title: as in "The ... cannot be reached".
        brain: as in `--brain`.
        keys: the name under which its key is saved.
        variable: the environment variable for the key.
    """

    title: str
    brain: str
    keys: str
    variable: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What an exception of an SDK means.

    Attributes:
        meaning: one of the texts above.
        said: what the service or the SDK said.
        wait: the seconds that the service asks to wait; None if it does not say.
    """

    meaning: str
    said: str
    wait: float | None = None


class Unanswered(Exception):  # noqa: N818 - never leaves a brain
    """The answer has no text of a model."""

    def __init__(self, meaning: str, said: str) -> None:
        super().__init__(said)
        self.fault = Diagnosis(meaning, said)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said, and its token counts.

    Attributes:
        ended: the service's word for how the reply ended.
    """

    text: str
    counts: Counts
    cut_off: bool = False
    notices: tuple[str, ...] = ()
    ended: str = ""


class Service(Protocol):
    """The part that differs between vendors."""

    vendor: Vendor
    sight: int
    space: Space

    def connect(self) -> Callable[[Prompt, int | None], Answer]:
        """Return a function that makes one request, given a limit of reply tokens. Loads the SDK (a second)."""

    def fault(self, error: Exception) -> Diagnosis:
        """Diagnose an exception of the SDK, or of the HTTP client below it."""

    def picture_tokens(self, size: Size) -> int:
        """Estimate how many tokens a picture counts as."""


class RemoteBrain:
    """A model reached over a network: one thought is one request.

    Args:
        service: the vendor's API.
        model: any name that the service knows.
        key: redacted in every message.
        price: of the model; None if it is unknown.
        seconds: the time limit of one call, whatever the service does.
    """

    stateless = True

    def __init__(
        self, service: Service, model: str, key: str, price: Price | None = None, seconds: float = TIMEOUT_S
    ) -> None:
        self.name = f"{service.vendor.brain}:{model}"
        self.sight = service.sight
        self.space: Space = service.space
        self.price = price
        self._service, self._model, self._key, self._seconds = service, model, key, seconds

    def think(self, prompt: Prompt) -> Reply:
        """Make one request.

        Raises:
            BusyError: the same call may work later.
            ModelError: there is no reply; the message says why and what to do, and never contains the key.
        """
        try:
            ask = self._service.connect()  # loads the SDK, which does not count towards the time limit
            # The HTTP client's own timeout starts again with each byte, so a slow trickle would outlast it.
            answer = Control().call(partial(ask, prompt, self._longest(prompt)), self._seconds)
        except Exception as error:  # noqa: BLE001 - an SDK raises what it likes; all of it has a meaning
            fault = self._fault(error)
            if prompt.picture and _is_blind(fault):
                fault = replace(fault, meaning=BLIND)
            raise self._told(fault) from None  # its message may contain the key, which is redacted here
        if len(answer.text) > MAX_REPLY_CHARS:
            raise self._told(Diagnosis(ODD, f"{len(answer.text)} characters"))
        if odd := [count for count in astuple(answer.counts) if not _is_count(count)]:  # no limit could be kept
            raise self._told(Diagnosis(ODD, f"{odd[0]!r:.99} as a number of tokens"))
        flaw = "" if answer.cut_off else _flaw(answer)
        return Reply(answer.text, self._usage(answer.counts), answer.cut_off, answer.notices, flaw)

    def expected(self, prompt: Prompt) -> Usage:
        """Estimate what a call costs."""
        pictures = sum(self._service.picture_tokens(size_of(one)) for one in prompt.pictures)
        return self._usage(Counts(tokens_in(prompt.system + prompt.text) + pictures, EXPECTED_OUTPUT_TOKENS))

    def _longest(self, prompt: Prompt) -> int | None:
        """Return how many tokens the reply may have for the money that is left; None without a limit."""
        if prompt.usd_left is None or self.price is None:
            return None
        expected = self.expected(prompt)
        return min(MAX_REPLY_TOKENS, self.price.affordable(Counts(expected.input_tokens), prompt.usd_left))

    def _usage(self, counts: Counts) -> Usage:
        cost = self.price.of(counts) if self.price else None
        return Usage(counts.input, counts.output, cost, counts.cached)

    def _told(self, fault: Diagnosis) -> ModelError:
        """Return our error for a fault: one line with what happened, what to do, and what was said."""
        vendor = self._service.vendor
        meaning = fault.meaning.format(
            title=vendor.title,
            brain=vendor.brain,
            keys=vendor.keys,
            variable=vendor.variable,
            model=self._model,
            seconds=self._seconds,
            other=OTHER_MODEL.format(brain=vendor.brain),
        )
        line = _line(meaning, fault.said, self._key)
        return BusyError(line, fault.wait) if fault.meaning in TEMPORARY else ModelError(line)

    def _fault(self, error: Exception) -> Diagnosis:
        if isinstance(error, Unanswered):
            return error.fault
        if isinstance(error, TimeoutError) and not str(error):  # ours
            return Diagnosis(LATE, "TimeoutError")
        return self._service.fault(error)


def _flaw(answer: Answer) -> str:
    """Say what is wrong with an answer without text; nothing with any other."""
    if answer.text and not answer.text.isspace():
        return ""
    return " ".join(filter(None, (EMPTY.format(ended=answer.ended), ENDED_BY.get(answer.ended))))


def _is_blind(fault: Diagnosis) -> bool:
    """Whether a service refused an image because the model sees none."""
    refused = fault.meaning in {REFUSED, TROUBLE, UNKNOWN_MODEL}
    return refused and bool(NO_IMAGES.search(fault.said)) and not BAD_IMAGE.search(fault.said)


def native_calls(said: str, calls: Sequence[tuple[str, Any]]) -> str:
    """Return native function calls, and the text beside them, as a reply in our JSON form."""
    actions = [{"tool": name, "args": args} for name, args in calls]
    return json.dumps({"thought": said, "action": actions}, ensure_ascii=False)


def checked_key(key: str | None, vendor: Vendor) -> str:
    """Return the key, if it can be one.

    Raises:
        ModelError: there is no key, or it has characters that an HTTP client would reject and quote.
    """
    found = (key or "").strip()
    words = {"title": vendor.title, "keys": vendor.keys, "variable": vendor.variable}
    if not found:
        raise ModelError(NO_KEY.format(**words))
    if not (found.isascii() and found.isprintable()):
        raise ModelError(BAD_KEY.format(**words))
    return found


def status_meaning(status: int) -> str:
    """Return the meaning of an HTTP status other than 200."""
    return STATUSES.get(status) or (TROUBLE if status >= 500 else REFUSED)  # noqa: PLR2004 - 5xx: the server's


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a service asks to wait; `Retry-After` is a number or a date."""
    said = headers.get("retry-after", "")
    for written, unit in ((headers.get("retry-after-ms", ""), 1000), (said, 1)):
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", written):
            return float(written) / unit
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except ValueError:
        return None


def words_of(body: Any) -> str:  # noqa: ANN401 - JSON values have no narrower type
    """Return what an error body says: `{"error": {"code", "type", "message"}}`, FastAPI's `detail`, or all of it."""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(inner, Mapping):
        return str(inner or "")
    names = ("code", "status", "type", "message", "detail")
    return " ".join(_detail(inner[name]) for name in names if inner.get(name)) or (json.dumps(inner) if inner else "")


def _detail(value: Any) -> str:  # noqa: ANN401 - as above
    """Return a part of an error as text: FastAPI lists wrong fields as `{"loc": ["body", "model"], "msg": "..."}`."""
    if isinstance(value, list):
        return "; ".join(map(_detail, value))
    if isinstance(value, Mapping) and "msg" in value:
        place = value.get("loc")
        where = f"{'.'.join(map(str, place))}: " if isinstance(place, list) else ""
        return f"{where}{value['msg']}"
    return json.dumps(value) if isinstance(value, Mapping) else str(value)


def _is_count(count: object) -> bool:
    """Whether it is a number of tokens: some SDKs pass on whatever a service sent."""
    return isinstance(count, int) and 0 <= count <= MAX_CALL_TOKENS


def _line(meaning: str, said: str, key: str) -> str:
    """Join both in one line. The key is redacted before the text is cut, so that no part of it is left."""
    heard = said.replace(key, "[key]") if len(key) >= MIN_KEY_CHARS else said
    line = f"{meaning} (It said: {' '.join(heard.split())})"
    return line if len(line) <= MAX_MESSAGE_CHARS else f"{line[: MAX_MESSAGE_CHARS - 4]}...)"
