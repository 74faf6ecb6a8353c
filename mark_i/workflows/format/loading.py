"""Read a workflow file: lenient on what has a default, strict on the rest, with one clear error for each fault."""

import re
from itertools import count
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from mark_i.json_text import read_json
from mark_i.workflows.format.graph import Graph
from mark_i.workflows.format.node_type import Registry, near
from mark_i.workflows.format.order import order_of
from world_model import UsageError, cut, file_fault

QUOTED_CHARS: Final = 60  # of a name, in an error
MAX_FILE_BYTES: Final = 16 * 1024 * 1024


def load_graph(file: Path, registry: Registry) -> Graph:
    """Return the workflow in a file, ready to be executed.

    Raises:
        UsageError: the file cannot be read or is not such a workflow; names the file, and the node or the link.
    """
    try:
        if file.is_dir():
            raise UsageError(f"{file} is a folder, not a workflow.")
        if file.stat().st_size > MAX_FILE_BYTES:
            raise UsageError(f"{file} is larger than a workflow can be ({MAX_FILE_BYTES // 1024 // 1024} MB).")
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {file_fault(error)}.") from error
    except ValueError as error:
        raise UsageError(f"{file} is not a JSON file: it is not text in UTF-8.") from error
    return parse_graph(text, str(file), registry, name=file.stem)


def parse_graph(text: str, source: str, registry: Registry, name: str = "") -> Graph:
    """Return the workflow in a JSON text.

    Args:
        text: the whole file.
        source: the name of the text in errors.
        registry: the node types that may occur.
        name: the name of the workflow if the text has none.

    Raises:
        UsageError: it is not such a workflow; names the source, and the node or the link.
    """
    try:
        graph = _graph(read_json(text), name)
        _check(graph, registry)
    except UsageError as error:
        raise UsageError(f"{source}: {error}") from error
    return graph


def _graph(data: Any, name: str) -> Graph:  # noqa: ANN401 - not yet checked
    """Return the graph as written, with its name and the ids of its links filled in if they are missing."""
    if not isinstance(data, dict):
        raise UsageError('it is not a workflow: it must be an object with "nodes" and "links".')
    filled = {**data, "name": data.get("name") or name, "links": _with_ids(data.get("links"))}
    try:
        return Graph.model_validate(filled)
    except ValidationError as error:
        raise UsageError(_told(error, data)) from error


def _with_ids(links: Any) -> Any:  # noqa: ANN401 - not yet checked
    if not isinstance(links, list):
        return links
    taken = {number for link in links if isinstance(number := _id_of(link), int)}
    free = (number for number in count(1) if number not in taken)
    return [{**one, "id": next(free)} if isinstance(one, dict) and one.get("id") is None else one for one in links]


def _id_of(one: Any) -> Any:  # noqa: ANN401 - not yet checked
    """Return the id of a node or a link, which may be a list that begins with it."""
    if isinstance(one, dict):
        return one.get("id")
    return one[0] if isinstance(one, list) and one else None


def _told(error: ValidationError, data: dict[str, Any]) -> str:
    """Return the first error in words."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = first["loc"]
    said = first["msg"].removeprefix("Value error, ")
    words = said[0].lower() + re.sub(r"tuple|dictionary( or instance of \w+)?", _in_json, said[1:])
    at = len(path) > 1 and path[0] in {"nodes", "links"}
    place = _place(str(path[0]), int(path[1]), data) if at else "the workflow"
    return f"{place}: {'.'.join(map(str, path[2 if at else 0 :])) or 'it'}: {words}."


def _in_json(match: re.Match[str]) -> str:
    return "list" if match[0] == "tuple" else "object"


def _place(which: str, index: int, data: dict[str, Any]) -> str:
    one = data[which][index]
    number = _id_of(one)
    kind = which.removesuffix("s")
    return f"{kind} {number}" if isinstance(number, int) else f"{kind} number {index + 1} of the list"


def _check(graph: Graph, registry: Registry) -> None:
    if not graph.nodes:
        raise UsageError("it has no nodes.")
    known = set()
    for node in graph.nodes:
        if node.id in known:
            raise UsageError(f"two nodes have the id {node.id}.")
        if node.kind not in registry:
            kind = cut(node.kind, QUOTED_CHARS)
            raise UsageError(f"node {node.id}: there is no node type {kind!r}. {near(kind, registry)}")
        known.add(node.id)
    linked = set()
    for link in graph.links:
        if link.id in linked:
            raise UsageError(f"two links have the id {link.id}.")
        linked.add(link.id)
        for end, word in ((link.origin_id, "comes from"), (link.target_id, "leads to")):
            if end not in known:
                raise UsageError(f"{link} {word} node {end}, and there is no such node.")
    order_of(graph, registry)
