"""The user, as somebody who can be asked."""

from collections.abc import Callable
from typing import Annotated, Final

from pydantic import Field

from toolbelt.tool import ToolResult, tool
from world_model import ToolFailure

DAY: Final = 24 * 3600.0  # seconds; a person may be at lunch
NOBODY: Final = (
    "Go on without the answer where that does no harm, otherwise end the run with fail and say what is missing."
)


class People:
    """Asks the user.

    Args:
        ask: puts a question to the user, waits, and gives back the answer; None where nobody is there.
    """

    def __init__(self, ask: Callable[[str], str | None]) -> None:
        self._ask = ask

    @tool(risk="look", seconds=DAY)
    def ask_user(self, question: Annotated[str, Field(min_length=1)]) -> ToolResult:
        """Ask the user, and wait for the answer. For what only they can know or decide; all else find out yourself."""
        answer = self._ask(question)
        if answer is None:
            raise ToolFailure("DENIED", "Nobody is there to be asked.", [NOBODY])
        return ToolResult(answer or "The user gave an empty answer.", {"answer": answer})
