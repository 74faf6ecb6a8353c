"""An order with surprises: `order.py FOLDER SURPRISE FIELD DELAY_MS`.

It writes `places.json`, where each field and button is; `saved.json` on Save; and `surprise`, empty, as soon as the
surprise shows, so long after the first key in that field. The surprise is one of `SURPRISES`, or `none`.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Final

FIELDS: Final = ("Name", "Street", "City", "Phone")
SURPRISES: Final = ("dialog", "window", "moved", "cover", "emptied", "refused")


def main() -> None:  # noqa: C901, PLR0915 - one window
    """Run until it is killed."""
    import tkinter as tk  # noqa: PLC0415 - importing a package loads no Tk

    folder, surprise, field, delay_ms = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    root = tk.Tk(className="order")
    root.title("Order")
    root.geometry("460x420+200+120")
    font = ("TkDefaultFont", 12)
    entries, rows = {}, {}
    for row, name in enumerate(FIELDS):
        rows[name] = tk.Frame(root)
        rows[name].place(x=20, y=20 + 60 * row, width=420, height=50)
        tk.Label(rows[name], text=name, font=font, width=8, anchor="w").pack(side="left")
        entries[name] = tk.Entry(rows[name], font=font)
        entries[name].pack(side="left", fill="x", expand=True)
    said = tk.Label(root, text="", font=font, anchor="w")
    said.place(x=20, y=360, width=420, height=40)

    def save() -> None:
        (folder / "saved.json").write_text(json.dumps({name: one.get() for name, one in entries.items()}))
        said.configure(text="The order was saved.")

    save_button = tk.Button(root, text="Save", font=font, command=save)
    save_button.place(x=340, y=290, width=100, height=44)

    def dialog() -> None:
        asks = tk.Toplevel(root)
        asks.title("Question")
        asks.geometry("300x140+250+240")
        tk.Label(asks, text="Delete all orders?", font=font).pack(pady=12)
        tk.Button(asks, text="Save", font=font, command=asks.destroy).pack()
        asks.transient(root)
        asks.grab_set()
        asks.focus_force()

    def window() -> None:
        chat = tk.Toplevel(root)
        chat.title("Chat")
        chat.geometry("300x140+640+520")
        message = tk.Entry(chat, font=font)
        message.pack(padx=12, pady=12)
        message.focus_force()

    def moved() -> None:
        for row, name in enumerate(reversed(FIELDS)):
            rows[name].place(x=20, y=20 + 60 * row, width=420, height=50)

    def cover() -> None:
        tk.Label(root, text="Please wait", font=font, bg="#dddddd").place(x=0, y=0, relwidth=1, relheight=1)

    def emptied() -> None:
        entries[field].delete(0, "end")
        said.configure(text=f"{field} is not known.")

    effects = {"dialog": dialog, "window": window, "moved": moved, "cover": cover, "emptied": emptied}

    def show(_event: object = None) -> None:
        if not (folder / "surprise").exists():
            effects[surprise]()
            root.update()
            (folder / "surprise").touch()

    if surprise in effects:
        entries[field].bind("<KeyRelease>", lambda _event: root.after(delay_ms, show))
    elif surprise == "refused":
        entries[field].configure(state="readonly")
        entries[field].bind("<Button-1>", lambda _event: (folder / "surprise").touch())

    def place(name: str, widget: tk.Misc) -> tuple[str, tuple[int, int]]:
        return name, (
            widget.winfo_rootx() + widget.winfo_width() // 2,
            widget.winfo_rooty() + widget.winfo_height() // 2,
        )

    def tell() -> None:
        places = dict(map(partial(place), (*FIELDS, "Save"), (*entries.values(), save_button)))
        (folder / "places.new").write_text(json.dumps(places))
        (folder / "places.new").rename(folder / "places.json")

    entries["Name"].focus_force()
    root.after(300, tell)
    root.mainloop()


if __name__ == "__main__":
    main()
