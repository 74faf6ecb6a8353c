"""Keyboard bindings for every field, which Tk does not have by itself."""

import tkinter as tk


def select_all_by_ctrl_a(window: tk.Tk) -> None:
    """Make Ctrl+A select all in fields and text boxes; under X11, Tk binds it to the start of the line."""
    for keys in ("<Control-Key-a>", "<Control-Lock-Key-A>"):
        window.event_delete("<<LineStart>>", keys)
        window.event_add("<<SelectAll>>", keys)
