"""The applications that the benchmark types into, and how it reads back what has arrived."""

import importlib.util
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from toolbelt.control import Control
from toolbelt.desktops import Desktop
from world_model import DesktopError, ToolFailure

SCRIPT: Final = Path(__file__).with_name("note.py")
REACTION_MAX_S: Final = 120.0  # for an application to react on a busy machine
KNOCK_S: Final = 0.3  # between two key presses that ask whether it is ready
CHROMIUM: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
)
PAGE: Final = """<!doctype html>
<meta charset="utf-8">
<title>Note web</title>
<textarea autofocus spellcheck="false" rows="24" cols="90"></textarea>
<script>
  const note = document.querySelector("textarea");
  const send = (path, body) => fetch(path, { method: "POST", body });
  note.onkeydown = (event) => {
    if (event.key === "Tab") {  // would leave the field
      event.preventDefault();
      note.setRangeText("\\t", note.selectionStart, note.selectionEnd, "end");
    } else if (event.key === "F9") {
      event.preventDefault();
      send("/note", note.value);
      note.value = "";
    } else if (event.key === "F8") {
      event.preventDefault();
      send("/ready", "");
    }
  };
  note.focus();
</script>
"""

Take = Callable[[], bytes]  # returns what has arrived since the last call
Opening = Callable[[Desktop, Control, Path], AbstractContextManager[Take]]


@dataclass(frozen=True, slots=True)
class Field:
    """An application that the benchmark types into."""

    name: str
    open: Opening
    missing: Callable[[], str | None]
    line_end: str = "\n"

    def expected(self, text: str) -> bytes:
        """Return what must arrive when the text is typed."""
        return text.replace("\n", self.line_end).encode()


class PostedNotes:
    """A local web server that serves the page and keeps what is posted."""

    def __init__(self) -> None:
        self.ready = False
        self.notes: list[bytes] = []
        posted = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(PAGE.encode() if self.path == "/" else b"")

            def do_POST(self) -> None:
                note = self.rfile.read(int(self.headers["Content-Length"] or 0))
                if self.path == "/note":
                    posted.notes.append(note)
                posted.ready = True
                self._answer(b"")

            def _answer(self, body: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = "127.0.0.1", str(self.server.server_port)


@contextmanager
def posting(
    desktop: Desktop, control: Control, folder: Path, command: Callable[[PostedNotes], Sequence[str]], knock: str = ""
) -> Iterator[Take]:
    """Start an application that posts its text on F9, and wait until it reports ready or answers the key `knock`."""
    posted = PostedNotes()
    with posted.server:
        thread = threading.Thread(target=posted.server.serve_forever)
        thread.start()
        try:
            _start(desktop, control, folder, command(posted))
            if not control.until(lambda: _is_ready(desktop, control, posted, knock), REACTION_MAX_S):
                raise DesktopError("The application did not take the focus.")
            yield lambda: _posted(desktop, control, posted)
        finally:
            posted.server.shutdown()
            thread.join()


def _is_ready(desktop: Desktop, control: Control, posted: PostedNotes, knock: str) -> bool:
    if knock:
        desktop.press(knock)
    return bool(control.until(lambda: posted.ready, KNOCK_S))


def _posted(desktop: Desktop, control: Control, posted: PostedNotes) -> bytes:
    posted.notes.clear()
    desktop.press("f9")
    if not control.until(lambda: posted.notes, REACTION_MAX_S):
        raise ToolFailure("TIMEOUT", f"The application posted nothing within {REACTION_MAX_S:.0f} s.")
    return posted.notes[0]


def tk(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """Open a text field of Tk."""
    return posting(desktop, control, folder, lambda posted: _script("tk", posted))


def xterm(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """Open a program in xterm that reads bytes."""
    return posting(desktop, control, folder, lambda posted: ["xterm", "-e", *_script("terminal", posted)])


def clicks(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """Open a window that reports where the left button was pressed."""
    return posting(desktop, control, folder, lambda posted: _script("clicks", posted))


def chromium(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """Open a field of a page in Chromium."""
    profile = f"--user-data-dir={folder / 'profile'}"

    def command(posted: PostedNotes) -> list[str]:
        return ["chromium", *CHROMIUM, profile, f"--app=http://{':'.join(posted.address)}/"]

    return posting(desktop, control, folder, command, knock="f8")  # it drops keys until its first frame is shown


@contextmanager
def mousepad(desktop: Desktop, control: Control, folder: Path) -> Iterator[Take]:
    """Open the text editor of Xfce, a GTK program; what has arrived is what it saves."""
    file = folder / "note.txt"
    file.touch()
    _start(desktop, control, folder, ["mousepad", "--disable-server", str(file)])
    desktop.attend(REACTION_MAX_S)
    yield lambda: _saved(desktop, control, file)


def _saved(desktop: Desktop, control: Control, file: Path) -> bytes:
    desktop.press("ctrl+s")
    desktop.attend(REACTION_MAX_S)
    # A star at the beginning of the title means that there are unsaved changes.
    if not control.until(lambda: not any(window.title.startswith("*") for window in desktop.windows()), REACTION_MAX_S):
        raise ToolFailure("TIMEOUT", f"Mousepad did not save within {REACTION_MAX_S:.0f} s.")
    saved = file.read_bytes()
    desktop.press("ctrl+a")
    desktop.press("delete")
    desktop.attend(REACTION_MAX_S)
    return saved


def _script(kind: str, posted: PostedNotes) -> list[str]:
    return [sys.executable, "-I", str(SCRIPT), kind, *posted.address]


def _start(desktop: Desktop, control: Control, folder: Path, command: Sequence[str]) -> None:
    """Start a program with a home folder of its own: it neither uses nor changes the person's settings."""
    home = [
        "env",
        *(f"--unset=XDG_{kind}_HOME" for kind in ("CONFIG", "DATA", "CACHE", "STATE")),
        f"HOME={folder}",
        f"TMPDIR={folder}",
    ]
    started = desktop.launch([*home, *command])
    control.until(lambda: started.failure() or any(window.active for window in desktop.windows()), REACTION_MAX_S)
    if failure := started.failure():
        raise DesktopError(f"{command[0]} did not start: {failure}.")


def _needs(program: str) -> Callable[[], str | None]:
    return lambda: None if shutil.which(program) else f"{program} is not installed: sudo apt-get install {program}"


def _needs_tk() -> str | None:
    return None if importlib.util.find_spec("tkinter") else "Tk is not installed: sudo apt-get install python3-tk"


FIELDS: Final = (
    Field("Tk", tk, _needs_tk),
    Field("GTK (mousepad)", mousepad, _needs("mousepad")),
    Field("xterm", xterm, _needs("xterm"), line_end="\r"),
    Field("Chromium", chromium, _needs("chromium")),
)
