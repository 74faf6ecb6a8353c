"""One use of the command line, which each command finds in its context."""

from dataclasses import dataclass

import click


@dataclass(frozen=True, slots=True)
class Invocation:
    """What is known before a command is loaded.

    Attributes:
        started: when the program was started, in seconds of `time.time()`.
    """

    started: float


def started() -> float | None:
    """Return when the program was started; None if this is not the command line."""
    invocation = click.get_current_context().find_object(Invocation)
    return invocation.started if invocation else None
