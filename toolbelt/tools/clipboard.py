"""The clipboard."""

from typing import Annotated

from pydantic import Field

from toolbelt.parameters import Typed
from toolbelt.perception.eyes import Eyes
from toolbelt.tool import ToolResult, tool


class Clipboard:
    """Reads and writes the clipboard of one desktop."""

    def __init__(self, eyes: Eyes) -> None:
        self._desktop = eyes.desktop

    @tool(risk="look", reads_clipboard=True, rare=True)
    def clipboard_read(self) -> ToolResult:
        """Return the text on the clipboard."""
        text = self._desktop.read_clipboard()
        if text is None:
            return ToolResult("Nothing is on the clipboard: no application offers anything.", {"text": None})
        return ToolResult(text or "On the clipboard is an empty text.", {"text": text})

    @tool(risk="write", idempotent=True, rare=True)
    def clipboard_write(self, text: Annotated[str, Typed, Field(description="The text.")]) -> str:
        """Put a text on the clipboard."""
        self._desktop.write_clipboard(text)
        return f"The clipboard holds {len(text):,} characters now."
