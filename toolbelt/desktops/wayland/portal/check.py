"""Whether a session has a portal that asks its person, without asking; this much needs no extra."""

import contextlib

from toolbelt.extras import are_installed, not_installed
from world_model import DesktopError


def check_portal() -> None:
    """Make sure that this session lets programs ask the person for screen, mouse and keyboard; asks nothing.

    Raises:
        DesktopError: It does not, or what is needed for it is not installed.
    """
    if not are_installed("jeepney", "pipewire_capture"):
        raise DesktopError(not_installed("Asking the person for this desktop", "portal"))
    from toolbelt.desktops.wayland.portal.bus import REMOTE, SCREEN, Bus  # noqa: PLC0415 - it needs the extra

    with contextlib.closing(Bus()) as bus:
        if not (bus.version(REMOTE) and bus.version(SCREEN)):
            raise DesktopError("Programs cannot ask for it either: no desktop portal here shares screen and input.")
