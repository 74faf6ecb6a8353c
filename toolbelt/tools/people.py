"""The user, as somebody who can be asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from pydantic import Field

from toolbelt.parameters import Shown
from toolbelt.tool import ToolResult, tool
from world_model import Point, ToolFailure, joined, message

DAY: Final = 24 * 3600.0  # seconds; a person may be at lunch
NOBODY: Final = "Go on without the answer where that does no harm, otherwise give up and say what is missing."


@dataclass(frozen=True, slots=True)
class Pointed:
    """An answer for which a person pointed at a place of the desktop; the words beside it may be empty."""

    words: str
    at: Point


Said: TypeAlias = str | Pointed


def bare_place(place: Point) -> str:
    """A place of which nothing is known but where it is."""
    return message("the place ", place)


class People:
    """Asks the user.

    Args:
        ask: puts a question to the user, waits, and gives back the answer; None where nobody is there.
        tell: says, as a message for the agent, which place the user pointed at.
    """

    def __init__(self, ask: Callable[[str], Said | None], tell: Callable[[Point], str] = bare_place) -> None:
        self._ask, self._tell = ask, tell

    @tool(risk="look", seconds=DAY, asks_person=True)
    def ask_user(self, question: Annotated[str, Field(min_length=1), Shown]) -> ToolResult:
        """Ask the user, and wait for the answer. For what only they can know or decide; all else find out yourself."""
        answer = self._ask(question)
        if answer is None:
            raise ToolFailure("DENIED", "Nobody is there to be asked.", [NOBODY])
        if isinstance(answer, Pointed):
            told = in_words(answer, self._tell)
            return ToolResult(told, {"answer": answer.words, "x": answer.at.x, "y": answer.at.y})
        return ToolResult(answer or "The user gave an empty answer.", {"answer": answer})


def in_words(answer: Said, tell: Callable[[Point], str]) -> str:
    """The answer as the agent reads it."""
    if not isinstance(answer, Pointed):
        return answer
    pointed = message("The user pointed at ", tell(answer.at), ".")
    return joined("\n", filter(None, (answer.words.strip(), pointed)))
