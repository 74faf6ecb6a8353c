"""What the agent knows: places, frames, steps, the WorldModel, the run's journal, and the errors."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
