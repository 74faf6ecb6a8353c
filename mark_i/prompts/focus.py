"""Which field has the keyboard focus, as far as the steps so far tell."""

from collections.abc import Sequence
from typing import Final

from toolbelt.belt import Toolbelt
from toolbelt.parameters import Aimed, Enters, Typed
from world_model import FIELDS, Place, Step

RECENT: Final = 8  # steps in which it is looked for


def focused_field(steps: Sequence[Step], toolbelt: Toolbelt) -> Place | None:
    """Return the field that was clicked or typed into last; None if something may have moved the focus since."""
    for step in reversed(steps):
        tool, seen = toolbelt.known(step.action.tool), step.observation
        if tool is None or not seen.ok or (seen.screen and (seen.screen.front or seen.screen.opened)):
            return None
        if tool.risk != "act" or tool.hovers:
            continue
        parts = list(tool.parts(step.action.args))
        if any(role is Enters and value for role, value in parts):
            return None
        typed = [str(value) for role, value in parts if role is Typed]
        if any(key in text for text in typed for key in "\n\t"):
            return None
        if any(role is Aimed for role, _ in parts):
            return next((place for place in seen.places[-1:] if place.role in FIELDS), None)
        if not typed:
            return None
    return None
