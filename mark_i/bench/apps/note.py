"""Small applications that post, on F9, what reached them: `note.py tk|terminal|clicks HOST PORT`.

They are a Tk text field, which is then cleared; a terminal program that reads bytes; and a full-screen window that
records where the button was pressed.
"""

import http.client
import json
import os
import sys

F9 = b"\x1b[20~"  # as a terminal sends it


def main() -> None:
    """Run one of them until it is killed."""
    {"tk": text_field, "terminal": terminal, "clicks": clicks}[sys.argv[1]]()


def send(path: str, data: str | bytes = b"") -> None:
    """Post data to the benchmark."""
    connection = http.client.HTTPConnection(sys.argv[2], int(sys.argv[3]))
    connection.request("POST", path, data.encode("utf-8", "replace") if isinstance(data, str) else data)
    connection.getresponse().read()
    connection.close()


def text_field() -> None:
    """Run a Tk text field with its default key bindings."""
    import tkinter as tk  # noqa: PLC0415 - not installed everywhere

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
    """Read raw bytes from the terminal, without echo and line editing."""
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
    """Run a full-screen Tk window that records clicks."""
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
