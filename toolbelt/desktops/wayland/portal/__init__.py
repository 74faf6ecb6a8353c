"""The Wayland desktop of sessions that ask the person first (the desktop portal), such as GNOME."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
