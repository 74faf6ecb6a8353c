"""Fleets: many goals on many virtual desktops, of which nothing is lost and nothing is done twice."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
