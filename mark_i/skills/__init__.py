"""Skills: a good run as a file that a person can read, done again without a model."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
