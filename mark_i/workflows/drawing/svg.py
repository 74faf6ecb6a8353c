"""A workflow as an SVG picture: nodes in layers from top to bottom, and links that lead back dashed at the right."""

import re
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape  # nosec B406  # it writes XML and reads none

from mark_i.workflows.drawing.layout import NODE_WIDTH_PX, laid_out
from mark_i.workflows.drawing.picture import Lengths, Line, Position, pictured
from mark_i.workflows.drawing.text import NAMELESS, one_line, size
from mark_i.workflows.format.graph import Graph, Node
from mark_i.workflows.format.node_type import NodeType, Registry
from mark_i.workflows.format.order import Order

MARGIN_PX: Final = 32.0
HEAD_PX: Final = 56.0
NODE_HEIGHT_PX: Final = 46.0
LENGTHS: Final = Lengths(NODE_WIDTH_PX, NODE_HEIGHT_PX, layer=92.0, bulge=70.0, wider=52.0)
LETTER_PX: Final = 12.0  # per letter of the name
MAX_CHARS: Final = {"title": 25, "type": 32}  # that fit into a node
# The characters that XML 1.0 does not allow: https://www.w3.org/TR/xml/#charsets
NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
STYLE: Final = """
text { font-family: "DejaVu Sans", Verdana, sans-serif; fill: #1a202c }
.name { font-size: 18px; font-weight: bold } .about { font-size: 12px; fill: #4a5568 }
.title { font-size: 13px; font-weight: bold } .type { font-size: 10.5px; fill: #4a5568 }
rect.node { fill: #edf2fb; stroke: #4a6da7; stroke-width: 1.2 } rect.loop { fill: #e6f4ea; stroke: #2f7d4f }
rect.router { fill: #fdf0d5; stroke: #b36b00 } rect.muted { fill: #f4f4f4; stroke: #9a9a9a; stroke-dasharray: 4 3 }
path { fill: none; stroke: #5a6b85; stroke-width: 1.3 }
path.back { stroke: #b36b00; stroke-width: 1.8; stroke-dasharray: 7 5 } text.back { font-size: 12px; fill: #8a5200 }
#end path, #end-back path { stroke: none; fill: #5a6b85 } #end-back path { fill: #b36b00 }
"""


def svg(graph: Graph, order: Order, registry: Registry) -> str:
    """Return the picture as SVG.

    Raises:
        UsageError: the workflow is too large.
    """
    picture = pictured(laid_out(graph, order), order.back, LENGTHS)
    name = one_line(graph.name) or NAMELESS
    width = 2 * MARGIN_PX + max(picture.width, LETTER_PX * len(name))
    height = HEAD_PX + 2 * MARGIN_PX + picture.height
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">',
        f"<style>{STYLE}</style>",
        f"<defs>{_arrow('end')}{_arrow('end-back')}</defs>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text class="name" x="{MARGIN_PX}" y="{MARGIN_PX + 14}">{_xml(name)}</text>',
        f'<text class="about" x="{MARGIN_PX}" y="{MARGIN_PX + 34}">{size(graph, order)}</text>',
        *(_link(line, arrow=arrow) for line, arrow in picture.links),
        *(_back(line, words) for line, words in picture.back),
        *(
            _node(node, picture.boxes[node.id], registry[node.kind], _classes(node, order, registry))
            for node in graph.nodes
        ),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _arrow(name: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
        'markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z"/></marker>'
    )


def _moved(place: Position) -> Position:
    """Return a position moved below the head and inside the margin."""
    return MARGIN_PX + place[0], HEAD_PX + MARGIN_PX + place[1]


def _link(line: Line, *, arrow: bool) -> str:
    marker = ' marker-end="url(#end)"' if arrow else ""
    return f'<path d="{_path(line)}"{marker}/>'


def _back(line: Line, words: Position) -> str:
    x, y = _moved(words)
    told = f'<text class="back" x="{x:.1f}" y="{y:.1f}">loop</text>'
    return f'<path class="back" d="{_path(line)}" marker-end="url(#end-back)"/>{told}'


def _path(line: Line) -> str:
    start, *others = (f"{x:.1f},{y:.1f}" for x, y in map(_moved, line))
    return f"M{start} {'C' if len(others) > 1 else 'L'}{' '.join(others)}"


def _classes(node: Node, order: Order, registry: Registry) -> str:
    inside = any(node.id in loop.body for loop in order.loops.values())
    looks = {"loop": inside, "router": registry[node.kind].router, "muted": bool(node.off)}
    return " ".join(["node", *(name for name, holds in looks.items() if holds)])


def _node(node: Node, place: Position, kind: NodeType, classes: str) -> str:
    left, y = _moved(place)
    x = left + NODE_WIDTH_PX / 2
    title = f"{node.id}  {one_line(node.title) or node.kind}"
    lines = (("title", 19.0, title), ("type", 35.0, f"{node.kind}{f' ({node.off})' if node.off else ''}"))
    words = "".join(
        f'<text class="{name}" x="{x:.1f}" y="{y + down:.1f}" text-anchor="middle">{_xml(text, MAX_CHARS[name])}</text>'
        for name, down, text in lines
    )
    box = (
        f'<rect class="{classes}" x="{left:.1f}" y="{y:.1f}" width="{NODE_WIDTH_PX}" height="{NODE_HEIGHT_PX}" rx="7"/>'
    )
    told = "\n".join(map(_xml, (title, kind.about, *_slots("In", kind.inputs), *_slots("Out", kind.outputs))))
    return f"<g><title>{told}</title>{box}{words}</g>"


def _slots(way: str, names: Sequence[str]) -> list[str]:
    """Return the tooltip line for the slots of a node: `In: 0 state, 1 goal`."""
    return [f"{way}: {', '.join(f'{number} {name}' for number, name in enumerate(names))}"] if names else []


def _xml(text: str, longest: int | None = None) -> str:
    """Return a text escaped for XML on one line, cut to `longest` characters."""
    whole = one_line(NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))
    return escape(whole if longest is None or len(whole) <= longest else whole[: longest - 1] + "…")
