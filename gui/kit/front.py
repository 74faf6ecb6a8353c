"""Which of the program's windows has the focus, and bringing them to the front."""

import tkinter as tk


def has_focus(window: tk.Tk) -> bool:
    """Tell whether this window or a dialog of it has the focus."""
    return bool(str(window.tk.call("focus")))  # not `focus_get`, which fails for the list of a combobox


def come_forward(window: tk.Tk) -> None:
    """Raise the window and what is open above it, and give the topmost the focus."""
    window.deiconify()
    for path in window.tk.splitlist(window.tk.call("wm", "stackorder", window)):
        window.tk.call("raise", path)
    window.tk.call("focus", "-force", window.tk.call("focus", "-lastfor", path))
