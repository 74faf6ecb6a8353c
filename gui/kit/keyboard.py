"""What the keyboard does in every field of the window, and Tk's own bindings do not."""

import tkinter as tk


def select_all_by_ctrl_a(window: tk.Tk) -> None:
    """Ctrl+A selects all, in fields and text boxes alike. Under X11, Tk takes it for Emacs' start of the line."""
    for keys in ("<Control-Key-a>", "<Control-Lock-Key-A>"):
        window.event_delete("<<LineStart>>", keys)
        window.event_add("<<SelectAll>>", keys)
