"""The workflows that come with MARK-I, by the names of their files."""

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from mark_i.workflows.format.graph import Graph
from mark_i.workflows.format.loading import load_graph, parse_graph
from mark_i.workflows.format.node_type import Registry, near
from world_model import UsageError


def shipped() -> Mapping[str, Traversable]:
    """Return the files of the workflows, by name."""
    files = (resources.files("mark_i.workflows") / "shipped").iterdir()
    return {
        file.name.removesuffix(".json"): file
        for file in sorted(files, key=lambda one: one.name)
        if file.name.endswith(".json")
    }


def found(name: str, registry: Registry) -> Graph:
    """Return the workflow of that name, or in the file of that name.

    Raises:
        UsageError: there is neither, or it is not a workflow.
    """
    known = shipped()
    if name in known:
        return parse_graph(known[name].read_text(encoding="utf-8"), name, registry, name=name)
    file = Path(name)
    if not file.exists() and file.suffix != ".json" and file.name == name:
        raise UsageError(f"There is no workflow {name!r}, and no such file. {near(name, known)}")
    return load_graph(file, registry)
