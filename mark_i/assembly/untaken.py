"""Tools from elsewhere, such as servers and skills, whose names may be taken."""

from collections.abc import Callable, Sequence

from toolbelt.belt import Toolbelt
from toolbelt.tool import Tool


def add_untaken(toolbelt: Toolbelt, tools: Sequence[Tool], origin: str, say: Callable[[str], None]) -> list[Tool]:
    """Add tools, and return them, except those whose names are taken."""
    added = []
    for tool in tools:
        if toolbelt.known(tool.name):
            say(f"The tool {tool.name} {origin} is left out: there is another one of that name.")
        else:
            toolbelt.add(tool)
            added.append(tool)
    return added
