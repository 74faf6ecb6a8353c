"""Access to a display: without a cookie, X lets every local user watch it and type on it."""

import os
from typing import Final

from xcffib import xproto

from toolbelt.desktops.x11.connection import Connection

LOCAL: Final = 252  # all local connections
INTERPRETED: Final = 5  # server-interpreted addresses


def restrict_to_current_user(display: Connection) -> None:
    """Restrict a display to programs of the current user."""
    mine = b"localuser\0#%d" % os.getuid()
    display.core.ChangeHosts(xproto.HostMode.Insert, INTERPRETED, len(mine), mine)
    display.core.ChangeHosts(xproto.HostMode.Delete, LOCAL, 0, b"")
    display.sync()
