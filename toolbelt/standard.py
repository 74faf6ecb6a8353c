"""The tools that the agent has without anybody adding one."""

from typing import Final

from toolbelt.belt import Toolbelt
from toolbelt.eyes import Eyes
from toolbelt.tools.apps import Applications
from toolbelt.tools.clipboard import Clipboard
from toolbelt.tools.ending import fail, finish
from toolbelt.tools.keys import Keys
from toolbelt.tools.mouse import Mouse
from toolbelt.tools.screen import Screen, Waiting
from toolbelt.tools.windows import Windows

OF_THE_DESKTOP: Final = (Mouse, Keys, Clipboard, Screen, Waiting, Applications, Windows)


def standard_toolbelt(eyes: Eyes | None, *others: object) -> Toolbelt:
    """The built-in tools, and `others` beside them; without eyes those that need no desktop."""
    desktop = [kind(eyes) for kind in OF_THE_DESKTOP] if eyes else []
    return Toolbelt(*desktop, finish, fail, *others)
