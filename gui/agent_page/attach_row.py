"""Files for the next goal: chosen in a dialog or dropped, and listed beside the button."""

import tkinter as tk
from pathlib import Path
from tkinter.filedialog import askopenfilenames
from typing import Final

from gui.kit.buttons import LinkButton
from gui.kit.texts import LINE_CHARS, shorten
from gui.toolkit import ctk

ATTACH, DETACH, DROP = "Attach files", "✕", "Drop to attach"
SHOWN_CHARS: Final = 24  # of the name of a single file


class AttachRow(ctk.CTkFrame):  # type: ignore[misc]  # customtkinter has no types
    """`files` are those that were chosen."""

    def __init__(self, master: tk.Misc) -> None:
        super().__init__(master, fg_color="transparent")
        self.files: tuple[str, ...] = ()
        self._attach = LinkButton(self, ATTACH, self._choose)
        self._detach = LinkButton(self, DETACH, lambda: self.show(()))
        self._attach.grid(row=0, column=0)

    def show(self, files: tuple[str, ...]) -> None:
        """Show these files as attached."""
        self.files = files
        self._attach.configure(text=_told(files))
        if files:
            self._detach.grid(row=0, column=1)
        else:
            self._detach.grid_remove()

    def invite(self, *, over: bool) -> None:
        """Show that files that are held over the page can be dropped, or no longer."""
        self._attach.configure(text=DROP if over else _told(self.files))

    def _choose(self) -> None:
        """Choose files; cancelling the dialog keeps those that were chosen before."""
        try:
            chosen = askopenfilenames(parent=self, title="Attach files")
        except tk.TclError:  # the window, and the dialog with it, was closed meanwhile
            return
        if chosen:
            self.show(tuple(map(str, chosen)))


def _told(files: tuple[str, ...]) -> str:
    if not files:
        return ATTACH
    return (
        f"{len(files)} files attached" if len(files) > 1 else f"Attached: {shorten(Path(files[0]).name, SHOWN_CHARS)}"
    )


def listed(files: tuple[str, ...]) -> str:
    """Name the files of a goal in one line; empty if there are none."""
    return shorten(f"Attached: {', '.join(Path(file).name for file in files)}", LINE_CHARS) if files else ""
