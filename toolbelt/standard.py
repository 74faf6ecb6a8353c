"""The tools that the agent has without anybody adding one."""

from toolbelt.belt import Toolbelt
from toolbelt.eyes import Eyes
from toolbelt.tools.apps import Applications
from toolbelt.tools.ending import fail, finish
from toolbelt.tools.keys import Keys
from toolbelt.tools.mouse import Mouse
from toolbelt.tools.screen import Waiting


def standard_toolbelt(eyes: Eyes | None, *others: object) -> Toolbelt:
    """The built-in tools, and `others` beside them; without eyes those that need no desktop."""
    desktop = (Mouse(eyes), Keys(eyes), Waiting(eyes), Applications(eyes)) if eyes else ()
    return Toolbelt(*desktop, finish, fail, *others)
