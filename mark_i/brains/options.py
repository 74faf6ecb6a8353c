"""Options of a call that not every service takes, and the form of a reply, a JSON schema, which is one of them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from mark_i.brains.faults import REFUSED, Diagnosis

T = TypeVar("T")
NOT_TAKEN: Final = frozenset({400, 422})  # HTTP statuses for a request with an option that is not accepted
INTERNAL_ERROR: Final = 500  # some services fail with it on an option that they do not know
SCHEMA_WORDS: Final = ("schema", "jsonmode", "grammar", "structuredoutput", "guideddecoding")  # in its refusals

# `args` is whatever the tool takes.
_TEXT: Final = {"type": "string"}
_ACTION: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"tool": _TEXT, "args": {"type": "object", "additionalProperties": True}},
    "required": ["tool", "args"],
}
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "thought": _TEXT,
        "action": _ACTION,
        "then": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "thought": _TEXT,
                    "action": _ACTION,
                    "expect": {"type": "object", "properties": {"text": _TEXT, "gone": _TEXT, "window": _TEXT}},
                },
                "required": ["action"],
            },
        },
        "note": _TEXT,
        "answer": _TEXT,
        "kind": {"type": "string", "enum": ["deed", "answer"]},
        "style": {"type": "string", "enum": ["default", "strict", "summary", "verbatim"]},
    },
    "required": ["thought"],
}


@dataclass(frozen=True, slots=True)
class Option:
    """Arguments of a call that not every model takes.

    Attributes:
        words: how an error names them, in lower case without spaces.
        silent: whether some services refuse them without a word about them.
    """

    words: tuple[str, ...]
    arguments: Mapping[str, Any]
    silent: bool = False


class Negotiation:
    """Learns which options a service takes, from its refusals.

    Args:
        fault: diagnoses an exception of the SDK.
    """

    def __init__(self, fault: Callable[[Exception], Diagnosis]) -> None:
        self._fault = fault
        self._refused: set[str] = set()
        self._failures = 0  # internal errors in a row

    def ask(self, call: Callable[..., T], options: Sequence[Option]) -> tuple[T, tuple[str, ...]]:
        """Call with the options; leave out, and report, those that the model or the service does not take."""
        notices: list[str] = []
        while True:  # each round has one option less
            given = [option for option in options if option.words[0] not in self._refused]
            try:
                answer = call(**_arguments(given))
            except Exception as error:  # noqa: BLE001 - raised again, unless an option was at fault
                refused = _named(error, given)
                if not refused:
                    answer, refused = self._without_suspect(call, given, error)
                    notices.append(self._refuse(refused))
                    return answer, tuple(notices)
                notices.append(self._refuse(refused))
            else:
                self._failures = 0
                return answer, tuple(notices)

    def _without_suspect(self, call: Callable[..., T], given: Sequence[Option], error: Exception) -> tuple[T, Option]:
        """Call without the option that may be at fault, and return it too; if that does not help, raise the error.

        An internal error is first taken for one that passes: only the second in a row raises the suspicion.
        """
        status = _status(error)
        self._failures = self._failures + 1 if status == INTERNAL_ERROR else 0
        suspicious = self._failures > 1 or (status in NOT_TAKEN and self._fault(error).meaning == REFUSED)
        suspect = next((option for option in given if option.silent), None)
        if suspect is None or not suspicious:
            raise error
        try:
            answer = call(**_arguments([option for option in given if option is not suspect]))
        except Exception:  # noqa: BLE001 - whatever it is, the option was not at fault
            raise error from None
        self._failures = 0
        return answer, suspect

    def _refuse(self, option: Option) -> str:
        self._refused.add(option.words[0])
        return f"The model does not accept {', '.join(option.arguments)}; it is no longer sent."


def _arguments(options: Sequence[Option]) -> dict[str, Any]:
    return {name: value for option in options for name, value in option.arguments.items()}


def _status(error: Exception) -> Any:  # noqa: ANN401 - each SDK has its own type
    return getattr(error, "status_code", None) or getattr(error, "code", None)


def _named(error: Exception, given: Sequence[Option]) -> Option | None:
    """Return the option that a refusal names, if it names one."""
    said = re.sub(r"[_\s]", "", str(error)).lower()
    refused = _status(error) in {*NOT_TAKEN, INTERNAL_ERROR}
    return next((one for one in given if refused and any(word in said for word in one.words)), None)
