"""The file of a skill, to edit in place; a fault is shown where it is."""

import tkinter as tk
from collections.abc import Callable
from typing import Final

from gui.kit.buttons import PLAIN, PRIMARY, Button
from gui.kit.fields import instead_of_key
from gui.kit.style import (
    BACKGROUND,
    EDGE_PX,
    FIELD_BORDER,
    GAP_PX,
    HIGHLIGHT,
    MUTED,
    NEAR_PX,
    SURFACE,
    TEXT,
    TONES,
    code_font,
    highlight_on_focus,
    small_font,
    strong_font,
    text_font,
)
from gui.skills_page.model import Editing
from gui.toolkit import ctk

FAULT: Final = "fault"  # the tag of the line with a fault
HINT: Final = "Ctrl+S saves, Esc leaves it as it was. What does something else than was checked is a draft again."
MIN_WRAP_PX: Final = 80
BACK_PX: Final = 260  # width of the buttons beside the name


class SkillEditor(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """Calls `save` with the text, or `leave`."""

    def __init__(self, master: tk.Misc, save: Callable[[str], None], leave: Callable[[], None]) -> None:
        super().__init__(master, fg_color=BACKGROUND, corner_radius=0)
        self.grid_columnconfigure(0, weight=1)
        self.grid_rowconfigure(2, weight=1)
        self._save, self._editing = save, Editing("", "")
        header = ctk.CTkFrame(self, fg_color=SURFACE, corner_radius=0)
        header.grid(row=0, column=0, sticky="ew", pady=(0, GAP_PX))
        header.grid_columnconfigure(1, weight=1)
        Button(header, "Cancel", PLAIN, leave).grid(row=0, column=0, padx=(EDGE_PX, GAP_PX), pady=GAP_PX)
        self._title = ctk.CTkLabel(header, text="", font=strong_font(), text_color=TEXT, height=0)
        self._title.grid(row=0, column=1, sticky="w")
        Button(header, "Save", PRIMARY, self._done).grid(row=0, column=2, padx=EDGE_PX, pady=GAP_PX)
        self._message = ctk.CTkLabel(self, text="", font=text_font(), height=0, justify="left", anchor="w")
        self._message.grid(row=1, column=0, sticky="ew", padx=EDGE_PX, pady=(0, NEAR_PX))
        self._text = ctk.CTkTextbox(
            self,
            font=code_font(),
            text_color=TEXT,
            fg_color=SURFACE,
            border_color=FIELD_BORDER,
            border_width=1,
            wrap="none",
            undo=True,
        )
        self._text.grid(row=2, column=0, sticky="nsew", padx=EDGE_PX)
        self._text.bind("<Control-s>", instead_of_key(self._done))
        highlight_on_focus(self._text)
        hint = ctk.CTkLabel(self, text=HINT, font=small_font(), text_color=MUTED, height=0, anchor="w", justify="left")
        hint.grid(row=3, column=0, sticky="ew", padx=EDGE_PX, pady=NEAR_PX)
        self._hint = hint

    def draw(self, editing: Editing) -> None:
        """Show the text that was read, once; then only its fault, so that what was typed stays."""
        was, self._editing = self._editing, editing
        if (was.name, was.text) != (editing.name, editing.text):
            self._title.configure(text=editing.name)
            self._text.delete("1.0", "end")
            self._text.insert("1.0", editing.text)
            self._text.edit_reset()
            self._text.mark_set("insert", "1.0")
        elif was == editing:
            return
        self._message.configure(text=editing.message, text_color=TONES["error"])
        (self._message.grid if editing.message else self._message.grid_remove)()
        self.after_idle(self._take_focus)  # once it is visible: a hidden text does not scroll
        self._text.tag_remove(FAULT, "1.0", "end")
        if editing.line:
            color = self._apply_appearance_mode(HIGHLIGHT)
            self._text.tag_config(FAULT, background=color)
            self._text.tag_add(FAULT, f"{editing.line}.0", f"{editing.line + 1}.0")
            self._text.mark_set("insert", f"{editing.line}.0")

    def forget(self) -> None:
        """Forget what was edited, so that the next text is shown anew."""
        self._editing = Editing("", "")

    def fit(self, width: int) -> None:
        """Wrap at a width."""
        for label in (self._message, self._hint):
            label.configure(wraplength=max(MIN_WRAP_PX, width - 2 * EDGE_PX))
        self._title.configure(wraplength=max(MIN_WRAP_PX, width - BACK_PX))

    def _take_focus(self) -> None:
        self._text.focus_set()
        self._text.see("insert")

    def _done(self) -> None:
        self._save(str(self._text.get("1.0", "end-1c")))
