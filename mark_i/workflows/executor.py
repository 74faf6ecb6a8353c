"""Run a workflow, as a generator of events.

It has no control, clock, journal or thread of its own: the consumer of its events uses these between two events.
"""

import json
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from types import GeneratorType
from typing import Any, Final

from mark_i.events import Event
from mark_i.workflows.format.graph import Graph, Link, Node
from mark_i.workflows.format.limits import LIMIT_KEY, iterations
from mark_i.workflows.format.node_type import Context, Inputs, NodeType, Registry
from mark_i.workflows.format.order import BACK_SLOT, Order, order_of
from world_model import MarkIError, UsageError, WorkflowError

MIN_LOOP_LIMIT: Final = 20  # laps after which a loop counts as endless, at least


@dataclass(frozen=True, slots=True)
class NodeStarted:
    """A node is about to run, for the `count`-th time."""

    node: Node
    count: int
    inputs: Inputs


@dataclass(frozen=True, slots=True)
class NodeFinished:
    """A node has run for the `count`-th time."""

    node: Node
    count: int
    inputs: Inputs
    outputs: Any


@dataclass(frozen=True, slots=True)
class NodeSkipped:
    """A node is skipped: every link to it comes from a branch that was not taken."""

    node: Node


@dataclass(frozen=True, slots=True)
class GraphFinished:
    """The workflow is finished.

    Attributes:
        outputs: the last output of each node, by its id, in the order in which they ran.
        counts: how often each node ran, by its id.
        words: the counts for a person: `observe x3`, with the id if nodes share a type.
    """

    outputs: Mapping[int, Any]
    counts: Mapping[int, int]
    words: tuple[str, ...]


GraphEvent = NodeStarted | NodeFinished | NodeSkipped | GraphFinished


def execute(
    graph: Graph, registry: Registry, context: Context | None = None
) -> Generator[GraphEvent | Event, None, GraphFinished]:
    """Run a workflow to its end: yield events, including those of the nodes' functions, and return the last one.

    Args:
        graph: the workflow, as `loading` returns it.
        registry: the types of its nodes.
        context: what every node can read, such as the goal. `maxIterations` is how often loops may run.

    Raises:
        UsageError: the graph cannot be run: a node's type has no function yet, or a limit is not valid.
        WorkflowError: a node failed, or a loop does not end; names the node. A `MarkIError` of a node keeps its type,
            and its message names the node too.
    """
    context = context or {}
    _refuse_unfinished(graph, registry)
    run = _Run(graph, order_of(graph, registry), registry, context, _most(graph, context))
    at = 0
    while at < len(run.order.nodes):
        node = run.nodes[run.order.nodes[at]]
        yield from run.step(node) if run.reaches(node) else run.skip(node)
        at = run.after(node, at)
    finished = GraphFinished(dict(run.outputs), dict(run.counts), counted(graph, run.counts))
    yield finished
    return finished


def counted(graph: Graph, counts: Mapping[int, int]) -> tuple[str, ...]:
    """Return how often each node ran, as a person reads it."""
    named = {node.id: node.kind for node in graph.nodes}
    shared = Counter(named[one] for one in counts)
    return tuple(
        f"{named[one]}{f' #{one}' if shared[named[one]] > 1 else ''} x{count}" for one, count in counts.items()
    )


