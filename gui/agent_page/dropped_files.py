"""Files that are dropped on a page from another program, such as the file manager."""

import tkinter as tk
from pathlib import Path
from typing import Any

from gui.agent_page.goal_bar import GoalBar


def accept_files(page: tk.Misc, bar: GoalBar) -> None:
    """Attach the files that are dropped on a page to the next goal."""
    from tkinterdnd2 import COPY, DND_FILES, REFUSE_DROP, TkinterDnD  # noqa: PLC0415 - the window comes up without it

    def over(_event: object) -> str:
        return str(COPY if bar.invite(over=True) else REFUSE_DROP)

    def gone(_event: object) -> None:
        bar.invite(over=False)

    def dropped(event: Any) -> str:  # noqa: ANN401 - tkinterdnd2 has no types
        bar.invite(over=False)
        files = tuple(one for one in page.tk.splitlist(event.data) if Path(one).is_file())
        return str(COPY if bar.attach(files) else REFUSE_DROP)

    try:
        TkinterDnD._require(page.winfo_toplevel())  # noqa: SLF001 - the way to it for a window of another toolkit
    except RuntimeError:  # a system that it has no library for: the dialog is left
        return
    page.drop_target_register(DND_FILES)  # type: ignore[attr-defined]  # it adds methods to Tk's own class
    for event, react in (("<<DropEnter>>", over), ("<<DropLeave>>", gone), ("<<Drop>>", dropped)):
        page.dnd_bind(event, react)  # type: ignore[attr-defined]
