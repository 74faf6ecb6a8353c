from .desktop import (
    WaylandDesktop as WaylandDesktop,
    session_lacks as session_lacks,
    wayland_socket as wayland_socket,
)
from .windowed import WindowedDesktop as WindowedDesktop
