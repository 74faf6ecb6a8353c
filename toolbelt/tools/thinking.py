"""Thinking: a step without an action."""

from typing import Annotated

from toolbelt.parameters import Shown
from toolbelt.tool import tool


@tool(risk="look", only_thinks=True)
def think(about: Annotated[str, Shown]) -> str:
    """Think once more before you act or answer. Your thought is kept; `about` is what to think about next."""
    return f"Nothing was done. Think next about: {about}"
