"""The applications that are typed into, each on a desktop of its own, and how one gets at what has arrived in them."""

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
CAP: Final = 120.0  # seconds for an application to do something on a busy machine
ANSWER: Final = 0.3  # seconds between two knocks
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
    if (event.key === "Tab") {  // which would leave the field
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

Take = Callable[[], bytes]  # what has arrived since it was last asked
Opening = Callable[[Desktop, Control, Path], AbstractContextManager[Take]]


@dataclass(frozen=True, slots=True)
class Field:
    """An application that is typed into."""

    name: str
    open: Opening
    missing: Callable[[], str | None]
    line_end: str = "\n"

    def expected(self, text: str) -> bytes:
        """What has to arrive when the text is typed."""
        return text.replace("\n", self.line_end).encode()


class Letters:
    """A web server on the loopback: it gives the page to who asks, and keeps what is posted."""

    def __init__(self) -> None:
        self.ready = False
        self.notes: list[bytes] = []
        letters = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(PAGE.encode() if self.path == "/" else b"")

            def do_POST(self) -> None:
                note = self.rfile.read(int(self.headers["Content-Length"] or 0))
                if self.path == "/note":
                    letters.notes.append(note)
                letters.ready = True
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
    desktop: Desktop, control: Control, folder: Path, command: Callable[[Letters], Sequence[str]], knock: str = ""
) -> Iterator[Take]:
    """An application that posts what it got when F9 is pressed; it is ready as it says, or when it answers `knock`."""
    letters = Letters()
    with letters.server:
        thread = threading.Thread(target=letters.server.serve_forever)
        thread.start()
        try:
            _start(desktop, control, folder, command(letters))
            if not control.until(lambda: _is_ready(desktop, control, letters, knock), CAP):
                raise DesktopError("The application that is typed into did not take the focus.")
            yield lambda: _posted(desktop, control, letters)
        finally:
            letters.server.shutdown()
            thread.join()


def _is_ready(desktop: Desktop, control: Control, letters: Letters, knock: str) -> bool:
    if knock:
        desktop.press(knock)
    return bool(control.until(lambda: letters.ready, ANSWER))


def _posted(desktop: Desktop, control: Control, letters: Letters) -> bytes:
    letters.notes.clear()
    desktop.press("f9")
    if not control.until(lambda: letters.notes, CAP):
        raise ToolFailure("TIMEOUT", f"The application handed nothing over within {CAP:.0f} s.")
    return letters.notes[0]


def tk(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """A text field of Tk."""
    return posting(desktop, control, folder, lambda letters: _script("tk", letters))


def xterm(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """A program in xterm that reads bytes."""
    return posting(desktop, control, folder, lambda letters: ["xterm", "-e", *_script("terminal", letters)])


def clicks(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """A window that hands over where the left button went down, since it was opened."""
    return posting(desktop, control, folder, lambda letters: _script("clicks", letters))


def chromium(desktop: Desktop, control: Control, folder: Path) -> AbstractContextManager[Take]:
    """A field of a page in Chromium."""
    profile = f"--user-data-dir={folder / 'profile'}"

    def command(letters: Letters) -> list[str]:
        return ["chromium", *CHROMIUM, profile, f"--app=http://{':'.join(letters.address)}/"]

    return posting(desktop, control, folder, command, knock="f8")  # until its first picture is shown it drops keys


@contextmanager
def mousepad(desktop: Desktop, control: Control, folder: Path) -> Iterator[Take]:
    """The text editor of Xfce, made with GTK: what has arrived is what it saves."""
    file = folder / "note.txt"
    file.touch()
    _start(desktop, control, folder, ["mousepad", "--disable-server", str(file)])
    desktop.attend(CAP)
    yield lambda: _saved(desktop, control, file)


def _saved(desktop: Desktop, control: Control, file: Path) -> bytes:
    desktop.press("ctrl+s")
    desktop.attend(CAP)
    # A star at the beginning of the title says that not all of it is in the file.
    if not control.until(lambda: not any(window.title.startswith("*") for window in desktop.windows()), CAP):
        raise ToolFailure("TIMEOUT", f"Mousepad did not save within {CAP:.0f} s.")
    saved = file.read_bytes()
    desktop.press("ctrl+a")
    desktop.press("delete")
    desktop.attend(CAP)
    return saved


def _script(kind: str, letters: Letters) -> list[str]:
    return [sys.executable, "-I", str(SCRIPT), kind, *letters.address]


def _start(desktop: Desktop, control: Control, folder: Path, command: Sequence[str]) -> None:
    """With a home of its own: neither its person's settings count, nor does it leave anything there."""
    home = [
        "env",
        *(f"--unset=XDG_{kind}_HOME" for kind in ("CONFIG", "DATA", "CACHE", "STATE")),
        f"HOME={folder}",
        f"TMPDIR={folder}",
    ]
    started = desktop.launch([*home, *command])
    control.until(lambda: started.failure() or any(window.active for window in desktop.windows()), CAP)
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
