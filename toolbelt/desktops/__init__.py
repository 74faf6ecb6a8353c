"""Desktops: a screen, a mouse, a keyboard, a clipboard, windows and applications, on each system."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
