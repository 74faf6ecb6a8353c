"""What the truth benchmark lets an agent try: each attempt as a true one, and as a near miss of it.

Whether a goal is reached is read from the world afterwards, never from what the agent or MARK-I says.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
