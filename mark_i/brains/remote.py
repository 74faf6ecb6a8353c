"""What all models reached over a network share: a time limit, a price, and errors in one line."""

import difflib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import Any, Final, Protocol

from mark_i.brain import Prompt, Reply, Space, tokens_in
from mark_i.brains.faults import (
    ADDRESS,
    BAD_IMAGE,
    BAD_KEY,
    BLIND,
    LATE,
    NO_IMAGES,
    NO_KEY,
    NO_LIST,
    NO_PAGE,
    ODD,
    OFFLINE,
    OTHER_MODEL,
    REFUSED,
    TROUBLE,
    UNKNOWN_MODEL,
    Diagnosis,
    Meaning,
)
from mark_i.brains.prices import Counts, Price
from mark_i.brains.providers import VENDORS
from mark_i.prompts.screenshot import size_of
from toolbelt.control import Control
from world_model import BusyError, ModelError, Size, Usage

TIMEOUT_S: Final = 60.0  # seconds for one call, from the first lookup of a name to the last byte
MAX_MESSAGE_CHARS: Final = 600  # of an error message; only the service's own words are cut
MAX_REPLY_CHARS: Final = 1_000_000  # a decision has a few hundred
MAX_CALL_TOKENS: Final = 10**9  # real calls have a million at most
MAX_REPLY_TOKENS: Final = 16_000  # including thinking, if the service requires a limit
EXPECTED_OUTPUT_TOKENS: Final = 300  # of a reply, until the first one is counted
LIST_MAX_S: Final = 10.0  # seconds for a list of models that only makes a message better
MAX_MODELS: Final = 1000  # of a list; OpenRouter has 400
MAX_NAME_CHARS: Final = 200  # of a model
NAMED_MODELS: Final = 3  # that a message names
MIN_KEY_CHARS: Final = 8  # anything shorter is not a key, and would be redacted within other words

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


class Unanswered(Exception):  # noqa: N818 - never leaves a brain
    """The answer has no text of a model."""

    def __init__(self, meaning: Meaning, said: str) -> None:
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

    def models(self) -> Iterable[str]:
        """Ask for the models that can be chosen. Loads the SDK, as `connect` does."""

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
            if fault.meaning == UNKNOWN_MODEL and self._model not in fault.said:  # who knows models names it
                fault = replace(fault, meaning=NO_PAGE)
            near = self._near() if fault.meaning == UNKNOWN_MODEL else ""
            raise self._told(fault, near) from None  # its message may contain the key, which is redacted here
        if len(answer.text) > MAX_REPLY_CHARS:
            raise self._told(Diagnosis(ODD, f"{len(answer.text)} characters"))
        if odd := [count for count in astuple(answer.counts) if not _is_count(count)]:  # no limit could be kept
            raise self._told(Diagnosis(ODD, f"{odd[0]!r:.99} as a number of tokens"))
        flaw = "" if answer.cut_off else _flaw(answer)
        return Reply(answer.text, self._usage(answer.counts), answer.cut_off, answer.notices, flaw)

    def load(self) -> None:
        """Load the SDK, which takes a second the first time.

        Raises:
            ModelError: it cannot be set up; the message says why and what to do.
        """
        try:
            self._service.connect()
        except Exception as error:  # noqa: BLE001 - as above
            raise self._told(self._fault(error)) from None

    def models(self) -> tuple[str, ...]:
        """Ask the service for the models that can be chosen, as its brain takes them after the colon.

        Raises:
            BusyError: the same call may work later.
            ModelError: there is no list; the message says why and what to do, and never contains the key.
        """
        return self._listed(self._seconds)

    def _listed(self, seconds: float) -> tuple[str, ...]:
        try:
            self._service.connect()  # as above
            return Control().call(lambda: _checked_names(self._service.models()), seconds)
        except Exception as error:  # noqa: BLE001 - as above
            fault = self._fault(error)
            if fault.meaning in {UNKNOWN_MODEL, REFUSED}:  # there is no such page
                fault = replace(fault, meaning=NO_LIST)
            raise self._told(fault) from None

    def _near(self) -> str:
        """Say which models the service has whose names are most like this one's, if it lists its models."""
        try:
            names = self._listed(min(self._seconds, LIST_MAX_S))
        except ModelError:  # the first error is the one to report
            return ""
        if near := difflib.get_close_matches(self._model, names, n=NAMED_MODELS, cutoff=0.6):
            return f" Did you mean {' or '.join(near)}?"
        more = " and others" if len(names) > NAMED_MODELS else ""
        return f" It has {', '.join(names[:NAMED_MODELS])}{more}." if names else ""

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

    def _told(self, fault: Diagnosis, near: str = "") -> ModelError:
        """Return our error for a fault: one line with what happened, what to do, and what was said."""
        vendor, meaning = self._service.vendor, fault.meaning
        text = meaning.text.format(
            title=vendor.title,
            brain=vendor.brain,
            keys=vendor.keys,
            variable=vendor.variable,
            model=self._model,
            near=near,
            seconds=self._seconds,
            other=OTHER_MODEL.format(brain=vendor.brain),
            offline=OFFLINE,
            address=ADDRESS,
        )
        line = _line(text, fault.said, self._key)
        return BusyError(line, fault.wait, meaning.cause) if meaning.temporary else ModelError(line, meaning.cause)

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


def _checked_names(names: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of models, without those that no list on a screen could show.

    Raises:
        TypeError: the service sent something else.
    """
    found = tuple(dict.fromkeys(names))
    if not all(isinstance(name, str) for name in found):
        raise TypeError(found)
    return tuple(name for name in found if name.isprintable() and 0 < len(name) <= MAX_NAME_CHARS)[:MAX_MODELS]


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
    page = VENDORS[vendor.keys].page
    names = {"title": vendor.title, "keys": vendor.keys, "variable": vendor.variable}
    words = {**names, "page": page, "offline": OFFLINE}
    if not found:
        raise ModelError(NO_KEY.text.format(**words), NO_KEY.cause)
    if not (found.isascii() and found.isprintable()):
        raise ModelError(BAD_KEY.text.format(**words), BAD_KEY.cause)
    return found


def _is_count(count: object) -> bool:
    """Whether it is a number of tokens: some SDKs pass on whatever a service sent."""
    return isinstance(count, int) and 0 <= count <= MAX_CALL_TOKENS


def _line(meaning: str, said: str, key: str) -> str:
    """Join both in one line. The key is redacted before the text is cut, so that no part of it is left."""
    line = f"{meaning} (It said: {' '.join(said.split())})"
    line = line.replace(key, "[key]") if len(key) >= MIN_KEY_CHARS else line
    return line if len(line) <= MAX_MESSAGE_CHARS else f"{line[: MAX_MESSAGE_CHARS - 4]}...)"
