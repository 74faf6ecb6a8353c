"""One use of the command line, which each command finds in its context."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Invocation:
    """What is known before a command is loaded.

    Attributes:
        started: when the program was started, in seconds of `time.time()`.
    """

    started: float
