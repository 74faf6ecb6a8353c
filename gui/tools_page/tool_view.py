"""An open tool: its description, arguments, schema and switch, and a form to try it."""

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gui.kit.buttons import PLAIN, PRIMARY, Button
from gui.kit.scrolling import ScrollArea
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    GAP_PX,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    TONES,
    code_font,
    small_font,
    strong_font,
    text_font,
)
from gui.kit.switch import ToggleSwitch
from gui.toolkit import ctk
from gui.tools_page.argument_fields import ArgumentField
from gui.tools_page.arguments import values_of
from gui.tools_page.catalog import RISKS, ToolEntry
from gui.tools_page.model import ToolsState
from gui.tools_page.tools_list import TONE
from gui.tools_page.trial_card import TrialCard
from mark_i import Action
from world_model import UsageError

BACK_PX: Final = 120  # width of the button before the name
SCROLLBAR_PX: Final = 24
MIN_WRAP_PX: Final = 80
IN_RUNS: Final = "Available in runs"
NO_ARGUMENTS: Final = "No arguments"
SHOW, HIDE = "Show schema", "Hide schema"
HERE: Final = "Run on this desktop instead of a virtual one"


@dataclass(frozen=True, slots=True)
class ToolCallbacks:
    """What a person does with a tool; `attempt` takes the action, and whether to use a virtual desktop."""

    back: Callable[[], None]
    switch: Callable[[str, bool], None]
    attempt: Callable[[Action, bool], None]
    agree: Callable[[], None]
    drop: Callable[[], None]
    stop: Callable[[], None]
    refuse: Callable[[str], None]


