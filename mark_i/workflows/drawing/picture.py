"""The geometry of a workflow's picture: boxes, and lines between them. The caller sets the size and the style."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mark_i.workflows.drawing.layout import NODE_WIDTH_PX, Cell, Layout
from mark_i.workflows.format.graph import Link

Position = tuple[float, float]
Line = tuple[Position, ...]  # two points of a straight line, or the four of a cubic Bézier curve


@dataclass(frozen=True, slots=True)
class Lengths:
    """The dimensions of a picture, in pixels.

    Attributes:
        node: the width of a node; the gaps between nodes scale with it.
        height: the height of a node.
        layer: from the top of a layer to the top of the next one.
        bulge: how far a link that leads back swings out beyond the nodes that it passes.
        wider: how much further each next such link swings out.
    """

    node: float
    height: float
    layer: float
    bulge: float
    wider: float


@dataclass(frozen=True, slots=True)
class GraphPicture:
    """The position of everything, from 0, 0.

    Attributes:
        boxes: the upper left corner of each node, by its id.
        links: the lines of links, and whether each ends at a node.
        back: the lines of links that lead back, curved at the right, and where their label begins.
    """

    width: float
    height: float
    boxes: Mapping[int, Position]
    links: Sequence[tuple[Line, bool]]
    back: Sequence[tuple[Line, Position]]


def pictured(layout: Layout, back: Iterable[Link], lengths: Lengths) -> GraphPicture:
    """Return the picture of a layout and of its links that lead back."""
    places = _Places(layout, lengths)
    nodes = set(layout.own.values())
    longer = sorted(back, key=lambda one: (places.span(one), one.id))
    curves = [places.back(link, number) for number, link in enumerate(longer)]
    beside = lengths.bulge + lengths.wider * len(curves) if curves else 0.0
    joined = [(places.segment(start, end), end in nodes) for start, end in layout.segments]
    passing = [(places.passing(cell), False) for layer in layout.layers for cell in layer if cell not in nodes]
    return GraphPicture(
        layout.width * lengths.node / NODE_WIDTH_PX + beside,
        (len(layout.layers) - 1) * lengths.layer + lengths.height,
        {one: (places.x(cell) - lengths.node / 2, places.top(cell)) for one, cell in layout.own.items()},
        [*joined, *passing],
        curves,
    )


@dataclass(frozen=True, slots=True)
class _Places:
    layout: Layout
    lengths: Lengths

    def x(self, cell: Cell) -> float:
        """Return the horizontal centre of a cell."""
        return self.layout.x[cell] * self.lengths.node / NODE_WIDTH_PX

    def top(self, cell: Cell) -> float:
        return cell[1] * self.lengths.layer

    def segment(self, start: Cell, end: Cell) -> Line:
        x1, y1, x2, y2 = self.x(start), self.top(start) + self.lengths.height, self.x(end), self.top(end)
        half = (y1 + y2) / 2
        return (x1, y1), (x1, half), (x2, half), (x2, y2)

    def passing(self, cell: Cell) -> Line:
        """Return a line straight down beside the nodes of a layer."""
        x, y = self.x(cell), self.top(cell)
        return (x, y), (x, y + self.lengths.height)

    def span(self, link: Link) -> int:
        """Return how many layers a link leads back."""
        return self.layout.own[link.origin_id][1] - self.layout.own[link.target_id][1]

    def back(self, link: Link, number: int) -> tuple[Line, Position]:
        """Return a curve from a router back to the node that runs again, and its label's position; higher is wider."""
        start, end = self.layout.own[link.origin_id], self.layout.own[link.target_id]
        half, height = self.lengths.node / 2, self.lengths.height
        (x1, y1), (x2, y2) = ((self.x(one) + half, self.top(one) + height / 2) for one in (start, end))
        y1, y2 = (y1 + height / 4, y2 - height / 4) if start == end else (y1, y2)
        passed = [cell for layer in self.layout.layers[end[1] : start[1] + 1] for cell in layer]
        out = max(map(self.x, passed)) + half + self.lengths.bulge + self.lengths.wider * number
        middle = 0.75 * out + 0.125 * (x1 + x2)  # the outermost point of the curve
        return ((x1, y1), (out, y1), (out, y2), (x2, y2)), (middle + 6, (y1 + y2) / 2 + 4)
