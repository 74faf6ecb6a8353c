"""Asking the user."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from toolbelt.parameters import Shown
from toolbelt.tool import ToolResult, tool
from world_model import Point, ToolFailure, joined, message

DAY_S: Final = 24 * 3600.0  # a person may be away for a while
NOBODY: Final = "Continue without the answer if that does no harm; otherwise give up and say what is missing."


@dataclass(frozen=True, slots=True)
class Pointed:
    """An answer for which a person pointed at a place on the desktop; the words may be empty."""

    words: str
    at: Point


Said: TypeAlias = str | Pointed


def bare_place(place: Point) -> str:
    """Name a place by its coordinates alone."""
    return message("the place ", place)


class People:
    """Asks the user.

    Args:
        ask: asks the user a question, waits, and returns the answer; None if nobody is there.
        tell: names the place that the user pointed at, as a message for the agent.
    """

    def __init__(self, ask: Callable[[str], Said | None], tell: Callable[[Point], str] = bare_place) -> None:
        self._ask, self._tell = ask, tell

    @tool(risk="look", seconds=DAY_S, asks_person=True)
    def ask_user(self, question: Annotated[str, Field(min_length=1), Shown]) -> ToolResult:
        """Ask the user what they alone know or decide."""
        answer = self._ask(question)
        if answer is None:
            raise ToolFailure("DENIED", "Nobody is there to answer.", [NOBODY])
        if isinstance(answer, Pointed):
            told = in_words(answer, self._tell)
            return ToolResult(told, {"answer": answer.words, "x": answer.at.x, "y": answer.at.y})
        return ToolResult(answer or "The user gave an empty answer.", {"answer": answer})


def in_words(answer: Said, tell: Callable[[Point], str]) -> str:
    """Return the answer as a message for the agent."""
    if not isinstance(answer, Pointed):
        return answer
    pointed = message("The user pointed at ", tell(answer.at), ".")
    return joined("\n", filter(None, (answer.words.strip(), pointed)))
