"""What a Wayland session lets programs know and do: the findings of the doctor on the person's own desktop."""

import os
from collections.abc import Iterator
from typing import Final

from mark_i.doctor.prerequisites import Finding
from mark_i.extras import EXTRAS
from toolbelt.desktops import Desktop

VIRTUAL: Final = "Where that matters, use a virtual desktop: --virtual."
LISTED: Final = "Windows can be listed, raised and closed."
PLACED: Final = "Where they are is known."
UNPLACED: Final = "This compositor says neither where they are nor whose they are."
UNKNOWN: Final = (
    "This session tells nobody which windows there are, so none is listed, raised or closed, and none can be masked by "
    "its name. You are asked before keys are used, and they go only where the agent has clicked."
)
UNSEEN: Final = (
    "The agent does not see when you use mouse or keyboard, so it does not pause then. "
    "Stop it in its window, at the terminal, or with mark-i stop."
)
SEEN: Final = (
    "The run pauses when you use mouse or keyboard, between two actions of the agent. The corner does not stop it."
)
ASKED_ONCE: Final = "The permission can be remembered, so that you are asked once."
ASKED_EACH_TIME: Final = "The portal is too old to remember the permission, so you are asked at each run."
NEWER: Final = (
    "An xdg-desktop-portal with version 2 of RemoteDesktop remembers it, as those of GNOME 48 and Plasma 6.3 do."
)
PASTED: Final = "What no key of your keyboard layout has is pasted."
TYPED_ALONE: Final = "What no key of your layout has cannot be typed: this session lets no program use its clipboard."
ADD_LAYOUT: Final = "Add a keyboard layout that has the characters you need, or use a virtual desktop: --virtual."
UNASKED: Final = "Programs are not heard: {}. What they show is found by its looks alone."
UNHEARD: Final = "Install at-spi2-core, and the extra: pip install 'mark-i[accessibility]'"
HEARD_MAX_S: Final = 2.0
HEARD_THERE: Final = "On a virtual desktop they are heard: use --virtual where a control is not found."


def session_findings(desktop: Desktop) -> Iterator[Finding]:
    """Report what the Wayland session of a desktop lets programs know and do."""
    from toolbelt.desktops.wayland import WaylandDesktop, WindowedDesktop  # noqa: PLC0415 - only on Linux

    assert isinstance(desktop, WindowedDesktop)  # noqa: S101 - as is every one of such a session
    if not isinstance(desktop, WaylandDesktop):
        yield from _portal(desktop)
    if desktop.knows_windows:
        known = PLACED if desktop.knows_places else UNPLACED
        yield Finding("Windows", f"{LISTED} {known}", about="windows", there=True)
    else:
        yield Finding("Windows", UNKNOWN, VIRTUAL, "windows")
    sees_input = isinstance(desktop, WaylandDesktop) and desktop.sees_input
    yield Finding("Your own input", SEEN if sees_input else UNSEEN, about="takeover", there=True)
    if desktop.knows_places:
        yield accessibility_finding(desktop)
    else:
        yield Finding("Accessibility", UNASKED.format(desktop.unheard), HEARD_THERE, "accessibility")


def accessibility_finding(desktop: Desktop) -> Finding:
    """Report whether programs can say what they show."""
    desktop.trees([os.getpid()], HEARD_MAX_S)
    unheard = desktop.unheard if EXTRAS["accessibility"].installed else "the extra is not installed"
    if not unheard:
        return Finding("Accessibility", "Programs can say what they show.", about="accessibility", there=True)
    return Finding("Accessibility", UNASKED.format(unheard), UNHEARD, "accessibility")


def _portal(desktop: Desktop) -> Iterator[Finding]:
    """Report what a portal lets programs do."""
    from toolbelt.desktops.wayland.portal import PortalDesktop  # noqa: PLC0415 - it needs an extra

    assert isinstance(desktop, PortalDesktop)  # noqa: S101 - the only other kind
    if desktop.remembers:
        yield Finding("Permission", ASKED_ONCE, about="portal", there=True)
    else:
        yield Finding("Permission", ASKED_EACH_TIME, NEWER, "portal")
    if desktop.has_clipboard:
        yield Finding("Keyboard", PASTED, about="keyboard", there=True)
    else:
        yield Finding("Keyboard", TYPED_ALONE, ADD_LAYOUT, "keyboard")
