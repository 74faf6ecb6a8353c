"""The errors of MARK-I, one small tree.

Halt (BaseException)      a human said stop; nothing may catch it but the loop
MarkIError
├── UsageError            the caller's: a bad option, an unknown brain, a broken file
├── ToolFailure           a tool could not do what was asked; becomes an Observation
├── ModelError            the model's: no usable reply, refused, or out of reach
│   ├── BusyError         passes by itself: the same call may work a little later
│   └── ReplyError        a reply that cannot be read as a decision; asked again
├── LimitError            the budget's: the next call would pass a limit that the person set
├── DesktopError          the screen's: no display, or it went away
├── WorkflowError         the graph's: a node of it failed, or its loop does not end
└── JournalError          the disk's: a run cannot be written or read back
"""

from collections.abc import Sequence
from typing import Final, Literal

ERROR_CODES: Final = (
    "UNKNOWN_TOOL",
    "INVALID_ARGS",
    "TARGET_NOT_FOUND",
    "TARGET_AMBIGUOUS",
    "STALE_TARGET",
    "OFF_SCREEN",
    "NO_CHANGE",
    "TIMEOUT",
    "DENIED",
    "FILE_NOT_FOUND",
    "PERMISSION_DENIED",
    "NETWORK_ERROR",
    "TOOL_ERROR",
)


class Halt(BaseException):
    """The human's stop. Not an `Exception`, so that no tool can eat it."""


class MarkIError(Exception):
    """The root of everything that MARK-I raises on purpose."""


class UsageError(MarkIError):
    """What was asked for cannot be: the message says what to change."""


class ToolFailure(MarkIError):  # noqa: N818 - the word that readers meet in the journal
    """A tool could not do what was asked.

    Args:
        code: one of `ERROR_CODES`.
        message: what happened, to what.
        hints: what to try instead, for the next thought.
        instead: names of tools that may help where this one failed.
    """

    def __init__(self, code: str, message: str, hints: Sequence[str] = (), instead: Sequence[str] = ()) -> None:
        super().__init__(message)
        if code not in ERROR_CODES:
            raise ValueError(f"{code} is not an error code; they are {', '.join(ERROR_CODES)}")
        self.code = code
        self.message = message
        self.hints = tuple(hints)
        self.instead = tuple(instead)


class ModelError(MarkIError):
    """The model gave no usable reply; the run ends as `model_error`."""


class BusyError(ModelError):
    """The model cannot be had just now; the same call may work later.

    Args:
        message: what happened, and what to do.
        wait: seconds after which the other side wants to be asked again, where it says so.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class ReplyError(ModelError):
    """One reply cannot be read as a decision; its message is fed back to the model."""


class LimitError(MarkIError):
    """The budget does not reach for another call; the run ends as the `limit_...` that it names."""

    def __init__(self, limit: Literal["limit_steps", "limit_time", "limit_cost"], message: str) -> None:
        super().__init__(message)
        self.limit = limit


class DesktopError(MarkIError):
    """There is no desktop, or it went away; the run ends as `desktop_error`."""


class WorkflowError(MarkIError):
    """A workflow cannot go on; names the node. The run ends as `failed`."""


class JournalError(MarkIError):
    """A run's folder cannot be written or read."""
