"""The errors of MARK-I, one small tree.

Halt (BaseException)      a person stopped the run; only the loop may catch it
MarkIError
├── UsageError            the caller's fault: a bad option, an unknown brain, a broken file
├── ToolFailure           a tool failed; becomes an Observation
├── ModelError            the model's fault: no usable reply, a refusal, or no connection
│   ├── BusyError         temporary: the same call may work later
│   └── ReplyError        a reply that is not a decision; the model is asked again
├── LimitError            the next call would exceed a limit of the budget
├── DesktopError          there is no display, or it disappeared
├── WorkflowError         a node of the graph failed, or its loop does not end
└── JournalError          a run cannot be written to disk or read back
"""

import errno
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
_ADVICE: Final = {  # what to do about a file or a folder that cannot be used, by the number of the error
    errno.ENOENT: "check the path",
    errno.ENOTDIR: "check the path",
    errno.EISDIR: "name a file",
    errno.EEXIST: "choose another name",
    errno.EACCES: "change its permissions, or choose another place",
    errno.EPERM: "change its permissions, or choose another place",
    errno.EROFS: "choose another place",
    errno.ENOSPC: "delete what is not needed",
    errno.ENAMETOOLONG: "choose a shorter name",
}


class Halt(BaseException):
    """A person stopped the run. Not an `Exception`, so that no tool can swallow it."""


class MarkIError(Exception):
    """The root of everything that MARK-I raises on purpose."""


class UsageError(MarkIError):
    """The request is invalid; the message says what to change."""


class ToolFailure(MarkIError):  # noqa: N818 - the name that plugin authors use
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
    """The model gave no usable reply; the run ends as `model_error`.

    Args:
        message: what happened, and what to do.
        cause: why, as a word such as `refused_key`; empty if there is none for it.
    """

    def __init__(self, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.cause = cause


class BusyError(ModelError):
    """The model is temporarily unavailable; the same call may work later.

    Args:
        message: what happened, and what to do.
        wait: seconds to wait before the next call, if the provider said so.
        cause: why, as in any `ModelError`.
    """

    def __init__(self, message: str, wait: float | None = None, cause: str = "") -> None:
        super().__init__(message, cause)
        self.wait = wait


class ReplyError(ModelError):
    """A reply is not a decision; the model is told why and asked again."""


class LimitError(MarkIError):
    """The budget does not allow another call; the run ends with the outcome in `limit`."""

    def __init__(self, limit: Literal["limit_steps", "limit_time", "limit_cost"], message: str) -> None:
        super().__init__(message)
        self.limit = limit


class DesktopError(MarkIError):
    """There is no desktop, or it disappeared; the run ends as `desktop_error`."""


class WorkflowError(MarkIError):
    """A workflow cannot continue; the message names the node. The run ends as `failed`."""


class JournalError(MarkIError):
    """The folder of a run cannot be written or read."""


def file_fault(error: OSError) -> str:
    """Return why a file or a folder cannot be used, and what to do about it, without a full stop."""
    told = error.strerror or str(error)
    advice = _ADVICE.get(error.errno or 0)
    return f"{told}; {advice}" if advice else told
