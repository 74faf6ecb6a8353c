"""Which of the program's windows has the focus, and bringing them to the front."""

import tkinter as tk


def has_focus(window: tk.Tk) -> bool:
    """Tell whether this window or a dialog of it has the focus."""
    return bool(str(window.tk.call("focus")))  # not `focus_get`, which fails for the list of a combobox


def close_topmost(window: tk.Tk) -> bool:
    """Close the window of the program that is above this one, as its close button does.

    Returns:
        Whether there is one.
    """
    *_, path = window.tk.splitlist(window.tk.call("wm", "stackorder", window)) or (str(window),)
    if path == str(window):
        return False
    if window.tk.call("winfo", "class", path) == "Menu":  # the list of a combobox, which is opened again
        window.tk.call("tk::MenuUnpost", path)
        return True
    if how := window.tk.call("wm", "protocol", path, "WM_DELETE_WINDOW"):
        window.tk.eval(how)
    else:
        window.tk.call("destroy", path)
    return True


def come_forward(window: tk.Tk) -> None:
    """Raise the window and what is open above it, and give the topmost the focus."""
    window.deiconify()
    for path in window.tk.splitlist(window.tk.call("wm", "stackorder", window)):
        window.tk.call("raise", path)
    window.tk.call("focus", "-force", window.tk.call("focus", "-lastfor", path))
