"""The pointer in numbers: takeovers that nobody caused, clicks that were refused, and clicks on what came between.

    python benchmarks/pointer.py [takeover] [lit] [between]      all of them where none is named

Everything is done on virtual desktops, with both cores of the machine kept busy during `takeover`.
"""

import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from mark_i.human.takeover_watch import Watcher, watched
from toolbelt.control import Control
from toolbelt.desktops import VirtualDesktop
from toolbelt.desktops.x11.connection import Connection
from toolbelt.ocr import find
from toolbelt.perception import Eyes
from toolbelt.standard import standard_toolbelt
from world_model import Action, Observation, Point, Size

CARDS: Final = Path(__file__).parents[1] / "tests" / "apps" / "cards_tk.py"
CORNER: Final = Point(50, 70)  # of what the application draws
PLACES: Final = (
    *(Point(x, y) for x in (120, 350, 580) for y in (40, 110, 180)),
    *(Point(300, y) for y in range(245, 486, 60)),
)
LIT_STEPS: Final = (1, 7)  # at once, and faded in
ACTIONS: Final = 10_000
CLICKS: Final = 500
DELAY_S: Final = (0.001, 0.02)  # before and after each answer for the pointer's place
CAP_S: Final = 60.0
SEED: Final = 11


def takeovers() -> None:
    """Move, click, drag and scroll, while each question for the pointer's place is answered late."""
    chance, control, false = random.Random(SEED), Control(), 0  # noqa: S311 - no secret
    ask: Callable[..., Any] = Connection.pointer

    def late(connection: Connection, *window: int) -> Any:  # noqa: ANN401 - as it is
        slow = threading.current_thread().name == "listener"
        time.sleep(chance.uniform(*DELAY_S) if slow else 0)
        at = ask(connection, *window)
        time.sleep(chance.uniform(*DELAY_S) if slow else 0)
        return at

    with (
        burning(),
        patch.object(Connection, "pointer", late),
        closing(VirtualDesktop(Size(1024, 768), control)) as desktop,
        watched(desktop, control, Watcher(lambda _: None, lambda: ""), None, None, own=True),
    ):
        desktop.launch(["xterm", "-e", "cat"])
        control.until(desktop.windows, CAP_S)
        control._resumed_at -= CAP_S  # whoever has just resumed a run is not asked to do it again
        for _ in range(ACTIONS):
            act(desktop, chance)
            time.sleep(chance.uniform(0, 0.01))
            if control.is_taken_over:
                false += 1
                control.resume()
        false += bool(control.until(lambda: control.is_taken_over, 1.0))
    say(f"takeovers that nobody caused: {false} in {ACTIONS:,} pointer actions")


def act(desktop: VirtualDesktop, chance: random.Random) -> None:
    """Do one thing with the pointer."""
    at = Point(chance.randrange(2, 1000), chance.randrange(2, 700))
    kind = chance.choice(["move", "move", "click", "scroll", "drag"])
    if kind == "click":
        desktop.click(at, count=chance.choice([1, 1, 2]))
    elif kind == "scroll":
        desktop.scroll(chance.choice(["up", "down"]), chance.randrange(1, 4))
    else:
        if kind == "drag":
            desktop.mouse_down("left")
        desktop.move(at)
        if kind == "drag":
            desktop.mouse_up("left")


def lit() -> None:
    """Click by points on cards and rows that light up under the pointer, at once or slowly."""
    chance = random.Random(SEED)  # noqa: S311 - no secret
    for steps in LIT_STEPS:
        with cards(steps) as (eyes, folder):
            refused = sum(not click(eyes, chance.choice(PLACES)).ok for _ in range(CLICKS // len(LIT_STEPS)))
            eyes.settle(eyes.look(), reaction=1.0)  # for the last of them to be written
            count = arrived(folder, "c")
        say(f"lit in {steps} steps: {refused} of {CLICKS // len(LIT_STEPS)} clicks refused, {count} arrived")


def between() -> None:
    """Click by points where a window comes between the look and the click."""
    with cards(LIT_STEPS[0]) as (eyes, folder):
        for number in range(CLICKS):
            click(eyes, PLACES[-1 - number % 4])
            (folder / "ask").touch()
            click(eyes, PLACES[number % 9])
            (folder / "ask").unlink()
            eyes.until(lambda lines: not find("Delete everything", lines), CAP_S)
        clicked = arrived(folder, "w")
    say(f"windows that came between: {clicked} of {CLICKS} were clicked")


@contextmanager
def cards(steps: int) -> Iterator[tuple[Eyes, Path]]:
    """The application with cards, on a desktop of its own, and the folder in which it writes what was clicked."""
    control = Control()
    with tempfile.TemporaryDirectory() as name, closing(VirtualDesktop(Size(1024, 768), control)) as desktop:
        folder = Path(name)
        (folder / "clicks").touch()
        desktop.launch([sys.executable, str(CARDS), name, str(steps)])
        eyes = Eyes(desktop, control)
        eyes.until(lambda lines: find("Row 5", lines), CAP_S)
        yield eyes, folder


def click(eyes: Eyes, place: Point) -> Observation:
    """Look, and click a point of the application."""
    at = {"x": CORNER.x + place.x, "y": CORNER.y + place.y}
    eyes.settle(eyes.show(), reaction=0.1)
    eyes.show()
    return standard_toolbelt(eyes).call(Action("click", {"target": at}), eyes.control).observation


def arrived(folder: Path, kind: str) -> int:
    """Return how many clicks of a kind the application got: on a card (c), or on a window between (w)."""
    return (folder / "clicks").read_text(encoding="utf-8").count(kind)


@contextmanager
def burning() -> Iterator[None]:
    """Keep two processors busy."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def say(figures: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{figures}\n")
    sys.stdout.flush()


PARTS: Final[Mapping[str, Callable[[], None]]] = {"takeover": takeovers, "lit": lit, "between": between}


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - PARTS.keys():
        sys.exit(f"There is no {min(unknown)}. There are {', '.join(PARTS)}.")
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
