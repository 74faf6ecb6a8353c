"""Rendering the prompt: words are data files, tools describe themselves."""

import functools
import textwrap
from importlib import resources
from typing import Final

from mark_i.brain import Space
from toolbelt.belt import Toolbelt
from world_model import Region

PLACES: Final = {
    "pixels": "A target is a text on the screen, or a point in pixels: {x}, {y} is the bottom right corner.",
    "thousandths": "A target is a text on the screen, or a point. Points are normalised: x runs from 0 at the left "
    "edge of the screen to 1000 at the right one, y from 0 at the top to 1000 at the bottom.",
}


def system_text(toolbelt: Toolbelt, space: Space, desktop: Region | None) -> str:
    """Role, rules and tools: the part of the prompt that stays the same for a whole run."""
    places = "There is no screen."
    if desktop is not None:
        places = PLACES[space].format(x=desktop.right - 1, y=desktop.bottom - 1)
    catalog = "\n".join(
        f"- {tool.signature}\n{textwrap.indent(tool.description, '  ')}\n  Risk: {tool.risk}." for tool in toolbelt
    )
    return _words("system").replace("{{places}}", places).replace("{{catalog}}", catalog)


@functools.cache
def _words(name: str) -> str:
    return (resources.files("mark_i") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()
