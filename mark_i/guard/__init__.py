"""The guard: what an action may do, whose word it rests on, and what must not be told."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
