"""The agent in a real Wayland session in numbers: text, clicks, pictures and stops.

    python benchmarks/wayland.py [strings] [clicks] [frames] [stops]      all of them where none is named

It starts sway without a screen at 1920x1080, and Chromium in it, whose page says by its title what it gets.
"""

import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from benchmarks.figures import say, tell
from tests.sway import Session, page
from toolbelt.control import Control
from toolbelt.desktops.wayland import WaylandDesktop
from world_model import Halt, Point

STRINGS, CLICKS = 1000, 1000
FRAMES, STOPS = 100, 30
LONGEST: Final = 60  # characters
CAP_S: Final = 30.0
LATIN: Final = (*range(0x20, 0x7F), *range(0xC0, 0x180))
OTHERS: Final = (*range(0x391, 0x3A2), *range(0x410, 0x450), *range(0x4E00, 0x4E40))
LETTERS: Final = "".join(map(chr, (*LATIN, *OTHERS)))
CHROMIUM: Final = (
    "chromium --ozone-platform=wayland --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync"
)
BODY: Final = """<textarea id=field style="width:600px;height:100px" autofocus></textarea><script>
const told = {text: "", click: null};
const tell = () => {document.title = JSON.stringify(told)};
field.oninput = () => {told.text = field.value.slice(-60); tell()};
addEventListener("mousedown", one => {told.click = [one.clientX, one.clientY]; tell()});
const draw = () => requestAnimationFrame(() => requestAnimationFrame(tell));
const wait = () => {if (document.hasFocus()) draw(); else setTimeout(wait, 20)};
wait();
</script>"""


class Stage:
    """The session, the desktop and what the page has got."""

    def __init__(self, session: Session, desktop: WaylandDesktop) -> None:
        self.session, self.desktop = session, desktop

    def told(self) -> dict[str, Any]:
        """What the page says."""
        found = next((one for one in self.session.titles() if one.startswith("{")), "{}")
        return dict(json.loads(found))

    def gets(self, name: str, wanted: object) -> bool:
        """Whether the page gets something in time."""
        end = time.monotonic() + CAP_S
        while self.told().get(name) != wanted:
            if time.monotonic() > end:
                return False
        return True


@contextmanager
def stage() -> Iterator[Stage]:
    """Opened, and closed with all that is in it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as stack:
        session = Session(Path(folder))
        stack.callback(session.close)
        session.start()
        os.environ |= session.environment
        session.command("output HEADLESS-1 resolution 1920x1080")
        desktop = stack.enter_context(contextlib.closing(WaylandDesktop(session.socket, Control())))
        address = page(Path(folder), BODY)
        session.start_program(*CHROMIUM.split(), f"--user-data-dir={folder}/profile", f"--app={address}")
        session.until(lambda: session.titles()[:1] and session.titles()[0].startswith("{"))
        yield Stage(session, desktop)


def strings() -> None:
    """Type random texts and compare what arrives."""
    with stage() as on:
        random.seed(1)
        exact = 0
        for _ in range(STRINGS):
            text = "".join(random.choices(LETTERS, k=random.randint(1, LONGEST)))  # noqa: S311 - no secret
            on.desktop.press("ctrl+a")
            on.desktop.type(text)
            exact += on.gets("text", text)
        say("texts that arrived exactly", f"{exact} of {STRINGS}")


def clicks() -> None:
    """Click at random places of the page and compare where the clicks arrive."""
    with stage() as on:
        random.seed(2)
        corner, exact = (0, 0), 0
        for number in range(-5, CLICKS):  # the first ones tell where the corner of the page is
            place = Point(random.randint(20, 1900), random.randint(250, 1060))  # noqa: S311
            before = on.told()["click"]
            on.desktop.click(place)
            on.session.until(lambda before=before: on.told()["click"] != before)
            x, y = on.told()["click"]
            if number < 0:
                corner = place.x - x, place.y - y
            exact += number >= 0 and (place.x - x, place.y - y) == corner
        say("clicks that arrived on the exact pixel", f"{exact} of {CLICKS}")


def frames() -> None:
    """Take pictures of a screen that changes."""
    with stage() as on:
        times = []
        for number in range(FRAMES):
            on.desktop.type(str(number % 10))
            began = time.perf_counter()
            on.desktop.grab()
            times.append(time.perf_counter() - began)
        tell("a picture of 1920x1080", times)


def stops() -> None:
    """Stop in the middle of a text that takes long."""
    with stage() as on:
        times = []
        for _ in range(STOPS):
            control = Control()
            with contextlib.closing(WaylandDesktop(on.session.socket, control)) as desktop:
                desktop.press("ctrl+a")
                desktop.press("delete")
                stopped: list[float] = []

                def stop(control: Control = control, stopped: list[float] = stopped) -> None:
                    stopped.append(time.perf_counter())
                    control.stop()

                threading.Timer(0.3, stop).start()
                with contextlib.suppress(Halt):
                    desktop.key_down("shift")
                    desktop.type("all work and no play " * 5000)
                desktop.release()
                times.append(time.perf_counter() - stopped[0])
        tell("a stop in the middle of a text, until nothing is held", times)


PARTS: Final[Mapping[str, Callable[[], None]]] = {
    "strings": strings,
    "clicks": clicks,
    "frames": frames,
    "stops": stops,
}


if __name__ == "__main__":
    version = subprocess.run(["sway", "--version"], capture_output=True, text=True, check=True)  # noqa: S607
    sys.stdout.write(version.stdout)
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
