from .desktop import (
    WaylandDesktop as WaylandDesktop,
    check_session as check_session,
    wayland_socket as wayland_socket,
)
