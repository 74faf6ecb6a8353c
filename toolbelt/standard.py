"""The tools that every agent has."""

from typing import Final

from toolbelt.belt import Toolbelt
from toolbelt.perception.eyes import Eyes
from toolbelt.tools.apps import Applications
from toolbelt.tools.clipboard import Clipboard
from toolbelt.tools.ending import fail, finish
from toolbelt.tools.forms import Forms
from toolbelt.tools.keys import Keyboard
from toolbelt.tools.mouse import Mouse
from toolbelt.tools.screen import Screen, Waiting
from toolbelt.tools.windows import Windows

DESKTOP_TOOLS: Final = (Mouse, Keyboard, Forms, Clipboard, Screen, Waiting, Applications, Windows)
ENDING_TOOLS: Final = (finish, fail)


def standard_toolbelt(eyes: Eyes | None, *others: object) -> Toolbelt:
    """Return a toolbelt with the built-in tools and `others`; without eyes only those that need no desktop."""
    toolbelt = Toolbelt()
    if eyes:
        add_desktop_tools(toolbelt, eyes)
    toolbelt.add(*ENDING_TOOLS, *others)
    return toolbelt


def add_desktop_tools(toolbelt: Toolbelt, eyes: Eyes) -> None:
    """Add the built-in tools that need a desktop, and the one that describes the rare ones among them."""
    toolbelt.add(*(kind(eyes) for kind in DESKTOP_TOOLS), toolbelt)
