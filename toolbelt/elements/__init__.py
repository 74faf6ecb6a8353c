"""The controls on a frame, their marks, and the overlay that shows them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
