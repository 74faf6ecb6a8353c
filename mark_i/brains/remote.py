"""What all models that are asked over a network have in common: a time limit, a price, and errors in one line."""

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from mark_i.brain import Prompt, Reply, Space, tokens_in
from mark_i.brains.prices import Counts, Price
from mark_i.prompts.screenshot import size_of
from toolbelt.control import Control
from world_model import BusyError, ModelError, Size, Usage

TIMEOUT_S: Final = 60.0  # seconds for one call, from the first lookup of a name to the last byte
MAX_MESSAGE_CHARS: Final = 600  # characters of an error message; only what the service said is cut
NOT_TAKEN: Final = frozenset({400, 422})  # statuses of a request that is not understood
MAX_REPLY_CHARS: Final = 1_000_000  # characters of a reply; a decision takes a few hundred
MAX_CALL_TOKENS: Final = 10**9  # of one call, which takes a million at most
MAX_REPLY_TOKENS: Final = 16_000  # tokens, with what is thought, where there must be a limit
EXPECTED_OUTPUT_TOKENS: Final = 300  # tokens that a reply is expected to have, before the first one is there
MIN_KEY_CHARS: Final = 8  # characters; what is shorter is no key, and would be taken out of other words

OTHER_MODEL: Final = "name another model with --brain {brain}:MODEL"
NO_KEY: Final = (
    "The {title} needs an API key. Save one with `mark-i config set {keys}.key`, or set {variable}; "
    "or use --brain offline, which needs none."
)
BAD_KEY: Final = (
    "The API key for the {title} has characters in it that no key has. Check {variable}, or save the key again with "
    "`mark-i config set {keys}.key`; or use --brain offline, which needs none."
)
REFUSED_KEY: Final = (
    "The {title} refused the key. Check {variable} or `mark-i config set {keys}.key`, and what the key may be used "
    "for; or use --brain offline, which needs none."
)
NO_CREDIT: Final = "The account at the {title} has no credit left. Add some there, or {other}."
UNKNOWN_MODEL: Final = "The {title} has no model {model}. Please {other}, and check --base-url if you gave one."
LIMIT: Final = "The {title} takes no more requests for now: a limit is reached. Wait a minute, or {other}."
REFUSED: Final = "The {title} did not accept the request. Please {other}, and check --base-url if you gave one."
TROUBLE: Final = "The {title} has trouble of its own. Try again in a minute, or {other}."
LATE: Final = (
    "The {title} gave no answer within {seconds:g} seconds. Try again, {other}, or allow more with "
    "`mark-i config set model_seconds`."
)
NO_ADDRESS: Final = "The address of the {title} is none that can be called. Check --base-url."
UNREACHABLE: Final = (
    "The {title} cannot be reached. Check the network, the proxy, and --base-url if you gave one; "
    "--brain offline needs no network."
)
BROKEN_OFF: Final = "The connection to the {title} broke off. Try again; --brain offline needs no network."
ODD: Final = "What the {title} answered is no reply of a model. Try again, and check --base-url if you gave one."
UNKNOWN: Final = (
    "The SDK for the {title} could not make the call. Check the name of the model, and --base-url if you gave one."
)
BLOCKED: Final = "The {title} refused the prompt. Word the goal differently, or {other}."
SILENT: Final = "The {title} gave an answer without text. Word the goal differently, or {other}."

TEMPORARY: Final = frozenset({LIMIT, TROUBLE, UNREACHABLE, BROKEN_OFF})  # the same call may work a little later
STATUSES: Final = {401: REFUSED_KEY, 402: NO_CREDIT, 403: REFUSED_KEY, 404: UNKNOWN_MODEL, 408: TROUBLE, 429: LIMIT}


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Vendor:
    """Whose models they are, in the words of messages.

    Attributes:
        title: as in "The ... cannot be reached".
        brain: how it is asked for.
        keys: under which name its key is kept.
        variable: the environment's name for the key.
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
        wait: seconds after which the service wants to be asked again, where it says so.
    """

    meaning: str
    said: str
    wait: float | None = None


