"""The field for the goal, in which Up and Down recall earlier ones."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.agent_page.goal_history import GoalHistory, history_of
from gui.kit.fields import instead_of_key, tab_leaves
from gui.kit.style import FIELD_BORDER, SURFACE, TEXT, highlight_on_focus, text_font
from gui.toolkit import ctk

HIGH_PX, LOW_PX = 72, 50
FIRST: Final = "1.0"
WITH_MODIFIER: Final = 0x4 | 0x8 | 0x40  # Ctrl, Alt and Super, as Tk counts them


class GoalBox(ctk.CTkTextbox):  # type: ignore[misc]  # customtkinter has no types
    """Calls `run` on Return; Shift+Return begins a line. Tab leaves it, as any other field."""

    def __init__(self, master: tk.Misc, run: Callable[[], None]) -> None:
        super().__init__(
            master,
            height=HIGH_PX,
            font=text_font(),
            text_color=TEXT,
            fg_color=SURFACE,
            border_color=FIELD_BORDER,
            border_width=1,
            corner_radius=8,
            wrap="word",
            undo=True,
        )
        self._history = GoalHistory()
        for key in ("<Return>", "<KP_Enter>", "<Control-Return>"):
            self.bind(key, instead_of_key(run))
        self.bind("<Shift-Return>", lambda _event: None)  # what Tk does with Return by itself
        tab_leaves(self)
        self.bind("<Up>", lambda _event: self._older())
        self.bind("<Down>", lambda _event: self._newer())
        highlight_on_focus(self)

    @property
    def text(self) -> str:
        """The text in it."""
        return str(self.get("1.0", "end-1c"))

    def write(self, text: str, *, selected: bool = False) -> None:
        """Replace the text; if it is `selected`, what is typed next takes its place."""
        self.delete("1.0", "end")
        self.insert("1.0", text)
        if selected:
            self.tag_add("sel", "1.0", "end-1c")

    def take(self, event: "tk.Event[tk.Misc]") -> str | None:
        """Take a character that was typed elsewhere, and the focus with it; keys of the keyboard's own are left."""
        if not event.char.strip() or not event.char.isprintable() or int(event.state) & WITH_MODIFIER:
            return None
        self.focus_set()
        if self.tag_ranges("sel"):
            self.delete("sel.first", "sel.last")
        self.insert("insert", event.char)
        return "break"

    def remember(self, goals: tuple[str, ...]) -> None:
        """Set the earlier goals, newest first."""
        self._history = history_of(goals)

    def _older(self) -> str | None:
        """Recall an older goal from the first line, and keep the caret there for the next."""
        if self.compare("insert display linestart", ">", FIRST):
            return None
        self._turn_to(self._history.older(self.text))
        self.mark_set("insert", f"{FIRST} display lineend")
        return "break"

    def _newer(self) -> str | None:
        if self.compare("insert display lineend", "<", "end-1c"):
            return None
        self._turn_to(self._history.newer(self.text))
        self.mark_set("insert", "end-1c")
        return "break"

    def _turn_to(self, history: GoalHistory) -> None:
        if history.text != self.text:
            self.write(history.text)
        self._history = history
        self.see("insert")
