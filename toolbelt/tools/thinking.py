"""Thinking on: a step in which nothing is done."""

from typing import Annotated

from toolbelt.parameters import Shown
from toolbelt.tool import tool


@tool(risk="look", only_thinks=True)
def think(about: Annotated[str, Shown]) -> str:
    """Think once more before anything is done or answered. Your thought is kept; `about` is what to think of next."""
    return f"Nothing was done. To think of next: {about}"
