"""A node type: a function with a docstring, and the names of its slots."""

import difflib
import inspect
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from mark_i.events import Event
from world_model import UsageError

MARK: Final = "__mark_i_node__"
MAX_SUGGESTIONS: Final = 3  # names offered for an unknown one

Inputs = tuple[Any, ...]
Properties = Mapping[str, Any]
Context = Mapping[str, Any]
# A generator function yields events while it runs and returns its outputs.
NodeFunction = Callable[[Inputs, Properties, Context], Any | Generator[Event, None, Any]]
Registry = Mapping[str, "NodeType"]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class NodeType:
    """A type of node in a graph.

    Attributes:
        about: what it does, in one line.
        inputs: the names of its input slots, from slot 0.
        outputs: the names of its output slots, from slot 0.
        run: takes the inputs by slot (None for a slot without a value), the node's properties and the run's context.
            Returns the outputs: a list has one item per slot, and anything else leaves whole at every slot. None if
            the type can only be drawn and checked.
        router: whether it returns `routingDecision`, "true" or "false"; the executor continues at slot 0 or at slot 1.
    """

    name: str
    about: str
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    run: NodeFunction | None = None
    router: bool = False


def node(*, inputs: Sequence[str] = (), outputs: Sequence[str] = (), router: bool = False) -> Callable[[F], F]:
    """Mark a function or a method as the node type of its name, and leave the function itself unchanged.

    Args:
        inputs: the names of its input slots, from slot 0.
        outputs: the names of its output slots, from slot 0.
        router: see `NodeType`.

    Raises:
        TypeError: the function has no docstring, or does not take inputs, properties and context.
    """
    return lambda function: _marked(function, (tuple(inputs), tuple(outputs), router))


def _marked(function: F, marks: tuple[tuple[str, ...], tuple[str, ...], bool]) -> F:
    if not inspect.getdoc(function):
        raise TypeError(f"The node {function.__name__} needs a docstring: it is what people read about it.")
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    if [name.lstrip("_") for name in names] != ["inputs", "properties", "context"]:
        raise TypeError(f"The node {function.__name__} must take inputs, properties and context.")
    setattr(function, MARK, marks)
    return function


def registry_of(*sources: object) -> dict[str, NodeType]:
    """Return the node types of functions marked with `@node` and of objects with such methods, by name.

    The types of a class have no function yet: they can only be drawn and checked.

    Raises:
        TypeError: a source has no node type.
        ValueError: two have the same name.
    """
    found: dict[str, NodeType] = {}
    for source in sources:
        for one in _nodes_of(source):
            if one.name in found:
                raise ValueError(f"There are two node types {one.name}.")
            found[one.name] = one
    return found


def _nodes_of(source: object) -> list[NodeType]:
    if callable(source) and hasattr(source, MARK):
        return [_node_type(source)]
    owner = source if isinstance(source, type) else type(source)
    names = [name for name in dir(owner) if hasattr(getattr(owner, name, None), MARK)]
    if not names:
        raise TypeError(f"{source!r} brings no node type: write @node() above a function or a method.")
    types = [_node_type(getattr(source, name)) for name in names]
    return [replace(one, run=None) for one in types] if source is owner else types


def _node_type(function: Callable[..., Any]) -> NodeType:
    inputs, outputs, router = getattr(function, MARK)
    about = (inspect.getdoc(function) or "").splitlines()[0]
    return NodeType(function.__name__, about, inputs, outputs, function, router)


def named(name: str, registry: Registry) -> NodeType:
    """Return the type of that name.

    Raises:
        UsageError: there is none; names the most similar ones.
    """
    if name in registry:
        return registry[name]
    raise UsageError(f"There is no node type {name!r}. {near(name, registry)}")


def near(name: str, known: Iterable[str]) -> str:
    """Return a sentence with the known names that are most similar to an unknown one, or with all of them."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=MAX_SUGGESTIONS, cutoff=0.55)
    return f"Did you mean {' or '.join(close)}?" if close else f"There are {', '.join(names)}."
