"""What the agent knows: geometry, frames, steps, the WorldModel, the journal of a run, and the errors."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
