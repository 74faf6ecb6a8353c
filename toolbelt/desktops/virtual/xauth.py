"""Who may use a display: X without a cookie lets in every local user, who then sees and types all there is."""

import os
from typing import Final

from Xlib import X
from Xlib.display import Display
from Xlib.protocol import rq

LOCAL: Final = 252  # all who connect on this machine
INTERPRETED: Final = 5  # whom the server asks the system about


class ChangeHosts(rq.Request):
    """The request of X's core protocol: python-xlib's own knows only addresses on a network."""

    _request = rq.Struct(
        rq.Opcode(109),
        rq.Card8("mode"),
        rq.RequestLength(),
        rq.Card8("family"),
        rq.Pad(1),
        rq.LengthOf("host", 2),
        rq.List("host", rq.Card8Obj),
    )


def keep_to_oneself(display: Display) -> None:
    """Let nobody in any more but programs of the user who runs this one."""
    mine = b"localuser\0#%d" % os.getuid()
    for mode, family, host in ((X.HostInsert, INTERPRETED, mine), (X.HostDelete, LOCAL, b"")):
        ChangeHosts(display=display.display, mode=mode, family=family, host=list(host))
    display.sync()
