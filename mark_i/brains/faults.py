"""What goes wrong between a brain and the service of its model: a word for programs, a text for people."""

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Final, Literal

Cause = Literal[
    "no_key",
    "bad_key",
    "refused_key",
    "no_credit",
    "unknown_model",
    "limit",
    "refused",
    "trouble",
    "late",
    "no_address",
    "unreachable",
    "broken_off",
    "odd",
    "unknown",
    "blocked",
    "blind",
    "no_list",
    "no_page",
]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an error means.

    Attributes:
        cause: the word for it, in `ModelError.cause`.
        text: what happened and what to do, with placeholders.
        temporary: whether the same call may work later.
    """

    cause: Cause
    text: str
    temporary: bool = False


OTHER_MODEL: Final = "choose another model (`--brain {brain}:MODEL`)"
OFFLINE: Final = "work without a model (`--brain offline`)"
ADDRESS: Final = "the address if you gave one (`--base-url`)"
NO_KEY: Final = Meaning(
    "no_key",
    "The {title} needs an API key. Get one at {page}, and save it on the Settings page of the window or with "
    "`mark-i config set {keys}.key`, or set {variable}; or {offline}.",
)
BAD_KEY: Final = Meaning(
    "bad_key",
    "The API key for the {title} has characters in it that no key has. Check {variable}, or save the key again on the "
    "Settings page of the window or with `mark-i config set {keys}.key`; or {offline}.",
)
REFUSED_KEY: Final = Meaning(
    "refused_key",
    "The {title} refused the key. Check {variable}, or the key saved on the Settings page of the window or with "
    "`mark-i config set {keys}.key`, and what it may be used for; or {offline}.",
)
WANTS_KEY: Final = Meaning(
    "no_key",
    "The {title} needs an API key, and none is saved. Save it on the Settings page of the window or with "
    "`mark-i config set {keys}.key`, or set {variable}; or {offline}.",
)
NO_CREDIT: Final = Meaning("no_credit", "The account at the {title} has no credit left. Add some there, or {other}.")
UNKNOWN_MODEL: Final = Meaning(
    "unknown_model", "The {title} has no model {model}.{near} Please {other}, and check {address}."
)
NO_PAGE: Final = Meaning(
    "no_page",
    "Nothing at the address of the {title} answers for the model {model}. Please check {address}: most end with /v1. "
    "Check the name of the model, too.",
)
LIMIT: Final = Meaning(
    "limit",
    "The {title} accepts no more requests for now: a limit is reached. Wait a minute, or {other}.",
    temporary=True,
)
REFUSED: Final = Meaning("refused", "The {title} did not accept the request. Please {other}, and check {address}.")
TROUBLE: Final = Meaning(
    "trouble", "The {title} has an internal problem. Try again in a minute, or {other}.", temporary=True
)
LATE: Final = Meaning(
    "late",
    "The {title} gave no answer within {seconds:g} seconds. Try again, {other}, or allow more on the "
    "Settings page of the window or with `mark-i config set model_seconds`.",
)
NO_ADDRESS: Final = Meaning("no_address", "The address of the {title} is not valid. Correct it (`--base-url`).")
UNREACHABLE: Final = Meaning(
    "unreachable",
    "The {title} cannot be reached. Check the network, the proxy, and {address}; or {offline}.",
    temporary=True,
)
BROKEN_OFF: Final = Meaning(
    "broken_off",
    "The connection to the {title} broke off. Try again, or {offline}.",
    temporary=True,
)
ODD: Final = Meaning("odd", "The answer of the {title} is not a reply of a model. Try again, and check {address}.")
UNKNOWN: Final = Meaning(
    "unknown",
    "The SDK for the {title} could not make the call. Check the name of the model, and {address}.",
)
BLOCKED: Final = Meaning("blocked", "The {title} refused the prompt. Word the goal differently, or {other}.")
BLIND: Final = Meaning(
    "blind",
    "The model {model} takes no images. Choose one that sees (`--brain {brain}:MODEL`), let another model describe the "
    "screen (`--vision-brain`), or let it choose from a list of marks (`mark-i config set coordinates marks`).",
)

NO_LIST: Final = Meaning("no_list", "The {title} does not list its models. Type the name of one, and check {address}.")

# How services refuse an image, and what they say of an image that has a fault.
NO_IMAGES: Final = re.compile(
    r"(?=.*(?:image|vision|multi-?modal))"
    r".*(?:support|unknown variant|at most 0|not a multi-?modal|text[- ]only|mmproj|cannot process|not allowed)",
    re.IGNORECASE | re.DOTALL,
)
BAD_IMAGE: Final = re.compile(
    r"format|mime|media[ _]type|too (?:large|big|many)|size|dimension|resolution", re.IGNORECASE
)

STATUSES: Final = {401: REFUSED_KEY, 402: NO_CREDIT, 403: REFUSED_KEY, 404: UNKNOWN_MODEL, 408: TROUBLE, 429: LIMIT}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What an exception of an SDK means.

    Attributes:
        meaning: one of the above.
        said: what the service or the SDK said.
        wait: the seconds that the service asks to wait; None if it does not say.
    """

    meaning: Meaning
    said: str
    wait: float | None = None


def status_meaning(status: int) -> Meaning:
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
