"""An order with surprises: `order.py FOLDER SURPRISE FIELD DELAY_MS`.

It writes `places.json`, where each field and button is; `saved.json` on Save; and `surprise`, empty, as soon as the
surprise shows, so long after the first key in that field. The surprise is one of `SURPRISES`, or `none`.
"""

import json
import sys
from pathlib import Path
from typing import Final

FIELDS: Final = ("Name", "Street", "City", "Phone")
SURPRISES: Final = ("dialog", "window", "moved", "cover", "emptied", "refused")
FONT: Final = ("TkDefaultFont", 12)
DRAWN_MS: Final = 300  # after which the window has its place


class Order:
    """The window with the order."""

    def __init__(self, folder: Path, surprise: str, field: str, delay_ms: int) -> None:
        import tkinter as tk  # noqa: PLC0415 - importing a package loads no Tk

        self._tk, self._folder, self._surprise, self._field = tk, folder, surprise, field
        self._root = tk.Tk(className="order")
        self._root.title("Order")
        self._root.geometry("460x420+200+120")
        self._rows = {name: tk.Frame(self._root) for name in FIELDS}
        self._entries = {name: tk.Entry(row, font=FONT) for name, row in self._rows.items()}
        for name, row in self._rows.items():
            tk.Label(row, text=name, font=FONT, width=8, anchor="w").pack(side="left")
            self._entries[name].pack(side="left", fill="x", expand=True)
        self._arrange(FIELDS)
        self._said = tk.Label(self._root, text="", font=FONT, anchor="w")
        self._said.place(x=20, y=360, width=420, height=40)
        self._button = tk.Button(self._root, text="Save", font=FONT, command=self._save)
        self._button.place(x=340, y=290, width=100, height=44)
        if surprise == "refused":
            self._entries[field].configure(state="readonly")
            self._entries[field].bind("<Button-1>", lambda _event: self._tell("surprise"))
        elif surprise in SURPRISES:
            self._entries[field].bind("<KeyRelease>", lambda _event: self._root.after(delay_ms, self._show))
        self._entries["Name"].focus_force()
        self._root.after(DRAWN_MS, self._tell_places)

    def stay(self) -> None:
        """Run until it is killed."""
        self._root.mainloop()

    def _arrange(self, names: tuple[str, ...]) -> None:
        for row, name in enumerate(names):
            self._rows[name].place(x=20, y=20 + 60 * row, width=420, height=50)

    def _save(self) -> None:
        self._tell("saved.json", json.dumps({name: entry.get() for name, entry in self._entries.items()}))
        self._said.configure(text="The order was saved.")

    def _show(self) -> None:
        """Show the surprise, once."""
        if (self._folder / "surprise").exists():
            return
        match self._surprise:
            case "dialog":
                self._ask()
            case "window":
                self._open("Chat", "300x140+640+520")
            case "moved":
                self._arrange(FIELDS[::-1])
            case "cover":
                cover = self._tk.Label(self._root, text="Please wait", font=FONT, bg="#dddddd")
                cover.place(x=0, y=0, relwidth=1, relheight=1)
            case _:
                self._entries[self._field].delete(0, "end")
                self._said.configure(text=f"{self._field} is not known.")
        self._root.update()
        self._tell("surprise")

    def _ask(self) -> None:
        """Open a dialog with a button of the same name; the order waits for it."""
        dialog = self._tk.Toplevel(self._root)
        dialog.title("Question")
        dialog.geometry("300x140+250+240")
        self._tk.Label(dialog, text="Delete all orders?", font=FONT).pack(pady=12)
        self._tk.Button(dialog, text="Save", font=FONT, command=dialog.destroy).pack()
        dialog.transient(self._root)
        dialog.grab_set()
        dialog.focus_force()

    def _open(self, title: str, place: str) -> None:
        """Open a window that takes the focus into a field of its own."""
        window = self._tk.Toplevel(self._root)
        window.title(title)
        window.geometry(place)
        entry = self._tk.Entry(window, font=FONT)
        entry.pack(padx=12, pady=12)
        entry.focus_force()

    def _tell_places(self) -> None:
        widgets = {**self._entries, "Save": self._button}
        centers = {
            name: (one.winfo_rootx() + one.winfo_width() // 2, one.winfo_rooty() + one.winfo_height() // 2)
            for name, one in widgets.items()
        }
        self._tell("places.json", json.dumps(centers))

    def _tell(self, name: str, text: str = "") -> None:
        """Write a file that is never seen half written."""
        new = self._folder / f"{name}.new"
        new.write_text(text, encoding="utf-8")
        new.rename(self._folder / name)


if __name__ == "__main__":
    Order(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])).stay()
