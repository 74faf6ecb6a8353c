"""Waiting for what is on the screen."""

from typing import Annotated

from pydantic import Field

from toolbelt.eyes import Eyes
from toolbelt.targets import find, what_is_there
from toolbelt.tool import ToolResult, tool
from world_model import ToolFailure

LONGEST = 600.0


class Waiting:
    """Waits on one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    @tool(risk="look", seconds=LONGEST + 30)
    def wait_for(
        self,
        text: Annotated[str, Field(min_length=1)],
        timeout: Annotated[float, Field(ge=0, le=LONGEST)] = 10,
        gone: bool = False,  # noqa: FBT001, FBT002 - called by name
    ) -> ToolResult:
        """Wait until a text is on the screen, or is `gone` from it, at most `timeout` seconds."""
        lines = self._eyes.until(lambda lines: bool(find(text, lines)) is not gone, timeout)
        if bool(find(text, lines)) is gone:
            still = "still" if gone else "not"
            raise ToolFailure(
                "TIMEOUT", f'"{text}" is {still} on the screen after {timeout:g} s.', [what_is_there(lines)]
            )
        return ToolResult(f'"{text}" is {"gone from" if gone else "on"} the screen.', {"seen": not gone})
