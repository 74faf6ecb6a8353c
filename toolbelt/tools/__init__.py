"""The tools that come with MARK-I. They enter the Toolbelt by the same door as anybody's."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
