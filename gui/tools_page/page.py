"""The Tools page: all tools, to search and switch, or the open one."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import PLAIN, Button
from gui.kit.style import BACKGROUND, EDGE_PX, GAP_PX, MUTED, NEAR_PX, SURFACE, TEXT, TONES, small_font, text_font
from gui.kit.tables import search_field
from gui.toolkit import ctk
from gui.tools_page.model import (
    ToolOpened,
    ToolsFailed,
    ToolsMessage,
    ToolsSearched,
    ToolsState,
    TrialCancelled,
    TrialConfirmed,
    TrialRequested,
    TrialTicked,
    reduce_tools,
)
from gui.tools_page.tool_view import ToolCallbacks, ToolView
from gui.tools_page.tools_list import ToolsList
from gui.tools_page.tools_thread import ToolsThread

TICK_MS: Final = 500  # between two looks into the folder, and at the clock
BUTTON_PX: Final = 130  # width of the button below the list
MIN_WRAP_PX: Final = 80
NOT_FOUND: Final = "No tool matches these words."


class ToolsPage(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Has a state of its own, which `handle` changes; `put` is called on other threads with messages for `handle`."""

    def __init__(self, master: tk.Misc, put: Callable[[ToolsMessage], None], profile: str) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(0, weight=1)
        self._bench, self._tools = ToolsThread(put, profile), ToolsState()
        self._next: str | None = None  # the next tick, while the page is visible
        self._all = ctk.CTkFrame(self, fg_color=BACKGROUND, corner_radius=0)
        self._all.grid_columnconfigure(0, weight=1)
        self._all.grid_rowconfigure(3, weight=1)
        self._search = search_field(self._all, self._searched, self._to_list, self._open_chosen)
        self._message = self._label(self._all, TEXT)
        self._faults = self._label(self._all, TONES["error"])
        self._list = ToolsList(self._all, self._open, self._switch)
        self._list.grid(row=3, column=0, sticky="nsew", padx=(EDGE_PX, 0))
        self._empty = ctk.CTkLabel(self._list, text="", font=text_font(), text_color=MUTED, fg_color=SURFACE)
        self._folder = self._foot()
        self._one = ToolView(self, self._callbacks())
        self._all.grid(row=0, column=0, sticky="nsew")
        tk.Misc.bind(self, "<Map>", self._shown)  # customtkinter would bind what is drawn in it
        tk.Misc.bind(self, "<Unmap>", self._hidden)
        self.handle(ToolsSearched(""))

    @property
    def alive(self) -> bool:
        """Whether a tool is still being tried."""
        return self._bench.alive

    def close(self) -> None:
        """Start nothing more, and stop what is running."""
        self._bench.close()

    def take_focus(self) -> None:
        """Focus what a person types into next."""
        (self._one if self._tools.opened else self._search).focus_set()

    def drop_trial(self) -> bool:
        """Stop the tool that is tried, or withdraw the question before that; whether there was one."""
        trial = self._tools.trial
        if self._tools.trying:
            self._bench.stop()
        elif trial and trial.phase == "confirming":
            self.handle(TrialCancelled())
        else:
            return False
        return True

    def leave(self) -> None:
        """Close the open tool, if there is one."""
        if self._tools.opened:
            self.handle(ToolOpened(None))

    def handle(self, message: ToolsMessage) -> None:
        """Handle a message and draw; a confirmed trial is started."""
        was, self._tools = self._tools, reduce_tools(self._tools, message)
        tools = self._tools
        if tools.trying and tools.trial and not was.trying:
            self._bench.use(tools.trial.action, virtual=tools.trial.virtual)
        if tools.entry:
            self._all.grid_remove()
            self._one.grid(row=0, column=0, sticky="nsew")
        else:
            self._one.grid_remove()
            self._all.grid(row=0, column=0, sticky="nsew")
        self._one.draw(tools)
        self._draw_all(tools)
        if was.opened and not tools.opened:
            self._list.take_focus()

    def fit(self, width: int, _height: int) -> None:
        """Arrange everything so that nothing is cut off."""
        self._list.fit(width)
        for label in (self._message, self._faults):
            label.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        self._folder.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX - BUTTON_PX))
        self._one.fit(width)

    def _callbacks(self) -> ToolCallbacks:
        return ToolCallbacks(
            back=lambda: self.handle(ToolOpened(None)),
            switch=self._switch,
            attempt=lambda action, virtual: self.handle(TrialRequested(action, virtual)),
            agree=lambda: self.handle(TrialConfirmed()),
            drop=lambda: self.handle(TrialCancelled()),
            stop=self._bench.stop,
            refuse=lambda why: self.handle(ToolsFailed(why)),
        )

    def _open(self, name: str) -> None:
        self.handle(ToolOpened(name))

    def _switch(self, name: str, on: bool) -> None:  # noqa: FBT001 - what the switch says
        self._bench.switch(name, on=on)

    def _shown(self, _event: object) -> None:
        self._hidden()
        self._tick()

    def _hidden(self, _event: object = None) -> None:
        if self._next:
            self.after_cancel(self._next)
            self._next = None

    def _tick(self) -> None:
        """Look for files that were added, changed or removed, while the page is visible."""
        self._next = self.after(TICK_MS, self._tick)
        self._bench.look()
        if self._tools.trying:
            self.handle(TrialTicked(self._bench.seconds))

    def _draw_all(self, tools: ToolsState) -> None:
        catalog = tools.catalog
        self._list.draw(tools.found)
        _say(self._message, 1, "" if tools.opened else tools.message or ("" if catalog else "Loading …"))
        self._message.configure(text_color=TONES["error"] if tools.is_error else TEXT)
        _say(self._faults, 2, "\n".join(catalog.faults) if catalog else "")
        if catalog:
            self._folder.configure(text=f"Put your own tool files into {catalog.folder}")
        self._empty.configure(text=NOT_FOUND)
        if catalog and not tools.found:
            self._empty.place(relx=0.5, rely=0.4, anchor="center")
        else:
            self._empty.place_forget()

    def _label(self, master: tk.Misc, color: tuple[str, str]) -> ctk.CTkLabel:
        return ctk.CTkLabel(master, text="", font=text_font(), text_color=color, height=0, justify="left", anchor="w")

    def _to_list(self) -> None:
        self._list.take_focus()

    def _open_chosen(self) -> None:
        self._list.open_chosen()

    def _searched(self) -> None:
        if (words := self._search.get()) != self._tools.search:
            self.handle(ToolsSearched(words))

    def _foot(self) -> ctk.CTkLabel:
        """Make the line that names the folder of own tools, with the button that makes one."""
        foot = ctk.CTkFrame(self._all, fg_color="transparent")
        foot.grid_columnconfigure(0, weight=1)
        folder = ctk.CTkLabel(foot, text="", font=small_font(), text_color=MUTED, height=0, justify="left", anchor="w")
        folder.grid(row=0, column=0, sticky="w", padx=(EDGE_PX, GAP_PX), pady=GAP_PX)
        Button(foot, "New tool", PLAIN, self._bench.write_sample).grid(row=0, column=1, padx=(0, EDGE_PX), pady=GAP_PX)
        foot.grid(row=4, column=0, sticky="ew")
        return folder


def _say(label: ctk.CTkLabel, row: int, text: str) -> None:
    """Set a label's text; an empty one takes no room."""
    label.configure(text=text)
    if text:
        label.grid(row=row, column=0, sticky="ew", padx=EDGE_PX, pady=(0, NEAR_PX))
    else:
        label.grid_remove()
