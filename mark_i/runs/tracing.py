"""Whether a run is traced with OpenTelemetry: its standard variables say where to, and the extra `otel` sends it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from mark_i.extras import EXTRAS
from toolbelt.extras import not_installed
from world_model.journal import Listener, unheard

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
PROTOCOL: Final = "http/protobuf"


def hindrance() -> str:
    """Say in one line why runs are not traced although a variable asks for it; empty if they are, or none does."""
    variable, protocol = _first_set(ENDPOINTS), os.environ.get(_first_set(PROTOCOLS), PROTOCOL)
    if not variable:
        return ""
    if not EXTRAS["otel"].installed:
        return f"{variable} is set, but no run is traced: {not_installed(EXTRAS['otel'].subject, 'otel')}"
    if protocol != PROTOCOL:
        return f"{variable} is set, but no run is traced: {_first_set(PROTOCOLS)} must be {PROTOCOL}, not {protocol}."
    return ""


@contextmanager
def traced(run: str, warn: Callable[[str], None]) -> Iterator[Listener]:
    """Yield what makes spans of the records of a run, if the environment asks for it; they are sent until the end.

    Args:
        run: the name of its folder.
        warn: is told if they are not sent.
    """
    if not _first_set(ENDPOINTS):
        yield unheard
    elif told := hindrance():
        warn(told)
        yield unheard
    else:
        from mark_i.runs.spans import sent  # noqa: PLC0415 - slow to load, and an extra

        with sent(run, _first_set(ENDPOINTS), warn) as listener:
            yield listener


def _first_set(variables: tuple[str, ...]) -> str:
    """Return the first of these variables that is set; empty if none is, or OpenTelemetry is switched off."""
    off = os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or os.environ.get("OTEL_TRACES_EXPORTER") == "none"
    return "" if off else next((name for name in variables if os.environ.get(name)), "")
