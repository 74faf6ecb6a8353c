"""Small applications that hand over, on F9, what reached them: `note.py tk|terminal|clicks HOST PORT`.

A text field of Tk, which is empty afterwards; a program in a terminal that reads bytes; and a window over the whole
screen that writes down where a button went down.
"""

import http.client
import json
import os
import sys

F9 = b"\x1b[20~"  # as a terminal sends it


def main() -> None:
    """Run one of them until it is ended."""
    {"tk": text_field, "terminal": terminal, "clicks": clicks}[sys.argv[1]]()


def send(path: str, data: str | bytes = b"") -> None:
    """Post it to whoever started us."""
    connection = http.client.HTTPConnection(sys.argv[2], int(sys.argv[3]))
    connection.request("POST", path, data.encode("utf-8", "replace") if isinstance(data, str) else data)
    connection.getresponse().read()
    connection.close()


def text_field() -> None:
    """Of Tk, with nothing changed about its keys."""
    import tkinter as tk  # noqa: PLC0415 - not everybody has it

    root = tk.Tk(className="note")
    root.title("Note Tk")
    field = tk.Text(root, width=90, height=24)
    field.pack()

    def hand_over(_event: object) -> None:
        send("/note", field.get("1.0", "end-1c"))
        field.delete("1.0", "end")

    field.bind("<F9>", hand_over)
    field.bind("<FocusIn>", lambda _event: root.after_idle(send, "/ready"))
    field.focus_force()
    root.mainloop()


def terminal() -> None:
    """Without an echo, and without a line's end meaning anything."""
    import tty  # noqa: PLC0415 - Windows has none

    tty.setraw(0)
    send("/ready")
    given = b""
    while more := os.read(0, 1 << 16):
        given += more
        while F9 in given:
            note, _, given = given.partition(F9)
            send("/note", note)


def clicks() -> None:
    """A window of Tk over the whole screen."""
    import tkinter as tk  # noqa: PLC0415

    root = tk.Tk(className="clicks")
    root.attributes("-fullscreen", 1)
    root.configure(background="#d8e4f0")
    places: list[tuple[int, int]] = []
    root.bind("<ButtonPress-1>", lambda event: places.append((event.x_root, event.y_root)))
    root.bind("<F9>", lambda _event: send("/note", json.dumps(places)))
    root.bind("<FocusIn>", lambda _event: root.after_idle(send, "/ready"))
    root.focus_force()
    root.mainloop()


if __name__ == "__main__":
    main()
