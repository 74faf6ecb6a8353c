"""Errors of OpenAI's and Anthropic's SDKs: one generator made both, so their errors have the same names."""

from collections.abc import Mapping
from types import ModuleType
from typing import Any, Final

from mark_i.brains.faults import BROKEN_OFF, LATE, NO_CREDIT, ODD, Diagnosis, asked_to_wait, status_meaning, words_of
from mark_i.brains.http import http_fault

# Codes and types in the bodies of errors; the last is Anthropic's.
OUT_OF_CREDIT: Final = frozenset(
    {"insufficient_quota", "credit_balance_exhausted", "organization_spend_limit_exceeded", "billing_error"}
)


def sdk_fault(error: Exception, sdk: ModuleType) -> Diagnosis:
    """Diagnose an exception of such an SDK, or of the HTTP client below it."""
    if isinstance(error, sdk.APIStatusError):
        return _status_fault(error)
    if isinstance(error, sdk.APITimeoutError):
        return Diagnosis(LATE, str(error))
    if isinstance(error, sdk.APIConnectionError):
        cause = error.__cause__
        return http_fault(cause) if isinstance(cause, Exception) else Diagnosis(BROKEN_OFF, str(error))
    if isinstance(error, sdk.APIError):
        return Diagnosis(ODD, f"{type(error).__name__}: {error}")
    return http_fault(error)


def _status_fault(error: Any) -> Diagnosis:  # noqa: ANN401 - each SDK has its own class, and both have the same parts
    body = error.body
    said = f"{error.status_code} {words_of(body)}"
    inner = body.get("error", body) if isinstance(body, Mapping) else {}
    if isinstance(inner, Mapping) and OUT_OF_CREDIT & {str(inner.get("code")), str(inner.get("type"))}:
        return Diagnosis(NO_CREDIT, said)
    return Diagnosis(status_meaning(error.status_code), said, asked_to_wait(error.response.headers))
