"""The agent in a real Wayland session in numbers: text, clicks, pictures, stops and steps.

    python benchmarks/wayland.py [strings] [clicks] [frames] [stops] [steps]      all of them where none is named

It starts sway without a screen at 1920x1080, and Chromium in it, whose page says by its title what it gets.
"""

import contextlib
import json
import os
import random
import statistics
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
from toolbelt.desktops.virtual.desktop import VirtualDesktop
from toolbelt.desktops.virtual.toolkits import ENGINE_OPTION
from toolbelt.desktops.wayland import WaylandDesktop
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Halt, Point, Size

STRINGS, CLICKS = 1000, 1000
FRAMES, STOPS, STEPS = 100, 30, 60
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
PRESSED: Final = """<p id=told>not pressed</p><button style="font-size:24px" onclick="count += 1;
told.textContent = `pressed ${count} times`">Press here</button><script>let count = 0</script>"""


class Stage:
    """The session, the desktop and what the page has got."""

    def __init__(self, session: Session, desktop: WaylandDesktop, address: str) -> None:
        self.session, self.desktop, self.address = session, desktop, address

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
def stage(body: str = BODY, *, heard: bool = False) -> Iterator[Stage]:
    """Opened, and closed with all that is in it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, contextlib.ExitStack() as stack:
        session = Session(Path(folder), heard=heard)
        stack.callback(session.close)
        session.start()
        os.environ |= session.environment
        session.command("output HEADLESS-1 resolution 1920x1080")
        desktop = stack.enter_context(contextlib.closing(WaylandDesktop(session.socket, Control())))
        address = page(Path(folder), body)
        session.start_program(
            *CHROMIUM.split(),
            *([ENGINE_OPTION] if heard else []),
            f"--user-data-dir={folder}/profile",
            f"--app={address}",
        )
        session.until(lambda: session.titles()[:1] and session.titles()[0].startswith(("{", "page")))
        yield Stage(session, desktop, address)


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


def steps() -> None:
    """Press a button of the same page here and on a virtual desktop (X11) in turn, and look at what came of it."""
    with (
        stage(PRESSED, heard=True) as on,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        contextlib.closing(VirtualDesktop(Size(1920, 1080), Control())) as virtual,
    ):
        size = ["--window-position=0,0", "--window-size=1920,1080"]
        command = CHROMIUM.replace("=wayland", "=x11").split()
        virtual.launch([*command, *size, f"--user-data-dir={profile}", f"--app={on.address}"])
        there = {"sway": Eyes(on.desktop, on.desktop.control), "X11": Eyes(virtual, virtual.control)}
        times: dict[str, list[float]] = {name: [] for name in there}
        for eyes in there.values():
            on.session.until(lambda eyes=eyes: "Press here" in [one.text for one in eyes.read(eyes.look())])
        for number in range(-5, STEPS):  # the first ones warm up
            for name, eyes in there.items():
                seconds = step(eyes)
                times[name] += [seconds] if number >= 0 else []
        for name, measured in times.items():
            tell(f"a step with a click on {name}", measured)
        here, elsewhere = map(statistics.median, times.values())
        say("a step on sway, as a multiple of one on X11", f"{here / elsewhere:.2f}")


def step(eyes: Eyes) -> float:
    """Press the button and look at what came of it; return the seconds."""
    eyes.settle(eyes.look(), 1.0)
    began = time.perf_counter()
    eyes.show()
    done = standard_toolbelt(eyes).call(Action("click", {"target": "Press here"}), eyes.control).observation
    eyes.elements(eyes.look())
    seconds = time.perf_counter() - began
    if not done.ok:
        raise SystemExit(f"The click did nothing: {done.error}")
    return seconds


PARTS: Final[Mapping[str, Callable[[], None]]] = {
    "strings": strings,
    "clicks": clicks,
    "frames": frames,
    "stops": stops,
    "steps": steps,
}


if __name__ == "__main__":
    version = subprocess.run(["sway", "--version"], capture_output=True, text=True, check=True)  # noqa: S607
    sys.stdout.write(version.stdout)
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
