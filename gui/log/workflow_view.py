"""The workflow of a run: its graph, the running node, and how often each node ran."""

import tkinter as tk
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from gui.kit.style import (
    BACKGROUND,
    BORDER,
    CORNER_PX,
    MUTED,
    NEAR_PX,
    SCROLLBAR,
    SURFACE,
    TEXT,
    scale_of,
    small_font,
    strong_font,
)
from gui.log.workflow_canvas import CanvasStyle, WorkflowCanvas, layout_picture
from gui.run.state import NodeRun, RunState
from gui.run.workflow_graph import WorkflowDrawing
from gui.toolkit import ctk

PAD_PX: Final = 12  # around the graph
NOTCH_PX: Final = 60  # that one notch of the wheel scrolls
BESIDE_PX: Final = 16 + PAD_PX + 4  # beside the graph: a scrollbar and the borders
SHIFT_BIT: Final = 1  # of the state in an event
Way = Literal["horizontal", "vertical"]


class WorkflowView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the workflow of a state; only nodes that change are redrawn."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(
            master, fg_color=SURFACE, bg_color=BACKGROUND, border_color=BORDER, border_width=1, corner_radius=CORNER_PX
        )
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._title = ctk.CTkLabel(self, text="", font=strong_font(), text_color=TEXT, height=0, justify="left")
        self._size = ctk.CTkLabel(self, text="", font=small_font(), text_color=MUTED, height=0)
        self._title.grid(row=0, column=0, sticky="w", padx=PAD_PX, pady=(PAD_PX, 0))
        self._size.grid(row=1, column=0, sticky="w", padx=PAD_PX, pady=(2, NEAR_PX))
        self._canvas = tk.Canvas(
            self, highlightthickness=0, borderwidth=0, xscrollincrement=1, yscrollincrement=1, width=1, height=1
        )
        self._canvas.grid(row=2, column=0, sticky="nsew", padx=(PAD_PX, 0))
        self._bars = {"vertical": self._bar("vertical"), "horizontal": self._bar("horizontal")}
        self._bars["vertical"].grid(row=2, column=1, sticky="ns", padx=(0, 2))
        self._bars["horizontal"].grid(row=3, column=0, sticky="ew", padx=PAD_PX, pady=(0, 2))
        self._canvas.configure(yscrollcommand=self._move_bars, xscrollcommand=self._move_bars)
        self._drawing: WorkflowDrawing | None = None
        self._picture: WorkflowCanvas | None = None
        self._nodes: Mapping[int, NodeRun] = {}
        self._canvas.bind("<Configure>", lambda _event: self._redraw())
        for sequence in ("<Button-4>", "<Button-5>", "<MouseWheel>"):
            self._canvas.bind(sequence, self._by_wheel)

    def draw(self, state: RunState) -> None:
        """Show the workflow of a state, and the progress of its nodes."""
        before, self._nodes = self._nodes, state.nodes
        if state.workflow != self._drawing:
            self._drawing = state.workflow
            self._title.configure(text=state.workflow.title if state.workflow else "")
            self._size.configure(text=state.workflow.size if state.workflow else "")
            self._redraw()
        elif state.nodes is not before:
            self._draw_nodes(one for one in {**state.nodes, **before} if before.get(one) != state.nodes.get(one))

    def fit(self, width: int, height: int) -> None:
        """Take as much of the room as the graph needs; 0 is all there is."""
        if self._drawing is None:
            return
        picture, scale = layout_picture(self._drawing), scale_of(self)
        wide = max(1, min(round(picture.width) + 2 * PAD_PX, width - BESIDE_PX))
        high = max(1, min(round(picture.height) + 2 * PAD_PX, height))
        self._canvas.configure(width=round(wide * scale), height=round(high * scale))
        self._title.configure(wraplength=wide if width else 0)

    def _redraw(self) -> None:
        """Redraw everything, after a change of workflow, size or theme."""
        self._canvas.delete("all")
        self._canvas.configure(background=self._apply_appearance_mode(SURFACE))
        self._picture = None
        if self._drawing is None:
            return
        scale, width, height = scale_of(self), self._canvas.winfo_width(), self._canvas.winfo_height()
        look = CanvasStyle(scale, self._apply_appearance_mode)
        self._picture = WorkflowCanvas(
            self._canvas, self._drawing, layout_picture(self._drawing, height / scale), look, width
        )
        region = (max(width, self._picture.width), max(height, self._picture.height))
        self._canvas.configure(scrollregion=(0, 0, *region))
        self._show_bar("horizontal", needed=region[0] > width)
        self._show_bar("vertical", needed=region[1] > height)
        self._draw_nodes(self._nodes)

    def _draw_nodes(self, changed: Iterable[int]) -> None:
        if self._picture is None:
            return
        latest = None
        for one in changed:
            run = self._nodes.get(one, NodeRun())
            self._picture.draw(one, run)
            latest = latest if run.status in ("waiting", "skipped") else one
        if latest is not None:  # it may have started and ended since the last drawing
            self._show_node(latest)

    def _show_node(self, one: int) -> None:
        """Scroll to a node that is out of sight."""
        if self._picture is None:
            return
        left, top, right, bottom = self._picture.box(one)
        _move(self._canvas.xview, left, right, max(self._picture.width, self._canvas.winfo_width()))
        _move(self._canvas.yview, top, bottom, max(self._picture.height, self._canvas.winfo_height()))

    def _bar(self, way: Way) -> ctk.CTkScrollbar:
        command = self._canvas.yview if way == "vertical" else self._canvas.xview
        return ctk.CTkScrollbar(self, orientation=way, command=command, fg_color=SURFACE)

    def _move_bars(self, _first: float, _last: float) -> None:
        """Update both bars from the current view: while one is drawn, Tk may move on, and arguments get stale."""
        self._bars["vertical"].set(*self._canvas.yview())
        self._bars["horizontal"].set(*self._canvas.xview())

    def _show_bar(self, way: Way, *, needed: bool) -> None:
        """Color the bar; removing it during the layout would make Tk 8.6 lose the canvas."""
        self._bars[way].configure(
            button_color=SCROLLBAR if needed else SURFACE, button_hover_color=MUTED if needed else SURFACE
        )

    def _by_wheel(self, event: "tk.Event[tk.Misc]") -> None:
        up = event.num == 4 or event.delta > 0  # noqa: PLR2004 - X11 calls the wheel buttons 4 and 5
        view = self._canvas.xview_scroll if int(event.state) & SHIFT_BIT else self._canvas.yview_scroll
        view(-NOTCH_PX if up else NOTCH_PX, "units")

    def _set_appearance_mode(self, mode_string: str) -> None:
        """React to a change of theme, which customtkinter reports and plain Tk ignores."""
        super()._set_appearance_mode(mode_string)
        self._redraw()

    def _set_scaling(self, *scales: float) -> None:
        """React to a change of scale, which customtkinter reports."""
        super()._set_scaling(*scales)
        self._redraw()


def _move(view: Callable[..., Any], start: float, end: float, whole: int) -> None:
    """Scroll along one axis, if `start` to `end` is not all visible."""
    first, last = view()
    if start < first * whole or end > last * whole:
        view("moveto", ((start + end) / 2 / whole) - (last - first) / 2)
