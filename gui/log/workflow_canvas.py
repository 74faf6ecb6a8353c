"""A workflow's graph on a canvas; a node that changes is redrawn alone."""

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from tkinter.font import Font
from typing import Final

from gui.kit.style import (
    ACCENT,
    BACKGROUND,
    BORDER,
    FIELD_BORDER,
    MUTED,
    ON_ACCENT,
    SUCCESS,
    SURFACE,
    TEXT,
    TONES,
    Color,
    small_font,
    struck_font,
)
from gui.run.state import NodeRun, NodeStatus
from gui.run.workflow_graph import WorkflowDrawing
from mark_i.workflows.drawing import GraphPicture, Lengths, Line, Position, one_line, pictured
from mark_i.workflows.format import Node

NODE_PX: Final = 122.0  # width; room for a title of about twenty letters
NODE_HEIGHT_PX: Final = 26.0
LAYER_PX: Final = (44.0, 66.0)  # least and greatest distance from the top of a layer to the next
BULGE_PX, WIDER_PX = 32.0, 36.0  # of the links that lead back; the second has room for a word
MARGIN_PX: Final = 4.0  # around the graph
PAD_PX: Final = 3.0  # of a node, on both sides of its title
ARROW_PX: Final = (7.0, 8.0, 3.0)
DASH, DOTS = (6, 4), (3, 3)

LOOKS: Final[Mapping[NodeStatus, tuple[Color, Color, Color]]] = {  # a node's ground, its border, its words
    "waiting": (SURFACE, FIELD_BORDER, TEXT),
    "started": (ACCENT, ACCENT, ON_ACCENT),
    "finished": (SUCCESS, TONES["done"], TEXT),
    "skipped": (BACKGROUND, BORDER, MUTED),
    "broken": (SURFACE, TONES["failed"], TEXT),
}


def layout_picture(drawing: WorkflowDrawing, height: float = 0.0) -> GraphPicture:
    """Lay out the graph, with its layers as far apart as the height allows."""
    between = max(1, len(drawing.layout.layers) - 1)
    layer = min(max((height - NODE_HEIGHT_PX - 2 * MARGIN_PX) / between, LAYER_PX[0]), LAYER_PX[1])
    return pictured(drawing.layout, drawing.order.back, Lengths(NODE_PX, NODE_HEIGHT_PX, layer, BULGE_PX, WIDER_PX))


@dataclass(frozen=True, slots=True)
class CanvasStyle:
    """The scale of the picture, and the colors of the current theme."""

    scale: float
    color: Callable[[Color], str]


class WorkflowCanvas:
    """Draws on a canvas that is `wide` pixels wide; `width` and `height` are the pixels that the graph takes."""

    def __init__(
        self, canvas: tk.Canvas, drawing: WorkflowDrawing, picture: GraphPicture, look: CanvasStyle, wide: int
    ) -> None:
        self._canvas, self._picture, self._look = canvas, picture, look
        self._nodes = {node.id: node for node in drawing.graph.nodes}
        self.width = round((picture.width + 2 * MARGIN_PX) * look.scale)
        self.height = round((picture.height + 2 * MARGIN_PX) * look.scale)
        self._left = max(0, wide - self.width) / 2
        self._fonts = {muted: self._font(muted=muted) for muted in (False, True)}
        self._items: dict[int, tuple[int, int]] = {}
        for line, arrow in picture.links:
            self._line(line, MUTED, arrow=arrow)
        for line, words in picture.back:
            self._line(line, TONES["unverified"], arrow=True, dash=DASH)
            self._word(words)
        for node in drawing.graph.nodes:
            self._node(node)

    def draw(self, one: int, run: NodeRun) -> None:
        """Show the progress of a node."""
        if one not in self._items:
            return
        box, words = self._items[one]
        ground, border, ink = map(self._look.color, LOOKS[run.status])
        thick = self._pixels(2 if run.status in ("started", "broken") else 1)
        self._canvas.itemconfigure(box, fill=ground, outline=border, width=thick)
        self._canvas.itemconfigure(words, text=self._caption(self._nodes[one], run.count), fill=ink)

    def box(self, one: int) -> tuple[float, float, float, float]:
        """Where a node is on the canvas: left, top, right, bottom."""
        x, y = self._picture.boxes[one]
        return (*self._place((x, y)), *self._place((x + NODE_PX, y + NODE_HEIGHT_PX)))

    def _node(self, node: Node) -> None:
        left, top, right, bottom = self.box(node.id)
        box = self._canvas.create_rectangle(left, top, right, bottom, dash=DOTS if node.off else ())
        words = self._canvas.create_text((left + right) / 2, (top + bottom) / 2, font=self._fonts[bool(node.off)])
        self._items[node.id] = (box, words)
        self.draw(node.id, NodeRun())

    def _line(self, line: Line, color: Color, *, arrow: bool, dash: tuple[int, ...] = ()) -> None:
        drawn = self._canvas.create_line(
            [self._place(place) for place in line], fill=self._look.color(color), width=self._pixels(1), dash=dash
        )
        self._canvas.itemconfigure(drawn, smooth="raw")  # the points are those of a Bézier curve
        if arrow:
            shape = " ".join(str(length * self._look.scale) for length in ARROW_PX)
            self._canvas.itemconfigure(drawn, arrow="last", arrowshape=shape)

    def _word(self, place: Position) -> None:
        x, y = self._place(place)
        color = self._look.color(TONES["unverified"])
        self._canvas.create_text(x, y, text="loop", anchor="w", font=self._fonts[False], fill=color)

    def _caption(self, node: Node, count: int) -> str:
        """The title of a node, or its type, cut to fit, and how often it ran."""
        ran = f" x{count}" if count else ""
        name = one_line(node.title) or node.kind
        font, room = self._fonts[bool(node.off)], (NODE_PX - 2 * PAD_PX) * self._look.scale
        if font.measure(name + ran) <= room:
            return name + ran
        while name and font.measure(f"{name}…{ran}") > room:
            name = name[:-1]
        return f"{name.rstrip()}…{ran}"

    def _font(self, *, muted: bool) -> Font:
        font = (struck_font if muted else small_font)()
        return Font(self._canvas, font.create_scaled_tuple(self._look.scale))

    def _place(self, place: Position) -> Position:
        x, y = place
        return self._left + (x + MARGIN_PX) * self._look.scale, (y + MARGIN_PX) * self._look.scale

    def _pixels(self, units: float) -> int:
        return max(1, round(units * self._look.scale))
