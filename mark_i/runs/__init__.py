"""Runs, past and present: finding them, playing them back, checking them again, stopping them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
