"""Diagnose Google's errors: the reason, and how long to wait, are in the details of the body."""

import re
from collections.abc import Mapping
from typing import Any, Final

from mark_i.brains.faults import REFUSED_KEY, Diagnosis, asked_to_wait, status_meaning

DAY_S: Final = 86_400.0  # seconds


def google_fault(status: int, said: str, details: list[Mapping[str, Any]], headers: Mapping[str, str]) -> Diagnosis:
    """Diagnose an answer with an HTTP status other than 200, from the details in its body."""
    if any(one.get("reason") == "API_KEY_INVALID" for one in details):  # comes with 400, as a malformed request does
        return Diagnosis(REFUSED_KEY, said)
    if any("PerDay" in str(one.get("violations", "")) for one in details):
        return Diagnosis(status_meaning(status), said, DAY_S)  # whatever wait it names
    return Diagnosis(status_meaning(status), said, _retry_info(details) or asked_to_wait(headers))


def details_of(body: Any) -> list[Mapping[str, Any]]:  # noqa: ANN401 - JSON values have no narrower type
    """Return the machine-readable parts of an error body: `{"error": {"details": [{"@type": ...}]}}`."""
    inner = body.get("error") if isinstance(body, Mapping) else None
    details = inner.get("details") if isinstance(inner, Mapping) else None
    return [one for one in details if isinstance(one, Mapping)] if isinstance(details, list) else []


def _retry_info(details: list[Mapping[str, Any]]) -> float | None:
    """Return the seconds in `{"@type": ".../google.rpc.RetryInfo", "retryDelay": "17.5s"}`."""
    for one in details:
        written = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)s", str(one.get("retryDelay", "")))
        if written:
            return float(written[1])
    return None