class Unanswered(Exception):  # noqa: N818 - never leaves a brain
    """There was an answer, and no words of a model in it."""

    def __init__(self, meaning: str, said: str) -> None:
        super().__init__(said)
        self.fault = Diagnosis(meaning, said)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said, and what was counted."""

    text: str
    counts: Counts
    cut_off: bool = False
    notices: tuple[str, ...] = ()


class Service(Protocol):
    """What differs from vendor to vendor."""

    vendor: Vendor
    sight: int
    space: Space

    def connect(self) -> Callable[[Prompt, int | None], Answer]:
        """What makes one request, with the most tokens that may be answered. Loads the SDK, which may take a second."""

    def fault(self, error: Exception) -> Diagnosis:
        """What an exception of the SDK means, or of the HTTP client below it."""

    def picture_tokens(self, size: Size) -> int:
        """About how many tokens a picture is counted as."""


class RemoteBrain:
    """A model that is asked over a network: one thought is one request.

    Args:
        service: the vendor's SDK.
        model: any name that the service knows.
        key: is taken out of whatever is told.
        price: of the model; None where nobody knows it.
        seconds: for one call, whatever the other side does.
    """

    def __init__(
        self, service: Service, model: str, key: str, price: Price | None = None, seconds: float = TIMEOUT_S
    ) -> None:
        self.name = f"{service.vendor.brain}:{model}"
        self.sight = service.sight
        self.space: Space = service.space
        self.price = price
        self._service, self._model, self._key, self._seconds = service, model, key, seconds

    def think(self, prompt: Prompt) -> Reply:
        """One request.

        Raises:
            BusyError: the same call may work a little later.
            ModelError: there is no text to be had; the message says why and what to do, and never holds the key.
        """
        try:
            ask = self._service.connect()  # outside the time limit: it has nothing to do with the service
            # The HTTP client's own timeout begins anew with each byte, so a slow drip would outlive it.
            answer = Control().call(partial(ask, prompt, self._longest(prompt)), self._seconds)
        except Exception as error:  # noqa: BLE001 - an SDK raises what it likes; all of it has a meaning
            raise self._told(self._fault(error)) from None  # what it says may hold the key, which is taken out here
        if len(answer.text) > MAX_REPLY_CHARS:
            raise self._told(Diagnosis(ODD, f"{len(answer.text)} characters"))
        if odd := [count for count in astuple(answer.counts) if not _is_count(count)]:  # no limit could hold
            raise self._told(Diagnosis(ODD, f"{odd[0]!r:.99} as a number of tokens"))
        return Reply(answer.text, self._usage(answer.counts), answer.cut_off, answer.notices)

    def expected(self, prompt: Prompt) -> Usage:
        """About what a call costs."""
        picture = self._service.picture_tokens(size_of(prompt.picture)) if prompt.picture else 0
        return self._usage(Counts(tokens_in(prompt.system + prompt.text) + picture, EXPECTED_OUTPUT_TOKENS))

    def _longest(self, prompt: Prompt) -> int | None:
        """The most tokens that the reply may have, so that it costs no more than is left; None without a limit."""
        if prompt.usd_left is None or self.price is None:
            return None
        expected = self.expected(prompt)
        return min(MAX_REPLY_TOKENS, self.price.affordable(Counts(expected.input_tokens), prompt.usd_left))

    def _usage(self, counts: Counts) -> Usage:
        cost = self.price.of(counts) if self.price else None
        return Usage(counts.input, counts.output, cost, counts.cached)

    def _told(self, fault: Diagnosis) -> ModelError:
        """The fault as our error: one line with what happened, what to do, and what was said."""
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


def native_call(said: str, name: str, args: Any) -> str:  # noqa: ANN401 - JSON values have no narrower type
    """A model's own call of a function, and what it said beside that, in the form that replies are read in."""
    return json.dumps({"thought": said, "action": {"tool": name, "args": args}}, ensure_ascii=False)


def checked_key(key: str | None, vendor: Vendor) -> str:
    """The key, if it can be one.

    Raises:
        ModelError: there is none, or it has characters that an HTTP client would quote as it refuses them.
    """
    found = (key or "").strip()
    words = {"title": vendor.title, "keys": vendor.keys, "variable": vendor.variable}
    if not found:
        raise ModelError(NO_KEY.format(**words))
    if not (found.isascii() and found.isprintable()):
        raise ModelError(BAD_KEY.format(**words))
    return found


@dataclass(frozen=True, slots=True)
class Option:
    """Arguments of a call that not every model takes.

    Attributes:
        words: how a refusal names them, in small letters without spaces; only such words tell what it is about.
    """

    words: tuple[str, ...]
    arguments: Mapping[str, Any]


def without_refused(ask: Callable[..., T], options: Sequence[Option], refused: set[str]) -> tuple[T, tuple[str, ...]]:
    """Ask with the options; what the model or the service does not take is left out from then on, and told."""
    notices: list[str] = []
    while True:  # each time around there is one option less
        given = [option for option in options if option.words[0] not in refused]
        try:
            answer = ask(**{name: value for option in given for name, value in option.arguments.items()})
        except Exception as error:
            status = getattr(error, "status_code", None) or getattr(error, "code", None)
            said = re.sub(r"[_\s]", "", str(error)).lower()
            named = [option for option in given if any(word in said for word in option.words)]
            if status not in NOT_TAKEN or not named:
                raise
            refused.add(named[0].words[0])
            names = ", ".join(named[0].arguments)
            notices.append(f"The model does not take {names}, which is left out from now on.")
        else:
            return answer, tuple(notices)


def status_meaning(status: int) -> str:
    """What an answer with an HTTP status other than 200 means."""
    return STATUSES.get(status) or (TROUBLE if status >= 500 else REFUSED)  # noqa: PLR2004 - 5xx: the server's


def asked_to_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that a service asks to wait; `Retry-After` is a number of them, or a date."""
    said = headers.get("retry-after", "")
    for written, unit in ((headers.get("retry-after-ms", ""), 1000), (said, 1)):
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", written):
            return float(written) / unit
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except ValueError:
        return None


def words_of(body: Any) -> str:  # noqa: ANN401 - JSON values have no narrower type
    """What the body of an error says: `{"error": {"code", "type", "message"}}`, or less of that."""
    inner = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(inner, Mapping):
        return str(inner or "")
    return " ".join(str(inner[name]) for name in ("code", "status", "type", "message") if inner.get(name))


def _is_count(count: object) -> bool:
    """Whether it is a number of tokens: some SDKs hand on whatever a service sent."""
    return isinstance(count, int) and 0 <= count <= MAX_CALL_TOKENS


def _line(meaning: str, said: str, key: str) -> str:
    """One line. The key is taken out of what was said before that is cut, so that no part of it stays."""
    heard = said.replace(key, "[key]") if len(key) >= MIN_KEY_CHARS else said
    line = f"{meaning} (It said: {' '.join(heard.split())})"
    return line if len(line) <= MAX_MESSAGE_CHARS else f"{line[: MAX_MESSAGE_CHARS - 4]}...)"