class ToolView(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Shows the open tool."""

    def __init__(self, master: tk.Misc, callbacks: ToolCallbacks) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._callbacks, self._tools, self._width = callbacks, ToolsState(), 0
        self._entry: ToolEntry | None = None
        self._header()
        self._message = ctk.CTkLabel(
            self, text="", font=text_font(), text_color=TONES["error"], height=0, justify="left", anchor="w"
        )
        self._area = ScrollArea(self)
        self._area.grid(row=2, column=0, sticky="nsew", padx=(EDGE_PX, 0))
        self._body: ToolBody | None = None

    def draw(self, tools: ToolsState) -> None:
        """Show the tool; it is rebuilt only for another tool, so that what was filled in stays."""
        entry, was = tools.entry, self._entry
        self._tools = tools
        if entry is None:
            self._entry = None
            return
        if entry != was:
            self._entry = entry
            self._draw_header(entry)
        if was is None or self._body is None or not entry.same(was):
            self._make_body(entry)
        if self._body:
            self._body.draw(entry, tools)
        self._message.configure(text=tools.message, text_color=TONES["error"] if tools.is_error else TEXT)
        if tools.message:
            self._message.grid(row=1, column=0, sticky="ew", padx=EDGE_PX, pady=NEAR_PX)
        else:
            self._message.grid_remove()

    def fit(self, width: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._width = width
        self._name.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX - BACK_PX))
        self._message.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        if self._body:
            self._body.fit(width - EDGE_PX - SCROLLBAR_PX)

    def _make_body(self, entry: ToolEntry) -> None:
        if self._body:
            self._body.destroy()
        self._body = ToolBody(self._area.content, entry, self._callbacks, self._area.see)
        self._body.grid(row=0, column=0, sticky="ew")
        self._body.fit(self._width - EDGE_PX - SCROLLBAR_PX)
        self._area.to_top()
        self.focus_set()  # Tab comes to Back then

    def _header(self) -> None:
        header = ctk.CTkFrame(self, fg_color=SURFACE, corner_radius=0)
        header.grid(row=0, column=0, sticky="ew", pady=(0, GAP_PX))
        header.grid_columnconfigure(1, weight=1)
        self._back = Button(header, "Back", PLAIN, self._callbacks.back)
        self._back.grid(row=0, column=0, sticky="w", padx=(EDGE_PX, GAP_PX), pady=(GAP_PX, NEAR_PX))
        self._name = ctk.CTkLabel(header, text="", font=strong_font(), text_color=TEXT, height=0, justify="left")
        self._name.grid(row=0, column=1, sticky="w", padx=(0, EDGE_PX), pady=(GAP_PX, NEAR_PX))
        self._risk = ctk.CTkLabel(header, text="", font=text_font(), height=0)
        self._risk.grid(row=1, column=0, columnspan=2, sticky="w", padx=EDGE_PX, pady=(0, GAP_PX))
        self._switch = ToggleSwitch(header, IN_RUNS, self._turn)
        self._switch.grid(row=1, column=1, sticky="e", padx=EDGE_PX, pady=(0, GAP_PX))

    def _draw_header(self, entry: ToolEntry) -> None:
        self._name.configure(text=entry.name)
        self._risk.configure(text=f"● {entry.risk}: {RISKS[entry.risk]}", text_color=TONES[TONE[entry.risk]])
        self._switch.turn(on=not entry.off, usable=not entry.fixed)

    def _turn(self, on: bool) -> None:  # noqa: FBT001 - what the switch says
        if self._entry:
            self._callbacks.switch(self._entry.name, on)


class ToolBody(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """What of a tool is read and filled in, from its description to the result of trying it."""

    def __init__(
        self, master: tk.Misc, entry: ToolEntry, callbacks: ToolCallbacks, show: Callable[[tk.Misc], None]
    ) -> None:
        super().__init__(master, fg_color="transparent")
        self.grid_columnconfigure(0, weight=1)
        self._entry, self._callbacks, self._show, self._rows = entry, callbacks, show, 0
        self._phase: str | None = None
        self._labels = [self._text(entry.description, text_font()), self._text(_facts(entry), small_font())]
        self._labels[1].configure(text_color=MUTED)
        self._fault = self._text("", text_font())
        self._fault.configure(text_color=TONES["error"])
        self._text("Arguments" if entry.arguments else NO_ARGUMENTS, strong_font())
        self._fields = [self._put(ArgumentField(self, one, self._attempt)) for one in entry.arguments]
        self._here = ToggleSwitch(self, HERE) if entry.desktop else None
        if self._here:
            self._put(self._here)
        self._try = self._put(Button(self, "Try it", PRIMARY, self._attempt), sticky="w")
        self._trial = self._put(TrialCard(self, callbacks.agree, callbacks.drop, callbacks.stop))
        self._trial.grid_remove()
        self._schema_button = self._put(Button(self, SHOW, PLAIN, self._turn_schema), sticky="w")
        self._schema = self._text(entry.schema, code_font())
        self._schema.grid_remove()

    def draw(self, entry: ToolEntry, tools: ToolsState) -> None:
        """Show what is wrong with its file, and the result of trying it."""
        self._fault.configure(text=entry.fault)
        (self._fault.grid if entry.fault else self._fault.grid_remove)()
        self._try.enable(usable=not tools.trying)
        trial = tools.trial
        if trial is None:
            self._trial.grid_remove()
        else:
            self._trial.draw(trial, entry)
            self._trial.grid()
        phase = trial.phase if trial else None
        if phase != self._phase:
            self._phase = phase
            if trial:
                self._show(self._trial)

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in (*self._labels, self._fault, self._schema):
            label.configure(wraplength=max(MIN_WRAP_PX, width))
        for field in self._fields:
            field.fit(width)
        self._trial.fit(width)

    def _attempt(self) -> None:
        """Pass on arguments that can be read; the tool itself checks the rest."""
        try:
            values = values_of(self._entry.arguments, {field.argument.name: field.text for field in self._fields})
        except UsageError as error:
            self._callbacks.refuse(str(error))
        else:
            self._callbacks.attempt(Action(self._entry.name, values), not (self._here and self._here.get()))

    def _turn_schema(self) -> None:
        shown = bool(self._schema.winfo_manager())
        self._schema_button.configure(text=SHOW if shown else HIDE)
        (self._schema.grid_remove if shown else self._schema.grid)()

    def _text(self, text: str, font: ctk.CTkFont) -> ctk.CTkLabel:
        label = ctk.CTkLabel(self, text=text, font=font, text_color=TEXT, height=0, justify="left", anchor="w")
        return self._put(label, sticky="w")

    def _put(self, widget: ctk.CTkBaseClass, sticky: str = "ew") -> ctk.CTkBaseClass:
        widget.grid(row=self._rows, column=0, sticky=sticky, pady=(0, GAP_PX))
        self._rows += 1
        return widget


def _facts(entry: ToolEntry) -> str:
    """Origin, timeout, and whether it needs a desktop."""
    origin = f"From {entry.origin}." if entry.origin else "Built in."
    desktop = " Needs a desktop." if entry.desktop else ""
    return f"{origin} Timeout: {entry.seconds:g} s.{desktop}"
