"""The elements benchmark: what is found on screens whose truth is known, with what programs say and by pixels alone."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

from mark_i.bench.apps.fields import CHROMIUM
from mark_i.bench.screens.described import FOLDER, Screen, screens_of
from mark_i.bench.screens.icons import write_icons
from mark_i.bench.screens.page import Page
from mark_i.bench.screens.scored import Places, Score, score
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.elements import Element, elements_on
from toolbelt.perception import Eyes
from world_model import DesktopError, Frame, Region, Size

SIZE: Final = Size(1920, 1080)
START_MAX_S: Final = 60.0  # for a program to open, and to say what it shows
OPEN_MAX_S: Final = 10.0  # for a menu to open
SETTLE_S: Final = 1.0
QUIET_S: Final = 0.5
TIMES: Final = 3  # for each screen
SILENT: Final = frozenset({"tk"})  # which say nothing of what they show
NODES_MIN: Final = 4  # of a tree that says more than that there is a window
SYSTEM_PYTHONS: Final = ("/usr/bin/python3", "python3", sys.executable)
NEEDED: Final = {
    "gtk3": "import gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gtk",
    "gtk4": "import gi; gi.require_version('Gtk', '4.0'); from gi.repository import Gtk",
    "qt6": "import PyQt6.QtWidgets",
    "tk": "import tkinter.ttk",
    "libreoffice": "import uno, shutil; shutil.which('soffice') or exit(1)",
}
HINTS: Final = {
    "gtk3": "sudo apt-get install python3-gi gir1.2-gtk-3.0",
    "gtk4": "sudo apt-get install python3-gi gir1.2-gtk-4.0",
    "qt6": "sudo apt-get install python3-pyqt6",
    "tk": "sudo apt-get install python3-tk",
    "libreoffice": "sudo apt-get install libreoffice-writer python3-uno",
    "chromium": "sudo apt-get install chromium",
}

Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Shot:
    """One screen as it was seen: what was found on it, and how long that took once it had been seen before."""

    frame: Frame
    joined: tuple[Element, ...]
    pixels: tuple[Element, ...]
    places: Places
    times_ms: list[float]


def measured(families: Sequence[str], control: Control, tell: Tell) -> dict[str, Any]:
    """Show every screen of some families, and compare what is found with the truth.

    Args:
        families: what the screens are made with; one whose program is missing is left out.
        control: a stop ends the benchmark and everything that it started.
        tell: receives progress messages.

    Raises:
        DesktopError: no virtual desktop is available, a program does not start, or none is installed.
    """
    commands = {family: _command(family) for family in families}
    missing = {family: HINTS[family] for family, command in commands.items() if command is None}
    if len(missing) == len(commands):
        raise DesktopError(f"Nothing that shows the screens is installed: {'; '.join(missing.values())}")
    rows, misses = list[dict[str, Any]](), list[str]()
    total = {"joined": Score(), "pixels": Score()}
    times, count = list[float](), 0
    for family, command in commands.items():
        if command is None:
            continue
        scores, taken, screens = {"joined": Score(), "pixels": Score()}, list[float](), list(screens_of(family))
        for at, screen in enumerate(screens):
            tell(f"{family}, {at + 1} of {len(screens)}: {screen.name}")
            shot = shown(screen, command, control)
            for name, elements in (("joined", shot.joined), ("pixels", shot.pixels)):
                result = score(screen.truth, shot.places, elements)
                scores[name].add(result)
                if name == "joined":
                    misses += [f"{family} {screen.name}: {one}" for one in result.misses]
            taken += shot.times_ms
        rows.append(_row(family, len(screens), scores, taken))
        times += taken
        count += len(screens)
        for name, result in scores.items():
            total[name].add(result)
    load = [round(one, 1) for one in os.getloadavg()]
    every = _row("all", count, total, times)
    return {"families": rows, "all": every, "missing": missing, "load": load, "misses": misses}


def _row(family: str, screens: int, scores: dict[str, Score], times: list[float]) -> dict[str, Any]:
    figures = {name: result.figures() for name, result in scores.items()}
    ordered = sorted(times)
    p95 = round(ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]) if ordered else None
    p50 = round(statistics.median(ordered)) if ordered else None
    return {"family": family, "screens": screens, **figures, "p50_ms": p50, "p95_ms": p95}


def shown(screen: Screen, command: Sequence[str], control: Control) -> Shot:
    """Show a screen on a desktop of its own, and find what is on it."""
    with (
        tempfile.TemporaryDirectory(prefix="mark-i-elements-") as name,
        closing(VirtualDesktop(SIZE, control)) as desktop,
    ):
        folder = Path(name)
        places = folder / "places.json"
        write_icons(folder, dark=bool(screen.shown.get("dark")))
        with _program(screen, command, folder, places) as program:
            eyes = Eyes(desktop, control)
            desktop.launch(program)
            if not control.until(lambda: places.exists() and desktop.windows(), START_MAX_S):
                raise DesktopError(f"The screen {screen.name} of {screen.family} did not come up.")
            if screen.family not in SILENT:
                control.until(lambda: _speaks(desktop), START_MAX_S)
            eyes.settle(eyes.look(), SETTLE_S, quiet=QUIET_S)
            if screen.opened is not None:
                _open(screen, places, eyes)
            frame = eyes.look()
            found, seen = eyes.elements(frame), elements_on(frame, eyes.read(frame))
            where = Places.read(_read(places), screen.truth)
            return Shot(frame, found, seen, where, list(_times_ms(eyes)))


def _times_ms(eyes: Eyes) -> Iterator[float]:
    """Yield how long it takes to find the elements after each of some changes."""
    for _ in range(TIMES):
        before = eyes.look()
        eyes.desktop.press("tab")
        eyes.settle(before, SETTLE_S)
        frame = eyes.look()
        if frame is not before:
            began = time.perf_counter()
            eyes.elements(frame)
            yield (time.perf_counter() - began) * 1000


def _open(screen: Screen, places: Path, eyes: Eyes) -> None:
    """Click what opens a menu, and wait until the program has drawn it."""
    before, title = eyes.look(), Region(*_read(places)["places"][str(screen.opened)])
    eyes.desktop.click(title.center)
    if not eyes.control.until(lambda: _read(places)["covers"], OPEN_MAX_S):
        raise DesktopError(f"The menu of {screen.name} of {screen.family} did not open.")
    eyes.settle(before, SETTLE_S, quiet=QUIET_S)


def _read(places: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(places.read_text(encoding="utf-8"))
    return said


def _speaks(desktop: VirtualDesktop) -> bool:
    """Whether the program says what is in its window."""
    pids = [one.pid for one in desktop.windows() if one.pid]
    return any(len(tree.nodes) >= NODES_MIN for tree in desktop.trees(pids, 1.0) or ())


def _command(family: str) -> list[str] | None:
    """Return the program that shows the screens of a family; None if it is not installed."""
    if family == "chromium":
        return ["chromium", *CHROMIUM, "--kiosk"] if shutil.which("chromium") else None
    for python in (sys.executable,) if family == "tk" else SYSTEM_PYTHONS:
        found = shutil.which(python)
        if found and _runs(found, NEEDED[family]):
            script, version = ("gtk", [family[-1]]) if family.startswith("gtk") else (family, [])
            return [found, str(FOLDER / f"{script}.py"), *version]
    return None


def _runs(python: str, code: str) -> bool:
    done = subprocess.run([python, "-c", code], capture_output=True, check=False)  # noqa: S603 - our own code
    return done.returncode == 0


@contextmanager
def _program(screen: Screen, command: Sequence[str], folder: Path, places: Path) -> Iterator[list[str]]:
    """Provide the command that shows a screen, and writes its places to a file."""
    if screen.family != "chromium":
        file = folder / "screen.json"
        file.write_text(json.dumps(screen.shown), encoding="utf-8")
        yield [*command, str(file), str(places)]
        return
    with _served(Page(screen, folder).html(), places) as address:
        yield [*command, f"--user-data-dir={folder}/profile", f"--app={address}"]


@contextmanager
def _served(page: str, places: Path) -> Iterator[str]:
    """Serve a page on this machine, and write what it posts to a file."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(page.encode())

        def do_POST(self) -> None:
            said = self.rfile.read(int(self.headers["Content-Length"]))
            places.with_suffix(".new").write_bytes(said)
            places.with_suffix(".new").replace(places)
            self._answer(b"")

        def log_message(self, *_args: object) -> None:
            """Keep standard error for the progress."""

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, name="page", daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