class _Run:
    """The state of a running workflow: what flows between its nodes."""

    def __init__(self, graph: Graph, order: Order, registry: Registry, context: Context, most: int) -> None:
        self.order = order
        self.nodes = {node.id: node for node in graph.nodes}
        self.outputs: dict[int, Any] = {}
        self.counts: Counter[int] = Counter()
        self._registry, self._context, self._most = registry, context, most
        self._incoming = _incoming(graph, order)
        self._decisions: dict[int, bool] = {}
        self._laps: Counter[int] = Counter()

    def reaches(self, node: Node) -> bool:
        """Return whether a node runs: it has no forward link, or one has a value. Links back have none at first."""
        if node.never:
            return False
        forward = [link for link, back in self._incoming[node.id] if not back]
        return not forward or any(self._live(link, back=False) for link in forward)

    def step(self, node: Node) -> Generator[GraphEvent | Event, None, None]:
        """Run one node."""
        self.counts[node.id] += 1
        count, inputs, kind = self.counts[node.id], self._inputs(node), self._registry[node.kind]
        yield NodeStarted(node, count, inputs)
        outputs = yield from _called(node, kind, inputs, self._context)
        self.outputs[node.id] = outputs
        if kind.router:
            self._decisions[node.id] = node.muted or _decision(node, outputs)
        yield NodeFinished(node, count, inputs, outputs)

    def skip(self, node: Node) -> Iterator[GraphEvent]:
        """Skip one node; what it returned in an earlier lap is outdated."""
        self.outputs.pop(node.id, None)
        yield NodeSkipped(node)

    def after(self, node: Node, at: int) -> int:
        """Return where in the order to continue: at the next node, or where a router leads back to."""
        loop = self.order.loops.get(node.id)
        if loop is None:
            return at + 1
        if node.id not in self.outputs or self._decisions[node.id]:
            self._laps[node.id] = 0  # a loop around this one may enter it again
            return at + 1
        self._laps[node.id] += 1
        first = at + 1 - len(loop.body)
        if self._laps[node.id] >= self._most:
            raise WorkflowError(_endless(self.nodes[self.order.nodes[first]], node, self._most))
        return first

    def _inputs(self, node: Node) -> Inputs:
        """Return the inputs, by slot; if several links lead to one slot, the last one with a value counts."""
        links = self._incoming[node.id]
        arrived: list[Any] = [None] * (1 + max((link.target_slot for link, _ in links), default=-1))
        for link, back in links:
            if self._live(link, back=back):
                arrived[link.target_slot] = _flowing(self.outputs[link.origin_id], link.origin_slot)
        return tuple(arrived)

    def _live(self, link: Link, *, back: bool) -> bool:
        """Return whether a link has a value: its origin has run, and is not a router that took the other branch."""
        if link.origin_id not in self.outputs:
            return False
        met = self._decisions.get(link.origin_id)
        if met is None:
            return True
        return not met if back else met == (link.origin_slot != BACK_SLOT)


def _refuse_unfinished(graph: Graph, registry: Registry) -> None:
    """Refuse a workflow with node types that have no function, before anything runs."""
    for node in graph.nodes:
        if registry[node.kind].run is None and not node.off:
            raise UsageError(
                f"{node} cannot be run: its type has no function here. It can be drawn and checked, or muted."
            )


def _most(graph: Graph, context: Context) -> int:
    """Return after how many laps a loop counts as endless: more than any limit of the workflow or the run."""
    wanted = [(context, "The context")] + [(node.properties, str(node)) for node in graph.nodes]
    limits = [iterations(one[LIMIT_KEY], where) for one, where in wanted if one.get(LIMIT_KEY) is not None]
    return max([MIN_LOOP_LIMIT, *(limit + 1 for limit in limits)])


def _incoming(graph: Graph, order: Order) -> dict[int, list[tuple[Link, bool]]]:
    """Return the links to each node, and whether they lead back. Those that do come last: their values are newer."""
    found: dict[int, list[tuple[Link, bool]]] = {node.id: [] for node in graph.nodes}
    for back, link in sorted(((link in order.back, link) for link in graph.links), key=itemgetter(0)):
        found[link.target_id].append((link, back))
    return found


def _flowing(outputs: Any, slot: int) -> Any:  # noqa: ANN401 - a node may give anything
    if isinstance(outputs, Mapping) and "routedData" in outputs:
        return outputs["routedData"]
    if isinstance(outputs, list):
        return outputs[slot] if slot < len(outputs) else None
    return outputs


def _called(node: Node, kind: NodeType, inputs: Inputs, context: Context) -> Generator[Event, None, Any]:
    if node.muted:
        return inputs[0] if inputs else None
    assert kind.run is not None  # noqa: S101 - refused before
    try:
        outputs = kind.run(inputs, node.properties, context)
        if isinstance(outputs, GeneratorType):
            outputs = yield from outputs
        json.dumps(outputs, allow_nan=False)  # the journal must be able to write it
    except MarkIError as error:
        # The type decides how the run ends, so only the message changes.
        error.args = (f"{_capital(node)}: {error}", *error.args[1:])
        raise
    except Exception as error:  # a node's own code may raise anything
        said = f"{type(error).__name__}: {error}".rstrip(": ")
        raise WorkflowError(f"{_capital(node)} failed: {said}") from error
    return outputs


def _decision(node: Node, outputs: Any) -> bool:  # noqa: ANN401 - a node may give anything
    """Return whether a router's condition is met."""
    said = outputs.get("routingDecision") if isinstance(outputs, Mapping) else None
    if said not in {"true", "false"}:
        raise WorkflowError(f'{_capital(node)} is a router, and gave no routingDecision "true" or "false".')
    return bool(said == "true")


def _endless(first: Node, router: Node, most: int) -> str:
    return (
        f"{_capital(first)} has run {most} times, and {router} still sends it back. Is there anything in the loop that "
        "makes its condition true?"
    )


def _capital(node: Node) -> str:
    words = str(node)
    return words[0].upper() + words[1:]
