"""Workflows: a JSON graph of nodes and links, checked, drawn and executed.

`graph` is the content of a file, `loading` reads and checks it, `order` sorts the nodes, `executor` runs them,
`plugins` loads the node types of others, `scratchpad` and `router` contain the six types that need only their inputs,
and `catalog` lists every built-in type.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
