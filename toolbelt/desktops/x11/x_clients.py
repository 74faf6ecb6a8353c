"""Which process is behind a window, as the X server knows it: what a window says of itself need not be true."""

import struct
from typing import Final

from Xlib import X
from Xlib.display import Display

from toolbelt.desktops.x11.xkb import Ask

_LOCAL_PID: Final = 2  # XResQueryClientIds: LocalClientPID


def local_clients(display: Display) -> dict[int, int]:
    """The process of each connection to the server from this machine; empty where the server does not tell."""
    extension = display.query_extension("X-Resource")
    if extension is None:
        return {}
    query = struct.pack("=III", 1, X.NONE, _LOCAL_PID)  # of all clients
    answer = Ask(display=display.display, opcode=extension.major_opcode, minor=4, body=list(query))
    return {client: pid for client, _, _, pid in struct.iter_unpack("=IIII", bytes(answer.body)[24:])}


def client_of(display: Display, window: int) -> int:
    """The connection that a window was made through."""
    return window & ~int(display.display.info.resource_id_mask)
