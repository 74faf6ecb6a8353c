"""The process that owns a window, as the X server knows it: a window's own claim need not be true."""

import struct
from typing import Final

import xcffib

from toolbelt.desktops.x11.connection import Connection, Extension
from world_model import DesktopError

_QUERY_CLIENT_IDS: Final = 4
_LOCAL_PID: Final = 2  # XResQueryClientIds: LocalClientPID
_HEAD: Final = 24  # bytes before the first client


def local_clients(display: Connection) -> dict[int, int]:
    """Return the process of each connection from this machine; empty if the server does not report it."""
    try:
        resources = Extension(display, "X-Resource")
    except DesktopError:
        return {}
    answer = resources.ask(_QUERY_CLIENT_IDS, struct.pack("=III", 1, xcffib.NONE, _LOCAL_PID))  # all clients
    return {client: pid for client, _, _, pid in struct.iter_unpack("=IIII", answer[_HEAD:])}


def client_of(display: Connection, window: int) -> int:
    """Return the connection that created a window."""
    return window & ~int(display.setup.resource_id_mask)
