"""A workflow as text: a line for each node in the order in which they run, and a bar at the left for each loop."""

import textwrap
from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from mark_i.workflows.format.graph import Graph, Link, Node
from mark_i.workflows.format.order import Order

TITLE_COLUMNS: Final = 26  # at most
TYPE_COLUMNS: Final = 30
MIN_LINK_COLUMNS: Final = 16  # for the links, even in a narrow terminal
NAMELESS: Final = "A workflow without a name"
LEGEND: Final = "13:1 is slot 1 of node 13; slot 0 is not written."


def drawn(graph: Graph, order: Order, width: int = 80) -> str:
    """Return the workflow as text for a terminal of `width` columns."""
    nodes = {node.id: node for node in graph.nodes}
    rows = [nodes[one] for one in order.nodes]
    margins = _margins(order)
    heads = _columns(margins, rows)
    leaving: dict[int, list[Link]] = {node.id: [] for node in rows}
    for link in graph.links:
        leaving[link.origin_id].append(link)
    lines = [
        line
        for head, bar, node in zip(heads, margins, rows, strict=True)
        for line in _row(head, bar, _goals(leaving[node.id], order.back), width)
    ]
    return "\n".join([*_title(graph, order, width), "", *lines, "", LEGEND])


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return " ".join(text.split())


def counted(number: int, what: str) -> str:
    """Return a number with its noun: `1 loop`, `2 loops`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def size(graph: Graph, order: Order) -> str:
    """Return the size of a workflow: `23 nodes, 38 links, 1 loop`."""
    counts = ((graph.nodes, "node"), (graph.links, "link"), (order.loops, "loop"))
    return ", ".join(counted(len(what), word) for what, word in counts)


def _title(graph: Graph, order: Order, width: int) -> list[str]:
    about = textwrap.wrap(one_line(graph.description), width)
    return [one_line(graph.name) or NAMELESS, *about, size(graph, order)]


def _columns(margins: Sequence[str], rows: Sequence[Node]) -> list[str]:
    """Return the bar, id, title and type of each node, in columns."""
    titles = [one_line(node.title) or node.kind for node in rows]
    kinds = [f"{node.kind}{f' ({node.off})' if node.off else ''}" for node in rows]
    wide = max(len(str(node.id)) for node in rows)
    title = min(TITLE_COLUMNS, max(map(cell_len, titles)))
    kind = min(TYPE_COLUMNS, max(map(cell_len, kinds)))
    return [
        f"{bar}{node.id:>{wide}}  {set_cell_size(name, title)}  {set_cell_size(what, kind)}"
        for bar, node, name, what in zip(margins, rows, titles, kinds, strict=True)
    ]


def _row(head: str, bar: str, goals: str, width: int) -> Iterable[str]:
    """Return a node's line, and more lines if its links do not fit on one."""
    if not goals:
        return [head.rstrip()]
    ahead = cell_len(head) + 4
    pieces = textwrap.wrap(goals, max(MIN_LINK_COLUMNS, width - ahead), break_long_words=False)
    # the bar continues without its arrow
    below = bar.translate(str.maketrans("┌└─>", "│   ")).ljust(ahead)
    return [f"{head} -> {pieces[0]}", *(below + piece for piece in pieces[1:])]


def _goals(links: Iterable[Link], back: frozenset[Link]) -> str:
    """Return the targets of a node's links: `12, 13:2`; those that lead back come last."""
    slots: dict[tuple[bool, int], list[int]] = {}
    for link in links:
        slots.setdefault((link in back, link.target_id), []).append(link.target_slot)
    return ", ".join(
        f"{'back to ' if leads_back else ''}{target}{'' if into == [0] else ':' + '+'.join(map(str, into))}"
        for (leads_back, target), into in sorted(slots.items(), key=lambda one: one[0][0])
    )


def _margins(order: Order) -> list[str]:
    """Return the bars of the loops, outer ones to the left; each begins with an arrow and ends at its router."""
    place = {one: number for number, one in enumerate(order.nodes)}
    spans = sorted(
        ((place[loop.router] - len(loop.body) + 1, place[loop.router]) for loop in order.loops.values()),
        key=lambda span: (span[0], -span[1]),
    )
    columns: list[int] = []  # for each span, how many spans enclose it
    for number, (first, last) in enumerate(spans):
        columns.append(sum(start <= first and last <= end for start, end in spans[:number]))
    deep = max(columns, default=-1) + 1
    bars = [[" "] * deep + ["  "] * bool(deep) for _ in order.nodes]
    for (first, last), column in zip(spans, columns, strict=True):
        for row in range(first, last + 1):
            bars[row][column] = "│"
        for row, corner, end in ((last, "└", "─ "), (first, "┌", "> ")):
            bars[row][column:] = [corner, *("─" * (deep - column - 1)), end]
    return ["".join(bar) for bar in bars]
