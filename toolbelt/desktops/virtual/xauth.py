"""Who may use a display: X without a cookie lets in every local user, who then sees and types all there is."""

import os
from typing import Final

from xcffib import xproto

from toolbelt.desktops.x11.connection import Connection

LOCAL: Final = 252  # all who connect on this machine
INTERPRETED: Final = 5  # whom the server asks the system about


def keep_to_oneself(display: Connection) -> None:
    """Let nobody in any more but programs of the user who runs this one."""
    mine = b"localuser\0#%d" % os.getuid()
    display.core.ChangeHosts(xproto.HostMode.Insert, INTERPRETED, len(mine), mine)
    display.core.ChangeHosts(xproto.HostMode.Delete, LOCAL, 0, b"")
    display.sync()
