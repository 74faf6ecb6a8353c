"""Load the node types of others: from installed packages, and from files in the profile's `nodes/` folder.

A package names its types in the entry-point group `mark_i.nodes`. Each entry is a function decorated with `@node()`, an
object with such methods, a class of such objects, or a module with any of these. A file is loaded as such a module.
"""

from pathlib import Path
from types import ModuleType
from typing import Final

from mark_i.plugins.loader import complaint, installed, members, plugin_in, stamps_of
from mark_i.workflows.catalog import CATALOG
from mark_i.workflows.format.node_type import MARK, NodeType, registry_of

GROUP: Final = "mark_i.nodes"


def known_types(folder: Path) -> tuple[dict[str, NodeType], list[str]]:
    """Return every node type, by name, and complaints about broken plugins, which are left out.

    Args:
        folder: the folder with the files; it need not exist.

    Raises:
        UsageError: the folder exists and cannot be read.
    """
    types, complaints = dict(CATALOG), []
    for plugin in [*installed(GROUP), *map(plugin_in, stamps_of(folder))]:
        try:
            types |= _new_types(plugin.read(), types)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's code may raise anything
            complaints.append(f"{complaint(plugin, error)} It is left out.")
    return types, complaints


def _new_types(plugin: object, known: dict[str, NodeType]) -> dict[str, NodeType]:
    found = members(plugin, MARK) if isinstance(plugin, ModuleType) else [plugin]
    if not found:
        raise TypeError("there is no node type in it: write @node() above a function.")
    brought = registry_of(*(one() if isinstance(one, type) else one for one in found))
    if taken := known.keys() & brought:
        raise ValueError(f"there is a node type {min(taken)} already.")
    return brought
