"""Files that are dropped on a page from another program, such as the file manager."""

import tkinter as tk
from pathlib import Path
from typing import Any, Protocol


class FileReceiver(Protocol):
    """What takes files."""

    def invite(self, *, over: bool) -> bool:
        """Show that files that are held over the page can be dropped, or no longer; say whether they can."""

    def attach(self, files: tuple[str, ...]) -> bool:
        """Take files; say whether that was done."""


def accept_files(page: tk.Misc, receiver: FileReceiver) -> None:
    """Have files taken that are dropped on a page."""
    from tkinterdnd2 import COPY, DND_FILES, REFUSE_DROP, TkinterDnD  # noqa: PLC0415 - the window comes up without it

    def over(_event: object) -> str:
        return str(COPY if receiver.invite(over=True) else REFUSE_DROP)

    def gone(_event: object) -> None:
        receiver.invite(over=False)

    def dropped(event: Any) -> str:  # noqa: ANN401 - tkinterdnd2 has no types
        receiver.invite(over=False)
        files = tuple(one for one in page.tk.splitlist(event.data) if Path(one).is_file())
        return str(COPY if receiver.attach(files) else REFUSE_DROP)

    try:
        TkinterDnD._require(page.winfo_toplevel())  # noqa: SLF001 - the way to it for a window of another toolkit
    except RuntimeError:  # a system that it has no library for: the dialog is left
        return
    page.drop_target_register(DND_FILES)  # type: ignore[attr-defined]  # it adds methods to Tk's own class
    for event, react in (("<<DropEnter>>", over), ("<<DropLeave>>", gone), ("<<Drop>>", dropped)):
        page.dnd_bind(event, react)  # type: ignore[attr-defined]
