"""The positions of nodes in a drawing: in layers from top to bottom, each node below everything it depends on.

A link that crosses layers gets a cell in each of them, and links from one node share these cells, so links run beside
the nodes and not behind them. After Sugiyama, Tagawa and Toda (1981); the means of the neighbours decide both the order
and the position.
"""

from collections.abc import Iterable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final, TypeVar

from mark_i.workflows.format.graph import Graph
from mark_i.workflows.format.order import Order
from world_model import UsageError

T = TypeVar("T")
Cell = tuple[int, int]  # a node's id and a layer: the layer of the node itself, or one that its links cross

MAX_CELLS: Final = 2000  # a larger drawing is of no use to anyone
SWEEPS: Final = 8  # more sweeps do not change the order of any graph that we have
NODE_WIDTH_PX: Final = 200.0
PASSING_LINK_PX: Final = 16.0
GAP_PX: Final = 28.0


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing's geometry.

    Attributes:
        layers: the cells of each layer from left to right.
        x: the centre of each cell, in pixels, from 0.
        width: in pixels.
        own: the cell of each node.
        segments: the pairs of cells to join; a link is one segment or several in a row.
    """

    layers: Sequence[Sequence[Cell]]
    x: Mapping[Cell, float]
    width: float
    own: Mapping[int, Cell]
    segments: Sequence[tuple[Cell, Cell]]


def laid_out(graph: Graph, order: Order) -> Layout:
    """Return a position for every node.

    Raises:
        UsageError: there are too many nodes and links.
    """
    pairs = dict.fromkeys((link.origin_id, link.target_id) for link in graph.links if link not in order.back)
    own = {one: (one, depth) for one, depth in _depths(order.nodes, pairs).items()}
    if len(own) + sum(own[target][1] - own[origin][1] - 1 for origin, target in pairs) > MAX_CELLS:
        raise UsageError(f"The workflow is too large to be drawn: {len(graph.nodes)} nodes, {len(graph.links)} links.")
    segments = list(dict.fromkeys(one for pair in pairs for one in _segments(own[pair[0]], own[pair[1]])))
    cells = dict.fromkeys([*own.values(), *(cell for one in segments for cell in one)])
    layers: list[list[Cell]] = [[] for _ in range(1 + max(layer for _, layer in cells))]
    for cell in cells:
        layers[cell[1]].append(cell)
    above = _joined((lower, upper) for upper, lower in segments)
    below = _joined(segments)
    for sweep in range(SWEEPS):
        _sort(*((layers, above) if sweep % 2 == 0 else (layers[::-1], below)))
    x = _places(layers, (above, below), set(own.values()))
    left = min(x.values()) - NODE_WIDTH_PX / 2
    width = max(x.values()) + NODE_WIDTH_PX / 2 - left
    return Layout(layers, {cell: place - left for cell, place in x.items()}, width, own, segments)


def _depths(ids: Iterable[int], pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the layer of each node: one below the lowest node that it depends on."""
    origins = _joined((target, origin) for origin, target in pairs)
    depths: dict[int, int] = {}
    for one in ids:
        depths[one] = 1 + max((depths[origin] for origin in origins.get(one, ())), default=-1)
    return depths


def _segments(start: Cell, end: Cell) -> Iterable[tuple[Cell, Cell]]:
    """Return the segments from one node down to another, one per layer."""
    way = [*((start[0], layer) for layer in range(start[1], end[1])), end]
    return pairwise(way)


def _joined(pairs: Iterable[tuple[T, T]]) -> dict[T, list[T]]:
    found: dict[T, list[T]] = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
    return found


def _sort(layers: Sequence[list[Cell]], neighbours: Mapping[Cell, Sequence[Cell]]) -> None:
    """Sort each layer by the mean place of its cells' neighbours; a cell without neighbours keeps about its place."""
    for layer in layers:
        place = {cell: number for other in layers for number, cell in enumerate(other)}
        layer.sort(key=lambda cell: fmean(place[near] for near in neighbours.get(cell, (cell,))))


def _places(
    layers: Sequence[Sequence[Cell]], around: Sequence[Mapping[Cell, Sequence[Cell]]], nodes: AbstractSet[Cell]
) -> dict[Cell, float]:
    """Return the centre of each cell: as near as possible to the mean of its neighbours, in the order of its layer."""
    x: dict[Cell, float] = {}
    for layer in layers:
        x |= dict(zip(layer, _apart(layer, [0.0] * len(layer), nodes), strict=True))
    for sweep in range(SWEEPS):
        neighbours = around[sweep % 2]
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            wanted = [fmean(x[near] for near in neighbours.get(cell, (cell,))) for cell in layer]
            x |= dict(zip(layer, _apart(layer, wanted, nodes), strict=True))
    return x


def _apart(layer: Sequence[Cell], wanted: Sequence[float], nodes: AbstractSet[Cell]) -> list[float]:
    """Return the wanted places, moved to both sides just far enough that no cell touches the next."""
    widths = [NODE_WIDTH_PX if cell in nodes else PASSING_LINK_PX for cell in layer]
    steps = [(one + other) / 2 + GAP_PX for one, other in pairwise(widths)]
    to_right = [wanted[0]]
    for place, step in zip(wanted[1:], steps, strict=True):
        to_right.append(max(place, to_right[-1] + step))
    to_left = [wanted[-1]]
    for place, step in zip(reversed(wanted[:-1]), reversed(steps), strict=True):
        to_left.append(min(place, to_left[-1] - step))
    return [(one + other) / 2 for one, other in zip(to_right, reversed(to_left), strict=True)]
