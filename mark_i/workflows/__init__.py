"""Workflows: a JSON graph of nodes and links, checked, drawn and executed.

`graph` is what a file says, `loading` reads and checks it, `order` says what runs after what, `executor` runs it,
`nodes` is the door for node types, `scratchpad` and `router` hold the six that need nothing but their inputs, and
`catalog` lists every type that is known.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
